// Lines over time and bars side by side, as SVG with a title for each point.

import { h, s, short } from "./dom.js";

/** The numbers of colours by the names that roles are called by. */
const COLOURS = { blue: 0, red: 1, green: 2, yellow: 3, gold: 3, orange: 3, purple: 4, violet: 4, teal: 5, cyan: 5 };

/** The class of each series: its own colour if it is called by one, else the next that is free. */
function classes(names) {
  const own = names.map((name) => COLOURS[name.toLowerCase()]);
  const free = [0, 1, 2, 3, 4, 5].filter((colour) => !own.includes(colour));
  let next = 0;
  return own.map((colour) => `s${colour ?? free[next++ % free.length] ?? 0}`);
}

const WIDTH = 620, HEIGHT = 220, LEFT = 46, RIGHT = 10, TOP = 10, BOTTOM = 24;

/** Lines: [{name, points: [[x, y, low?, high?], ...]}], within [least, most]. `now` is a vertical line. */
export function lines(series, { least = 0, most = 100, now = null, label = "values over time" } = {}) {
  const all = series.flatMap((one) => one.points.map((point) => point[0]));
  const first = Math.min(...all, 0), last = Math.max(...all, 1);
  const x = (value) => LEFT + ((value - first) / (last - first || 1)) * (WIDTH - LEFT - RIGHT);
  const y = (value) => TOP + (1 - (value - least) / (most - least || 1)) * (HEIGHT - TOP - BOTTOM);
  const svg = s("svg", { class: "plot", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label });
  for (const part of [0, 0.5, 1]) {
    const value = least + part * (most - least);
    svg.append(s("path", { class: "axis", d: `M${LEFT} ${y(value)}H${WIDTH - RIGHT}` }), s("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, short(value)));
  }
  svg.append(s("text", { x: x(first), y: HEIGHT - 7 }, short(first)), s("text", { x: x(last), y: HEIGHT - 7, "text-anchor": "end" }, short(last)));
  if (now !== null) svg.append(s("path", { class: "now", d: `M${x(now)} ${TOP}V${HEIGHT - BOTTOM}` }));
  const tints = classes(series.map((one) => one.name));
  series.forEach((one, at) => {
    const group = s("g", { class: tints[at] });
    const banded = one.points.filter((point) => point[2] !== undefined && point[2] !== null && point[3] !== undefined && point[3] !== null && !(point[2] <= least && point[3] >= most));
    if (banded.length) {
      const up = banded.map((point) => `${x(point[0])} ${y(point[3])}`), down = banded.map((point) => `${x(point[0])} ${y(point[2])}`).reverse();
      group.append(s("path", { class: "band", d: "M" + [...up, ...down].join("L") + "Z" }));
    }
    if (one.points.length > 1) group.append(s("path", { class: "series", d: "M" + one.points.map((point) => `${x(point[0])} ${y(point[1])}`).join("L") }));
    for (const point of one.points) group.append(s("circle", { class: "dot", cx: x(point[0]), cy: y(point[1]), r: 2.6 }, s("title", {}, `${one.name}, ${short(point[0])}: ${short(point[1])}`)));
    svg.append(group);
  });
  return h("div", {}, svg, legend(series.map((one) => one.name)));
}

/** Bars: names of groups, and [{name, values}] with a value or null for each group. */
export function bars(groups, series, { unit = "", label = "bars", logarithmic = false, width: full = WIDTH } = {}) {
  const row = 14 * series.length + 12, height = groups.length * row + 20, left = 0.3 * full;
  const values = series.flatMap((one) => one.values).filter((value) => value > 0);
  const most = Math.max(...values, 1e-12), least = Math.min(...values, most);
  const scale = (value) => {
    if (!(value > 0)) return 0;
    return logarithmic ? (Math.log(value) - Math.log(least) + 0.3) / (Math.log(most) - Math.log(least) + 0.3) : value / most;
  };
  const svg = s("svg", { class: "plot", viewBox: `0 0 ${full} ${height}`, role: "img", "aria-label": label });
  const letters = Math.floor(left / 6.8), tints = classes(series.map((one) => one.name));
  groups.forEach((name, at) => {
    const top = at * row + 6;
    svg.append(s("text", { x: left - 8, y: top + row / 2, "text-anchor": "end" }, name.length > letters ? name.slice(0, letters - 1) + "…" : name, s("title", {}, name)));
    series.forEach((one, number) => {
      const value = one.values[at], width = scale(value) * (full - left - 76), y = top + number * 14;
      svg.append(s("g", { class: tints[number] },
        s("rect", { class: "bar", x: left, y, width: Math.max(width, 0.5), height: 11 }, s("title", {}, `${name}, ${one.name}: ${short(value)} ${unit}`)),
        s("text", { x: left + width + 5, y: y + 10 }, value === null || value === undefined ? "–" : `${short(value)} ${unit}`)));
    });
  });
  return h("div", {}, svg, series.length > 1 ? legend(series.map((one) => one.name)) : null);
}

function legend(names) {
  const tints = classes(names);
  return h("div", { class: "legend" }, names.map((name, at) => h("span", { class: tints[at] }, name)));
}
