// Which sheet of a workbook is read: the one that the engine finds, or another that is chosen, remembered for each file.

import { $, element } from "./dom.js";

const KEPT = "valet_xl sheets";
const MOST = 100; // files whose sheet a browser remembers

/** What was chosen for files of these names; a browser that keeps nothing is no fault. */
function recall() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
    return new Map(Array.isArray(kept) ? kept : []);
  } catch {
    return new Map();
  }
}

function remember(name, sheet) {
  const kept = recall();
  kept.delete(name);
  if (sheet) kept.set(name, sheet);
  try {
    localStorage.setItem(KEPT, JSON.stringify([...kept].slice(-MOST)));
  } catch {
    // a browser that keeps nothing
  }
}

/** The list of sheets. */
export class Sheets {
  #files = [];
  #chosen = new Map();
  #shown = 0;

  /** onChange: called when another sheet is chosen. */
  constructor(onChange) {
    $("sheet").addEventListener("change", () => {
      const sheet = $("sheet").value;
      this.#chosen.set(this.#shown, sheet);
      remember(this.#files[this.#shown].name, sheet);
      onChange();
    });
  }

  /** Take new files: what was chosen before for a file of the same name counts, if it has such a sheet. */
  async open(files, listed) {
    this.#files = files;
    this.#chosen.clear();
    $("sheet-choice").hidden = true;
    const kept = recall();
    for (const [at, { name }] of files.entries()) {
      const sheet = kept.get(name);
      if (sheet && (await listed(at)).sheets.some((each) => each.name === sheet)) this.#chosen.set(at, sheet);
    }
  }

  /** The sheet that is chosen for a file; undefined where the engine finds it. */
  of(file) {
    return this.#chosen.get(file) || undefined;
  }

  /** What is chosen, by the numbers of the files. */
  get chosen() {
    return Object.fromEntries([...this.#chosen].filter(([, sheet]) => sheet));
  }

  /** Show the sheets of a file, if there are several. */
  show(file, { sheets, used }) {
    this.#shown = file;
    const chosen = this.of(file);
    const found = used && !chosen ? `Automatic: ${used}` : "Automatic";
    $("sheet").replaceChildren(element("option", { value: "" }, found), ...sheets.map(({ name, label }) => element("option", { value: name }, label)));
    $("sheet").value = chosen ?? "";
    $("sheet-choice").hidden = sheets.length < 2;
  }
}
