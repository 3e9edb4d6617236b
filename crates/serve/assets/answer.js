// An answer: what was computed, how sure that is, the rows, a drawing, the query, and other ways to read the question.

import { chart, plan } from "./chart.js";
import { el, plural, withNames } from "./dom.js";
import { editor } from "./sql.js";
import { csv, download, shown, size, table } from "./table.js";

export const sentence = (words) => (words ? words[0].toUpperCase() + words.slice(1) : "");

/** How sure an answer is, in words. */
function surety(program) {
  if (program.is_remembered) return "You said that this is right";
  const p = program.confidence;
  const words = p >= 0.85 ? "Very sure" : p >= 0.6 ? "Fairly sure" : p >= 0.35 ? "Not sure" : "A guess";
  return `${words}, ${Math.round(100 * p)} %`;
}

function meter(program) {
  const fill = el("span", { className: "meter-fill" });
  // Only scripts may set styles here.
  fill.style.width = `${Math.round(100 * program.confidence)}%`;
  const level = program.is_remembered || program.confidence >= 0.6 ? "high" : program.confidence >= 0.35 ? "middle" : "low";
  return el("p", { className: `sure ${level}` }, el("span", { className: "meter", "aria-hidden": "true" }, fill), surety(program));
}

/** The card of an answer. `view` is what is shown, `act` what can be done. */
export function answerCard(view, act) {
  const { result } = view;
  const heading = sentence(result.words) || (view.isEdited ? "Your query" : "The answer");
  const card = el("article", { className: "card" },
    el("header", { className: "card-head" },
      el("h2", { id: "answer-title", title: heading.length > 200 ? heading : "" }, heading),
      view.program && !view.isEdited ? meter(view.program) : el("p", { className: "sure edited" }, "Edited by you")));
  if (view.choice) card.append(choiceRow(view, act));
  card.append(resultPart(view, act), queryPart(view, act));
  return card;
}

function choiceRow({ choice, index }, act) {
  const button = (option, at) => el("button", {
    type: "button", className: "choice", "aria-pressed": String(choice.programs[at] === index),
    on: { click: () => act.take(choice.programs[at]) },
  }, option);
  return el("div", { className: "choices", role: "group", "aria-label": "Which one did you mean?" },
    el("span", {}, "Which one did you mean?"), ...choice.options.map(button));
}

function resultPart(view, act) {
  const { result } = view;
  if (result.error) {
    return el("div", { className: "result" }, el("p", { className: "failed", role: "alert" }, el("strong", {}, "This did not run. "), ...withNames(sentence(result.error))));
  }
  const isSingle = result.rows.length === 1 && result.columns.length === 1;
  const caption = sentence(result.words) || "Result";
  const planned = plan(result);
  const body = isSingle
    ? el("p", { className: "single" }, shown(result.rows[0][0]), el("span", { className: "single-name" }, result.columns[0]))
    : result.rows.length
      ? table(result, caption)
      : el("p", { className: "empty" }, "No rows: nothing in the database fits.");
  return el("div", { className: "result" },
    planned && chart(planned),
    body,
    el("div", { className: "result-foot" },
      el("span", { className: "muted" }, isSingle ? "" : size(result)),
      result.is_cut && result.rows.length < 1000 && el("button", { type: "button", className: "link", on: { click: act.more } }, "Show up to 1,000"),
      result.rows.length > 0 && el("button", { type: "button", className: "link", id: "download", on: { click: () => download("answer.csv", csv(result)) } }, "Download CSV")));
}

function queryPart(view, act) {
  const run = el("button", { type: "button", id: "run", className: "small", on: { click: () => act.run(place.area.value) } }, "Run");
  const undo = el("button", { type: "button", className: "link", hidden: !view.isEdited, on: { click: act.undo } }, "Undo changes");
  const place = editor(view.sql, { onRun: act.run, onInput: (text) => { undo.hidden = false; act.edit(text); } });
  return el("section", { className: "query", "aria-label": "The query" },
    el("div", { className: "query-head" }, el("h3", {}, "SQL"), el("div", { className: "query-buttons" }, undo, run)),
    place.element,
    teachRow(view, act));
}

function teachRow(view, act) {
  if (!view.question || view.result.error) return null;
  if (view.isTaught || (view.program?.is_remembered && !view.isEdited)) {
    return el("p", { className: "teach muted" }, "Remembered for this question.");
  }
  const label = view.isEdited ? "Save as the right query for this question" : "That’s right";
  return el("div", { className: "teach" },
    el("button", { type: "button", id: "confirm", className: "small", on: { click: act.teach } }, label),
    el("span", { className: "muted" }, view.isEdited ? "It is used whenever this is asked again." : "Not right? Edit the SQL and save it."));
}

/** What a program returns, in few words. */
function gist(program) {
  if (program.error) return "does not run";
  if (!program.rows.length) return "no rows";
  const first = program.rows[0].slice(0, 2).map(shown).join(", ");
  if (program.rows.length === 1) return first;
  return `${program.is_cut ? `over ${plural(program.rows.length, "row")}` : plural(program.rows.length, "row")}: ${first}, …`;
}

/** Other ways to read the question. */
export function alternatives(programs, index, title, act) {
  const others = programs.map((program, at) => ({ program, at })).filter((it) => it.at !== index);
  if (!others.length) return null;
  const item = ({ program, at }) => el("li", {},
    el("button", { type: "button", className: "alternative", data: { program: at }, on: { click: () => act.take(at) } },
      el("span", { className: "alternative-words" }, sentence(program.words) || program.code),
      el("span", { className: "alternative-gist" }, gist(program)),
      el("span", { className: "alternative-sure" }, `${Math.round(100 * program.confidence)} %`)));
  return el("section", { className: "alternatives", "aria-label": title }, el("h3", {}, title), el("ul", {}, ...others.map(item)));
}

/** Why there is no answer. */
export function refusalCard(answer, tables, act) {
  const [why, ...rest] = (answer.reason ?? "no answer was found").split("; ");
  const holds = tables.slice(0, 12).map((it) => el("li", {}, it.name));
  return el("article", { className: "card refusal" },
    el("header", { className: "card-head" }, el("h2", { id: "answer-title" }, "No answer")),
    el("p", { className: "why" }, ...withNames(`${sentence(why)}.`)),
    holds.length > 0 && rest.length > 0 && el("div", { className: "holds" }, el("span", {}, "This database is about"), el("ul", {}, ...holds)),
    alternatives(answer.programs, -1, "Guesses, probably wrong", act));
}

/** What went wrong on the way. */
export function failureCard(message, retry) {
  return el("article", { className: "card refusal" },
    el("header", { className: "card-head" }, el("h2", { id: "answer-title" }, "That did not work")),
    el("p", { className: "why", role: "alert" }, message),
    el("div", { className: "teach" }, el("button", { type: "button", className: "small", on: { click: retry } }, "Try again")));
}
