// The page: a question, what came of it, and what was asked before. The address holds question and query.

import { alternatives, answerCard, failureCard, refusalCard, sentence } from "./answer.js";
import * as api from "./api.js";
import { completing } from "./complete.js";
import { announce, byId, el, plural } from "./dom.js";
import { openSchema } from "./schema.js";
import { size } from "./table.js";

const input = byId("question");
const place = byId("answer");
const completion = completing(input);
let tables = [];
let asking;

/** What is shown; nothing before the first question. */
let state = null;

// Asking

async function ask(question, wanted) {
  question = question.trim();
  completion.close();
  if (!question) return input.focus();
  input.value = question;
  const answer = await busy((signal) => api.ask(question, signal), () => ask(question, wanted));
  if (!answer) return;
  state = { question, answer, index: 0, isEdited: false, isTaught: false };
  if (answer.abstained && wanted === undefined) {
    state.index = -1;
    draw();
    announce(`No answer. ${answer.reason ?? ""}`);
  } else if (wanted !== undefined && wanted !== answer.programs[0]?.code) {
    await takeQuery(wanted);
  } else {
    take(0, { isFirst: true });
  }
  remember();
}

/** Takes one of the programs. */
function take(index, { isFirst = false } = {}) {
  const program = state.answer.programs[index];
  state = { ...state, index, sql: program.code, result: program, isEdited: false, isTaught: false };
  draw();
  if (!isFirst) place.focus({ preventScroll: true });
  announce(`${sentence(program.words)}: ${program.error ?? said(program)}`);
}

const said = (result) =>
  result.rows.length === 1 && result.columns.length === 1 ? String(result.rows[0][0] ?? "NULL") : size(result);

/** Shows a query that somebody wrote, or one of the programs where it is that. */
async function takeQuery(sql) {
  const index = state.answer?.programs.findIndex((it) => it.code === sql) ?? -1;
  if (index >= 0) return take(index, { isFirst: true });
  await run(sql);
}

async function run(sql, nRows) {
  const result = await busy((signal) => api.run(sql, nRows, signal), () => run(sql, nRows));
  if (!result) return;
  const code = state?.answer?.programs[state.index]?.code;
  const isEdited = sql.replaceAll(/\s+/g, " ").trim() !== code;
  state = { ...(state ?? { question: input.value.trim(), index: -1 }), sql, result, isEdited, isTaught: false };
  draw();
  byId("sql")?.focus({ preventScroll: true });
  announce(result.error ?? `${sentence(result.words ?? "")} ${said(result)}`);
  remember();
}

async function teach() {
  const { question } = state;
  const code = state.isEdited ? state.sql : state.answer.programs[state.index].code;
  const kept = await busy(() => api.learn(question, code), teach);
  if (!kept) return;
  state.isTaught = true;
  draw();
  announce("Remembered for this question");
}

/** Does something that lasts; what went wrong is shown. */
async function busy(action, again) {
  asking?.abort();
  const own = asking = new AbortController();
  place.setAttribute("aria-busy", "true");
  document.body.classList.add("busy");
  try {
    return await action(own.signal);
  } catch (error) {
    if (error.name === "AbortError") return null;
    place.replaceChildren(failureCard(error.message, again));
    announce(error.message);
    return null;
  } finally {
    if (asking === own) {
      place.removeAttribute("aria-busy");
      document.body.classList.remove("busy");
    }
  }
}

// Showing

const act = {
  take: (index) => { take(index); remember(); },
  run: (sql) => run(sql),
  more: () => run(state.sql, 1000),
  edit: () => {},
  undo: () => {
    if (state.answer?.programs[state.index]) act.take(state.index);
  },
  teach,
};

function draw() {
  const programs = state.answer?.programs ?? [];
  if (!state.result) {
    place.replaceChildren(refusalCard(state.answer, tables, act));
  } else {
    const choice = state.answer?.choice;
    const view = { ...state, program: programs[state.index], choice: !state.isEdited && choice?.programs.includes(state.index) ? choice : null };
    const others = alternatives(programs, state.isEdited ? -1 : state.index, "Or did you mean", act);
    place.replaceChildren(answerCard(view, act), ...(others ? [others] : []));
  }
  byId("start").hidden = true;
}

// The address and what was asked before

const EARLIER = "patois-earlier";
const MOST_EARLIER = 30;

function remember() {
  const { question, sql = "" } = state;
  const address = new URLSearchParams();
  if (question) address.set("q", question);
  if (sql) address.set("sql", sql);
  const hash = `#${address}`;
  if (hash !== location.hash) history.pushState(null, "", hash);
  const words = state.result?.words ?? "";
  const entry = { question, sql, words, n: state.result?.rows?.length ?? 0 };
  const others = earlier().filter((it) => it.question !== question || it.sql !== sql);
  sessionStorage.setItem(EARLIER, JSON.stringify([entry, ...others].slice(0, MOST_EARLIER)));
  drawEarlier();
}

