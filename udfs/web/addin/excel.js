// The sheet that Excel shows, by Office.js: a snapshot of it goes to Python, and the steps that come back are done.
// The steps are the methods of Surface in valet_xl/hosts/surface.py that change something. Corners are first row, first
// column, last row, last column, from 0.

import { MOST_CELLS } from "./records.js";

const CELLS_AT_ONCE = 30000; // of which values, formulas and formats are read, below the 5 MB of Excel on the web
const BYTES_AT_ONCE = 2_000_000; // of values that are written
const TOO_MUCH = ["RequestPayloadSizeLimitExceeded", "ResponsePayloadSizeLimitExceeded"];
const PLACE = "rowIndex,columnIndex,rowCount,columnCount";

const cornersOf = (range) => [
  range.rowIndex,
  range.columnIndex,
  range.rowIndex + range.rowCount - 1,
  range.columnIndex + range.columnCount - 1,
];
const rangeOf = (sheet, [top, left, bottom, right]) =>
  sheet.getRangeByIndexes(top, left, bottom - top + 1, right - left + 1);

/** What Excel is, for the user who asks. */
export function about() {
  const { host, platform, version } = Office.context.diagnostics;
  return `${host} ${version} (${platform})`;
}

/** What the document remembers, and the names of its sheets; with the cells of the sheet that is shown if they are wanted. */
export async function snapshot(context, withCells) {
  const { workbook } = context;
  const sheet = workbook.worksheets.getActiveWorksheet();
  sheet.load("name");
  workbook.worksheets.load("items/name");
  workbook.names.load("items/name,items/formula");
  workbook.protection.load("protected");
  await context.sync();
  const names = Object.fromEntries(workbook.names.items.map(({ name, formula }) => [name, String(formula)]));
  const found = {
    about: about(),
    sheet: sheet.name,
    sheets: workbook.worksheets.items.map(({ name }) => name),
    structure: workbook.protection.protected,
    names: Object.fromEntries(Object.entries(names).filter(([name]) => name.startsWith("valet_xl_"))),
  };
  return withCells ? { ...found, ...(await cells(context, sheet)) } : found;
}

async function cells(context, sheet) {
  const used = sheet.getUsedRangeOrNullObject();
  const filter = sheet.autoFilter.getRangeOrNullObject();
  const merged = sheet.getRange().getMergedAreasOrNullObject();
  used.load(PLACE);
  filter.load(PLACE);
  merged.load("address");
  sheet.autoFilter.load("isDataFiltered");
  sheet.protection.load("protected");
  sheet.tables.load("items/name,items/showTotals,items/showHeaders");
  await context.sync();
  const areas = merged.isNullObject ? null : merged.areas;
  areas?.load(`items/rowIndex,items/columnIndex,items/rowCount,items/columnCount`);
  const tables = sheet.tables.items.map((table) => ({ table, range: table.getRange() }));
  for (const { table, range } of tables) {
    range.load(PLACE);
    table.autoFilter.load("isDataFiltered");
  }
  await context.sync();
  return {
    used: used.isNullObject ? null : cornersOf(used),
    ...(await contents(context, sheet, used)),
    merged: areas ? areas.items.map(cornersOf) : [],
    protected: sheet.protection.protected,
    filtered: sheet.autoFilter.isDataFiltered,
    filter: filter.isNullObject ? null : cornersOf(filter),
    tables: tables.map(({ table, range }) => ({
      name: table.name,
      corners: cornersOf(range),
      totals: table.showTotals,
      headings: table.showHeaders,
      filtered: table.autoFilter.isDataFiltered,
    })),
  };
}

