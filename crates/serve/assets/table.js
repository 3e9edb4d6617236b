// Rows as a table, and as a file.

import { el, plural } from "./dom.js";

/** How long a text may be to stand in one line. */
const LONG = 45;

const isNumber = (value) => typeof value === "number";

/** A value as a short text. */
export function shown(value) {
  if (value === null) return "NULL";
  if (isNumber(value)) return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(10)));
  if (typeof value === "object") return `${plural(value.bytes, "byte")}: ${value.blob}`;
  return value;
}

/** A value as it is. */
export const whole = (value) => value === null ? "" : typeof value === "object" ? `x'${value.blob}'` : String(value);

/** Which columns hold numbers, and nothing else but gaps. */
export function numeric(result) {
  return result.columns.map((_, column) => {
    const values = result.rows.map((row) => row[column]).filter((it) => it !== null);
    return values.length > 0 && values.every(isNumber);
  });
}

/** A table that scrolls in itself where it is wider than the page. */
export function table(result, caption) {
  const isNumeric = numeric(result);
  // The first column says what a row is about, and stands to the left even where it is a number.
  const side = (column) => (isNumeric[column] && column > 0 ? "number" : "");
  const cell = (value, column) => el("td", {
    className: value === null ? `null ${side(column)}` : shown(value).length > LONG ? "long" : side(column),
  }, shown(value));
  const head = result.columns.map((name, column) => el("th", { scope: "col", className: side(column) }, name));
  const rows = result.rows.map((row) => el("tr", {}, ...row.map(cell)));
  return el("div", { className: "table-scroll", tabIndex: 0, role: "region", "aria-label": caption },
    el("table", {},
      el("caption", { className: "unseen" }, caption),
      el("thead", {}, el("tr", {}, ...head)),
      el("tbody", {}, ...rows)));
}

/** How many rows there are, in words. */
export const size = (result) =>
  result.is_cut ? `First ${plural(result.rows.length, "row")}; there are more` : plural(result.rows.length, "row");

/** Rows as RFC 4180 has them; what is NULL is empty. */
export function csv(result) {
  const field = (text) => (/[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const line = (values) => values.map((it) => field(whole(it))).join(",");
  return [line(result.columns), ...result.rows.map(line)].join("\r\n") + "\r\n";
}

/** Hands a text to the browser as a file. */
export function download(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = el("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
