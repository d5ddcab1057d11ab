// A text with colours, line numbers and marks at findings.

import { h, replace } from "./dom.js";

const WORDS = new Set(["role", "init", "true", "does", "legal", "next", "goal", "terminal", "not", "or", "and", "distinct", "base", "input", "<="]);

/** Longer texts are shown without colours. */
const MOST = 200000;

export class Editor {
  constructor(changed) {
    this.findings = [];
    this.area = h("textarea", { spellcheck: "false", autocomplete: "off", "aria-label": "rule sheet", wrap: "off", oninput: () => { this.findings = []; this.#paint(); changed(); } });
    this.colours = h("pre", { class: "colours", "aria-hidden": "true" });
    this.gutter = h("pre", { class: "gutter", "aria-hidden": "true" });
    this.layers = h("div", { class: "layers" }, this.colours, this.area);
    this.element = h("div", { class: "editor" }, this.gutter, this.layers);
  }

  get text() { return this.area.value; }

  set(text, findings = []) {
    this.area.value = text;
    this.findings = findings.filter((one) => one.line);
    this.#paint();
  }

  /** Puts the cursor at a place. */
  go(line, column) {
    const before = this.area.value.split("\n").slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    const at = before + (column || 1) - 1;
    this.area.focus();
    this.area.setSelectionRange(at, at);
    const height = parseFloat(getComputedStyle(this.area).lineHeight) || 19;
    this.element.scrollTop = Math.max(0, (line - 6) * height);
  }

  #paint() {
    const lines = this.area.value.split("\n");
    const worst = new Map();
    for (const one of this.findings) if (worst.get(one.line) !== "error") worst.set(one.line, one.severity);
    const numbers = [];
    lines.forEach((_, at) => {
      const kind = worst.get(at + 1);
      numbers.push(kind ? h("span", { class: kind }, `${kind === "error" ? "✖" : "▲"} ${at + 1}`) : String(at + 1), "\n");
    });
    replace(this.gutter, numbers);
    const plain = this.area.value.length > MOST;
    this.layers.classList.toggle("plain", plain);
    replace(this.colours, plain ? [this.area.value, "\n"] : lines.flatMap((line, at) => [...this.#line(line, at + 1), "\n"]));
  }

  /** A line in colours; the words at which findings begin are underlined. */
  #line(text, number) {
    const marks = this.findings.filter((one) => one.line === number);
    const parts = [];
    for (const found of text.matchAll(/;.*|[()]|[^\s();]+|\s+/g)) {
      const piece = found[0], at = found.index + 1;
      const kind = piece[0] === ";" ? "c" : piece[0] === "?" ? "v" : WORDS.has(piece.toLowerCase()) ? "k" : /^[()]$/.test(piece) ? "p" : null;
      let node = kind ? h("span", { class: kind }, piece) : piece;
      const mark = marks.find((one) => one.column >= at && one.column < at + piece.length);
      if (mark && piece.trim()) node = h("mark", { class: mark.severity, title: mark.message }, node);
      parts.push(node);
    }
    return parts;
  }
}
