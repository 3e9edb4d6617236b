// The tables: their columns, keys and rows, what people call them, and a search through them.

import * as api from "./api.js";
import { announce, byId, el, plural, withNames } from "./dom.js";
import { size, table as rowsTable } from "./table.js";

const KINDS = { text: "text", number: "number", time: "date", boolean: "yes/no", others: "" };

let described = { tables: [] };

/** Fills the browser of tables; the description is handed back. */
export async function openSchema() {
  described = await api.schema();
  byId("database").textContent = described.files.join(", ") || described.name;
  document.title = `${described.name} · patois`;
  const search = byId("schema-search");
  search.addEventListener("input", () => draw(search.value));
  search.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { search.value = ""; draw(""); }
  });
  const notes = byId("schema-notes");
  notes.hidden = !described.notes.length;
  notes.replaceChildren(...described.notes.slice(0, 30).map((it) => el("li", {}, ...withNames(it))));
  draw("");
  return described;
}

function draw(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (...names) => words.every((word) => names.some((name) => name.toLowerCase().includes(word)));
  const found = described.tables.flatMap((table) => {
    const isWhole = matches(table.name, table.words);
    const columns = isWhole ? table.columns : table.columns.filter((it) => matches(it.name, it.words, table.name, table.words));
    return isWhole || columns.length ? [tableItem(table, columns, words.length > 0 && !isWhole)] : [];
  });
  byId("schema-tables").replaceChildren(...(found.length ? found : [el("p", { className: "muted" }, "Nothing here is called that.")]));
  byId("schema-count").textContent = words.length ? `${found.length} of ${described.tables.length}` : String(described.tables.length);
}

function rowCount(table) {
  if (table.n_rows === null) return "";
  return table.has_more_rows ? `over ${plural(table.n_rows, "row")}` : plural(table.n_rows, "row");
}

function tableItem(table, columns, isOpen) {
  const isSmall = described.tables.length <= 3;
  return el("details", { className: "schema-table", open: isOpen || isSmall, data: { table: table.name } },
    el("summary", {}, el("span", { className: "schema-name" }, table.name), el("span", { className: "schema-rows" }, rowCount(table))),
    el("div", { className: "schema-body" },
      el("div", { className: "schema-actions" },
        el("button", { type: "button", className: "link", on: { click: () => showSample(table) }, "aria-label": `Show rows of ${table.name}` }, "Show rows"),
        called(table.name, undefined, table)),
      el("ul", { className: "schema-columns" }, ...columns.map((it) => columnItem(table, it)))));
}

function columnItem(table, column) {
  const keys = column.refers_to.map((it) => el("span", {
    className: it.is_guessed ? "key guessed" : "key",
    title: it.is_guessed ? "Not declared: names and values tell" : "Foreign key",
  }, `→ ${it.table}.${it.column}${it.is_guessed ? " ?" : ""}`));
  return el("li", {},
    el("span", { className: "schema-column" }, column.name),
    el("span", { className: "schema-kind" }, [column.is_primary_key ? "key" : "", KINDS[column.kind]].filter(Boolean).join(", ")),
    ...keys,
    called(table.name, column.name, column));
}

const plain = (name) => name.toLowerCase().replaceAll(/[\s_]+/g, " ").trim();

/** What people call it, and a way to say so. */
function called(table, column, item) {
  const name = column === undefined ? table : `${table}.${column}`;
  const isTelling = plain(item.words) !== plain(item.name);
  const button = el("button", {
    type: "button", className: "link called", "aria-label": `Say what ${name} is called`, title: `What do people call ${name}?`,
    on: { click: () => { holder.replaceChildren(form()); holder.querySelector("input").focus(); } },
  }, isTelling ? `called “${item.words}”` : "called …");
  const holder = el("span", { className: isTelling ? "called-holder told" : "called-holder" }, button);
  const back = () => { holder.replaceWith(called(table, column, item)); };
  const form = () => {
    const input = el("input", { type: "text", value: isTelling ? item.words : "", "aria-label": `What people call ${name}`, placeholder: "what people call it", maxLength: 80 });
    const save = async (event) => {
      event.preventDefault();
      const words = input.value.trim();
      if (!words) return back();
      try {
        await api.note(table, column, words);
        item.words = words;
        announce(`${name} is called ${words} from now on`);
        back();
      } catch (error) {
        input.setCustomValidity(error.message);
        input.reportValidity();
      }
    };
    return el("form", { className: "called-form", on: { submit: save, keydown: (event) => { if (event.key === "Escape") back(); } } },
      input, el("button", { type: "submit", className: "small" }, "Save"));
  };
  return holder;
}

async function showSample(table) {
  const dialog = byId("sample");
  byId("sample-title").textContent = table.name;
  const body = byId("sample-body");
  body.replaceChildren(el("p", { className: "muted" }, "Reading …"));
  dialog.showModal();
  try {
    const sample = await api.table(table.name);
    body.replaceChildren(rowsTable(sample, `First rows of ${table.name}`), el("p", { className: "muted" }, size(sample)));
  } catch (error) {
    body.replaceChildren(el("p", { className: "failed" }, error.message));
  }
}
