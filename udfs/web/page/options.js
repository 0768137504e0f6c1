// The options of the command, as a form made from their records, remembered in this browser.

import { $, element } from "./dom.js";

const KEPT = "valet_xl options";

/** Words that a browser remembers; a browser that keeps nothing is no fault. */
function recall() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "{}");
  } catch {
    return {};
  }
}

function remember(chosen) {
  try {
    localStorage.setItem(KEPT, JSON.stringify(chosen));
  } catch {
    // a browser that keeps nothing
  }
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The form of the options. */
export class Options {
  #fields = new Map();
  #onChange;

  /** declared: the records; onChange: called with the kind of options that changed. */
  constructor(declared, onChange) {
    this.#onChange = onChange;
    const kept = recall();
    for (const kind of ["scoring", "ranking"]) {
      for (const option of declared[kind]) {
        const into = kind === "ranking" ? $("options-ranking") : option.often ? $("options-often") : $("options-more");
        const field = this.#field(option, `${kind}-${option.name}`);
        const before = kept[kind]?.[option.name];
        if (before !== undefined) field.set(before);
        this.#fields.set(`${kind}.${option.name}`, { ...field, kind, option });
        into.append(field.shown);
      }
    }
    $("options-form").addEventListener("submit", (event) => event.preventDefault());
    $("options-form").addEventListener("reset", () => setTimeout(() => this.#changed("scoring")));
    this.#say();
  }

  /** What is chosen, without what is left at its default. */
  get chosen() {
    const found = { scoring: {}, ranking: {} };
    for (const { kind, option, get } of this.#fields.values()) {
      const value = get();
      if (value !== undefined) found[kind][option.name] = value;
    }
    return found;
  }

  #changed(kind) {
    remember(this.chosen);
    this.#say();
    this.#onChange(kind);
  }

  #say() {
    const { scoring, ranking } = this.chosen;
    const said = [...Object.entries(scoring), ...Object.entries(ranking)].map(([name, value]) => (value === true ? name : `${name} ${value}`).replaceAll("_", " "));
    $("options-said").textContent = said.length ? `(${said.join(", ")})` : "(defaults)";
  }

  #field(option, id) {
    const kind = id.split("-")[0];
    const on = { change: () => this.#changed(kind) };
    const says = element("p", { className: "quiet", id: `${id}-says` }, `${capital(option.says)}.`);
    const common = { id, "aria-describedby": says.id, on };
    if (option.kind === "switch") {
      const box = element("input", { ...common, type: "checkbox" });
      const shown = element("div", { className: "field switch" }, box, element("label", { htmlFor: id }, option.label), says);
      return { shown, get: () => (box.checked ? true : undefined), set: (value) => { box.checked = value === true; } };
    }
    if (option.kind === "words") {
      const words = option.words.map(({ word, says: meaning }) => element("option", { value: word }, meaning ? `${word}: ${meaning}` : word));
      const automatic = element("option", { value: "" }, option.name === "method" ? `as the file says, else ${option.default}` : `default (${option.default})`);
      const select = element("select", common, automatic, ...words);
      const shown = element("div", { className: "field" }, element("label", { htmlFor: id }, option.label), select, says);
      const known = new Set(option.words.map(({ word }) => word));
      return { shown, get: () => select.value || undefined, set: (value) => { if (known.has(value)) select.value = value; } };
    }
    const input = element("input", { ...common, type: "text", inputMode: option.kind === "number" ? "decimal" : "text", placeholder: "default" });
    const shown = element("div", { className: "field" }, element("label", { htmlFor: id }, option.label), input, says);
    return { shown, get: () => input.value.trim() || undefined, set: (value) => { input.value = String(value); } };
  }
}
