// The list: filtered, ordered, drawn as far as it is looked at; and what the keys do.

const report = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);

const SIZES = [
  ["any", () => true],
  ["up to 5 nodes", (size) => size <= 5],
  ["6 to 12 nodes", (size) => size > 5 && size <= 12],
  ["13 to 30 nodes", (size) => size > 12 && size <= 30],
  ["over 30 nodes", (size) => size > 30],
];

/** What is this repository's own, and what others write too, where that is known. */
const LISTS = [
  ["its own", (own) => own === true],
  ["usual elsewhere", (own) => own === false],
  ["both", () => true],
];
const hasLists = report.idioms.some((it) => it.own !== undefined);
const FIRST_LIST = hasLists ? 0 : 2;

const ORDERS = [
  ["rank", (one, other) => one.rank - other.rank],
  ["places", (one, other) => other.here.places - one.here.places],
  ["files", (one, other) => other.here.files - one.here.files],
  ["size", (one, other) => other.size - one.size],
];

/** So many idioms are drawn at a time. */
const CHUNK = 30;

/** Longer idioms show their first lines and characters only until they are opened. */
const MAX_LINES = 9;
const MAX_CHARACTERS = 700;

const filter = { list: FIRST_LIST, language: -1, size: 0, order: 0, folder: "", words: [] };
/** Indices of the idioms that pass the filter, in order; those from `from` to `to` are drawn. */
let shown = [];
let from = 0;
let to = 0;
let current = -1;
const open = new Set();
let inFolder = null;

report.idioms.forEach((idiom, index) => { idiom.index = index; });

// ---- Filtering

function isInFolder(path, folder) {
  return folder === "" || path === folder || (folder.endsWith("/") && path.startsWith(folder));
}

function occursHere(idiom) {
  if (!inFolder) return { places: idiom.occurrences, files: idiom.files.length / 2 };
  const here = { places: 0, files: 0 };
  for (let at = 0; at < idiom.files.length; at += 2) {
    if (inFolder[idiom.files[at]]) {
      here.files += 1;
      here.places += idiom.files[at + 1];
    }
  }
  return here;
}

function select() {
  inFolder = filter.folder ? report.files.map((it) => isInFolder(it.path, filter.folder)) : null;
  const isSize = SIZES[filter.size][1];
  const isListed = LISTS[filter.list][1];
  const passes = report.idioms.filter((idiom) => {
    if (filter.language >= 0 && idiom.language !== filter.language) return false;
    if (!isListed(idiom.own)) return false;
    if (!isSize(idiom.size)) return false;
    if (filter.words.length) {
      idiom.lower ??= `${idiom.id} ${idiom.title}\n${idiom.source}`.toLowerCase();
      if (!filter.words.every((word) => idiom.lower.includes(word))) return false;
    }
    idiom.here = occursHere(idiom);
    return idiom.here.places > 0 || !inFolder;
  });
  const order = ORDERS[filter.order][1];
  passes.sort((one, other) => order(one, other) || one.rank - other.rank || one.language - other.language);
  shown = passes.map((it) => it.index);
}

function refresh() {
  performance.mark("filter-start");
  select();
  current = -1;
  drawFrom(0);
  drawCount();
  drawChips();
  performance.measure("filter", "filter-start");
}

/** Another folder or language: the map changes too. */
function refreshAll() {
  refresh();
  drawTiles();
}

function drawCount() {
  const [n, all] = [shown.length, report.idioms.length];
  at("count").textContent = n === all ? counted(all, "idiom") : `${count(n)} of ${counted(all, "idiom")}`;
  at("none").hidden = n > 0;
}

function drawChips() {
  const chips = [];
  if (filter.folder) chips.push(chip(`in ${filter.folder}`, "Any folder", () => setFolder("")));
  at("chips").replaceChildren(...chips);
}

function chip(text, label, remove) {
  const button = element("button", "chip", element("span", "", text), element("span", "times", "×"));
  button.type = "button";
  button.setAttribute("aria-label", `${text}. ${label}`);
  button.addEventListener("click", remove);
  return button;
}

function setFolder(path) {
  filter.folder = path;
  refreshAll();
}