/** Values, formulas and number formats, some rows at a time; of a sheet that Python refuses for its size, none. */
async function contents(context, sheet, used) {
  const found = { values: [], formulas: [], formats: [] };
  if (used.isNullObject) return found;
  const [top, left, bottom, right] = cornersOf(used);
  if ((bottom + 1) * (right + 1) > MOST_CELLS) return found;
  let height = Math.max(1, Math.floor(CELLS_AT_ONCE / (right - left + 1)));
  for (let row = top; row <= bottom; ) {
    const last = Math.min(row + height - 1, bottom);
    const part = rangeOf(sheet, [row, left, last, right]);
    part.load("values,formulas,numberFormat");
    try {
      await context.sync();
    } catch (error) {
      if (!TOO_MUCH.includes(error.code) || height === 1) throw error;
      height = Math.ceil(height / 4);
      continue;
    }
    found.values.push(...part.values);
    found.formulas.push(...part.formulas);
    found.formats.push(...part.numberFormat);
    row = last + 1;
  }
  return found;
}

/** Do the steps that Python gave for a snapshot. If one fails, the cells that were written get their contents back. */
export async function doSteps(context, before, steps) {
  const done = { claimed: [], added: null };
  try {
    for (const step of steps) {
      const sheet = done.added ?? context.workbook.worksheets.getItem(before.sheet);
      await DO[step.do](context, sheet, step, done);
    }
    await context.sync();
  } catch (error) {
    if (done.added) await quietly(context, () => done.added.delete());
    for (const area of done.claimed) await restore(context, before, area);
    throw error;
  }
}

const DO = {
  claim: (_context, _sheet, { area }, done) => {
    done.claimed.push(area);
  },
  make_room: () => {},
  values: writeValues,
  clear_contents: (_context, sheet, { area }) => {
    rangeOf(sheet, area).clear("Contents");
  },
  clear: (_context, sheet, { area }) => {
    rangeOf(sheet, area).clear("All");
  },
  end_table: endTable,
  delete_columns: deleteColumns,
  filter: (_context, sheet, { area }) => {
    sheet.autoFilter.apply(rangeOf(sheet, area));
  },
  unhide: (_context, sheet, { area }) => {
    rangeOf(sheet, area).columnHidden = false;
  },
  widths: widen,
  usual_width: (_context, sheet, { area }) => {
    rangeOf(sheet, area).format.useStandardWidth = true;
  },
  looks: (_context, sheet, { area: [top, left, bottom, right] }) => {
    const cells = rangeOf(sheet, [top, left, bottom, right]);
    cells.copyFrom(rangeOf(sheet, [top, left - 1, bottom, left - 1]), "Formats");
    cells.conditionalFormats.clearAll();
  },
  plain: (_context, sheet, { area }) => {
    rangeOf(sheet, area).format.set({ horizontalAlignment: "General", verticalAlignment: "Bottom", wrapText: false });
  },
  heading: async (context, sheet, { area, like }) => {
    const { fill } = rangeOf(sheet, like).format;
    fill.load("color");
    await context.sync();
    if (["", "#FFFFFF"].includes(String(fill.color).toUpperCase())) rangeOf(sheet, area).format.font.bold = true;
  },
  right: (_context, sheet, { area }) => {
    rangeOf(sheet, area).format.horizontalAlignment = "Right";
  },
  bold: (_context, sheet, { area }) => {
    rangeOf(sheet, area).format.font.bold = true;
  },
  wrapped: (_context, sheet, { area }) => {
    rangeOf(sheet, area).format.set({ wrapText: true, verticalAlignment: "Top" });
  },
  format: (_context, sheet, { area, code }) => {
    rangeOf(sheet, area).numberFormat = code; // one for all cells
  },
  add: (context, _sheet, { name }, done) => {
    done.added = context.workbook.worksheets.add(name);
  },
  freeze: (_context, sheet, { rows }) => {
    sheet.freezePanes.freezeRows(rows);
  },
  show: (context, _sheet, { name }) => {
    context.workbook.worksheets.getItem(name).activate();
  },
  select: (_context, sheet, { area }) => {
    rangeOf(sheet, area).select();
  },
  remember: async (context, _sheet, { name, text }) => {
    const found = context.workbook.names.getItemOrNullObject(name);
    found.load("name");
    await context.sync();
    const formula = `="${text}"`;
    if (found.isNullObject) context.workbook.names.add(name, formula).visible = false;
    else found.formula = formula;
  },
};

