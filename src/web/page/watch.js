// Watch: matches as they are played, here or by another process, and records, forward and back.

import { get, listen, post, stream } from "./api.js";
import { Board } from "./board.js";
import { dropZone, h, replace } from "./dom.js";
import { lines } from "./plot.js";
import { bounds, figures, line as variation, moveTables, value } from "./report.js";
import { Stepper } from "./stepper.js";

/** How often the list of matches is asked for, in milliseconds. */
const LOOK = 5000;

export function watchView(app) {
  const board = new Board();
  const stepper = new Stepper(app);
  const title = h("p", { id: "match-title", "aria-live": "polite" });
  const made = h("p", { class: "mono", id: "made" });
  const plot = h("div", { id: "values" });
  const search = h("div", {});
  const running = h("div", { class: "row" });
  const seats = h("div", { class: "row" });
  const path = h("input", { placeholder: "records, or records/match.json", "aria-label": "path of a record", size: 28 });
  const clock = h("input", { type: "number", min: 1, max: 600, value: 1, size: 4, "aria-label": "seconds for a move" });
  let close = () => {}, visible = false, watched = null, current = null, shownSheet = null, asking = null;

  function drawSeats() {
    shownSheet = app.sheet.id;
    replace(seats, app.sheet.roles.map((role, at) => {
      const choice = h("input", { value: at % 2 ? "mast+solver" : "uct+solver", list: "strategies", size: 14, "aria-label": `player of ${role}` });
      return h("label", {}, role, choice);
    }), h("datalist", { id: "strategies" }, [...app.strategies.map((one) => one.name), "random", "first"].map((name) => h("option", { value: name }))));
  }

  async function begin() {
    const seconds = Number(clock.value) || 1;
    const players = [...seats.querySelectorAll("input")].map((input) => input.value);
    const { id } = await post("/api/matches", { sheet: app.sheet.id, players, start_clock: seconds, play_clock: seconds });
    app.go("watch", { match: id });
    join(id);
  }

  function join(id) {
    close();
    watched = id;
    const line = { states: [], moves: [], reports: [], values: [], at: 0 };
    let names = "", sheet = null;
    app.live = current = line;
    close = listen(`/api/matches/${id}/events`, (event) => app.hear(async () => {
      if (event.kind === "match") {
        names = `${event.game}: ${event.roles.map((role, at) => `${role} ${event.players[at]}`).join(" – ")}`;
        sheet = event;
        if (app.sheet?.id !== event.sheet) {
          await app.take(await get(`/api/sheets/${event.sheet}`));
          app.live = line;
        }
        title.textContent = names;
      } else if (event.kind === "state") {
        // Whoever looks at the last state goes on with the match.
        const at = app.live === line ? app.line.at : line.at;
        line.at = at >= line.states.length - 1 ? event.step : at;
        line.states[event.step] = event.state;
        if (app.live === line) app.setLine(line);
      } else if (event.kind === "moves") {
        line.moves[event.step - 1] = event.moves;
        line.reports[event.step - 1] = event.reports;
        line.values[event.step - 1] = event.values;
        if (app.live === line) app.setLine({ ...line, at: app.line.at });
      } else if (event.kind === "end") {
        const goals = event.goals?.map((goal, role) => `${sheet.roles[role]} ${goal ?? "?"}`).join(", ");
        title.textContent = `${names}: ${goals ? "over, " + goals : event.reason}`;
        await drawRunning();
      }
    }));
  }

  /** Takes a record that the server has played again. */
  async function take(record) {
    if (record.error && !record.steps) throw new Error(record.error);
    if (app.sheet?.id !== record.sheet) await app.take(await get(`/api/sheets/${record.sheet}`));
    const follows = app.line.at >= app.line.states.length - 1 && watched === "record";
    const states = record.steps.map((one) => one.state);
    watched = "record";
    const reports = record.steps.slice(1).map((one) => one.reports || []);
    app.setLine({ states, moves: record.steps.slice(1).map((one) => one.moves), reports, at: follows ? states.length - 1 : Math.min(app.line.at, states.length - 1) });
    const goals = (record.goals || record.recorded_goals)?.map((goal, role) => `${record.roles[role]} ${goal ?? "?"}`).join(", ");
    title.textContent = `${record.match || "record"} of ${record.game}: ${record.players.join(" – ")}${goals ? ": " + goals : record.over ? "" : ", not over"}`;
    if (record.error) app.fail(record.error);
  }

  async function read(request) {
    close();
    app.line.at = 0;
    app.live = watched = null;
    await take(await post("/api/records", request));
  }

  function follow() {
    close();
    app.live = watched = null;
    close = stream("/api/records/follow", { path: path.value }, (record) => app.hear(() => take(record)), (error) => error && app.fail(error));
  }

  /** The values of all roles over the steps, as each side's search sees its own. */
  function drawPlot() {
    const { reports, at } = app.line;
    const series = app.sheet.roles.map((name, role) => ({ name, points: [] }));
    reports.forEach((joint, step) => (joint || []).forEach((report, owner) => {
      const own = report?.roles?.[owner];
      const average = own && value(own);
      if (average === null || average === undefined) return;
      const [low, high] = bounds(report, owner) || [];
      series[owner].points.push([step, average, low, high]);
    }));
    replace(plot, series.some((one) => one.points.length) ? lines(series, { now: at, label: "values over steps" }) : h("p", { class: "soft" }, "no values: these players do not tell"));
  }

  /** The search that found the move after the state that is shown. */
  function found() {
    const { reports, at } = app.line;
    const all = reports[at] || [];
    const own = all.findIndex((report, role) => report?.roles?.[role]?.moves.length > 1);
    const any = all.findIndex((report) => report?.roles?.some((role) => role.moves.length > 1));
    const role = own >= 0 ? own : any;
    return role < 0 ? null : { report: all[role], role };
  }

  async function draw() {
    if (!visible || !app.sheet?.playable || !app.line.states.length) return;
    const { moves, at } = app.line;
    const next = found();
    const own = next?.report.roles[next.role];
    const tried = own && own.moves.length > 1 ? own : next?.report.roles.find((role) => role.moves.length > 1);
    const visits = (tried?.moves || []).map((one) => [one.text, one.visits]);
    const drawn = board.show({ ...app.now(), visits });
    made.textContent = at > 0 ? `${at}. ${(moves[at - 1] || []).join("  ")}` : "first state";
    drawPlot();
    replace(search, next ? [h("h3", {}, `search of ${app.sheet.roles[next.role]}`), figures(next.report), h("h3", {}, "principal line"), variation(next.report), moveTables(next.report, 8)] : null);
    await drawn;
  }

  async function drawRunning() {
    clearTimeout(asking);
    if (!visible) return;
    asking = setTimeout(() => drawRunning().catch(app.fail), LOOK);
    const all = (await get("/api/matches")).filter((one) => !one.over);
    replace(running, all.length ? h("span", { class: "soft" }, "being played:") : null, all.map((one) =>
      h("button", { type: "button", onclick: () => { app.go("watch", { match: one.id }); join(one.id); } }, `${one.game}: ${one.players.join(" – ")}`)));
  }

  const element = h("div", { class: "columns" },
    h("section", { class: "panel" }, title, board.element, stepper.element, made),
    h("div", { class: "stack" },
      h("section", { class: "panel" }, h("h2", {}, "Matches"), seats,
        h("div", { class: "row" }, h("label", {}, "seconds for a move", clock), h("button", { type: "button", class: "main", id: "watch-begin", onclick: () => app.attempt(begin) }, "begin a match")), running,
        h("h3", {}, "Records"), h("div", { class: "row" }, path, h("button", { type: "button", onclick: () => app.attempt(() => read({ path: path.value })) }, "replay"),
          h("button", { type: "button", title: "a match that another process plays, such as ludens serve --out records: its record, or the folder", onclick: () => app.attempt(follow) }, "follow")),
        dropZone("drop a record or choose a file:", (name, text) => app.attempt(() => read({ text })))),
      h("section", { class: "panel" }, h("h2", {}, "Values"), plot, search)));
  app.on("line", draw);
  app.on("sheet", () => { if (app.sheet.playable && shownSheet !== app.sheet.id) drawSeats(); });
  return {
    element,
    async show(params) {
      visible = true;
      if (app.sheet?.playable && shownSheet !== app.sheet.id) drawSeats();
      await drawRunning();
      if (params.match && (watched !== params.match || app.live !== current)) join(params.match);
      await draw();
    },
    hide() {
      visible = false;
      clearTimeout(asking);
    },
  };
}
