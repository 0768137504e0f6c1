// The worksheet functions: each formula is one call of Python.

import { FUNCTIONS } from "./records.js";

/** Cells as Python takes them: an error becomes an object with its text. */
const given = (cell) => (cell instanceof CustomFunctions.Error ? { error: cell.code } : (cell?.basicValue ?? cell));

/** Let Excel know what computes each function.
 *
 * engine : answers the calls
 */
export function associate(engine) {
  for (const { name, parameters } of FUNCTIONS) {
    CustomFunctions.associate(name, (...values) => compute(engine, name, values.slice(0, parameters)));
  }
}

async function compute(engine, name, values) {
  const blocks = values.map((rows) => rows?.map((row) => row.map(given)) ?? null);
  let rows;
  try {
    ({ value: rows } = await engine.call("functions.call", { name, arguments: blocks }));
  } catch (error) {
    throw new CustomFunctions.Error(CustomFunctions.ErrorCode.notAvailable, error.message);
  }
  if (rows.length === 1 && rows[0].length === 1 && rows[0][0]?.error) throw shown(rows[0][0]);
  return rows.map((row) => row.map((cell) => (cell?.error ? shown(cell) : cell)));
}

const shown = ({ error }) => new CustomFunctions.Error(error);