/** A cell as Excel takes it for what it is: a text that it would read as a formula gets an apostrophe, which is not shown. */
export const asWritten = (cell) => (cell === null ? "" : typeof cell === "string" && /^[=+\-@']/.test(cell) ? `'${cell}` : cell);

/** Write values, some rows at a time. */
async function writeValues(context, sheet, { area: [top, left, , right], rows }) {
  const width = right - left + 1;
  let from = 0;
  while (from < rows.length) {
    let size = 0;
    let to = from;
    const part = [];
    while (to < rows.length && (to === from || size < BYTES_AT_ONCE)) {
      const row = Array.from({ length: width }, (_, at) => asWritten(rows[to][at] ?? null));
      part.push(row);
      size += JSON.stringify(row).length * 3; // a character has up to three bytes
      to += 1;
    }
    rangeOf(sheet, [top + from, left, top + to - 1, right]).values = part;
    if (to < rows.length) await context.sync();
    from = to;
  }
}

/** Give columns their widths, in characters, if they have that of a column that nobody has set: the sheet's last. */
async function widen(context, sheet, { area: [top, left], widths }) {
  const columns = widths.map((_, at) => rangeOf(sheet, [top, left + at, top, left + at]).format);
  const usual = sheet.getRange("XFD1").format;
  for (const format of [...columns, usual]) format.load("columnWidth");
  await context.sync();
  columns.forEach((format, at) => {
    // Points: a character has 7 pixels, 5 are added, and 96 pixels are 72 points.
    if (format.columnWidth === usual.columnWidth) format.columnWidth = (widths[at] * 7 + 5) * 0.75;
  });
}

/** Let a table end with a column. One with a row of totals is not resized, but gets columns or loses them. */
async function endTable(context, sheet, { area, name, totals }) {
  const table = sheet.tables.getItem(name);
  if (!totals) {
    table.resize(rangeOf(sheet, area));
    return;
  }
  const { columns } = table;
  columns.load("count");
  await context.sync();
  const wanted = area[3] - area[1] + 1;
  for (let at = columns.count - 1; at >= wanted; at -= 1) columns.getItemAt(at).delete();
  for (let at = columns.count; at < wanted; at += 1) columns.add();
  await context.sync();
}

async function deleteColumns(context, sheet, { area: [, left, , right], name }) {
  const table = sheet.tables.getItem(name);
  const range = table.getRange();
  range.load(PLACE);
  await context.sync();
  for (let at = right; at >= left; at -= 1) table.columns.getItemAt(at - range.columnIndex).delete();
}

/** Give cells what they had in a snapshot, some rows at a time: no formulas, as these are never overwritten. */
async function restore(context, before, [top, left, bottom, right]) {
  const [usedTop, usedLeft] = before.used ?? [0, 0];
  const had = (row, column) => before.formulas[row - usedTop]?.[column - usedLeft] ?? "";
  const width = right - left + 1;
  const height = Math.max(1, Math.floor(CELLS_AT_ONCE / width));
  const sheet = context.workbook.worksheets.getItem(before.sheet);
  for (let from = top; from <= bottom; from += height) {
    const to = Math.min(from + height - 1, bottom);
    const rows = Array.from({ length: to - from + 1 }, (_row, down) =>
      Array.from({ length: width }, (_cell, at) => asWritten(had(from + down, left + at))),
    );
    await quietly(context, () => {
      rangeOf(sheet, [from, left, to, right]).formulas = rows;
    });
  }
}

/** Do something after an error, which says what happened. */
async function quietly(context, work) {
  try {
    work();
    await context.sync();
  } catch {
    // The first error is the one to show.
  }
}
