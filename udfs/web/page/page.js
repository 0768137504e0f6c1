// The page: files go to the engine, tables and drawings come back. Everything here waits for the engine; nothing blocks.

import { Engine } from "./engine/engine.js";
import { chart } from "./chart.js";
import { $, counted, element, list } from "./dom.js";
import { keep } from "./offline.js";
import { Options } from "./options.js";
import { Sheets } from "./sheets.js";
import { TableView, captioned } from "./table.js";
import { tabs } from "./tabs.js";

const engine = new Engine({ onStep: (text) => say(capital(text)) });
const declared = await (await fetch("declared.json")).json();
const options = new Options(declared, () => again());
const sheets = new Sheets(() => other());
const state = { files: [], file: 0, panel: "panel-scores", fresh: new Set(), work: 0, boards: [] };

const tables = {
  scored: new TableView($("scores-table"), rowsOf("scored")),
  board: new TableView($("board-table"), rowsOf("board")),
};

// -- what the page says

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function say(text, part = null) {
  $("said").textContent = text;
  $("progress").hidden = part === null;
  if (part === true) $("progress").removeAttribute("value");
  else if (part !== null) $("progress").value = part;
}

function fail(error) {
  $("problem").hidden = false;
  $("problem-text").textContent = error.message ?? String(error);
  const details = error.kind === "user" ? "" : (error.details || error.stack || "");
  $("problem-details").hidden = details === "";
  $("problem-trace").textContent = details;
}

function ready() {
  say("Ready");
  $("stop").hidden = true;
}

// -- the engine

function rowsOf(table) {
  return async (asked) => (await engine.call("page.rows", { table, ...asked })).value;
}

/** Do some work with the engine; newer work makes the answer of older work worthless. */
async function work(task) {
  const mine = ++state.work;
  $("problem").hidden = true;
  $("results").setAttribute("aria-busy", "true");
  const stop = setTimeout(() => { if (mine === state.work) $("stop").hidden = false; }, 1500);
  const current = () => mine === state.work;
  try {
    await task((step) => { if (current()) say(`${capital(step)} …`, true); }, current);
    if (current()) ready();
  } catch (error) {
    if (!current()) return;
    ready();
    if (error.kind === "stopped") say("Stopped. Choose the file again to start anew.");
    else fail(error);
  } finally {
    clearTimeout(stop);
    if (current()) $("results").removeAttribute("aria-busy");
  }
}

const given = (more = {}) => ({ options: options.chosen.scoring, file: state.file, sheet: sheets.of(state.file), ...more });

// -- files

async function take(files) {
  if (files.length === 0) return;
  await work(async (step, current) => {
    step(files.length === 1 ? `reading ${files[0].name}` : `reading ${counted(files.length, "file")}`);
    const bytes = await Promise.all(files.map(async (file) => new Uint8Array(await file.arrayBuffer())));
    const { value } = await engine.call("page.open", { names: files.map((file) => file.name) }, bytes, step);
    if (!current()) return;
    state.files = value.files;
    state.file = 0;
    state.fresh.clear();
    document.body.classList.add("small");
    $("results").hidden = $("choices").hidden = true;
    $("file").replaceChildren(...value.files.map(({ name }, at) => element("option", { value: at }, name)));
    $("file-choice").hidden = value.files.length < 2;
    await sheets.open(value.files, listed);
    if (!current()) return;
    panels.show(value.files.length > 1 ? 1 : 0);
  });
}

/** Show the panel again, as an option or the file has changed. */
function again() {
  state.fresh.clear();
  if (state.files.length) show(state.panel);
}

/** Show the panel for another file or sheet, which has other boards. */
function other() {
  state.boards = [];
  $("board").replaceChildren();
  again();
}

function show(panel) {
  state.panel = panel;
  if (!state.files.length || state.fresh.has(panel)) return;
  work(async (step, current) => {
    try {
      await shows[panel](step, current);
    } finally {
      if (current()) await showSheets();
    }
    if (!current()) return;
    state.fresh.add(panel);
    $("results-title").textContent = state.files.length === 1 ? state.files[0].name : counted(state.files.length, "file");
    if ($("results").hidden) {
      $("results").hidden = false;
      $("results").focus({ preventScroll: true });
    }
  });
}

/** The names of a file's sheets, and which of them was scored. */
const listed = async (file) => (await engine.call("page.sheets", { file })).value;

/** Show which sheets the file has: also where none of them could be read, as another may be chosen then. */
async function showSheets() {
  sheets.show(state.file, await listed(state.file));
  $("choices").hidden = $("file-choice").hidden && $("sheet-choice").hidden;
}

const shows = { "panel-scores": showScores, "panel-ranking": showRanking, "panel-board": showBoards };

async function showScores(step, current) {
  tables.scored.clear();
  list($("scores-said"), []);
  $("scores-downloads").replaceChildren();
  const { value } = await engine.call("page.score", given(), [], step);
  if (!current()) return;
  list($("scores-said"), value.said);
  $("scores-downloads").replaceChildren(download("scored", `Download ${value.target}`, true), download("other", `Download ${value.other}`));
  await tables.scored.show(value.table, captioned(`The results with their scores in ${value.place}`, value.table));
}

