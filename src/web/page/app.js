// The page: its views, the sheet that is open, and the line of play that all views share.

import { get, post } from "./api.js";
import { h, replace } from "./dom.js";
import { analyseView } from "./analyse.js";
import { benchView } from "./bench.js";
import { circuitView } from "./circuit.js";
import { gamesView } from "./games.js";
import { playView } from "./play.js";
import { watchView } from "./watch.js";

const VIEWS = [["games", "Games", gamesView], ["play", "Play", playView], ["watch", "Watch", watchView],
  ["analyse", "Analyse", analyseView], ["circuit", "Circuit", circuitView], ["bench", "Bench", benchView]];

const listeners = new Map();

export const app = {
  sheet: null,
  strategies: [],
  /** States in their order; moves[k] leads from states[k] to the next, and reports[k] say how it was found. */
  line: { states: [], moves: [], reports: [], values: [], at: 0 },
  /** The match that this line follows: whoever else still hears a match keeps it to itself. */
  live: null,

  on(what, take) {
    listeners.set(what, [...(listeners.get(what) || []), take]);
  },

  tell(what) {
    for (const take of listeners.get(what) || []) Promise.resolve(take()).catch(app.fail);
  },

  /** Says what went wrong, until something else is done. */
  fail(error) {
    const notice = document.getElementById("notice");
    notice.textContent = error?.message || String(error);
    notice.hidden = false;
  },

  calm() {
    document.getElementById("notice").hidden = true;
  },

  /** Does something that was asked for, and says if it fails. */
  attempt(work) {
    app.calm();
    return app.hear(work);
  },

  /** Does something that happens by itself: what was said before stays to be read. */
  hear(work) {
    return Promise.resolve().then(work).catch(app.fail);
  },

  /** Takes a sheet that the server has opened; its line of play begins anew. */
  async take(sheet, keepsLine = false) {
    app.sheet = sheet;
    app.live = null;
    document.getElementById("sheet-name").textContent = sheet.name;
    document.title = `${sheet.name} · Ludens`;
    if (!keepsLine) {
      app.line = { states: [], moves: [], reports: [], values: [], at: 0 };
      if (sheet.playable) app.line.states.push((await post("/api/position", { sheet: sheet.id })).state);
    }
    app.keep();
    app.tell("sheet");
    app.tell("line");
  },

  async open(request) {
    await app.take(await post("/api/sheets", request));
  },

  /** A line of play of the sheet. */
  setLine(line) {
    app.line = { reports: [], values: [], ...line };
    app.keep();
    app.tell("line");
  },

  step(to) {
    const at = Math.max(0, Math.min(to, app.line.states.length - 1));
    if (at !== app.line.at) {
      app.line.at = at;
      app.tell("line");
    }
  },

  /** The state that is looked at, and the joint move that led there. */
  now() {
    const { states, moves, at } = app.line;
    return { sheet: app.sheet.id, state: states[at], last: at > 0 ? moves[at - 1] || [] : [] };
  },

  /** What a reload needs. */
  keep() {
    try {
      const { text, name } = app.sheet;
      const { states, moves, at } = app.line;
      sessionStorage.setItem("ludens", JSON.stringify({ text, name, states: states.slice(0, 400), moves: moves.slice(0, 399), at }));
    } catch {
      sessionStorage.removeItem("ludens");
    }
  },

  go(view, params = {}) {
    const query = new URLSearchParams(params).toString();
    location.hash = `#/${view}${query ? "?" + query : ""}`;
  },
};

const made = new Map();

function route() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const name = VIEWS.some(([one]) => one === path) ? path : "games";
  for (const link of document.querySelectorAll("#views a")) {
    if (link.dataset.view === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  for (const [other, view] of made) if (other !== name) view.hide?.();
  if (!made.has(name)) made.set(name, VIEWS.find(([one]) => one === name)[2](app));
  const view = made.get(name);
  replace(document.getElementById("main"), view.element);
  app.calm();
  Promise.resolve(view.show?.(Object.fromEntries(new URLSearchParams(query || "")))).catch(app.fail);
}

function theme() {
  const button = document.getElementById("theme");
  const set = (name) => {
    if (name === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name;
    button.textContent = `theme: ${name}`;
    localStorage.setItem("ludens-theme", name);
  };
  const names = ["auto", "light", "dark"];
  set(names.includes(localStorage.getItem("ludens-theme")) ? localStorage.getItem("ludens-theme") : "auto");
  button.addEventListener("click", () => set(names[(names.indexOf(localStorage.getItem("ludens-theme")) + 1) % 3]));
}

/** The sheet of the address, or the one that was open before a reload. */
async function begin() {
  const query = new URLSearchParams(location.hash.split("?")[1] || "");
  const kept = JSON.parse(sessionStorage.getItem("ludens") || "null");
  if (query.get("sheet")) {
    await app.take(await get(`/api/sheets/${encodeURIComponent(query.get("sheet"))}`));
  } else if (kept) {
    const sheet = await post("/api/sheets", { text: kept.text, name: kept.name });
    app.line = { states: kept.states, moves: kept.moves, reports: [], values: [], at: kept.at };
    await app.take(sheet, kept.states.length > 0);
  } else {
    await app.open({ name: "tic_tac_toe" });
  }
}

document.getElementById("views").append(...VIEWS.map(([name, title]) => h("a", { href: `#/${name}`, "data-view": name }, title)));
theme();
document.addEventListener("keydown", (event) => {
  const busy = event.target.closest?.("input, textarea, select, button, [role=button]");
  if (busy || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "ArrowLeft") app.step(app.line.at - 1);
  if (event.key === "ArrowRight") app.step(app.line.at + 1);
});
try {
  app.strategies = await get("/api/strategies");
  await begin();
} catch (error) {
  app.fail(error);
}
window.addEventListener("hashchange", route);
route();
document.body.dataset.ready = "true";
