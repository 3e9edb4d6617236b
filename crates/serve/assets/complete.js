// Completion of names and values in the question.

import * as api from "./api.js";
import { announce, byId, el, plural } from "./dom.js";

const PAUSE = 70;

/** Completes what is typed into `input`, in `list`. */
export function completing(input) {
  const list = byId("completions");
  let found = [];
  let chosen = -1;
  let timer;
  let asking;

  function close() {
    clearTimeout(timer);
    asking?.abort();
    found = [];
    chosen = -1;
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  function choose(index) {
    chosen = index;
    [...list.children].forEach((it, at) => it.setAttribute("aria-selected", String(at === index)));
    if (index < 0) return input.removeAttribute("aria-activedescendant");
    input.setAttribute("aria-activedescendant", list.children[index].id);
    list.children[index].scrollIntoView({ block: "nearest" });
  }

  function take(index) {
    const { text, replaces } = found[index];
    const caret = input.selectionStart;
    const start = [...input.value.slice(0, caret)].slice(0, -replaces).join("");
    const rest = input.value.slice(caret);
    const added = rest.startsWith(" ") ? text : `${text} `;
    input.value = start + added + rest;
    input.selectionStart = input.selectionEnd = start.length + added.length;
    close();
    input.focus();
  }

  function show(completions) {
    found = completions;
    if (!found.length) return close();
    list.replaceChildren(...found.map((it, index) => el("li", {
      id: `completion-${index}`, role: "option", "aria-selected": "false",
      // The input keeps the focus.
      on: { mousedown: (event) => { event.preventDefault(); take(index); } },
    }, el("span", { className: "completion-text" }, it.text), el("span", { className: "completion-of" }, `${it.kind}${it.kind === "table" ? "" : ` · ${it.of}`}`))));
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    choose(-1);
    announce(plural(found.length, "completion"));
  }

  async function look() {
    asking?.abort();
    asking = new AbortController();
    const typed = input.value.slice(0, input.selectionStart);
    if (typed.trim().length < 2) return close();
    try {
      show(await api.complete(typed.slice(-80), asking.signal));
    } catch {
      // Without completions, one can still type.
    }
  }

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(look, PAUSE);
  });
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (list.hidden || event.isComposing) return;
    const last = found.length - 1;
    if (event.key === "ArrowDown") choose(chosen === last ? -1 : chosen + 1);
    else if (event.key === "ArrowUp") choose(chosen < 0 ? last : chosen - 1);
    else if (event.key === "Tab" && !event.shiftKey) take(Math.max(chosen, 0));
    else if (event.key === "Enter" && chosen >= 0) take(chosen);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return { close };
}
