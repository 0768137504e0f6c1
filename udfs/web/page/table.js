// A table of any length: the engine keeps and sorts it, and gives the rows of one page at a time as text.

import { counted, element } from "./dom.js";

const PAGE = 100;
const LONG = 40; // characters of a cell from which on it may take several lines

export class TableView {
  #into;
  #ask;
  #start = 0;
  #column = null;
  #down = false;
  #described = null;
  #all = false;
  #asked = 0;

  /** into: the element that it fills; ask: gives the rows for { start, count, column, down }. */
  constructor(into, ask) {
    this.#into = into;
    this.#ask = ask;
  }

  /** Show a table: as the engine describes it, under a caption. */
  async show(described, caption) {
    this.#described = described;
    this.#start = 0;
    this.#column = null;
    this.#down = false;
    this.#build(caption);
    await this.#fill();
  }

  clear() {
    this.#asked += 1;
    this.#into.replaceChildren();
  }

  #shown() {
    return this.#described.columns.map((column, at) => ({ ...column, at })).filter((column) => this.#all || column.kind !== "detail");
  }

  #build(caption) {
    const described = this.#described;
    this.#into.replaceChildren();
    if (described.columns.some((column) => column.kind === "detail")) {
      const box = element("input", {
        type: "checkbox",
        checked: this.#all,
        on: { change: () => { this.#all = box.checked; this.#heads(); this.#fill(); } },
      });
      this.#into.append(element("label", { className: "choice" }, box, "All columns, with the 95 % intervals"));
    }
    this.head = element("tr");
    this.body = element("tbody");
    const table = element("table", {}, element("caption", {}, caption), element("thead", {}, this.head), this.body);
    this.#into.append(element("div", { className: "frame", tabIndex: 0, role: "region", "aria-label": caption }, table));
    this.where = element("p", { role: "status" });
    const step = (label, where) => element("button", { type: "button", className: "button", on: { click: () => this.#go(where()) } }, label);
    this.steps = {
      before: step("Previous", () => this.#start - PAGE),
      after: step("Next", () => this.#start + PAGE),
    };
    this.pager = element("div", { className: "pager" }, this.steps.before, this.steps.after, this.where);
    this.#into.append(this.pager);
    this.#heads();
  }

  #heads() {
    const heads = this.#shown().map(({ name, says, number, at }) => {
      const button = element("button", { type: "button", title: says || undefined, on: { click: () => this.#sort(at) } }, name || "(no heading)");
      const sorted = this.#column === at ? (this.#down ? "descending" : "ascending") : undefined;
      return element("th", { scope: "col", className: number ? "number" : "", "aria-sort": sorted }, button);
    });
    if (this.#described.numbered) heads.unshift(element("th", { scope: "col" }, element("span", {}, "Row")));
    this.head.replaceChildren(...heads);
  }

  /** A column is sorted up, then down, then no more. Scores are wanted from the highest on. */
  async #sort(at) {
    const number = this.#described.columns[at].number;
    if (this.#column !== at) [this.#column, this.#down] = [at, number];
    else if (this.#down === number) this.#down = !number;
    else [this.#column, this.#down] = [null, false];
    this.#start = 0;
    const place = this.#shown().findIndex((column) => column.at === at) + (this.#described.numbered ? 1 : 0);
    this.#heads();
    this.head.children[place]?.querySelector("button")?.focus();
    await this.#fill();
  }

  async #go(start) {
    this.#start = Math.max(0, start);
    await this.#fill();
    this.#into.querySelector(".frame").scrollTop = 0;
  }

  async #fill() {
    const asked = ++this.#asked;
    const { rows, of } = await this.#ask({ start: this.#start, count: PAGE, column: this.#column, down: this.#down });
    if (asked !== this.#asked) return; // something else was asked for since
    const columns = this.#shown();
    this.body.replaceChildren(...rows.map((row) => this.#row(row, columns)));
    const last = this.#start + rows.length;
    this.where.textContent = of === 0 ? "No rows" : `Rows ${(this.#start + 1).toLocaleString("en")} to ${last.toLocaleString("en")} of ${of.toLocaleString("en")}`;
    this.steps.before.disabled = this.#start === 0;
    this.steps.after.disabled = last >= of;
    this.pager.hidden = of <= PAGE;
  }

  #row(row, columns) {
    const cells = columns.map(({ at, number, kind }) => {
      const text = row.cells[at];
      const names = [number ? "number" : "", kind === "scored" ? "scored" : "", text.length > LONG ? "long" : ""];
      return element("td", { className: names.filter(Boolean).join(" ") }, text);
    });
    if (this.#described.numbered) cells.unshift(element("th", { scope: "row" }, `${row.wrong ? "⚠ " : ""}${row.number}`));
    return element("tr", { className: row.wrong ? "wrong" : "" }, ...cells);
  }
}

export const captioned = (what, described) => {
  const wrong = described.wrong ? `; first ${counted(described.wrong, "row")} that cannot be read, each with its reason in the column Note` : "";
  return `${what}, ${counted(described.rows, "row")}${wrong}`;
};
