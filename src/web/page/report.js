// What a search found: values, moves, its line, its speed.

import { h, number, short } from "./dom.js";

/** What a solver has proven for a role: what it can secure, and what it can get at most. */
export function bounds(report, role) {
  return report?.solver?.bounds?.[role] || null;
}

/** Bounds as text: one number where they prove it. */
export function range(pair) {
  if (!pair) return "";
  return pair[0] === pair[1] ? `proven ${number(pair[0])}` : `${number(pair[0])} to ${number(pair[1])}`;
}

/** The moves of each role that has a choice, best first. */
export function moveTables(report, most = 12) {
  const roles = report.roles.filter((role) => role.moves.length > 1);
  return (roles.length ? roles : report.roles.slice(0, 1)).map((role) => {
    const total = role.moves.reduce((sum, one) => sum + one.visits, 0) || 1;
    const bounded = role.moves.some((one) => one.bounds);
    return h("table", {}, h("caption", { class: "soft" }, `moves of ${role.role}`),
      h("thead", {}, h("tr", {}, h("th", {}, "move"), h("th", { class: "number" }, "visits"), h("th", { class: "number" }, "%"), h("th", { class: "number" }, "value"),
        bounded && h("th", {}, "bounds"))),
      h("tbody", {}, role.moves.slice(0, most).map((one) => h("tr", {}, h("td", { class: "mono" }, one.text), h("td", { class: "number" }, number(one.visits)),
        h("td", { class: "number" }, number((100 * one.visits) / total, 1)), h("td", { class: "number" }, number(one.average, 1)),
        bounded && h("td", {}, range(one.bounds))))));
  });
}

/** The most joint moves of a line that are shown. */
const LONGEST = 16;

const jointText = (joint) => joint.filter((text) => text.toLowerCase() !== "noop").join(" + ") || "noop";

const lineText = (moves) => moves.slice(0, LONGEST).map(jointText).join(" → ") + (moves.length > LONGEST ? ` → … ${moves.length - LONGEST} more` : "");

/** The principal variation as text. */
export function line(report) {
  return h("p", { class: "mono" }, report.principal_line.length ? lineText(report.principal_line) : "no line yet");
}

/** The best lines, with visits and value of their first moves. */
export function variations(found) {
  if (!found?.length) return h("p", {}, "no line yet");
  return h("ol", { class: "lines" }, found.map((one) => h("li", {},
    h("span", { class: "soft" }, `${number(one.visits)} visits, value ${number(one.average, 1)}: `), h("span", { class: "mono" }, lineText(one.moves)))));
}

/** Figures of a search in one line each. */
export function figures(report) {
  const rate = report.seconds > 0 ? report.simulations / report.seconds : 0;
  return h("dl", {}, h("dt", {}, "simulations/s"), h("dd", {}, rate ? short(rate) : "–"), h("dt", {}, "lanes in use"), h("dd", {}, rate ? `${number(100 * report.lane_use)} %` : "–"),
    h("dt", {}, "nodes"), h("dd", {}, `${short(report.nodes)}, depth ${report.depth}`), h("dt", {}, "strategy"), h("dd", {}, String(report.strategy)),
    report.solver ? [h("dt", {}, "solver"), h("dd", {}, `${short(report.solver.solved)} nodes solved, ${short(report.solver.pruned_moves)} moves pruned`)] : []);
}

/** The value of a position for a role by its moves. */
export function value(role) {
  const tried = role.moves.filter((one) => one.average !== null);
  const visits = tried.reduce((sum, one) => sum + one.visits, 0);
  return visits ? tried.reduce((sum, one) => sum + one.visits * one.average, 0) / visits : null;
}
