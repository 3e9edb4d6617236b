// A drawing of a result, where it is one that can be drawn: bars, a line, or points.

import { el, svg } from "./dom.js";
import { numeric, shown } from "./table.js";

const MOST_BARS = 16;
const MOST_POINTS = 1000;
const DATE = /^\d{4}(-\d{2}(-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z?)?)?)?$/;

/** What to draw: its kind, and points with a label or an x, and a y. Nothing where it does not fit. */
export function plan(result) {
  if (result.columns.length !== 2 || result.rows.length < 2 || result.rows.length > MOST_POINTS) return null;
  const isNumeric = numeric(result);
  const y = isNumeric[1] ? 1 : isNumeric[0] ? 0 : -1;
  if (y < 0) return null;
  const x = 1 - y;
  const points = result.rows.filter((row) => row[0] !== null && row[1] !== null).map((row) => ({ label: row[x], y: row[y] }));
  if (points.length < 2) return null;
  const names = { x: result.columns[x], y: result.columns[y] };
  const isDate = points.every((it) => DATE.test(String(it.label)));
  const isYear = isNumeric[x] && points.every((it) => Number.isInteger(it.label) && it.label >= 1500 && it.label <= 2200);
  const isOnce = new Set(points.map((it) => it.label)).size === points.length;
  if ((isDate && !isNumeric[x] || isYear) && isOnce) return { kind: "line", names, points: dated(points) };
  if (isNumeric[x]) return { kind: "scatter", names, points: points.map((it) => ({ ...it, x: it.label })) };
  if (points.every((it) => typeof it.label === "string") && isOnce) return bars(names, points);
  return null;
}

function bars(names, points) {
  return { kind: "bar", names, points: points.slice(0, MOST_BARS), left: points.length - Math.min(points.length, MOST_BARS) };
}

function dated(points) {
  const time = (label) => {
    const text = String(label);
    return text.length === 4 ? Date.UTC(Number(text), 0) : Date.parse(text.length === 7 ? `${text}-01` : text.replace(" ", "T"));
  };
  return points.map((it) => ({ ...it, x: time(it.label) })).filter((it) => Number.isFinite(it.x)).sort((a, b) => a.x - b.x);
}

/** The drawing, drawn anew where the page gets wider or narrower. */
export function chart(planned) {
  const holder = el("div", { className: "chart-drawing" });
  const kind = { bar: "Bars", line: "Line", scatter: "Points" }[planned.kind];
  const left = planned.left ? ` The first ${planned.points.length} are drawn.` : "";
  const caption = `${planned.names.y} by ${planned.names.x}`;
  const figure = el("figure", { className: "chart" }, holder, el("figcaption", {}, caption + (left && `.${left}`)));
  let width = 0;
  new ResizeObserver(([entry]) => {
    const found = Math.round(entry.contentRect.width);
    if (found === width || found === 0) return;
    width = found;
    const draw = planned.kind === "bar" ? drawBars : drawPlane;
    const drawing = draw(planned, width);
    drawing.setAttribute("role", "img");
    drawing.setAttribute("aria-label", `${kind}: ${caption}. The table below has the numbers.`);
    holder.replaceChildren(drawing);
  }).observe(holder);
  return figure;
}

const paper = document.createElement("canvas").getContext("2d");

/** How wide a label is. */
function widthOf(text) {
  paper.font = `12.5px ${getComputedStyle(document.body).fontFamily}`;
  return Math.ceil(paper.measureText(text).width);
}

const short = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
const title = (text) => svg("title", {}, text);

