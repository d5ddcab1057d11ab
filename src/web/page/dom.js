// Elements and text; nothing from outside is ever parsed as HTML.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, props, children) {
  for (const [name, value] of Object.entries(props || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "disabled") node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...shown(children));
  return node;
}

/** Children in lists of any depth, without those that are nothing. */
function shown(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}

/** An element with attributes, listeners (on...) and children; strings are text. */
export function h(tag, props, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** The same for SVG. */
export function s(tag, props, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

export function replace(node, ...children) {
  node.replaceChildren(...shown(children));
}

/** A picture that the server has made, as an element. */
export function picture(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (parsed.nodeName !== "svg") throw new Error("not a picture");
  return document.importNode(parsed, true);
}

/** A file for the user to save. */
export function save(name, blob) {
  const address = URL.createObjectURL(blob);
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/** A place where files can be dropped or chosen; `take` gets the name and the text of each. */
export function dropZone(hint, take) {
  const input = h("input", { type: "file", multiple: true, "aria-label": hint, onchange: () => read(input.files) });
  async function read(files) {
    for (const file of files) if (file.size < 16e6) take(file.name, await file.text());
  }
  const zone = h("div", { class: "drop" }, h("span", { class: "soft" }, hint + " "), input);
  zone.addEventListener("dragover", (event) => { event.preventDefault(); zone.classList.add("over"); });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    read(event.dataTransfer.files);
  });
  return zone;
}

export function number(value, digits = 0) {
  return value === null || value === undefined ? "–" : Number(value).toLocaleString("en", { maximumFractionDigits: digits, minimumFractionDigits: digits });
}

/** So many of a thing. */
export const counted = (value, word) => `${number(value)} ${word}${value === 1 ? "" : "s"}`;

/** A number of any size in few letters. */
export function short(value) {
  if (value === null || value === undefined) return "–";
  const size = Math.abs(value);
  if (size >= 1e9) return number(value / 1e9, 2) + " G";
  if (size >= 1e6) return number(value / 1e6, 2) + " M";
  if (size >= 1e4) return number(value / 1e3, 1) + " k";
  if (size >= 100 || Number.isInteger(value)) return number(value);
  return size >= 0.01 ? number(value, 2) : value.toExponential(1);
}
