"use strict";
// Source code as elements: what is a keyword, a string or a comment, and where the holes are.

/** An element with a class, and texts or elements inside; what comes from files is text only. */
function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

const C_COMMENT = String.raw`\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)`;
const QUOTED = String.raw`"(?:\\[^]|[^"\\\n])*"?|'(?:\\[^]|[^'\\\n])*'?`;
const C_WORDS = "auto break case char const continue default do double else enum extern float for goto if inline int long register return short signed sizeof static struct switch typedef union unsigned void volatile while";
const JAVA_WORDS = "abstract boolean break byte case catch char class const continue default do double else enum extends final finally float for if implements import instanceof int interface long new package private protected public return short static super switch this throw throws try var void while true false null";
const JS_WORDS = "async await break case catch class const continue default delete do else export extends finally for from function get if import in instanceof let new null of return set static super switch this throw true false try typeof undefined var void while with yield";

const LANGUAGES = {
  python: {
    comment: "#[^\\n]*",
    string: String.raw`[rbfuRBFU]{0,2}(?:"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|${QUOTED})`,
    words: "and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return try while with yield None True False",
  },
  ruby: {
    comment: "#[^\\n]*",
    words: "alias and begin break case class def defined? do else elsif end ensure false for if in module next nil not or redo rescue retry return self super then true undef unless until when while yield require attr_reader attr_accessor",
  },
  sql: {
    comment: String.raw`--[^\n]*|\/\*[^]*?(?:\*\/|$)`,
    words: "select from where and or not in is null as on join left right inner outer full cross group by order having limit offset union all distinct insert into values update set delete create table view index drop alter add primary key foreign references default case when then else end between like exists asc desc with",
    ignoresCase: true,
  },
  javascript: { string: QUOTED + "|`(?:\\\\[^]|[^`\\\\])*`?", words: JS_WORDS },
  typescript: { string: QUOTED + "|`(?:\\\\[^]|[^`\\\\])*`?", words: JS_WORDS + " abstract any as boolean declare enum implements interface is keyof namespace never number private protected public readonly string type unknown" },
  rust: { string: String.raw`b?"(?:\\[^]|[^"\\])*"?|'(?:\\[^]|[^'\\\n])'`, words: "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while" },
  java: { words: JAVA_WORDS },
  "c-sharp": { words: JAVA_WORDS + " async await bool decimal foreach get in internal is namespace object out override readonly ref sealed set string using virtual where yield" },
  go: { string: QUOTED + "|`[^`]*`?", words: "break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var nil true false" },
  c: { words: C_WORDS },
  cpp: { words: C_WORDS + " bool catch class constexpr delete explicit false friend namespace new noexcept nullptr operator override private protected public template this throw true try typename using virtual" },
};

const compiled = new Map();

function compile(name) {
  if (compiled.has(name)) return compiled.get(name);
  const language = LANGUAGES[name] ?? { words: "" };
  const comment = language.comment ?? C_COMMENT;
  const string = language.string ?? QUOTED;
  // Holes are characters of the private use area by now: parts of no word.
  const made = {
    pattern: new RegExp(String.raw`(${comment})|(${string})|(\d[\w.]*)|([\p{L}_$@][\p{L}\p{N}_$?]*)`, "gu"),
    words: new Set(language.words.split(" ")),
    ignoresCase: Boolean(language.ignoresCase),
  };
  compiled.set(name, made);
  return made;
}

/** The tokens of a text that have a colour: where they begin and end, and their class. */
function tokens(text, languageName) {
  const language = compile(languageName);
  const found = [];
  for (const match of text.matchAll(language.pattern)) {
    const end = match.index + match[0].length;
    if (match[1]) found.push([match.index, end, "comment"]);
    else if (match[2]) found.push([match.index, end, "string"]);
    else if (match[4]) {
      const word = language.ignoresCase ? match[4].toLowerCase() : match[4];
      if (language.words.has(word)) found.push([match.index, end, "keyword"]);
    }
  }
  return found;
}