function drawBars({ points, names }, width) {
  const row = 28;
  const most = width < 480 ? 14 : 28;
  const left = Math.max(...points.map((it) => widthOf(short(it.label, most)))) + 12;
  const room = Math.max(...points.map((it) => widthOf(shown(it.y)))) + 10;
  const low = Math.min(0, ...points.map((it) => it.y));
  const high = Math.max(0, ...points.map((it) => it.y));
  const scale = (y) => left + ((y - low) / (high - low || 1)) * (width - left - room);
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${row * points.length + 4}`, width, height: row * points.length + 4 });
  points.forEach((it, index) => {
    const y = index * row + 2;
    const [from, to] = [scale(Math.min(0, it.y)), scale(Math.max(0, it.y))];
    const bar = svg("rect", { class: "bar", x: from, y: y + 3, width: Math.max(to - from, 1), height: row - 8, rx: 3 });
    bar.append(title(`${names.x} ${it.label}: ${shown(it.y)}`));
    drawing.append(
      svg("text", { class: "label", x: left - 10, y: y + row / 2 + 3, "text-anchor": "end" }, short(it.label, most)),
      bar,
      svg("text", { class: "value", x: to + 7, y: y + row / 2 + 3 }, shown(it.y)));
  });
  return drawing;
}

const HEIGHT = 260;
const MARGIN = { top: 12, right: 18, bottom: 30 };

function drawPlane({ kind, points, names }, width) {
  const ys = points.map((it) => it.y);
  const yTicks = ticks(kind === "line" ? Math.min(0, ...ys) : Math.min(...ys), Math.max(...ys), 5);
  const left = 12 + Math.max(...yTicks.map((it) => widthOf(format(it))));
  const [xLow, xHigh] = [Math.min(...points.map((it) => it.x)), Math.max(...points.map((it) => it.x))];
  const x = (value) => left + ((value - xLow) / (xHigh - xLow || 1)) * (width - left - MARGIN.right);
  const [yLow, yHigh] = [yTicks[0], yTicks.at(-1)];
  const y = (value) => HEIGHT - MARGIN.bottom - ((value - yLow) / (yHigh - yLow || 1)) * (HEIGHT - MARGIN.top - MARGIN.bottom);
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT });
  for (const tick of yTicks) {
    drawing.append(
      svg("line", { class: "grid", x1: left, x2: width - MARGIN.right, y1: y(tick), y2: y(tick) }),
      svg("text", { class: "label", x: left - 8, y: y(tick) + 4, "text-anchor": "end" }, format(tick)));
  }
  drawing.append(...xLabels(kind, points, x, width, xLow, xHigh));
  if (kind === "line") {
    const path = points.map((it, index) => `${index ? "L" : "M"}${x(it.x)} ${y(it.y)}`).join("");
    drawing.append(svg("path", { class: "line", d: path }));
  }
  if (kind === "scatter" || points.length <= 60) {
    for (const it of points) {
      const dot = svg("circle", { class: "dot", cx: x(it.x), cy: y(it.y), r: kind === "line" ? 3 : 4 });
      dot.append(title(`${names.x} ${shown(it.label)}, ${names.y} ${shown(it.y)}`));
      drawing.append(dot);
    }
  }
  return drawing;
}

function xLabels(kind, points, x, width, low, high) {
  const most = Math.max(2, Math.floor(width / 95));
  const label = (at, text, anchor) => svg("text", { class: "label", x: at, y: HEIGHT - 8, "text-anchor": anchor }, text);
  if (kind === "line") {
    const step = Math.ceil((points.length - 1) / (most - 1)) || 1;
    return points.filter((_, index) => index % step === 0).map((it, index, all) =>
      label(x(it.x), String(it.label).slice(0, 10), index === 0 ? "start" : index === all.length - 1 && x(it.x) > width - 60 ? "end" : "middle"));
  }
  return ticks(low, high, most).filter((it) => it >= low && it <= high).map((it) => label(x(it), format(it), "middle"));
}

const format = (value) => Math.abs(value) >= 10_000
  ? value.toLocaleString("en", { notation: "compact", maximumFractionDigits: 1 })
  : String(Number(value.toPrecision(6)));

/** Round numbers from below the lowest to above the highest. */
export function ticks(low, high, most) {
  if (low === high) [low, high] = [low - 1, high + 1];
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((it) => it * power).find((it) => it >= rough);
  const found = [];
  for (let n = Math.floor(low / step); n * step < high + step * 0.999; n++) found.push(Number((n * step).toPrecision(12)));
  return found;
}
