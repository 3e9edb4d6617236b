// SQL: its colours, its lines, and a place to edit it.

import { el } from "./dom.js";

const KEYWORDS = new Set(`select distinct from where group by having order limit offset join left right inner outer cross on using as and or not in
  is null like between exists case when then else end union all intersect except asc desc with recursive cast glob values`.split(/\s+/));
const CLAUSES = new Set(["from", "where", "group", "having", "order", "limit", "union", "intersect", "except", "join", "left", "inner", "cross"]);
const TOKEN = /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*'?|"(?:[^"]|"")*"?|`[^`]*`?|\[[^\]]*\]?|\d+(?:\.\d+)?(?:e[+-]?\d+)?|[\p{L}_][\p{L}\p{N}_$]*|\s+|[\s\S]/giu;

function kindOf(token, next) {
  if (/^(--|\/\*)/.test(token)) return "comment";
  if (token.startsWith("'")) return "text";
  if (/^["`[]/.test(token)) return "name";
  if (/^\d/.test(token)) return "number";
  if (/^[\p{L}_]/u.test(token)) {
    if (KEYWORDS.has(token.toLowerCase())) return "keyword";
    return next === "(" ? "function" : "name";
  }
  return "";
}

/** The parts of a query, coloured. */
export function highlighted(sql) {
  const tokens = sql.match(TOKEN) ?? [];
  return tokens.map((token, index) => {
    const kind = kindOf(token, tokens[index + 1]);
    return kind ? el("span", { className: `sql-${kind}` }, token) : token;
  });
}

/** A query with its clauses on lines of their own; nothing but blanks is changed. */
export function inLines(sql) {
  if (sql.includes("\n") || sql.length < 50) return sql;
  let depth = 0;
  let before = "";
  let lines = "";
  for (const token of sql.match(TOKEN) ?? []) {
    if (token === "(") depth++;
    if (token === ")") depth--;
    const word = token.toLowerCase();
    const isGoingOn = word === "join" && ["left", "inner", "cross", "outer"].includes(before) || ["", "intersect", "union", "except"].includes(before) && word !== "from";
    if (depth === 0 && CLAUSES.has(word) && !isGoingOn) lines = `${lines.trimEnd()}\n`;
    if (["intersect", "union", "except"].includes(before) && word === "select") lines = `${lines.trimEnd()}\n`;
    lines += token;
    if (token.trim()) before = word;
  }
  return lines;
}

/** A place to edit a query; `onRun` is called with it on Ctrl-Enter, `onInput` whenever it changes. */
export function editor(sql, { onRun, onInput }) {
  const shown = el("pre", { className: "editor-shown", "aria-hidden": "true" });
  const area = el("textarea", {
    id: "sql", className: "editor-area", value: inLines(sql), spellcheck: false, autocapitalize: "off", rows: 1,
    "aria-label": "The query, in SQL; Ctrl and Enter runs it", autocomplete: "off",
  });
  const draw = () => {
    // A line that is empty and last has no height of its own.
    shown.replaceChildren(...highlighted(area.value), "\n");
  };
  area.addEventListener("input", () => { draw(); onInput(area.value); });
  area.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onRun(area.value);
    }
  });
  draw();
  const element = el("div", { className: "editor" }, shown, area);
  return { element, area, set: (text) => { area.value = inLines(text); draw(); } };
}
