// Elements, without a line of HTML in a text: what comes from a file is only ever text.

export const $ = (id) => document.getElementById(id);

/** An element with properties, attributes (those with a dash or in lower case that are no properties) and children. */
export function element(name, given = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "on") for (const [event, listener] of Object.entries(value)) made.addEventListener(event, listener);
    else if (key in made && !key.includes("-")) made[key] = value;
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

const SVG = "http://www.w3.org/2000/svg";

/** An element of a drawing, with attributes and a text. */
export function drawn(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** A list of lines in place of the one before. */
export function list(into, lines) {
  into.replaceChildren(...lines.map((line) => element("li", {}, line)));
  into.hidden = lines.length === 0;
}

export const counted = (number, what) => `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;
