// The engine for a page or an add-in: it starts the worker, and every call is a promise.
//
//   const engine = new Engine({ onStep: (text) => ... });
//   await engine.start();                                        // not needed: the first call starts it
//   const { value, files } = await engine.call("about.versions");
//   const { value, files } = await engine.call("page.open", { name: "a.csv" }, [bytes], (step) => ...);
//   engine.stop();                                               // what is under way fails; the next call starts anew
//
// A call is a function of a module in udfs/web/browser. Its arguments and its value are what JSON can carry; files are
// Uint8Arrays (the worker gets copies). A call that fails throws an EngineError.

/** Why a call failed: `kind` is "user" (a message for the user), "fault" (ours), "start" or "stopped". */
export class EngineError extends Error {
  constructor(kind, text, details = "") {
    super(text);
    this.name = "EngineError";
    this.kind = kind;
    this.details = details;
  }
}

export class Engine {
  #worker = null;
  #started = null;
  #calls = new Map();
  #last = 0;
  #onStep;

  /** onStep: called with what is being done while the engine starts. */
  constructor({ onStep = () => {} } = {}) {
    this.#onStep = onStep;
  }

  /** Start the engine; a promise that it is ready. */
  start() {
    this.#started ??= new Promise((resolve, reject) => {
      const fail = (text) => {
        const error = new EngineError("start", text);
        reject(error);
        this.#end(error);
      };
      const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
      worker.addEventListener("error", (event) => fail(event.message || "the engine cannot be loaded"));
      worker.addEventListener("message", ({ data }) => {
        if (data.ready) resolve();
        else if (data.id !== undefined) this.#answered(data);
        else if (data.failed !== undefined) fail(data.failed);
        else this.#onStep(data.step);
      });
      this.#worker = worker;
    });
    return this.#started;
  }

  /** Call a function of Python; gives { value, files }. */
  async call(name, given = {}, files = [], onStep = () => {}) {
    const started = this.start();
    const id = ++this.#last;
    const answered = new Promise((resolve, reject) => this.#calls.set(id, { resolve, reject, onStep }));
    this.#worker.postMessage({ id, name, given: JSON.stringify(given), files });
    await Promise.race([started, answered]);
    return answered;
  }

  /** End the engine, with all that is under way. */
  stop(error = new EngineError("stopped", "stopped")) {
    this.#end(error);
  }

  #answered({ id, step, text, files, failed }) {
    const call = this.#calls.get(id);
    if (!call) return;
    if (step !== undefined) {
      call.onStep(step);
      return;
    }
    this.#calls.delete(id);
    if (failed !== undefined) {
      call.reject(new EngineError("fault", failed));
      this.#end(new EngineError("stopped", failed)); // the next call starts a new one
      return;
    }
    const { value, error } = JSON.parse(text);
    if (error) call.reject(new EngineError(error.kind, error.text, error.details));
    else call.resolve({ value, files });
  }

  #end(error) {
    this.#worker?.terminate();
    this.#worker = null;
    this.#started = null;
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    for (const call of calls) call.reject(error);
  }
}
