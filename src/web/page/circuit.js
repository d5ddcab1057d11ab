// Circuit: the cone of a sentence, gate by gate, with the signals of a state lit.

import { get, post } from "./api.js";
import { Board } from "./board.js";
import { h, picture, replace, save } from "./dom.js";
import { Stepper } from "./stepper.js";

export function circuitView(app) {
  const board = new Board((cell) => app.attempt(() => cellPorts(cell)));
  const stepper = new Stepper(app);
  const find = h("input", { type: "search", placeholder: "a sentence, such as terminal", "aria-label": "find a sentence", oninput: () => drawPorts() });
  const list = h("div", { class: "list mono", id: "ports", role: "group", "aria-label": "sentences" });
  const frame = h("div", { class: "circuit", id: "circuit", role: "group", "aria-label": "circuit" });
  const depth = h("input", { type: "number", min: 0, max: 60, value: 2, size: 3, "aria-label": "depth", onchange: () => redraw() });
  const classic = h("input", { type: "checkbox", checked: true, onchange: () => { if (centre?.gate) centre = trail[0] || null; redraw(); } });
  const around = h("input", { type: "checkbox", onchange: () => redraw() });
  const lit = h("input", { type: "checkbox", checked: true, onchange: () => redraw() });
  const info = h("div", { id: "gate", "aria-live": "polite" });
  const way = h("p", { class: "row", id: "trail" });
  let ports = [], shownSheet = null, centre = null, trail = [], visible = false, cell = null, asked = 0;

  function request(format) {
    const { sheet, state } = app.now();
    return { sheet, classic: classic.checked, around: around.checked, depth: Number(depth.value) || 0, state: lit.checked ? state : undefined, format,
      ...(centre.gate ? { gate: centre.gate } : { of: centre.of }) };
  }

  async function go(to) {
    const at = trail.findIndex((one) => one.of === to.of && one.gate === to.gate);
    trail = at >= 0 ? trail.slice(0, at + 1) : [...trail, to].slice(-12);
    centre = to;
    await draw();
  }

  const redraw = () => app.attempt(draw);

  async function draw() {
    if (!centre || !visible) return;
    const number = ++asked;
    const found = await post("/api/circuit", request("json"));
    if (number !== asked) return;
    const drawing = picture(found.svg);
    for (const node of drawing.querySelectorAll("g[data-node]")) {
      const element = found.elements[Number(node.dataset.node)];
      node.setAttribute("tabindex", "0");
      node.setAttribute("role", "button");
      if (element.key === centre.gate || element.label === centre.of) node.setAttribute("aria-current", "true");
      node.setAttribute("aria-label", `${element.kind} ${element.label}${element.lit === null ? "" : element.lit ? ", true" : ", false"}`);
      const choose = () => app.attempt(async () => { describe(element); await go({ gate: element.key, name: element.label }); });
      node.addEventListener("click", choose);
      node.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(); } });
      node.addEventListener("focus", () => describe(element));
      node.addEventListener("mouseenter", () => describe(element));
    }
    replace(frame, drawing);
    frame.dataset.elements = String(found.elements.length);
    if (found.depth < Number(depth.value)) replace(info, h("p", { class: "warn" }, `drawn to depth ${found.depth}: more would not fit a picture`));
    replace(way, h("span", { class: "soft" }, "way:"), trail.map((one) => h("button", { type: "button", class: "mono", onclick: () => app.attempt(() => go(one)) }, one.of || one.name)));
  }

  /** What a gate is: the sentences it computes, and the lines of the sheet that it comes from. */
  function describe(element) {
    const text = app.sheet.text.split("\n");
    replace(info, h("dl", {}, h("dt", {}, element.kind), h("dd", { class: "mono" }, element.label), element.lit === null ? null : [h("dt", {}, "here"), h("dd", { class: element.lit ? "good" : "soft" }, element.lit ? "true" : "false")],
      element.sentences.length ? [h("dt", {}, "computes"), h("dd", { class: "mono" }, element.sentences.slice(0, 12).join(" "))] : null,
      element.hidden ? [h("dt", {}, "not shown"), h("dd", {}, `${element.hidden} inputs`)] : null,
      element.lines.slice(0, 8).flatMap((line) => [h("dt", {}, `line ${line}`), h("dd", { class: "mono" }, (text[line - 1] || "").trim().slice(0, 200))])));
  }

  function drawPorts() {
    const wanted = find.value.toLowerCase();
    const here = (port) => !cell || (port.cell && port.cell.board === cell.board && port.cell.cell === cell.cell);
    const found = ports.filter((port) => port.name.toLowerCase().includes(wanted) && here(port));
    replace(list, cell ? h("button", { type: "button", onclick: () => { cell = null; board.mark([]); drawPorts(); } }, "← all sentences") : null,
      found.slice(0, 150).map((port) => h("button", { type: "button", onclick: () => app.attempt(() => { trail = []; return go({ of: port.name }); }) }, port.name, h("small", {}, port.kind))),
      found.length > 150 ? h("span", { class: "soft" }, `and ${found.length - 150} more`) : null);
  }

  /** The sentences of a cell; that of its next content that is interesting is drawn at once. */
  async function cellPorts(chosen) {
    cell = chosen;
    find.value = "";
    board.mark([], chosen);
    drawPorts();
    const now = new Set(app.now().state);
    const here = ports.filter((port) => port.cell && port.cell.board === chosen.board && port.cell.cell === chosen.cell);
    const next = here.filter((port) => port.kind === "next");
    const first = next.find((port) => now.has(port.name.slice(6, -1))) || next[0] || here[0];
    if (first) { trail = []; await go({ of: first.name }); }
  }

  async function keepFile(format) {
    const blob = await post("/api/circuit", request(format));
    save(`${app.sheet.name}.${format}`, blob);
  }

  async function load() {
    if (!app.sheet?.playable) { replace(list, h("span", { class: "soft" }, "this sheet cannot be played")); return; }
    if (shownSheet !== app.sheet.id) board.mark([]);
    if (app.line.states.length) await board.show(app.now());
    if (shownSheet === app.sheet.id) return;
    shownSheet = app.sheet.id;
    centre = null;
    trail = [];
    cell = null;
    replace(frame, h("p", { class: "soft" }, "making the circuit …"));
    ({ ports } = await get(`/api/sheets/${app.sheet.id}/ports`));
    replace(frame, h("p", { class: "soft" }, "Choose a sentence in the list, or a cell of the board."));
    drawPorts();
  }

  const element = h("div", { class: "columns narrow-left" },
    h("section", { class: "panel" }, h("h2", {}, "Sentences"), find, list, board.element, stepper.element),
    h("section", { class: "panel" }, h("div", { class: "row" }, h("label", {}, "depth", depth), h("label", {}, classic, "classic gates"), h("label", {}, around, "what depends on it"), h("label", {}, lit, "light the state"),
      ["dot", "svg", "png"].map((format) => h("button", { type: "button", onclick: () => centre && app.attempt(() => keepFile(format)) }, `save ${format.toUpperCase()}`))), way, frame, info));
  app.on("line", async () => {
    if (!visible || !app.sheet?.playable || shownSheet !== app.sheet.id || !app.line.states.length) return;
    await Promise.all([board.show(app.now()), draw()]);
  });
  app.on("sheet", () => { if (visible) return load(); });
  return {
    element,
    async show() { visible = true; await load(); await draw(); },
    hide() { visible = false; },
  };
}