async function showRanking(step, current) {
  $("ranking-groups").replaceChildren();
  list($("ranking-said"), []);
  $("ranking-downloads").replaceChildren();
  const { value } = await engine.call("page.rank", given({ ranking: options.chosen.ranking, sheets: sheets.chosen }), [], step);
  if (!current()) return;
  list($("ranking-said"), value.said);
  $("ranking-downloads").replaceChildren(download("report", "Download the report (.xlsx)", true), download("ranking", "Download the ranking (.csv)"));
  for (const { name, table } of value.others) await part(name, capital(name), table, current);
  for (const [at, group] of value.groups.entries()) {
    const title = group.name || `Ranking by ${value.by}`;
    await part(`ranking${at}`, title, group.table, current, (into) => chart(into, group.chart, value.by, value.unit));
  }
}

async function part(name, title, described, current, draw = () => {}) {
  if (!current()) return;
  const drawing = element("div");
  const into = element("div");
  $("ranking-groups").append(element("h3", {}, title), drawing, into);
  draw(drawing);
  await new TableView(into, rowsOf(name)).show(described, captioned(title, described));
}

async function showBoards(step, current) {
  const { value } = await engine.call("page.boards", given(), [], step);
  if (!current()) return;
  state.boards = value;
  const before = $("board").value;
  const labels = value.map(({ round, number, results }) => `${round ? `${round}, ` : ""}${number} (${counted(results, "result")})`);
  $("board").replaceChildren(...labels.map((label, at) => element("option", { value: at }, label)));
  if (before && Number(before) < value.length) $("board").value = before;
  await showBoard(step, current);
}

async function showBoard(step, current) {
  const which = state.boards[Number($("board").value)];
  tables.board.clear();
  list($("board-said"), []);
  $("board-title").textContent = "";
  $("board-downloads").replaceChildren();
  if (!which) {
    $("board-title").textContent = "No board has results that can be read";
    return;
  }
  const { value } = await engine.call("page.board", given({ number: which.number, round: which.round || undefined, side: $("side").value }), [], step);
  if (!current()) return;
  $("board-title").textContent = value.title;
  list($("board-said"), value.said);
  $("board-downloads").replaceChildren(download("board", "Download the tableau (.csv)"));
  await tables.board.show(value.table, captioned(value.title.split(":")[0], value.table));
  $("board-before").disabled = Number($("board").value) === 0;
  $("board-after").disabled = Number($("board").value) === state.boards.length - 1;
}

// -- downloads

function download(what, label, main = false) {
  const button = element("button", { type: "button", className: `button${main ? " main" : ""}` }, label);
  button.addEventListener("click", () => work(async (step) => {
    const { value, files } = await engine.call("page.save", { what }, [], step);
    const url = URL.createObjectURL(new Blob([files[0]], { type: "application/octet-stream" }));
    const link = element("a", { href: url, download: value.name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  }));
  return button;
}

// -- the parts of the page

const panels = tabs($("tabs"), show);
const drop = $("drop");
$("kinds").textContent = `${declared.reads} Several files make one ranking together.`;
$("files").accept = declared.suffixes.join(",");
$("files").addEventListener("change", () => { take([...$("files").files]); $("files").value = ""; });
for (const event of ["dragenter", "dragover"]) {
  document.addEventListener(event, (dragged) => {
    dragged.preventDefault();
    drop.classList.add("over");
  });
}
document.addEventListener("dragleave", (dragged) => { if (!dragged.relatedTarget) drop.classList.remove("over"); });
document.addEventListener("drop", (dropped) => {
  dropped.preventDefault();
  drop.classList.remove("over");
  take([...dropped.dataTransfer.files]);
});
for (const { file, label, says } of declared.examples) {
  const name = file.split("/").pop();
  const button = element("button", { type: "button", className: "button", title: says }, label);
  button.addEventListener("click", async () => {
    const response = await fetch(file).catch(() => ({ ok: false }));
    if (!response.ok) fail(new Error(`${label} cannot be loaded (is there a network?)`));
    else take([new File([await response.arrayBuffer()], name)]);
  });
  $("examples").append(button);
}
$("file").addEventListener("change", () => { state.file = Number($("file").value); other(); });
$("board").addEventListener("change", () => work(showBoard));
$("side").append(...declared.side.words.map(({ word, says }) => element("option", { value: word }, says)));
$("side").addEventListener("change", () => work(showBoard));
for (const [id, by] of [["board-before", -1], ["board-after", 1]]) {
  $(id).addEventListener("click", () => { $("board").value = String(Number($("board").value) + by); work(showBoard); });
}
$("stop").addEventListener("click", () => { engine.stop(); state.files = []; state.fresh.clear(); start(); });

/** Start the engine, and say what is at work. */
async function start() {
  try {
    const { value } = await engine.call("about.versions");
    $("versions").textContent = `valet_xl ${value.valet_xl}, Python ${value.python}, numpy ${value.numpy}`;
    if (state.work === 0) say("Ready: choose a file");
  } catch (error) {
    if (error.kind !== "stopped") fail(error);
  }
}

const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
say("Loading Python and the engine, once", true);
const kept = await keep(
  (there, of) => say(`Loading Python and the engine, once: ${megabytes(there)} of ${megabytes(of)} MB`, there / of),
  (change) => { $("update").hidden = false; $("update-now").onclick = change; },
);
$("offline").textContent = kept ? "It works without a network from now on." : "";
say("Starting Python", true);
await start();