const N_HOLE_COLOURS = 6;
const holeClass = (hole) => `hole h${hole % N_HOLE_COLOURS}`;

const FIRST_PRIVATE = 0xe000;
const MAX_HOLES = 6000;

/** The source code of an idiom, its first lines and characters only where there are limits. */
function idiomSource(idiom, languageName, maxLines, maxCharacters) {
  let text = idiom.source;
  if (maxLines) text = text.split("\n", maxLines).join("\n");
  if (maxCharacters && text.length > maxCharacters) {
    const blank = text.lastIndexOf(" ", maxCharacters);
    text = text.slice(0, blank > maxCharacters / 2 ? blank : maxCharacters) + " …";
  }
  // Longer names first: `$name1` is not `$name` and a digit.
  const names = idiom.holes.map((name, hole) => [name, hole]).filter((it) => it[0]).slice(0, MAX_HOLES);
  names.sort((one, other) => other[0].length - one[0].length);
  for (const [name, hole] of names) text = text.replaceAll(name, String.fromCharCode(FIRST_PRIVATE + hole));
  const code = element("code");
  const add = (part, className) => {
    for (const piece of part.split(/([\ue000-\uf76f])/)) {
      if (!piece) continue;
      const hole = piece.charCodeAt(0) - FIRST_PRIVATE;
      const isHole = piece.length === 1 && hole >= 0 && hole < idiom.holes.length;
      if (isHole) code.append(element("span", holeClass(hole), idiom.holes[hole]));
      else code.append(className ? element("span", className, piece) : piece);
    }
  };
  let at = 0;
  for (const [start, end, className] of tokens(text, languageName)) {
    add(text.slice(at, start));
    add(text.slice(start, end), className);
    at = end;
  }
  add(text.slice(at));
  return code;
}

/** The code at a place: numbered lines, the occurrence bright, what fills its holes coloured. */
function excerpt(place, languageName) {
  const { code, first, mark: [markStart, markEnd] } = place;
  const coloured = tokens(code.slice(markStart, markEnd), languageName);
  const colours = coloured.map(([start, end, className]) => [start + markStart, end + markStart, className]);
  const cuts = new Set([0, code.length, markStart, markEnd]);
  for (const [start, end] of colours) cuts.add(start).add(end);
  for (const [, start, end] of place.fills) cuts.add(start).add(end);
  for (let at = code.indexOf("\n"); at >= 0; at = code.indexOf("\n", at + 1)) cuts.add(at).add(at + 1);
  const bounds = [...cuts].sort((one, other) => one - other);

  const pre = element("pre", "excerpt");
  let line;
  const begin = (number) => {
    line = element("span", "line");
    line.dataset.number = number;
    pre.append(line);
  };
  begin(first);
  let number = first;
  for (let index = 0; index + 1 < bounds.length; index++) {
    const [start, end] = [bounds[index], bounds[index + 1]];
    const text = code.slice(start, end);
    if (text === "\n") {
      line.append("\n");
      begin(++number);
      continue;
    }
    const isMarked = start >= markStart && end <= markEnd;
    if (!isMarked) {
      line.append(element("span", "around", text));
      continue;
    }
    line.classList.add("marked");
    const colour = colours.find((it) => it[0] <= start && end <= it[1]);
    const fill = place.fills.find((it) => it[1] <= start && end <= it[2]);
    const classes = [colour?.[2], fill && text.trim() && `fill h${fill[0] % N_HOLE_COLOURS}`];
    line.append(element("span", classes.filter(Boolean).join(" "), text));
  }
  if (place.cut) pre.append(element("span", "cut", `${counted(place.cut, "more line")}\n`));
  return pre;
}

const count = (n) => n.toLocaleString("en");
const counted = (n, noun) => `${count(n)} ${noun}${n === 1 ? "" : "s"}`;
const percent = (share) => {
  const of100 = 100 * share;
  return `${of100 >= 10 || of100 === 0 ? Math.round(of100) : of100.toFixed(1)}\u00a0%`;
};
