// The ranking as a drawing: a point for each average, a line for its 95 % interval.

import { drawn, element } from "./dom.js";

const ROW = 24;
const TOP = 8;
const AXIS = 46;
const FIRST = 40; // intervals that are drawn before all are asked for

/** Draw the intervals of a ranking into an element; it is drawn again when the width changes. */
export function chart(into, rows, by, unit) {
  const known = rows.filter((row) => row.overall !== null);
  into.replaceChildren();
  if (known.length === 0) return;
  const frame = element("div", { className: "chart" });
  let shown = known.slice(0, FIRST);
  const draw = () => {
    const width = Math.floor(frame.clientWidth);
    if (width > 0) frame.replaceChildren(drawing(shown, by, unit, width));
  };
  into.append(frame);
  if (known.length > FIRST) {
    const more = element("button", { type: "button", className: "button", on: { click: () => { shown = known; more.remove(); draw(); } } }, `Draw all ${known.length.toLocaleString("en")}`);
    into.append(more);
  }
  let last = 0;
  new ResizeObserver(() => {
    if (Math.floor(frame.clientWidth) === last) return;
    last = Math.floor(frame.clientWidth);
    draw();
  }).observe(frame);
  draw();
}

function drawing(rows, by, unit, width) {
  const limits = rows.flatMap((row) => [row.low ?? row.overall, row.high ?? row.overall]);
  const ticks = steps(Math.min(...limits), Math.max(...limits), width < 500 ? 4 : 8);
  const names = rows.map((row) => `${row.place === null ? "" : `${row.place}  `}${row.name}`);
  const left = Math.min(Math.ceil(Math.max(...names.map(wide))) + 16, Math.round(width * 0.42));
  const right = 16;
  const [lowest, highest] = [ticks[0], ticks[ticks.length - 1]];
  const x = (value) => left + ((value - lowest) / (highest - lowest)) * (width - left - right);
  const height = TOP + rows.length * ROW + AXIS;
  const first = rows[0];
  const svg = drawn("svg", {
    viewBox: `0 0 ${width} ${height}`,
    role: "img",
    "aria-label": `${by} of each, with its 95 % interval, in ${unit}. First is ${first.name} with ${first.overall.toFixed(2)}. The table under it has all figures.`,
  });
  const decimals = Math.max(0, -Math.floor(Math.log10(ticks[1] - ticks[0]) + 1e-9));
  const axis = drawn("g", { class: "axis" });
  const bottom = TOP + rows.length * ROW;
  for (const tick of ticks) {
    axis.append(drawn("line", { x1: x(tick), x2: x(tick), y1: TOP, y2: bottom, class: Math.abs(tick) < 1e-9 ? "zero" : "" }));
    axis.append(drawn("text", { x: x(tick), y: bottom + 18, "text-anchor": "middle" }, tick.toFixed(decimals)));
  }
  axis.append(drawn("text", { x: width < 500 ? width / 2 : (left + width - right) / 2, y: bottom + 37, "text-anchor": "middle" }, `${by}, ${unit} per board, with 95 % intervals`));
  svg.append(axis);
  rows.forEach((row, at) => {
    const y = TOP + at * ROW + ROW / 2;
    const interval = row.low === null ? "no interval" : `${row.low.toFixed(2)} to ${row.high.toFixed(2)}`;
    const group = drawn("g", {}, drawn("title", {}, `${row.name}: ${row.overall.toFixed(2)} (${interval})`));
    group.append(drawn("text", { x: left - 10, y: y + 4, "text-anchor": "end", class: row.place === null ? "quiet" : "" }, cut(names[at], left - 14)));
    if (row.low !== null) group.append(drawn("line", { x1: x(row.low), x2: x(row.high), y1: y, y2: y, class: "interval" }));
    group.append(drawn("circle", { cx: x(row.overall), cy: y, r: 4.5 }));
    svg.append(group);
  });
  return svg;
}

const pen = document.createElement("canvas").getContext("2d");

/** How wide a text is, in the font of the drawing. */
function wide(text) {
  pen.font = `13px ${getComputedStyle(document.body).fontFamily}`;
  return pen.measureText(text).width;
}

/** As much of a text as there is room for. */
function cut(text, room) {
  if (wide(text) <= room) return text;
  const letters = [...text];
  while (letters.length > 1 && wide(`${letters.join("")}…`) > room) letters.pop();
  return `${letters.join("")}…`;
}

/** Round numbers from at most the lowest to at least the highest. */
function steps(lowest, highest, count) {
  const span = highest - lowest || 1;
  const power = 10 ** Math.floor(Math.log10(span / count));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => span / each <= count);
  const first = Math.floor(lowest / step + 1e-9);
  const last = Math.ceil(highest / step - 1e-9);
  return Array.from({ length: Math.max(last - first, 1) + 1 }, (_, at) => (first + at) * step);
}
