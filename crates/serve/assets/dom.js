// Making elements: texts become texts, never markup.

/** An element with properties and children; `on` holds listeners, `data` data attributes, anything with a dash an attribute. */
export function el(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (key === "on") {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (key === "data") {
      Object.assign(element.dataset, value);
    } else if (key.includes("-") || key === "role" || key === "for") {
      element.setAttribute(key, value);
    } else {
      element[key] = value;
    }
  }
  element.append(...children.filter((it) => it !== undefined && it !== null && it !== false));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** An element of a drawing. */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export const byId = (id) => document.getElementById(id);

/** Says something to those who listen rather than look. */
export function announce(text) {
  const status = byId("status");
  status.textContent = "";
  // The same text twice would not be said again.
  requestAnimationFrame(() => { status.textContent = text; });
}

/** A text in which names stand between backticks. */
export const withNames = (text) => text.split("`").map((part, index) => (index % 2 ? el("code", {}, part) : part));

export const plural = (n, one, many = `${one}s`) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
