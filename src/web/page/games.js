// Games: the library, sheets by path, pasted or dropped; findings at their places; figures.

import { get, post } from "./api.js";
import { counted, dropZone, h, number, replace, short } from "./dom.js";
import { Editor } from "./editor.js";
import { Board } from "./board.js";
import { bars } from "./plot.js";

export function gamesView(app) {
  const list = h("div", { class: "list", role: "group", "aria-label": "games" });
  const filter = h("input", { type: "search", placeholder: "find a game", "aria-label": "find a game", oninput: () => drawList() });
  const path = h("input", { placeholder: "path/of/sheet.kif", "aria-label": "path of a sheet" });
  const findings = h("div", { id: "findings", "aria-live": "polite" });
  const figures = h("div", {});
  const editor = new Editor(() => { status.textContent = "changed; check it to use it"; });
  const status = h("span", { class: "soft" });
  const board = new Board();
  let games = [], shown = null;

  const open = (request) => app.attempt(() => app.open(request));
  const check = () => open({ text: editor.text, name: app.sheet?.name || "sheet" });

  function drawList() {
    const wanted = filter.value.toLowerCase();
    replace(list, games.filter((game) => (game.name + game.title + game.description).toLowerCase().includes(wanted)).map((game) =>
      h("button", { type: "button", "aria-pressed": String(app.sheet?.name === game.name), onclick: () => open({ name: game.name }) }, game.name,
        h("small", {}, game.figures ? [counted(game.figures.players, "role"), counted(game.figures.fluents, "fluent"), counted(game.figures.gates, "gate")].join(", ") : game.title))));
  }

  function drawFindings() {
    const { findings: report, playable } = app.sheet;
    const all = report.findings;
    replace(findings, h("p", { class: playable ? "good" : "bad" }, `${playable ? "can be played" : "cannot be played"}: ${[counted(report.rules, "rule"), counted(report.errors, "error"), counted(report.warnings, "warning")].join(", ")}`),
      all.length ? h("ul", {}, all.map((one) => h("li", {}, h("button", { type: "button", class: one.severity === "error" ? "bad" : "warn", onclick: () => one.line && editor.go(one.line, one.column) },
        one.line ? `${one.severity} ${one.line}:${one.column}` : one.severity), " ", one.message, one.help ? h("div", { class: "soft" }, one.help) : null,
      one.moves ? h("div", { class: "mono soft" }, one.moves.map((joint) => `(${joint.join(" ")})`).join(" ")) : null))) : null);
  }

  async function drawFigures() {
    const id = app.sheet.id;
    replace(figures, h("p", { class: "soft" }, "grounding …"));
    const found = await get(`/api/sheets/${id}/figures`);
    if (app.sheet.id !== id) return;
    const { ground, circuit } = found;
    const rows = [["rules", app.sheet.findings.rules], ["ground rules", ground.after?.rules], ["instances", ground.instances], ["fluents", circuit?.fluents],
      ["moves", circuit?.moves.map((one) => `${one.role} ${number(one.moves)}`).join(", ")], ["gates", circuit?.gates], ["depth", circuit?.depth], ["loops", circuit?.loops],
      ["grounding", `${number(ground.seconds, 3)} s`]];
    replace(figures, h("dl", {}, rows.filter(([, value]) => value !== undefined && value !== null).flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, typeof value === "number" ? short(value) : value)])),
      found.error ? h("p", { class: "bad" }, found.error) : null,
      ground.heaviest.length ? h("h3", {}, "instances by rule") : null,
      ground.heaviest.length ? bars(ground.heaviest.map((one) => `${one.line}: ${one.relation}`), [{ name: "instances", values: ground.heaviest.map((one) => one.instances) }], { label: "instances by rule", width: 420 }) : null);
  }

  async function draw() {
    if (!app.sheet) return;
    drawList();
    if (shown === app.sheet.id) return;
    shown = app.sheet.id;
    status.textContent = "";
    editor.set(app.sheet.text, app.sheet.findings.findings);
    drawFindings();
    replace(figures);
    if (!app.sheet.playable) { replace(board.frame); replace(board.facts); return; }
    await board.show({ sheet: app.sheet.id });
  }

  const element = h("div", { class: "columns narrow-left" },
    h("section", { class: "panel" }, h("h2", {}, "Games"), filter, list,
      h("div", { class: "row" }, path, h("button", { type: "button", onclick: () => open({ path: path.value }) }, "open")),
      dropZone("drop a sheet or choose a file:", (name, text) => open({ text, name }))),
    h("div", { class: "stack" },
      h("section", { class: "panel" }, h("h2", {}, "Rules"), editor.element,
        h("div", { class: "row" }, h("button", { type: "button", class: "main", id: "check", onclick: check }, "check"),
          h("button", { type: "button", onclick: () => { editor.set("", []); editor.area.focus(); status.textContent = "paste a sheet, then check it"; } }, "new"),
          h("button", { type: "button", onclick: () => app.go("play") }, "play"), status), findings),
      h("div", { class: "columns" }, h("section", { class: "panel" }, h("h2", {}, "First state"), board.element),
        h("section", { class: "panel" }, h("h2", {}, "Figures"), h("button", { type: "button", id: "figures", onclick: () => app.attempt(drawFigures) }, "ground and count"), figures))));
  app.on("sheet", draw);
  return {
    element,
    async show() {
      if (!games.length) games = await get("/api/games");
      drawList();
      await draw();
    },
  };
}
