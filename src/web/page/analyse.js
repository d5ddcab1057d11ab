// Analyse: a search at any position that goes on until it is stopped.

import { listen, post, remove } from "./api.js";
import { Board } from "./board.js";
import { h, number, replace, short } from "./dom.js";
import { lines } from "./plot.js";
import { bounds, figures, moveTables, range, variations } from "./report.js";
import { Stepper } from "./stepper.js";

/** The most points of the plot; older ones are thinned out. */
const MOST = 200;

export function analyseView(app) {
  const board = new Board();
  const stepper = new Stepper(app);
  const strategy = h("input", { value: "uct+solver", list: "analysis-strategies", "aria-label": "strategy", size: 16 });
  const names = h("datalist", { id: "analysis-strategies" });
  const status = h("p", { id: "analysis-status", role: "status" });
  const values = h("div", { id: "analysis-values" });
  const details = h("div", { id: "analysis-moves" });
  const ends = h("p", { class: "soft" });
  const start = h("button", { type: "button", class: "main", id: "analysis-start", onclick: () => app.attempt(begin) }, "search");
  const stop = h("button", { type: "button", id: "analysis-stop", disabled: true, onclick: () => app.attempt(halt) }, "stop");
  const state = h("textarea", { class: "mono", rows: 5, cols: 40, "aria-label": "true sentences of the position" });
  const moves = h("div", { class: "moves", role: "group", "aria-label": "moves to go on with" });
  const shown = ["visits", "ends", "nothing"].map((name) => h("input", { type: "radio", name: "overlay", value: name, checked: name === "visits", onchange: () => drawOverlay() }));
  let running = null, close = () => {}, last = null, points = [], visible = false, shownState = null;

  async function begin() {
    await halt();
    const { sheet, state: sentences } = app.now();
    const { id } = await post("/api/analyses", { sheet, state: sentences, strategy: strategy.value });
    running = id;
    points = app.sheet.roles.map(() => []);
    start.disabled = true;
    stop.disabled = false;
    status.textContent = "compiling …";
    close = listen(`/api/analyses/${id}/events`, (event) => app.hear(() => hear(event)), () => ended());
  }

  async function halt() {
    if (!running) return;
    const id = running;
    ended();
    close();
    await remove(`/api/analyses/${id}`).catch(() => {});
  }

  function ended() {
    running = null;
    start.disabled = false;
    stop.disabled = true;
  }

  function hear(event) {
    last = event;
    if (event.status === "failed") throw new Error(event.error);
    const ends = { settled: "nothing is left to learn", solved: "the game is solved", stopped: "stopped", time: "the time is over", over: "the game is over here" };
    status.textContent = event.simulations === undefined ? ends[event.end] || "" : `${short(event.simulations)} simulations in ${short(event.seconds)} s${event.engine === "reference" ? ", without a circuit" : ""}${event.status === "done" ? "; " + (ends[event.end] || event.end) : ""}`;
    if (event.report) draw(event);
  }

  function draw(event) {
    event.values.forEach((value, role) => {
      const [low, high] = bounds(event.report, role) || [];
      if (value !== null) points[role].push([event.seconds, value, low, high]);
      if (points[role].length > MOST) points[role] = points[role].filter((_, at) => at % 2 === 1);
    });
    const roles = app.sheet.roles;
    replace(values, h("dl", {}, roles.flatMap((role, at) => {
      const pair = bounds(event.report, at);
      return [h("dt", {}, role), h("dd", {}, number(event.values[at], 1), pair ? `, ${range(pair)}` : "")];
    })), lines(roles.map((name, at) => ({ name, points: points[at] })), { label: "values over seconds" }));
    replace(details, figures(event.report), h("h3", {}, "best lines"), variations(event.lines), moveTables(event.report));
    drawOverlay();
  }

  function drawOverlay() {
    const wanted = shown.find((one) => one.checked)?.value;
    board.frame.classList.toggle("dim", wanted === "ends" && !!last?.ends);
    board.overlay(wanted === "visits" ? last?.overlay : wanted === "ends" ? last?.ends?.overlay : null);
    ends.textContent = last?.ends ? [`${short(last.ends.playouts)} random playouts`, ...last.ends.shares.slice(0, 6).map(([sentence, share]) => `${sentence} ${number(100 * share)} %`)].join(", ") : "";
  }

  /** The position of the line, unless it is shown already. */
  async function drawPosition() {
    if (!visible || !app.sheet?.playable || !app.line.states.length) return;
    const now = app.now();
    if (shownState !== JSON.stringify(now)) {
      shownState = JSON.stringify(now);
      last = null;
      replace(values);
      replace(details);
      const was = running;
      if (was) await halt();
      state.value = now.state.join("\n");
      const position = await board.show(now);
      if (position) {
        drawMoves(position);
        if (was && !position.terminal) await begin();
      }
    }
  }

  /** Moves of the role with a choice lead on; others make their first one. */
  function drawMoves(position) {
    const mover = position.legal.findIndex((legal) => legal.length > 1);
    replace(moves, (position.legal[mover] || []).slice(0, 200).map((one) => h("button", { type: "button", class: "mono", onclick: () => app.attempt(async () => {
      const joint = position.legal.map((legal, role) => (role === mover ? one.text : legal[0].text));
      const next = await post("/api/position", { sheet: app.sheet.id, state: position.state, moves: [joint] });
      const { states, moves: before, at } = app.line;
      app.setLine({ states: [...states.slice(0, at + 1), next.state], moves: [...before.slice(0, at), joint], at: at + 1 });
    }) }, one.text)));
  }

  async function useState() {
    const sentences = state.value.split("\n").map((text) => text.trim()).filter((text) => text);
    const position = await post("/api/position", { sheet: app.sheet.id, state: sentences });
    app.setLine({ states: [position.state], moves: [], at: 0 });
  }

  const element = h("div", { class: "columns" },
    h("section", { class: "panel" }, board.element, stepper.element,
      h("div", { class: "row", role: "radiogroup", "aria-label": "over the board" }, h("span", { class: "soft" }, "over the board:"), shown.map((input) => h("label", {}, input, input.value === "ends" ? "how playouts end" : input.value))),
      ends, h("details", {}, h("summary", {}, "the position"), moves, state, h("button", { type: "button", onclick: () => app.attempt(useState) }, "use these sentences"))),
    h("section", { class: "panel" }, h("h2", {}, "Search"), h("div", { class: "row" }, strategy, names, start, stop), status, values, details));
  app.on("line", () => drawPosition());
  app.on("sheet", () => { shownState = null; });
  return {
    element,
    async show() {
      visible = true;
      replace(names, app.strategies.map((one) => h("option", { value: one.name })));
      await drawPosition();
    },
    hide() {
      visible = false;
      halt();
    },
  };
}
