// A stand-in for Excel's JavaScript API: what Microsoft documents of the parts that the add-in uses, and not more.
// A member that is not here does not exist. What is read must have been loaded and synchronized; what is asked for is
// done at the next sync, in order, and an error stops the rest; a request or its answer has at most 5 MB.
// It is no Excel: what it does is as good as the documentation.
(() => {
  const LIMIT = 5 * 1024 * 1024;
  const PLAIN = { format: "General", bold: false, italic: false, color: null, fill: null, h: "General", v: "Bottom", wrap: false };
  const USUAL_WIDTH = 48; // points
  const LAST_ROW = 1048576;
  const LAST_COLUMN = 16384;
  const MISSING = "This member is not in the stand-in";

  class OfficeError extends Error {
    constructor(code, message) {
      super(message);
      this.name = "RichApi.Error";
      this.code = code;
    }
  }
  const fail = (code, message) => {
    throw new OfficeError(code, message);
  };

  // -- the workbook in memory

  let book = null;
  const settings = { failAt: null, writes: 0, requests: [] };

  const newSheet = (name) => ({
    name,
    cells: new Map(),
    tables: [],
    merged: [],
    protected: false,
    filter: null,
    widths: new Map(),
    hidden: new Set(),
    frozen: 0,
  });
  const key = (row, column) => row * LAST_COLUMN + column;
  const cellOf = (sheet, row, column) => sheet.cells.get(key(row, column));
  const madeCell = (sheet, row, column) => {
    const at = key(row, column);
    if (!sheet.cells.has(at)) sheet.cells.set(at, { value: "", formula: "", ...PLAIN });
    return sheet.cells.get(at);
  };
  const isPlain = (cell) => cell.value === "" && !cell.formula && Object.entries(PLAIN).every(([name, value]) => cell[name] === value);
  const columnName = (column) => (column < 26 ? "" : columnName(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26));
  const named = ([top, left, bottom, right]) => {
    const [first, last] = [`${columnName(left)}${top + 1}`, `${columnName(right)}${bottom + 1}`];
    return first === last ? first : `${first}:${last}`;
  };
  const parsed = (text) => {
    const match = /^\$?([A-Z]{1,3})\$?(\d+)(?::\$?([A-Z]{1,3})\$?(\d+))?$/.exec(text.replace(/^.*!/, ""));
    if (!match) fail("InvalidArgument", `no address: ${text}`);
    const column = (letters) => [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
    const [, left, top, right = left, bottom = top] = match;
    return [Number(top) - 1, column(left), Number(bottom) - 1, column(right)];
  };
  const meets = (one, other) => one[0] <= other[2] && other[0] <= one[2] && one[1] <= other[3] && other[1] <= one[3];
  function* places([top, left, bottom, right]) {
    for (let row = top; row <= bottom; row += 1) for (let column = left; column <= right; column += 1) yield [row, column];
  }
  const grid = ([top, left, bottom, right], of) =>
    Array.from({ length: bottom - top + 1 }, (_, row) => Array.from({ length: right - left + 1 }, (_, at) => of(top + row, left + at)));
  const usedOf = (sheet) => {
    let found = null;
    const take = ([top, left, bottom, right]) => {
      found = found
        ? [Math.min(found[0], top), Math.min(found[1], left), Math.max(found[2], bottom), Math.max(found[3], right)]
        : [top, left, bottom, right];
    };
    for (const [at, cell] of sheet.cells) {
      if (isPlain(cell)) continue;
      const [row, column] = [Math.floor(at / LAST_COLUMN), at % LAST_COLUMN];
      take([row, column, row, column]);
    }
    sheet.merged.forEach(take);
    return found;
  };
  const hides = (sheet, row) => sheet.filter?.rows.has(row) || sheet.tables.some((table) => table.rows.has(row));
  const need = (sheet) => {
    if (sheet.protected) fail("AccessDenied", "You cannot perform the requested operation.");
  };

  // -- values

  /** What Excel makes of what is written into a cell. */
  function enter(sheet, row, column, given) {
    if (given === null) return; // documented: the cell stays as it is
    if (sheet.merged.some((area) => meets(area, [row, column, row, column]) && (area[0] !== row || area[1] !== column))) return;
    const cell = madeCell(sheet, row, column);
    cell.formula = "";
    if (typeof given !== "string") cell.value = given;
    else if (given.startsWith("'")) cell.value = given.slice(1);
    else if (/^[=+-]/.test(given) && given.length > 1 && Number.isNaN(Number(given))) {
      cell.formula = given.startsWith("=") ? given : `=${given}`;
      compute(sheet, row, column, cell);
    } else if (cell.format !== "@" && given.trim() !== "" && !Number.isNaN(Number(given))) cell.value = Number(given);
    else if (cell.format !== "@" && /^(true|false)$/i.test(given)) cell.value = given.toLowerCase() === "true";
    else cell.value = given;
  }

  function write(range, given) {
    const { sheet, area } = range;
    need(sheet);
    settings.writes += 1;
    if (settings.failAt === settings.writes) fail("GeneralException", "There was an internal error while processing the request.");
    const [top, left, bottom, right] = area;
    const single = !Array.isArray(given);
    const rows = single ? grid(area, () => given) : given;
    if (rows.length !== bottom - top + 1 || rows.some((row) => row.length !== right - left + 1)) {
      fail("InvalidArgument", "The number of rows or columns in the input array doesn't match the size or dimensions of the range.");
    }
    const filtered = !single && [...Array(bottom - top + 1).keys()].some((at) => hides(sheet, top + at));
    for (const [row, column] of places(area)) {
      // A range under a filter gets its first value in every visible cell (office-js #224).
      if (filtered && hides(sheet, row)) continue;
      enter(sheet, row, column, filtered ? rows[0][0] : rows[row - top][column - left]);
    }
  }

  /** A formula with one of the add-in's functions; any other shows 2, as the tests know only =1+1. */
  function compute(sheet, row, column, cell) {
    const match = /^=([A-Z0-9_.]+)\((.*)\)$/s.exec(cell.formula);
    if (!match || !functions.has(match[1])) {
      cell.value = match ? "#NAME?" : 2;
      return;
    }
    cell.value = "#BUSY!";
    const { parameters } = metadata.get(match[1]);
    const given = (match[2].trim() === "" ? [] : match[2].match(/("[^"]*"|[^,])*(,|$)/g))
      .map((text) => text.replace(/,$/, "").trim())
      .slice(0, match[2].trim() === "" ? 0 : undefined);
    if (given.at(-1) === "" && !match[2].trim().endsWith(",")) given.pop();
    const values = parameters.map((_, at) => argument(sheet, given[at] ?? ""));
    const invocation = { functionName: match[1] };
    const computed = Promise.resolve()
      .then(() => functions.get(match[1])(...values, invocation))
      .then((rows) => spill(sheet, row, column, cell, rows))
      .catch((error) => {
        cell.value = error instanceof CustomFunctions.Error ? error.code : "#VALUE!";
      })
      .finally(() => computing.delete(computed));
    computing.add(computed);
  }

  function argument(sheet, text) {
    if (text === "") return null;
    if (text.startsWith('"')) return [[text.slice(1, -1)]];
    if (/^(TRUE|FALSE)$/.test(text)) return [[text === "TRUE"]];
    if (!Number.isNaN(Number(text))) return [[Number(text)]];
    return grid(parsed(text), (row, column) => {
      const value = cellOf(sheet, row, column)?.value ?? "";
      return typeof value === "string" && /^#[A-Z/0]+[!?]?$/.test(value) ? new CustomFunctions.Error(value) : value;
    });
  }

  function spill(sheet, row, column, cell, rows) {
    if (!Array.isArray(rows) || !rows.every(Array.isArray)) throw new Error("not a block");
    const taken = ([at, across]) => (at || across) && (cellOf(sheet, row + at, column + across)?.value ?? "") !== "";
    const inside = [...places([0, 0, rows.length - 1, rows[0].length - 1])];
    if (inside.some(taken)) {
      cell.value = "#SPILL!";
      return;
    }
    for (const [at, across] of inside) {
      const value = rows[at][across];
      if (value === null || value === undefined || Number.isNaN(value)) throw new Error(`${value} in an answer`);
      madeCell(sheet, row + at, column + across).value = value instanceof CustomFunctions.Error ? value.code : value;
    }
  }

  // -- the objects of the API: each stands for something that is found when the queue is worked through

  class ClientObject {
    constructor(context, find) {
      this.context = context;
      this.find = find; // gives what this stands for; null where there is none
      this.loaded = new Map();
      this.parts = new Map();
      const strict = new Proxy(this, {
        get(target, name, receiver) {
          if (typeof name === "symbol" || name === "then" || name === "toJSON") return undefined;
          if (!(name in target)) throw new Error(`${MISSING}: ${target.constructor.name}.${name}`);
          return Reflect.get(target, name, receiver);
        },
        set(target, name, value, receiver) {
          if (!(name in target)) throw new Error(`${MISSING}: ${target.constructor.name}.${name}`);
          return Reflect.set(target, name, value, receiver);
        },
      });
      return strict;
    }
    get isNullObject() {
      if (!this.loaded.has("isNullObject")) {
        if (!this.orNull) return false;
        fail("PropertyNotLoaded", `isNullObject of ${this.constructor.name} is not available before a sync`);
      }
      return this.loaded.get("isNullObject");
    }
    get orNull() {
      return false;
    }
    load(text) {
      const names = (Array.isArray(text) ? text : text.split(",")).map((name) => name.trim());
      for (const name of names) {
        const own = name.replace(/^items\//, "");
        const known = name === own ? this.constructor.properties : this.constructor.item?.properties;
        if (!known || !(own in known)) fail("InvalidArgument", `${this.constructor.name} has no ${name}`);
      }
      this.context.ask(() => {
        const found = this.find();
        this.loaded.set("isNullObject", found === null);
        if (found === null) return 0;
        let size = 0;
        const own = names.filter((name) => !name.startsWith("items/"));
        for (const name of own) {
          const value = this.constructor.properties[name].get(found);
          this.loaded.set(name, value);
          size += JSON.stringify(value ?? null).length;
        }
        if (this.constructor.item) {
          const wanted = names.filter((name) => name.startsWith("items/")).map((name) => name.slice(6));
          const items = this.constructor.list(found).map((each) => {
            const item = new this.constructor.item(this.context, () => each);
            for (const name of wanted) item.loaded.set(name, this.constructor.item.properties[name].get(each));
            return item;
          });
          this.loaded.set("items", items);
          size += items.length * 100;
        }
        return size;
      });
      return this;
    }
    got(name) {
      if (!this.loaded.has(name)) {
        fail("PropertyNotLoaded", `The property '${name}' is not available. Before reading the property's value, call the load method on the containing object and call "context.sync()" on the associated request context.`);
      }
      return this.loaded.get(name);
    }
    /** A navigation property: the same object each time. */
    own(name, make) {
      if (!this.parts.has(name)) this.parts.set(name, make());
      return this.parts.get(name);
    }
    existing() {
      return this.find() ?? fail("ItemNotFound", "The requested resource doesn't exist.");
    }
    change(work, size = 0) {
      this.context.ask(() => {
        work(this.existing());
        return 0;
      }, size);
    }
  }

  const properties = (type, given) => {
    type.properties = given;
    for (const [name, { set }] of Object.entries(given)) {
      Object.defineProperty(type.prototype, name, {
        get() {
          return this.got(name);
        },
        set(value) {
          if (!set) throw new TypeError(`${type.name}.${name} is read-only`);
          this.change((found) => set(found, value), JSON.stringify(value)?.length ?? 0);
        },
      });
    }
  };
  const collection = (type, item, list) => {
    type.item = item;
    type.list = list;
    type.properties ??= {};
    Object.defineProperty(type.prototype, "items", {
      get() {
        return this.got("items");
      },
    });
  };
  const orNull = (type) =>
    class extends type {
      get orNull() {
        return true;
      }
    };

  class Font extends ClientObject {}
  class Fill extends ClientObject {}
  const all = (range, change) => {
    need(range.sheet);
    for (const [row, column] of places(range.area)) change(madeCell(range.sheet, row, column));
  };
  const common = (name, plain) => ({
    get: ({ sheet, area }) => {
      const found = new Set([...places(area)].map(([row, column]) => (cellOf(sheet, row, column) ?? PLAIN)[name] ?? plain));
      return found.size === 1 ? [...found][0] : null;
    },
    set: (range, value) => all(range, (cell) => (cell[name] = value)),
  });
  properties(Font, { bold: common("bold"), italic: common("italic"), color: common("color", "#000000") });
  properties(Fill, { color: common("fill", "#FFFFFF") });

  class RangeFormat extends ClientObject {
    get font() {
      return this.own("font", () => new Font(this.context, this.find));
    }
    get fill() {
      return this.own("fill", () => new Fill(this.context, this.find));
    }
    set(given) {
      for (const [name, value] of Object.entries(given)) {
        if (!(name in RangeFormat.properties)) fail("InvalidArgument", `RangeFormat has no ${name}`);
        this.change((range) => RangeFormat.properties[name].set(range, value));
      }
    }
  }
  const widthOf = (sheet, column) => sheet.widths.get(column) ?? USUAL_WIDTH;
  properties(RangeFormat, {
    horizontalAlignment: common("h"),
    verticalAlignment: common("v"),
    wrapText: common("wrap"),
    columnWidth: {
      get: ({ sheet, area: [, left, , right] }) => {
        const found = new Set(Array.from({ length: right - left + 1 }, (_, at) => widthOf(sheet, left + at)));
        return found.size === 1 ? [...found][0] : null;
      },
      set: ({ sheet, area: [, left, , right] }, value) => {
        need(sheet);
        for (let column = left; column <= right; column += 1) sheet.widths.set(column, value);
      },
    },
    useStandardWidth: {
      get: ({ sheet, area: [, left] }) => !sheet.widths.has(left),
      set: ({ sheet, area: [, left, , right] }, value) => {
        need(sheet);
        if (value) for (let column = left; column <= right; column += 1) sheet.widths.delete(column);
      },
    },
  });

  class ConditionalFormats extends ClientObject {
    clearAll() {
      this.change(({ sheet }) => need(sheet));
    }
  }
  ConditionalFormats.properties = {};

  class Range extends ClientObject {
    get format() {
      return this.own("format", () => new RangeFormat(this.context, this.find));
    }
    get conditionalFormats() {
      return this.own("conditionalFormats", () => new ConditionalFormats(this.context, this.find));
    }
    clear(what = "All") {
      if (!["All", "Formats", "Contents"].includes(what)) fail("InvalidArgument", what);
      this.change(({ sheet, area }) => {
        need(sheet);
        if (sheet.filter?.rows.size && area[2] > area[0]) fail("GeneralException", "a range under a filter");
        const inside = (row, column) => row >= area[0] && row <= area[2] && column >= area[1] && column <= area[3];
        for (const [at, cell] of [...sheet.cells]) {
          if (!inside(Math.floor(at / LAST_COLUMN), at % LAST_COLUMN)) continue;
          if (what !== "Formats") Object.assign(cell, { value: "", formula: "" });
          if (what !== "Contents") Object.assign(cell, PLAIN);
        }
      });
    }
    copyFrom(source, what = "All") {
      if (what !== "Formats") fail("InvalidArgument", what);
      this.change(({ sheet, area: [top, left, bottom, right] }) => {
        need(sheet);
        const from = source.existing();
        const height = from.area[2] - from.area[0] + 1;
        const width = from.area[3] - from.area[1] + 1;
        if ((bottom - top + 1) % height || (right - left + 1) % width) fail("InvalidArgument", "sizes do not fit");
        const models = new Map();
        for (const [row, column] of places(from.area)) models.set(key(row, column), { ...(cellOf(from.sheet, row, column) ?? PLAIN) });
        for (const [row, column] of places([top, left, bottom, right])) {
          const model = models.get(key(from.area[0] + ((row - top) % height), from.area[1] + ((column - left) % width)));
          for (const name of Object.keys(PLAIN)) madeCell(sheet, row, column)[name] = model[name];
        }
        const merged = from.sheet.merged.filter((area) => meets(area, from.area));
        if (merged.length) sheet.merged.push([top, left, bottom, right]); // it copies this too
      });
    }
    select() {
      this.change(({ sheet, area }) => {
        book.active = sheet;
        book.selected = { sheet, area };
      });
    }
    getResizedRange(rows, columns) {
      return new Range(this.context, () => {
        const { sheet, area } = this.existing();
        return { sheet, area: [area[0], area[1], area[2] + rows, area[3] + columns] };
      });
    }
    getMergedAreasOrNullObject() {
      return new (orNull(RangeAreas))(this.context, () => {
        const { sheet, area } = this.existing();
        const found = sheet.merged.filter((each) => meets(each, area));
        return found.length ? { sheet, areas: found } : null;
      });
    }
  }
  properties(Range, {
    rowIndex: { get: ({ area }) => area[0] },
    columnIndex: { get: ({ area }) => area[1] },
    rowCount: { get: ({ area }) => area[2] - area[0] + 1 },
    columnCount: { get: ({ area }) => area[3] - area[1] + 1 },
    address: { get: ({ sheet, area }) => `${sheet.name}!${named(area)}` },
    values: { get: ({ sheet, area }) => grid(area, (row, column) => cellOf(sheet, row, column)?.value ?? ""), set: write },
    formulas: {
      get: ({ sheet, area }) =>
        grid(area, (row, column) => {
          const cell = cellOf(sheet, row, column);
          return cell ? cell.formula || cell.value : "";
        }),
      set: write,
    },
    numberFormat: {
      get: ({ sheet, area }) => grid(area, (row, column) => cellOf(sheet, row, column)?.format ?? "General"),
      set: (range, given) => {
        if (Array.isArray(given)) throw new Error(`${MISSING}: an array of number formats`);
        all(range, (cell) => (cell.format = given));
      },
    },
    columnHidden: {
      get: ({ sheet, area }) => sheet.hidden.has(area[1]),
      set: ({ sheet, area: [, left, , right] }, value) => {
        need(sheet);
        for (let column = left; column <= right; column += 1) sheet.hidden[value ? "add" : "delete"](column);
      },
    },
  });

  class RangeCollection extends ClientObject {}
  collection(RangeCollection, Range, ({ sheet, areas }) => areas.map((area) => ({ sheet, area })));
  class RangeAreas extends ClientObject {
    get areas() {
      return this.own("areas", () => new RangeCollection(this.context, this.find));
    }
  }
  properties(RangeAreas, { address: { get: ({ sheet, areas }) => areas.map((area) => `${sheet.name}!${named(area)}`).join(",") } });

  class AutoFilter extends ClientObject {
    getRangeOrNullObject() {
      return new (orNull(Range))(this.context, () => {
        const { sheet, filter } = this.existing();
        return filter ? { sheet, area: filter.area } : null;
      });
    }
    apply(range) {
      this.change((found) => {
        need(found.sheet);
        found.apply(range.existing().area);
      });
    }
  }
  properties(AutoFilter, {
    enabled: { get: ({ filter }) => filter !== null },
    isDataFiltered: { get: ({ filter }) => Boolean(filter?.rows.size) },
  });

  class TableColumn extends ClientObject {
    delete() {
      this.change(({ sheet, table, at }) => {
        need(sheet);
        const [top, left, bottom] = table.area;
        shift(sheet, [top, left + at + 1, bottom], -1);
        table.area[3] -= 1;
      });
    }
  }
  TableColumn.properties = {};
  class TableColumns extends ClientObject {
    getItemAt(at) {
      return new TableColumn(this.context, () => ({ ...this.existing(), at }));
    }
    add() {
      this.change(({ sheet, table }) => {
        need(sheet);
        const [top, , bottom, right] = table.area;
        shift(sheet, [top, right + 1, bottom], 1);
        table.area[3] += 1;
        madeCell(sheet, top, right + 1).value = `Column${table.area[3]}`;
      });
    }
  }
  properties(TableColumns, { count: { get: ({ table }) => table.area[3] - table.area[1] + 1 } });

  /** Move the cells of rows, from a column on, one to the right or left; those that are moved over go. */
  function shift(sheet, [top, from, bottom], by) {
    const moved = [...sheet.cells].filter(([at]) => {
      const [row, column] = [Math.floor(at / LAST_COLUMN), at % LAST_COLUMN];
      return row >= top && row <= bottom && column >= from;
    });
    if (by < 0) for (let row = top; row <= bottom; row += 1) sheet.cells.delete(key(row, from + by));
    for (const [at] of moved) sheet.cells.delete(at);
    for (const [at, cell] of moved) sheet.cells.set(at + by, cell);
  }

  class Table extends ClientObject {
    get columns() {
      return this.own("columns", () => new TableColumns(this.context, this.find));
    }
    get autoFilter() {
      const find = () => {
        const { sheet, table } = this.existing();
        return { sheet, filter: { area: table.area, rows: table.rows } };
      };
      return this.own("autoFilter", () => new AutoFilter(this.context, find));
    }
    getRange() {
      return new Range(this.context, () => {
        const { sheet, table } = this.existing();
        return { sheet, area: table.area };
      });
    }
    resize(range) {
      this.change(({ sheet, table }) => {
        need(sheet);
        const { area } = range.existing();
        if (area[0] !== table.area[0] || !meets(area, table.area)) fail("InvalidArgument", "the headings must stay in their row");
        if (table.totals) fail("InvalidOperation", "a table with totals");
        for (let column = table.area[3] + 1; column <= area[3]; column += 1) {
          const head = madeCell(sheet, area[0], column);
          if (head.value === "") head.value = `Column${column - area[1] + 1}`;
        }
        table.area = [...area];
      });
    }
  }
  properties(Table, {
    name: { get: ({ table }) => table.name },
    showTotals: { get: ({ table }) => table.totals },
    showHeaders: { get: ({ table }) => table.headings },
  });
  class Tables extends ClientObject {
    getItem(name) {
      return new Table(this.context, () => {
        const sheet = this.existing();
        const table = sheet.tables.find((each) => each.name === name);
        return table ? { sheet, table } : null;
      });
    }
  }
  collection(Tables, Table, (sheet) => sheet.tables.map((table) => ({ sheet, table })));

  class Protection extends ClientObject {}
  properties(Protection, { protected: { get: (sheet) => sheet.protected } });
  class FreezePanes extends ClientObject {
    freezeRows(count) {
      this.change((sheet) => (sheet.frozen = count));
    }
  }
  FreezePanes.properties = {};

  class Worksheet extends ClientObject {
    get tables() {
      return this.own("tables", () => new Tables(this.context, this.find));
    }
    get protection() {
      return this.own("protection", () => new Protection(this.context, this.find));
    }
    get freezePanes() {
      return this.own("freezePanes", () => new FreezePanes(this.context, this.find));
    }
    get autoFilter() {
      const find = () => {
        const sheet = this.existing();
        return { sheet, filter: sheet.filter, apply: (area) => (sheet.filter = { area, rows: new Set() }) };
      };
      return this.own("autoFilter", () => new AutoFilter(this.context, find));
    }
    getRange(address) {
      return new Range(this.context, () => ({ sheet: this.existing(), area: address ? parsed(address) : [0, 0, LAST_ROW - 1, LAST_COLUMN - 1] }));
    }
    getRangeByIndexes(row, column, rows, columns) {
      const good = [row, column, rows, columns].every(Number.isInteger) && row >= 0 && column >= 0 && rows > 0 && columns > 0;
      if (!good || row + rows > LAST_ROW || column + columns > LAST_COLUMN) fail("InvalidArgument", "no such cells");
      return new Range(this.context, () => ({ sheet: this.existing(), area: [row, column, row + rows - 1, column + columns - 1] }));
    }
    getUsedRangeOrNullObject() {
      return new (orNull(Range))(this.context, () => {
        const sheet = this.existing();
        const area = usedOf(sheet);
        return area ? { sheet, area } : null;
      });
    }
    activate() {
      this.change((sheet) => (book.active = sheet));
    }
    delete() {
      this.change((sheet) => {
        if (book.sheets.length === 1) fail("InvalidOperation", "the last sheet");
        book.sheets.splice(book.sheets.indexOf(sheet), 1);
        if (book.active === sheet) [book.active] = book.sheets;
      });
    }
  }
  properties(Worksheet, { name: { get: (sheet) => sheet.name } });
  const sheetCalled = (name) => book.sheets.find((sheet) => sheet.name.toLowerCase() === name.toLowerCase()) ?? null;
  class Worksheets extends ClientObject {
    getActiveWorksheet() {
      return new Worksheet(this.context, () => book.active);
    }
    getItem(name) {
      return new Worksheet(this.context, () => sheetCalled(name));
    }
    getItemOrNullObject(name) {
      return new (orNull(Worksheet))(this.context, () => sheetCalled(name));
    }
    add(name) {
      let added = null;
      this.context.ask(() => {
        if (book.protected) fail("AccessDenied", "You cannot perform the requested operation.");
        if (sheetCalled(name)) fail("ItemAlreadyExists", "A resource with the same name or identifier already exists.");
        added = newSheet(name);
        book.sheets.push(added);
        return 0;
      });
      return new Worksheet(this.context, () => added);
    }
  }
  collection(Worksheets, Worksheet, () => book.sheets);

  class NamedItem extends ClientObject {}
  properties(NamedItem, {
    name: { get: (item) => item.name },
    formula: { get: (item) => item.formula, set: (item, value) => (item.formula = value) },
    visible: { get: (item) => item.visible, set: (item, value) => (item.visible = value) },
  });
  class Names extends ClientObject {
    add(name, formula) {
      this.context.ask(() => {
        if (book.names.some((item) => item.name === name)) fail("ItemAlreadyExists", name);
        book.names.push({ name, formula, visible: true });
        return 0;
      });
      return this.getItemOrNullObject(name);
    }
    getItemOrNullObject(name) {
      return new (orNull(NamedItem))(this.context, () => book.names.find((item) => item.name === name) ?? null);
    }
  }
  collection(Names, NamedItem, () => book.names);

  class WorkbookProtection extends ClientObject {}
  properties(WorkbookProtection, { protected: { get: (found) => found.protected } });

  class Workbook extends ClientObject {
    get protection() {
      return this.own("protection", () => new WorkbookProtection(this.context, () => book));
    }
    get worksheets() {
      return this.own("worksheets", () => new Worksheets(this.context, () => book));
    }
    get names() {
      return this.own("names", () => new Names(this.context, () => book));
    }
  }
  Workbook.properties = {};

  class RequestContext {
    constructor() {
      this.queue = [];
      this.size = 0;
      this.workbook = new Workbook(this, () => book);
    }
    ask(work, size = 0) {
      this.queue.push(work);
      this.size += size;
    }
    async sync() {
      const [queue, size] = [this.queue, this.size];
      [this.queue, this.size] = [[], 0];
      await Promise.resolve();
      settings.requests.push(size);
      if (size > LIMIT) fail("RequestPayloadSizeLimitExceeded", "The request payload size has exceeded the limit.");
      let answered = 0;
      for (const work of queue) answered += work();
      if (answered > LIMIT) fail("ResponsePayloadSizeLimitExceeded", "The response payload size has exceeded the limit.");
    }
  }

  // -- what the page sees

  const functions = new Map();
  const computing = new Set();
  const metadata = new Map();
  const actions = new Map();
  const lacking = new Set();
  class CustomError extends Error {
    constructor(code, message) {
      super(message);
      this.code = code;
    }
  }
  globalThis.CustomFunctions = {
    associate(id, work) {
      if (!metadata.has(id)) throw new Error(`functions.json has no ${id}`);
      functions.set(id, work);
    },
    Error: CustomError,
    ErrorCode: { invalidValue: "#VALUE!", notAvailable: "#N/A", invalidNumber: "#NUM!", divisionByZero: "#DIV/0!" },
  };
  globalThis.Excel = {
    async run(work) {
      const context = new RequestContext();
      const answer = await work(context);
      await context.sync();
      return answer;
    },
  };
  const ready = (async () => {
    const found = await (await fetch("functions.json")).json();
    for (const each of found.functions) metadata.set(each.id, each);
    if (!book) window.standin.open({ sheets: [{ name: "Sheet1", cells: [] }], names: [] });
    return { host: "Excel", platform: "Mac" };
  })();
  globalThis.Office = {
    onReady: () => ready,
    context: {
      diagnostics: { host: "Excel", platform: "Mac", version: "16.0 (stand-in)" },
      requirements: { isSetSupported: (name, version) => !lacking.has(`${name} ${version}`) },
    },
    actions: { associate: (name, work) => actions.set(name, work) },
    addin: {
      showAsTaskpane: async () => {
        settings.shown = (settings.shown ?? 0) + 1;
      },
    },
  };

  // -- what tests see

  const sheetNamed = (name) => (name ? sheetCalled(name) : book.active);
  window.standin = {
    settings,
    lacking,
    functions,
    open(given) {
      const sheets = given.sheets.map((each) => {
        const sheet = newSheet(each.name);
        for (const { row, column, ...cell } of each.cells) Object.assign(madeCell(sheet, row, column), cell);
        for (const table of each.tables ?? []) sheet.tables.push({ ...table, rows: new Set() });
        sheet.merged = each.merged ?? [];
        for (const [column, width] of each.widths ?? []) sheet.widths.set(column, width);
        if (each.filter) sheet.filter = { area: each.filter, rows: new Set(each.filteredRows ?? []) };
        return sheet;
      });
      book = { sheets, active: sheets[0], names: given.names, protected: false, selected: { sheet: sheets[0], area: [0, 0, 0, 0] } };
      Object.assign(settings, { failAt: null, writes: 0, requests: [], shown: 0 });
    },
    cells: (area, name) => grid(parsed(area), (row, column) => cellOf(sheetNamed(name), row, column)?.value ?? ""),
    put(area, rows) {
      const [top, left] = parsed(area);
      rows.forEach((row, at) => row.forEach((value, across) => Object.assign(madeCell(book.active, top + at, left + across), { value: value ?? "", formula: "" })));
    },
    formula(area, text) {
      const [row, column] = parsed(area);
      enter(book.active, row, column, text);
    },
    clear: (area) => [...places(parsed(area))].forEach(([row, column]) => book.active.cells.delete(key(row, column))),
    merge: (area) => book.active.merged.push(parsed(area)),
    protect: () => (book.active.protected = true),
    protectBook: () => (book.protected = true),
    hide: (rows) => (book.active.filter = { area: usedOf(book.active), rows: new Set(rows) }),
    hideInTable: (rows) => (book.active.tables[0].rows = new Set(rows)),
    select: (area) => (book.selected = { sheet: book.active, area: parsed(area) }),
    selected: () => named(book.selected.area),
    sheets: () => book.sheets.map((sheet) => sheet.name),
    shown: () => book.active.name,
    show: (name) => (book.active = sheetCalled(name)),
    tables: () => book.active.tables.map((table) => [table.name, named(table.area)]),
    looks: (area) =>
      grid(parsed(area), (row, column) => {
        const { value, formula: _, ...look } = cellOf(book.active, row, column) ?? { value: "", ...PLAIN };
        return value === "" ? ["", look.fill] : [value, look];
      }),
    widths: () => Array.from({ length: 26 }, (_, column) => widthOf(book.active, column)),
    filter: () => (book.active.filter ? named(book.active.filter.area) : ""),
    hideColumn: (column) => book.active.hidden.add(column),
    hiddenColumns: () => [...book.active.hidden],
    frozen: () => book.active.frozen,
    names: () => book.names,
    settled: () => Promise.all(computing).then(() => null),
    keep: (name, formula) => book.names.push({ name, formula, visible: false }),
    press: (name) => new Promise((resolve) => actions.get(name)({ completed: resolve })),
  };
})();