function reset() {
  Object.assign(filter, { list: 2, language: -1, size: 0, folder: "", words: [] });
  at("text").value = "";
  at("language").value = "-1";
  at("list-select").value = "2";
  at("size").value = "0";
  refreshAll();
}

// ---- The list

function drawFrom(start) {
  from = start;
  to = Math.min(start + CHUNK, shown.length);
  at("list").replaceChildren(...shown.slice(from, to).map(drawIdiom));
  drawEnds();
}

function drawLater() {
  const end = Math.min(to + CHUNK, shown.length);
  at("list").append(...shown.slice(to, end).map((index, it) => drawIdiom(index, it, to - from)));
  to = end;
  drawEnds();
}

function drawEarlier() {
  const start = Math.max(from - CHUNK, 0);
  const added = shown.slice(start, from).map(drawIdiom);
  from = start;
  at("list").prepend(...added);
  drawEnds();
}

function drawEnds() {
  at("earlier").hidden = from === 0;
  at("later").hidden = to >= shown.length;
  at("list").childNodes.forEach((article, position) => {
    article.setAttribute("aria-posinset", from + position + 1);
    article.setAttribute("aria-setsize", shown.length);
  });
}

function drawIdiom(index) {
  const idiom = report.idioms[index];
  const language = report.languages[idiom.language].name;
  const id = idOf(report, index);
  const article = element("article", "idiom");
  article.id = id;
  article.tabIndex = -1;
  article.dataset.index = index;
  article.setAttribute("aria-labelledby", `${id}-title`);
  const rank = element("span", "rank", String(idiom.rank));
  rank.setAttribute("aria-label", `Idiom ${idiom.rank} of ${language}`);
  const title = element("h3", "title", idiom.title);
  title.id = `${id}-title`;
  const link = element("a", "id", id);
  link.href = `#${id}`;
  const source = element("pre", "source");
  article.append(rank, element("div", "name", title, link), source, figures(idiom, language), toggle(id));
  fillSource(source, idiom, language);
  source.addEventListener("click", () => {
    if (!String(getSelection())) setOpen(index, !open.has(index));
  });
  if (open.has(index)) drawOpen(article, index);
  return article;
}

function fillSource(source, idiom, language) {
  idiom.lines ??= idiom.source.split("\n").length;
  const isOpen = open.has(idiom.index);
  const isCut = idiom.lines > MAX_LINES + 2 && !isOpen;
  source.replaceChildren(idiomSource(idiom, language, isCut ? MAX_LINES : 0, isOpen ? 0 : MAX_CHARACTERS));
  if (isCut) source.append(element("span", "cut", `\n${counted(idiom.lines - MAX_LINES, "more line")}`));
}

function figures(idiom, language) {
  const of = (here, all) => (here === all ? count(all) : `${count(here)} of ${count(all)}`);
  const rows = [
    [of(idiom.here.places, idiom.occurrences), idiom.occurrences === 1 ? "place" : "places"],
    [of(idiom.here.files, idiom.files.length / 2), idiom.files.length === 2 ? "file" : "files"],
    [count(idiom.size), idiom.size === 1 ? "node" : "nodes"],
  ];
  const list = element("ul", "counts");
  for (const [number, noun] of rows) list.append(element("li", "", element("b", "", number), ` ${noun}`));
  if (idiom.lift !== undefined) {
    const bits = element("b", "", (idiom.lift > 0 ? "+" : "") + idiom.lift.toFixed(0));
    list.append(element("li", "", bits, " bits a place"));
  }
  if (report.languages.length > 1) list.append(element("li", "language", language));
  return list;
}

function toggle(id) {
  const button = element("button", "toggle quiet", "Details");
  button.type = "button";
  button.setAttribute("aria-expanded", "false");
  button.setAttribute("aria-controls", `${id}-details`);
  button.addEventListener("click", () => {
    const index = Number(button.closest("article").dataset.index);
    setOpen(index, !open.has(index));
  });
  return button;
}

function setOpen(index, isOpen) {
  if (isOpen) open.add(index);
  else open.delete(index);
  setCurrent(shown.indexOf(index));
  const article = at(idOf(report, index));
  if (!article) return;
  if (isOpen) drawOpen(article, index);
  else close(article, index);
}

