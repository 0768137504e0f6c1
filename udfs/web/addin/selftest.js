// The self-test: what Excel makes of every function's example and of the buttons, written on a sheet of its own.
// It works on new sheets, which it deletes afterwards; nothing else is touched.

import { about, asWritten, doSteps, snapshot } from "./excel.js";

const TRIED = "Bridge trial";
const REPORT = "Bridge self-test";
const FIRST = "Q1"; // where formulas are: right of the cells of all examples
const TIMES = 300; // how often a value that is still computed is asked for
const PAUSE = 100; // milliseconds between
const CLOSE = 1e-9;
const BUSY = ["#BUSY!", "#GETTING_DATA", "#CONNECT!"];

/** Try everything. Gives the message for the user.
 *
 * engine : answers the calls
 * say : shows what is being done
 */
export async function selftest(engine, say) {
  const rows = [["What was tried", "Held", "Expected", "Found", "Milliseconds"]];
  const { value: examples } = await engine.call("functions.examples");
  const { value: versions } = await engine.call("about.versions");
  for (const [at, example] of examples.entries()) {
    say(`self-test: ${at + 1} of ${examples.length} functions`);
    rows.push(await tried(example.formula, example.gives, () => typed(example)));
  }
  say("self-test: the buttons");
  rows.push(...(await buttons(engine)));
  await remove(TRIED);
  const failed = rows.slice(1).filter(([, held]) => !held).length;
  const known = [about(), `valet_xl ${versions.valet_xl}`, `Python ${versions.python}`, `numpy ${versions.numpy}`, navigator.userAgent];
  await report([...known.map((text) => [text, "", "", "", ""]), ...rows]);
  say("");
  const held = `${rows.length - 1 - failed} of ${rows.length - 1} checks held.`;
  return `${held} The sheet ${REPORT} lists them: please save the workbook and send it to those who maintain valet_xl.`;
}

async function tried(name, expected, work) {
  const start = performance.now();
  let found;
  try {
    found = await work();
  } catch (error) {
    found = `${error.code ?? error.name}: ${error.message}`;
  }
  const held = alike(expected, found);
  return [name, held, text(expected), held ? "the same" : text(found), Math.round(performance.now() - start)];
}

const text = (value) => {
  const shown = typeof value === "string" ? value : JSON.stringify(value);
  return shown.length > 1000 ? `${shown.slice(0, 997)}...` : shown;
};

function alike(expected, found) {
  if (Array.isArray(expected)) {
    return Array.isArray(found) && expected.length === found.length && expected.every((each, at) => alike(each, found[at]));
  }
  if (typeof expected === "number" && typeof found === "number") {
    return Math.abs(expected - found) <= CLOSE * Math.max(1, Math.abs(expected));
  }
  return (expected?.error ?? expected) === found;
}

/** The cells that a formula fills on an empty sheet, given the cells that it reads. */
async function typed({ formula, areas, gives }) {
  return Excel.run(async (context) => {
    const sheet = await empty(context);
    for (const [area, cells] of Object.entries(areas)) {
      sheet.getRange(area).values = cells.map((row) => row.map(asWritten));
    }
    await context.sync();
    sheet.getRange(FIRST).formulas = [[formula]];
    await context.sync();
    const filled = sheet.getRange(FIRST).getResizedRange(gives.length - 1, gives[0].length - 1);
    for (let time = 0; time < TIMES; time += 1) {
      filled.load("values");
      await context.sync();
      if (!filled.values.flat().some((cell) => BUSY.includes(cell))) break;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
    return filled.values;
  });
}

/** What the buttons do on a small sheet of results. */
async function buttons(engine) {
  const { value: sample } = await engine.call("sheet.sample");
  const shown = (area) =>
    Excel.run(async (context) => {
      const cells = context.workbook.worksheets.getItem(TRIED).getRange(area);
      cells.load("values");
      await context.sync();
      return cells.values;
    });
  const press = (address) =>
    Excel.run(async (context) => {
      const before = await snapshot(context, true);
      const { value } = await engine.call("sheet.run", { address, snapshot: before });
      await doSteps(context, before, value.steps);
      return value.message;
    });
  await Excel.run(async (context) => {
    const sheet = await empty(context);
    sheet.activate();
    sheet.getRange(sample.area).values = sample.rows;
    await context.sync();
  });
  const trials = [
    ["Check results", sample.checked, () => press("check")],
    ["Score sheet", ["", sample.scored], async () => [await press("score"), await shown(sample.place)]],
    ["Score sheet again", ["", sample.scored], async () => [await press("score"), await shown(sample.place)]],
    ["Undo scoring", ["", sample.free], async () => [await press("undo"), await shown(sample.place)]],
  ];
  const rows = [];
  for (const [name, expected, work] of trials) rows.push(await tried(name, expected, work));
  return rows;
}

/** The sheet for trials, empty. */
async function empty(context) {
  const found = context.workbook.worksheets.getItemOrNullObject(TRIED);
  found.load("name");
  await context.sync();
  const sheet = found.isNullObject ? context.workbook.worksheets.add(TRIED) : found;
  sheet.getRange().clear("All");
  await context.sync();
  return sheet;
}

async function remove(name) {
  await Excel.run(async (context) => {
    const found = context.workbook.worksheets.getItemOrNullObject(name);
    found.load("name");
    await context.sync();
    if (!found.isNullObject) found.delete();
    await context.sync();
  });
}

async function report(rows) {
  await remove(REPORT);
  await Excel.run(async (context) => {
    const sheet = context.workbook.worksheets.add(REPORT);
    const cells = sheet.getRangeByIndexes(0, 0, rows.length, rows[0].length);
    cells.numberFormat = "@";
    cells.values = rows.map((row) => row.map((cell) => asWritten(String(cell))));
    sheet.activate();
    await context.sync();
  });
}
