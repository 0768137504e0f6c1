// The engine in a worker, so that the page never waits: Pyodide, and the one function that answers all calls
// (udfs/web/browser/answers.py). What goes to and fro is described in engine.js.

import { loadPyodide } from "../pyodide/pyodide.mjs";

const tell = (text) => self.postMessage({ step: text });

async function start() {
  tell("starting Python");
  const python = await loadPyodide({
    indexURL: new URL("../pyodide/", import.meta.url).href,
    packages: ["valet-xl", "xlsxwriter", "access-parser", "justhtml"],
  });
  tell("starting the engine");
  const answer = python.runPython("from valet_xl_web.browser.answers import answer\nanswer");
  return (name, given, files, step) => {
    const carried = python.toPy(files);
    const found = answer(name, given, carried, step);
    const [text, bytes] = found.toJs({ create_pyproxies: false });
    found.destroy();
    carried.destroy();
    return [text, bytes];
  };
}

const started = start();
started.then(
  () => self.postMessage({ ready: true }),
  (error) => self.postMessage({ failed: String(error?.message ?? error) }),
);

self.addEventListener("message", async ({ data: { id, name, given, files } }) => {
  let answer;
  try {
    answer = await started;
  } catch {
    return; // it was said that the start failed
  }
  try {
    const [text, bytes] = answer(name, given, files, (said) => self.postMessage({ id, step: said }));
    const buffers = bytes.map((each) => each.buffer);
    self.postMessage({ id, text, files: bytes }, buffers);
  } catch (error) {
    // Python itself has ended, as where memory is used up: nothing can be asked of it any more.
    self.postMessage({ id, failed: String(error?.message ?? error) });
  }
});