function earlier() {
  try {
    return JSON.parse(sessionStorage.getItem(EARLIER)) ?? [];
  } catch {
    return [];
  }
}

function drawEarlier() {
  const entries = earlier().filter((it) => it.question !== state?.question || it.sql !== (state?.sql ?? ""));
  byId("history").hidden = entries.length === 0;
  byId("history-list").replaceChildren(...entries.map((it) => {
    const address = new URLSearchParams({ q: it.question, sql: it.sql });
    return el("li", {}, el("a", { href: `#${address}` }, it.question || it.sql), el("span", { className: "muted" }, it.words ? sentence(it.words) : "No answer"));
  }));
}

/** Shows what the address says. */
async function follow() {
  const address = new URLSearchParams(location.hash.slice(1));
  const [question, sql] = [address.get("q") ?? "", address.get("sql") || undefined];
  if (question) {
    if (state && state.question === question && sql === state.sql) return;
    await ask(question, sql);
  } else if (sql) {
    state = null;
    await run(sql);
  } else {
    state = null;
    place.replaceChildren();
    byId("start").hidden = false;
    drawEarlier();
  }
}

// Everything around

function begin(described) {
  tables = described.tables;
  if (state && !state.result) draw();
  const ideas = questions(tables);
  const start = byId("start");
  start.replaceChildren(el("h2", {}, "For example"), el("ul", {}, ...ideas.map((it) =>
    el("li", {}, el("button", { type: "button", className: "idea", on: { click: () => ask(it) } }, it)))));
  start.hidden = ideas.length === 0 || state !== null || place.hasChildNodes();
  announce(`${described.name}: ${plural(tables.length, "table")}`);
}

/** Questions that the tables suggest. */
function questions(all) {
  const [first, second] = [...all].sort((a, b) => (b.n_rows ?? 0) - (a.n_rows ?? 0));
  const several = (words) => (/s$/.test(words) ? words : /[^aeiou]y$/.test(words) ? words.replace(/y$/, "ies") : `${words}s`);
  const isName = (it) => /name|title|text|description|_nm$/i.test(it.name);
  const texts = (table) => (table?.columns ?? []).filter((it) => it.kind === "text" && !it.is_primary_key && !it.refers_to.length);
  const group = texts(first).find((it) => !isName(it));
  const name = texts(second).find(isName);
  const number = first?.columns.find((it) => it.kind === "number" && !it.is_primary_key && !it.refers_to.length && !/(^|_)id$/i.test(it.name));
  return [
    first && `How many ${several(first.words)} are there?`,
    group && `How many ${several(first.words)} are there for each ${group.words}?`,
    number && `What is the average ${number.words} of ${several(first.words)}?`,
    name && `List the ${several(name.words)} of all ${several(second.words)}`,
  ].filter(Boolean);
}

function toggleTheme() {
  const root = document.documentElement;
  const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
  localStorage.setItem("patois-theme", root.dataset.theme);
}

function toggleSchema(isOpen) {
  document.body.classList.toggle("schema-open", isOpen);
  const open = document.body.classList.contains("schema-open");
  byId("schema-button").setAttribute("aria-expanded", String(open));
  if (open) byId("schema-search").focus();
  else byId("schema-button").focus();
}

const isTyping = (element) => element.matches("input, textarea, select, [contenteditable]");

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) {
    if (event.key === "Escape" && event.target === byId("schema-search")) toggleSchema(false);
    return;
  }
  if (event.key === "/") {
    event.preventDefault();
    input.focus();
    input.select();
  } else if (/^[1-9]$/.test(event.key) && state?.answer?.programs[Number(event.key) - 1]) {
    act.take(Number(event.key) - 1);
  } else if (event.key === "Escape" && document.body.classList.contains("schema-open")) {
    toggleSchema(false);
  }
}

byId("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  ask(input.value);
});
byId("theme-button").addEventListener("click", toggleTheme);
byId("schema-button").addEventListener("click", () => toggleSchema());
byId("schema-close").addEventListener("click", () => toggleSchema(false));
byId("sample-close").addEventListener("click", () => byId("sample").close());
document.addEventListener("keydown", onKey);
window.addEventListener("popstate", follow);

drawEarlier();
openSchema().then(begin, (error) => place.replaceChildren(failureCard(error.message, () => location.reload())));
await follow();
if (!state) input.focus();
