// What is shown of an idiom that is opened: its holes, its places, its neighbours.

let detailLines;

/** The details of an idiom: a line of JSON of its own, read when they are wanted. */
function detailsOf(index) {
  detailLines ??= document.getElementById("details").textContent.trim().split("\n");
  return JSON.parse(detailLines[index]);
}

/** `goTo` is called with the index of a neighbour; `isHere` tells which files are wanted. */
function drawDetails(report, index, goTo, isHere) {
  const idiom = report.idioms[index];
  const language = report.languages[idiom.language].name;
  const details = detailsOf(index);
  const parts = [
    holesOf(idiom, details),
    placesOf(report, idiom, details, language, isHere),
    neighbours("Part of", "Larger idioms that some of its places are part of.", details.inside, idiom.occurrences),
    neighbours("Holds", "Smaller idioms that are part of it.", details.holds),
    notationOf(details),
  ];
  const made = element("div", "details");
  made.append(...parts.filter(Boolean));
  return made;

  function neighbours(title, about, nested, all) {
    if (!nested.length) return null;
    const list = element("ul", "neighbours");
    for (const { idiom: other, places } of nested) {
      const neighbour = report.idioms[other];
      const link = element("a", "", element("span", "number", `#${neighbour.rank}`), idiomSource({ ...neighbour, source: firstLines(neighbour.source) }, language));
      link.href = `#${idOf(report, other)}`;
      link.addEventListener("click", (event) => {
        event.preventDefault();
        goTo(other);
      });
      const share = places / (all ?? neighbour.occurrences);
      const text = all ? `${percent(share)} of its places` : `${percent(share)} of that one's places`;
      list.append(element("li", "", link, element("span", "often", text)));
    }
    return element("section", "", element("h3", "", title), element("p", "note", about), list);
  }
}

const firstLines = (source) => {
  const lines = source.split("\n");
  return lines.length > 2 ? `${lines.slice(0, 2).join("\n")} …` : source;
};

const idOf = (report, index) => report.idioms[index].id;

// A hole that nearly always is the same code is shown as that code.
const hasHole = (source, name) => source.split(name).slice(1).some((rest) => !/^\w/.test(rest));

function holesOf(idiom, details) {
  if (!idiom.holes.some((name) => hasHole(idiom.source, name))) return null;
  const list = element("div", "holes");
  idiom.holes.forEach((name, hole) => {
    if (!hasHole(idiom.source, name)) return;
    const { distinct, values } = details.fillings[hole];
    const table = element("ol", "values");
    for (const [value, times] of values) {
      const share = times / idiom.occurrences;
      const text = value ? element("code", "", value) : element("em", "", "nothing");
      text.title = value;
      const row = element("li", "", text, element("span", "often", count(times)));
      row.style.setProperty("--share", `${(100 * share).toFixed(1)}%`);
      table.append(row);
    }
    const heading = element("h4", "", element("code", holeClass(hole), name), element("span", "often", counted(distinct, "value")));
    const made = element("div", `values-of h${hole % N_HOLE_COLOURS}`, heading, table);
    if (distinct > values.length) {
      const shown = values.reduce((sum, it) => sum + it[1], 0);
      made.append(element("p", "note", `${counted(distinct - values.length, "more value")} at ${counted(idiom.occurrences - shown, "place")}`));
    }
    list.append(made);
  });
  return element("section", "", element("h3", "", "What fills its holes"), list);
}

function placesOf(report, idiom, details, language, isHere) {
  if (!details.places.length) return null;
  const list = element("ol", "places");
  // Those of the chosen folder come first.
  const places = [...details.places].sort((one, other) => isHere(other.file) - isHere(one.file));
  for (const place of places) list.append(placeOf(report, place, language));
  const n = details.places.length;
  const of = idiom.occurrences > n ? `${count(n)} of ${count(idiom.occurrences)}, spread over the repository` : "";
  const heading = element("h3", "", "Places ", element("span", "often", of));
  return element("section", "", heading, list);
}

function placeOf(report, place, language) {
  const { path } = report.files[place.file];
  const where = `${path}:${place.line}`;
  const slash = path.lastIndexOf("/") + 1;
  const shown = [element("span", "folder", path.slice(0, slash)), `${path.slice(slash)}:${place.line}`];
  let link;
  if (report.base === null) {
    link = element("span", "where", ...shown);
  } else {
    link = element("a", "where", ...shown);
    link.href = encodeURI(report.base + path).replaceAll("?", "%3F").replaceAll("#", "%23") + `#L${place.line}`;
    link.target = "_blank";
    link.rel = "noopener";
    link.title = "Open the file";
  }
  return element("li", "", element("div", "place", link, copier(where, "Copy")), excerpt(place, language));
}

function notationOf(details) {
  const summary = element("summary", "", "Notation");
  const code = element("pre", "notation", element("code", "", details.notation));
  return element("details", "", summary, element("div", "place", element("p", "note", "The fragment of the syntax tree; patois reads it."), copier(details.notation, "Copy")), code);
}

/** A button that copies a text. */
function copier(text, label) {
  const button = element("button", "quiet copy", label);
  button.type = "button";
  button.setAttribute("aria-label", `${label} ${text.length > 80 ? "notation" : text}`);
  button.addEventListener("click", async () => {
    let said = "Copied";
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      said = "Not allowed";
    }
    button.textContent = said;
    setTimeout(() => { button.textContent = label; }, 1200);
  });
  return button;
}
