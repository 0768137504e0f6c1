// The task pane and the ribbon: what is clicked is done by Python on a snapshot of the sheet (excel.js).

import { Engine } from "../engine/engine.js";
import { doSteps, snapshot } from "./excel.js";
import { associate } from "./functions.js";
import { COMMANDS, NEEDED } from "./records.js";
import { selftest } from "./selftest.js";

const element = (name) => document.getElementById(name);
const say = (text) => {
  element("status").textContent = text;
};
const show = (text) => {
  element("message").textContent = text;
};

export const engine = new Engine({ onStep: say });
let last = Promise.resolve("");

/** Do a command or choose an option, after what is under way; gives the message for the user. */
export function run(address) {
  last = last.then(() => tried(() => done(address)));
  return last;
}

async function done(address) {
  const message = await Excel.run(async (context) => {
    const before = await snapshot(context, COMMANDS[address]?.reads ?? false);
    const { value } = await engine.call("sheet.run", { address, snapshot: before }, [], say);
    await doSteps(context, before, value.steps);
    say(value.status);
    return value.message;
  });
  await showChoices();
  return message;
}

/** Show what comes of some work, an error too. */
async function tried(work) {
  document.body.setAttribute("aria-busy", "true");
  let message;
  try {
    message = await work();
  } catch (error) {
    say("");
    const ours = error.name === "EngineError";
    message = ours ? error.message : `Excel could not do that: ${error.message}`;
  } finally {
    document.body.removeAttribute("aria-busy");
  }
  show(message);
  return message;
}

/** What the document remembers. */
export async function choices() {
  const before = await Excel.run((context) => snapshot(context, false));
  return (await engine.call("sheet.choices", { snapshot: before })).value;
}

async function showChoices() {
  for (const [name, value] of Object.entries(await choices())) {
    const control = element(`option-${name}`);
    if (typeof value === "boolean") control.checked = value;
    else control.value = value;
  }
}

/** Do what a button of the ribbon stands for; a message is shown in the pane. */
async function chosen(address, event) {
  const message = await run(address);
  if (message) await Office.addin.showAsTaskpane();
  event.completed();
}

function connect() {
  for (const name of Object.keys(COMMANDS)) {
    element(`command-${name}`).addEventListener("click", () => run(name));
    Office.actions.associate(name, (event) => chosen(name, event));
  }
  for (const control of document.querySelectorAll("[data-option]")) {
    const { option } = control.dataset;
    control.addEventListener("change", () => {
      const word = control.type === "checkbox" ? (control.checked ? "TRUE" : "FALSE") : control.value;
      run(`${option}.${word}`);
    });
  }
  element("selftest").addEventListener("click", () => {
    last = last.then(() => tried(() => selftest(engine, say)));
  });
}

/** Start: false where Excel is too old. */
export async function start() {
  await Office.onReady();
  const lacks = NEEDED.filter(([name, version]) => !Office.context.requirements.isSetSupported(name, version));
  if (lacks.length > 0) {
    const named = lacks.map(([name, version]) => `${name} ${version}`).join(", ");
    show(`This Excel is too old for the add-in: it lacks ${named}. Update it, or use the command valet-xl.`);
    return false;
  }
  associate(engine);
  connect();
  await engine.start();
  await tried(async () => {
    await showChoices();
    return "";
  });
  say("ready");
  return true;
}

export const started =
  typeof Office === "undefined"
    ? Promise.resolve(false).finally(() => show("office.js of Microsoft could not be loaded: is there a network?"))
    : start().catch((error) => show(error.message));
