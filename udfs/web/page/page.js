import { Engine } from "./engine/engine.js";
const said = document.getElementById("said");
const t0 = performance.now();
const engine = new Engine({ onStep: (text) => { said.textContent = text; } });
window.engine = engine;
const { value } = await engine.call("about.versions");
said.textContent = JSON.stringify(value) + " " + Math.round(performance.now() - t0);