function drawOpen(article, index) {
  if (document.readyState === "loading") {
    // The details are behind this script, and may not be there yet.
    document.addEventListener("DOMContentLoaded", () => open.has(index) && drawOpen(article, index), { once: true });
    return;
  }
  const idiom = report.idioms[index];
  const details = drawDetails(report, index, goTo, (file) => !inFolder || inFolder[file]);
  details.id = `${article.id}-details`;
  article.querySelector(".details")?.remove();
  article.append(details);
  article.classList.add("open");
  fillSource(article.querySelector(".source"), idiom, report.languages[idiom.language].name);
  const button = article.querySelector(".toggle");
  button.setAttribute("aria-expanded", "true");
  button.textContent = "Close";
}

function close(article, index) {
  const idiom = report.idioms[index];
  article.querySelector(".details")?.remove();
  article.classList.remove("open");
  fillSource(article.querySelector(".source"), idiom, report.languages[idiom.language].name);
  const button = article.querySelector(".toggle");
  button.setAttribute("aria-expanded", "false");
  button.textContent = "Details";
}

/** Shows an idiom opened, wherever it is in the list; filters that hide it go. */
function goTo(index) {
  let position = shown.indexOf(index);
  if (position < 0) {
    reset();
    position = shown.indexOf(index);
  }
  open.add(index);
  if (position < from || position >= to) drawFrom(Math.max(position - 2, 0));
  else drawOpen(at(idOf(report, index)), index);
  history.replaceState(null, "", `#${idOf(report, index)}`);
  choose(position);
}

/** The idiom at a position of the list becomes the one that keys are about. */
function setCurrent(position) {
  const before = at("list").querySelector("[aria-current]");
  before?.removeAttribute("aria-current");
  if (before) before.tabIndex = -1;
  current = position;
  const article = at("list").childNodes[position - from];
  if (!article) return null;
  article.setAttribute("aria-current", "true");
  article.tabIndex = 0;
  return article;
}

function choose(position) {
  if (position >= to) drawLater();
  if (position < from) drawEarlier();
  const article = setCurrent(position);
  article?.focus({ preventScroll: true });
  article?.scrollIntoView({ block: "nearest" });
}

function step(by) {
  if (!shown.length) return;
  const start = current < 0 ? (by > 0 ? -1 : 0) : current;
  choose(Math.min(Math.max(start + by, 0), shown.length - 1));
}

// ---- The map

const trees = new Map();

function drawTiles() {
  const files = filter.language < 0 ? report.files : report.files.filter((it) => it.language === filter.language);
  if (!trees.has(filter.language)) trees.set(filter.language, folderTree(files));
  const root = trees.get(filter.language);
  const tell = (text) => { at("tile-info").textContent = text; };
  const drawn = drawMap(at("tiles"), root, filter.folder, setFolder, tell);
  at("scale-high").textContent = percent(drawn.high);
  tell(filter.folder ? aboutTile(drawn.found) : at("tile-info").dataset.about);
  drawCrumbs(root);
}

function drawCrumbs(root) {
  const list = element("ol");
  const add = (name, path) => {
    const button = element("button", "link", name);
    button.type = "button";
    if (path === filter.folder) button.setAttribute("aria-current", "page");
    button.addEventListener("click", () => setFolder(path));
    list.append(element("li", "", button));
  };
  add("All", "");
  let node = root;
  while (node.path !== filter.folder) {
    const next = [...node.children.values()].find((it) => it.path === filter.folder || (!it.isFile && filter.folder.startsWith(it.path)));
    if (!next) break;
    add(next.name, next.path);
    node = next;
  }
  at("crumbs").replaceChildren(list);
}

// ---- Controls

function fillSelect(id, options) {
  at(id).append(...options.map(([text, value]) => {
    const option = element("option", "", text);
    option.value = value;
    return option;
  }));
}

