// What the server can do.

/** What the server would not do, as it says it. */
export class Refused extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

async function send(path, options) {
  let response;
  try {
    response = await fetch(path, { credentials: "same-origin", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused("The server does not answer. Is patois still running?", 0);
  }
  const value = parse(await response.text());
  if (!response.ok) throw new Refused(value?.error ?? `The server says ${response.status}.`, response.status);
  return value;
}

/** JSON whose long integers stay what they are: as texts, where a number would be rounded. */
function parse(text) {
  const exact = (_, value, context) =>
    typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value) && context?.source
      ? context.source : value;
  try {
    return JSON.parse(text, exact);
  } catch {
    return { error: text || "The server says nothing." };
  }
}

const post = (path, value, signal) => send(path, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(value),
  signal,
});

export const ask = (question, signal) => post("/api/ask", { question }, signal);
export const run = (sql, nRows, signal) => post("/api/sql", nRows ? { sql, n_rows: nRows } : { sql }, signal);
export const learn = (question, code) => post("/api/learn", { question, code });
export const note = (table, column, words) => post("/api/note", column === undefined ? { table, words } : { table, column, words });
export const schema = () => send("/api/schema");
export const table = (name) => send(`/api/table?name=${encodeURIComponent(name)}`);
export const complete = (prefix, signal) => send(`/api/complete?prefix=${encodeURIComponent(prefix)}`, { signal });
