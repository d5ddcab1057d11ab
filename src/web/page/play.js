// Play: a match with people, strategies and players at an address.

import { get, listen, post, remove } from "./api.js";
import { Board } from "./board.js";
import { h, number, replace, save } from "./dom.js";

/** How long a hint is searched for, in seconds. */
const HINT = 2;

export function playView(app) {
  const board = new Board((cell) => clicked(cell));
  const seats = h("div", { class: "row", id: "seats" });
  const status = h("p", { id: "status", role: "status", "aria-live": "polite" });
  const clocks = h("p", { class: "soft", id: "clocks" });
  const moves = h("div", { class: "moves", id: "moves", role: "group", "aria-label": "legal moves" });
  const history = h("ol", { class: "mono scroll", id: "history" });
  const filter = h("input", { type: "search", placeholder: "find a move", "aria-label": "find a move", oninput: () => drawMoves() });
  const clock = h("input", { type: "number", min: 1, max: 600, value: 2, size: 4, "aria-label": "seconds for a move" });
  const undo = h("button", { type: "button", id: "undo", onclick: () => app.attempt(takeBack) }, "undo");
  const hint = h("button", { type: "button", id: "hint", onclick: () => app.attempt(advise) }, "hint");
  const records = h("span", {});
  let match = null, close = () => {}, ticking = null, shownSheet = null;

  function drawSeats() {
    shownSheet = app.sheet.id;
    const names = ["human", ...app.strategies.map((one) => one.name), "random", "first"];
    replace(seats, app.sheet.roles.map((role, at) => {
      const choice = h("select", { "aria-label": `player of ${role}` }, names.map((name) => h("option", { value: name }, name === "human" ? "a person" : name)), h("option", { value: "at" }, "at an address"));
      choice.value = at === 0 ? "human" : "uct";
      const address = h("input", { placeholder: "http://localhost:9147", "aria-label": `address of the player of ${role}`, hidden: true });
      choice.addEventListener("change", () => { address.hidden = choice.value !== "at"; });
      return h("label", { "data-role": at }, role, choice, address);
    }));
  }

  const players = () => [...seats.children].map((label) => {
    const choice = label.querySelector("select").value;
    return choice === "at" ? label.querySelector("input").value : choice;
  });

  /** Begins a match at a state; the line so far stays. */
  async function begin(line, who = players()) {
    stop();
    const state = line.states[line.states.length - 1];
    const seconds = Number(clock.value) || 2;
    const { id } = await post("/api/matches", { sheet: app.sheet.id, state, players: who, start_clock: seconds, play_clock: seconds });
    app.go("play", { match: id });
    join(id, line);
  }

  function stop() {
    close();
    clearInterval(ticking);
    if (match && !match.over) remove(`/api/matches/${match.id}`).catch(() => {});
    match = null;
  }

  /** Hears a match; `line` is what was played before it. */
  function join(id, line = { states: [], moves: [] }) {
    close();
    match = { id, line, base: Math.max(0, line.states.length - 1), players: [], step: 0, chosen: new Set(), used: [], since: performance.now(), over: false, picked: null, legal: [] };
    app.live = match;
    const own = match;
    close = listen(`/api/matches/${id}/events`, (event) => match === own && app.hear(() => hear(event)));
    clearInterval(ticking);
    ticking = setInterval(drawClocks, 250);
  }

  async function hear(event) {
    if (event.kind === "match") {
      match.sheet = event.sheet;
      if (app.sheet.id !== event.sheet) {
        await app.take(await get(`/api/sheets/${event.sheet}`));
        app.live = match;
      }
      Object.assign(match, { roles: event.roles, players: event.players, playClock: event.play_clock, used: event.roles.map(() => 0) });
    } else if (event.kind === "state") {
      const line = match.line;
      line.states[match.base + event.step] = event.state;
      Object.assign(match, { step: event.step, chosen: new Set(), since: performance.now(), picked: null, legal: [] });
      board.mark([]);
      follow();
    } else if (event.kind === "moves") {
      match.line.moves[match.base + event.step - 1] = event.moves;
      (match.line.reports ||= [])[match.base + event.step - 1] = event.reports;
      (match.line.values ||= [])[match.base + event.step - 1] = event.values;
      const spent = (performance.now() - match.since) / 1000;
      movers().forEach((role) => { match.used[role] += spent; });
      event.errors.forEach((error, role) => { if (error) app.fail(`${match.roles[role]}: ${error}; a random move was made instead`); });
    } else if (event.kind === "chosen" && event.step === match.step) {
      match.chosen.add(event.role);
      drawStatus();
      drawMoves();
    } else if (event.kind === "end") {
      match.over = true;
      clearInterval(ticking);
      match.goals = event.goals;
      match.reason = event.reason;
      drawStatus();
      drawMoves();
    }
  }

  /** Shows the last state of the match, unless another match is followed. */
  function follow() {
    if (app.live !== match) return;
    app.setLine({ ...match.line, at: match.line.states.length - 1 });
    draw().catch(app.fail);
  }

  /** Roles with a choice in the state that is shown. */
  const movers = () => match.legal.map((legal, role) => [legal.length, role]).filter(([count]) => count > 1).map(([, role]) => role);

  /** The person whose move is wanted: the first who has not chosen. */
  const person = () => movers().find((role) => match.players[role] === "human" && !match.chosen.has(role));

  async function draw() {
    const at = match;
    const position = await board.show(app.now());
    if (!position || match !== at) return;
    match.legal = position.legal;
    drawStatus();
    drawMoves();
    drawHistory();
  }

  function drawStatus() {
    const names = (roles) => roles.map((role) => match.roles[role]).join(", ");
    if (match.over) {
      const goals = match.goals?.map((goal, role) => `${match.roles[role]} ${goal ?? "?"}`).join(", ");
      status.textContent = goals ? `The game is over: ${goals}` : `The match has ended: ${match.reason}`;
      replace(records, ["record", "pgn"].map((form) => h("button", { type: "button", onclick: () => app.attempt(() => keepRecord(form)) }, form === "pgn" ? "save PGN" : "save record")));
      return;
    }
    replace(records);
    const waiting = movers().filter((role) => !match.chosen.has(role));
    const mine = person();
    const chosen = [...match.chosen];
    status.textContent = (mine !== undefined ? `${match.roles[mine]}, your move` : waiting.length ? `${names(waiting)} to move` : "…") + (chosen.length ? `; ${names(chosen)} has chosen` : "");
  }

  async function keepRecord(form) {
    const found = await get(`/api/matches/${match.id}/${form}`);
    const blob = found instanceof Blob ? found : new Blob([JSON.stringify(found)], { type: "application/json" });
    save(`${app.sheet.name}.${match.id}.${form === "pgn" ? "pgn" : "json"}`, blob);
  }

  function drawClocks() {
    if (!match?.roles) return;
    const spent = (performance.now() - match.since) / 1000;
    const running = new Set(match.over ? [] : movers().filter((role) => !match.chosen.has(role)));
    const text = match.roles.map((role, at) => {
      const left = match.players[at] === "human" ? "" : ` (${number(Math.max(0, match.playClock - (running.has(at) ? spent : 0)), 0)} s left)`;
      return `${role} ${number(match.used[at] + (running.has(at) ? spent : 0), 0)} s${running.has(at) ? left : ""}`;
    });
    clocks.textContent = text.join(" · ");
  }

  function drawHistory() {
    replace(history, app.line.moves.map((joint) => h("li", {}, joint.join("  "))));
    history.scrollTop = history.scrollHeight;
  }

  /** The moves of the person whose turn it is; those of a cell that was picked first. */
  function drawMoves() {
    const role = match.over ? undefined : person();
    const all = role === undefined ? [] : match.legal[role];
    const wanted = filter.value.toLowerCase();
    const shown = all.filter((one) => one.text.toLowerCase().includes(wanted) && (!match.picked || (one.cells.length && same(one.cells[0], match.picked.from) && (!match.picked.to || same(one.cells.at(-1), match.picked.to)))));
    replace(moves, shown.slice(0, 400).map((one) => h("button", { type: "button", class: "mono", onclick: () => app.attempt(() => choose(role, one.text)) }, one.text)));
    undo.disabled = !app.line.moves.length;
    hint.disabled = role === undefined;
    const from = match.picked?.from;
    board.mark(from ? all.filter((one) => one.cells.length > 1 && same(one.cells[0], from)).map((one) => one.cells.at(-1)) : all.flatMap((one) => (isStep(one) ? one.cells.slice(0, 1) : one.cells)), from);
  }

  const same = (one, other) => one && other && one.board === other.board && one.cell === other.cell;

  /** Whether a move leads from cell to cell; a move such as (drop 3) names all cells of its column. */
  const isStep = (one) => one.cells.length > 1 && one.text.trim().split(/\s+/).length > 2;

  function clicked(cell) {
    if (!match || match.over) return;
    const role = person();
    if (role === undefined) return;
    const all = match.legal[role];
    const from = match.picked?.from;
    const found = from ? all.filter((one) => isStep(one) && same(one.cells[0], from) && same(one.cells.at(-1), cell)) : all.filter((one) => !isStep(one) && one.cells.some((other) => same(other, cell)));
    if (found.length === 1) {
      app.attempt(() => choose(role, found[0].text));
      return;
    }
    // Several moves between the same cells: the list has them.
    if (found.length > 1 && from) match.picked = { from, to: cell };
    else if (all.some((one) => isStep(one) && same(one.cells[0], cell)) && !same(cell, from)) match.picked = { from: cell };
    else if (found.length > 1) match.picked = { from: cell, to: cell };
    else match.picked = null;
    drawMoves();
  }

  async function choose(role, text) {
    match.picked = null;
    board.overlay(null);
    await post(`/api/matches/${match.id}/moves`, { role, step: match.step, move: text });
  }

  /** Goes back to the last state in which a person had a choice, and plays on from there. */
  async function takeBack() {
    const line = { states: [...app.line.states], moves: [...app.line.moves] };
    const who = match?.players.length ? match.players : players();
    do {
      line.states.pop();
      line.moves.pop();
      const { legal } = await post("/api/position", { sheet: app.sheet.id, state: line.states.at(-1) });
      if (!who.includes("human") || legal.some((moves, role) => moves.length > 1 && who[role] === "human")) break;
    } while (line.moves.length);
    await begin(line, who);
  }

  /** Searches for a short while and shows the moves that were tried most. */
  async function advise() {
    const { sheet, state } = app.now();
    const { id } = await post("/api/analyses", { sheet, state, seconds: HINT });
    hint.disabled = true;
    status.textContent = "searching for a hint …";
    let last = null;
    listen(`/api/analyses/${id}/events`, (event) => {
      last = event;
      if (event.overlay) board.overlay(event.overlay);
      const best = event.report?.principal_line?.[0]?.[person() ?? 0];
      if (best) status.textContent = `hint: ${best}`;
    }, () => {
      hint.disabled = person() === undefined;
      if (last?.error) app.fail(last.error);
      if (!last?.report) drawStatus();
    });
  }

  const element = h("div", { class: "columns" },
    h("section", { class: "panel" }, status, clocks, board.element),
    h("div", { class: "stack" },
      h("section", { class: "panel" }, h("h2", {}, "Players"), seats,
        h("div", { class: "row" }, h("label", {}, "seconds for a move", clock),
          h("button", { type: "button", class: "main", id: "begin", onclick: () => app.attempt(() => begin({ states: [app.line.states[0]], moves: [] })) }, "new match"),
          h("button", { type: "button", id: "from-here", onclick: () => app.attempt(() => begin({ states: app.line.states.slice(0, app.line.at + 1), moves: app.line.moves.slice(0, app.line.at) })) }, "play from here"))),
      h("section", { class: "panel" }, h("h2", {}, "Moves"), h("div", { class: "row" }, filter, undo, hint, records), moves, history)));

  async function idle() {
    undo.disabled = hint.disabled = true;
    board.mark([]);
    replace(moves);
    replace(history);
    clocks.textContent = "";
    status.textContent = app.sheet?.playable ? "Choose the players, then begin." : "This sheet cannot be played.";
    if (app.sheet?.playable && app.line.states.length) await board.show(app.now());
  }

  app.on("sheet", () => {
    if (app.sheet.playable && shownSheet !== app.sheet.id) drawSeats();
  });
  return {
    element,
    async show(params) {
      if (app.sheet?.playable && shownSheet !== app.sheet.id) drawSeats();
      const isHere = match?.sheet === app.sheet?.id;
      if (params.match && !(match?.id === params.match && isHere)) {
        // A reload: the match tells all that has happened in it.
        const kept = app.line;
        const live = (await get("/api/matches")).find((one) => one.id === params.match);
        if (live) { join(params.match); return; }
        app.setLine(kept);
      }
      // Another game was opened, or another match was watched meanwhile.
      if (match?.sheet && !isHere) stop();
      if (!match) await idle();
      else if (app.live !== match && match.line.states.length) {
        app.live = match;
        follow();
      }
    },
    hide() {
      if (match?.over) close();
    },
  };
}