function setUp() {
  at("tile-info").dataset.about = at("tile-info").textContent;
  fillSelect("language", [["all", -1], ...report.languages.map((it, index) => [it.name, index])]);
  at("language-label").hidden = report.languages.length < 2;
  fillSelect("list-select", LISTS.map(([text], index) => [text, index]));
  at("list-select").value = String(FIRST_LIST);
  at("list-label").hidden = !hasLists;
  at("list-select").addEventListener("change", () => {
    filter.list = Number(at("list-select").value);
    refresh();
  });
  fillSelect("size", SIZES.map(([text], index) => [text, index]));
  fillSelect("order", ORDERS.map(([text], index) => [text, index]));
  at("language").addEventListener("change", () => {
    filter.language = Number(at("language").value);
    refreshAll();
  });
  for (const id of ["size", "order"]) {
    at(id).addEventListener("change", () => {
      filter[id] = Number(at(id).value);
      refresh();
    });
  }
  at("text").addEventListener("input", () => {
    filter.words = at("text").value.toLowerCase().split(/\s+/).filter(Boolean);
    refresh();
  });
  at("filters").addEventListener("submit", (event) => event.preventDefault());
  at("reset").addEventListener("click", reset);
  at("later").addEventListener("click", drawLater);
  at("earlier").addEventListener("click", drawEarlier);
  new IntersectionObserver((seen) => {
    if (seen.some((it) => it.isIntersecting)) drawLater();
  }, { rootMargin: "900px" }).observe(at("later"));
  let width = at("tiles").clientWidth;
  new ResizeObserver(() => {
    if (at("tiles").clientWidth === width) return;
    width = at("tiles").clientWidth;
    drawTiles();
  }).observe(at("tiles"));
  at("list").addEventListener("focusin", (event) => {
    const article = event.target.closest("article");
    const position = shown.indexOf(Number(article?.dataset.index));
    if (position >= 0 && position !== current) setCurrent(position);
  });
  document.addEventListener("keydown", onKey);
  window.addEventListener("hashchange", followHash);
  setUpTheme();
  at("help-button").addEventListener("click", () => at("help").showModal());
}

function setUpTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
  const name = () => { at("theme-button").textContent = isDark() ? "Light" : "Dark"; };
  at("theme-button").addEventListener("click", () => {
    const theme = isDark() ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    // Pages that are files may have no place to remember it.
    try { localStorage.setItem("patois-theme", theme); } catch {}
    name();
  });
  dark.addEventListener("change", name);
  name();
}

function followHash() {
  const wanted = decodeURIComponent(location.hash.slice(1));
  const index = report.idioms.findIndex((_, index) => idOf(report, index) === wanted);
  if (index >= 0) goTo(index);
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || at("help").open) return;
  const inText = event.target === at("text");
  const inControl = event.target.closest?.("input, select, textarea");
  if (event.key === "Escape") return onEscape(event, inText);
  if (inText && event.key === "ArrowDown") return handled(event, () => step(1));
  if (inText && event.key === "Enter") return handled(event, () => step(1));
  if (inControl) return;
  const article = event.target.closest?.("article");
  const keys = {
    j: () => step(1),
    k: () => step(-1),
    "/": () => at("text").focus(),
    "?": () => at("help").showModal(),
  };
  if (article) Object.assign(keys, { ArrowDown: () => step(1), ArrowUp: () => step(-1) });
  if (event.target === article) keys.Enter = () => setOpen(shown[current], !open.has(shown[current]));
  const action = Object.hasOwn(keys, event.key) ? keys[event.key] : null;
  if (action) handled(event, action);
}

function handled(event, action) {
  event.preventDefault();
  action();
}

/** From the innermost out: the search, what is open, the folder. */
function onEscape(event, inText) {
  if (inText) {
    if (at("text").value) {
      at("text").value = "";
      filter.words = [];
      refresh();
    } else {
      at("text").blur();
    }
    event.preventDefault();
  } else if (current >= 0 && open.has(shown[current])) {
    handled(event, () => {
      setOpen(shown[current], false);
      choose(current);
    });
  } else if (filter.folder) {
    handled(event, () => setFolder(""));
  }
}

setUp();
refreshAll();
document.addEventListener("DOMContentLoaded", followHash, { once: true });
performance.mark("ready");
