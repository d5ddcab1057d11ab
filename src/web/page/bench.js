// Bench and grounding: runs that were saved with --save, side by side.

import { post } from "./api.js";
import { dropZone, h, replace } from "./dom.js";
import { bars } from "./plot.js";

/** What can be compared: a name, a unit, and the figure of a sheet. */
const FIGURES = {
  bench: [
    ["playouts per CPU second", "/s", (one) => one.playouts_per_cpu_second], ["steps per CPU second", "/s", (one) => one.steps_per_cpu_second],
    ["playouts of searches per CPU second", "/s", (one) => one.job_playouts_per_cpu_second], ["times one lane", "×", (one) => one.times_scalar],
    ["seconds to make", "s", (one) => one.make_seconds && Object.values(one.make_seconds).reduce((sum, part) => sum + part, 0)],
    ["nanoseconds of a lane's step", "ns", (one) => one.lane_step_nanoseconds?.total], ["gates", "", (one) => one.gates], ["bytes of code", "", (one) => one.code_bytes]],
  ground: [
    ["CPU seconds of grounding", "s", (one) => one.cpu_seconds], ["seconds of grounding", "s", (one) => one.seconds], ["peak of memory", "bytes", (one) => one.peak_bytes],
    ["instances", "", (one) => one.instances], ["ground rules", "", (one) => one.after?.rules], ["fluents", "", (one) => one.after?.fluents]],
};

export function benchView(app) {
  const runs = [];
  let drawn = null;
  const plots = h("div", { id: "plots" });
  const list = h("div", { class: "row" });
  const figure = h("select", { "aria-label": "figure", onchange: () => draw() });
  const logarithmic = h("input", { type: "checkbox", checked: true, onchange: () => draw() });
  const path = h("input", { placeholder: "path/of/run.json", "aria-label": "path of a saved run" });

  function add(name, run) {
    const kind = run?.sheets?.[0] && "stages" in run.sheets[0] ? "ground" : Array.isArray(run?.sheets) ? "bench" : null;
    if (!kind) throw new Error(`${name} is no run: save one with ludens bench --save FILE or ludens ground --save FILE`);
    runs.push({ name, kind, run });
    draw();
  }

  function draw() {
    replace(list, runs.map((one, at) => h("button", { type: "button", title: "remove", onclick: () => { runs.splice(at, 1); draw(); } }, `${one.name} (${one.kind}) ✕`)));
    const kind = runs.at(-1)?.kind;
    if (kind !== drawn) replace(figure, (FIGURES[kind] || []).map(([title], at) => h("option", { value: at }, title)));
    drawn = kind;
    if (!kind) { replace(plots); return; }
    const [title, unit, of] = FIGURES[kind][Number(figure.value) || 0];
    const same = runs.filter((one) => one.kind === kind);
    const sheets = [...new Set(same.flatMap(({ run }) => run.sheets.map((one) => one.sheet)))];
    const short = (name) => name.split("/").at(-1).replace(/\.kif$/, "");
    // In a saved bench the figures of a sheet stand beside its name.
    const series = same.map(({ name, run }) => ({ name, values: sheets.map((sheet) => { const one = run.sheets.find((other) => other.sheet === sheet); return one ? of({ ...one, ...one.figures }) ?? null : null; }) }));
    replace(plots, h("h3", {}, title), bars(sheets.map(short), series, { unit, label: title, logarithmic: logarithmic.checked }),
      same.map(({ name, run }) => h("p", { class: "soft" }, `${name}: ${[run.version && `version ${run.version}`, run.machine?.cpu, run.backend, run.lanes && `${run.lanes} lanes`, run.threads && `${run.threads} threads`].filter(Boolean).join(", ")}`)));
  }

  const element = h("section", { class: "panel" }, h("h2", {}, "Saved runs"),
    h("p", { class: "soft" }, "ludens bench --save before.json; ludens ground games --save ground.json"),
    h("div", { class: "row" }, path, h("button", { type: "button", onclick: () => app.attempt(async () => add(path.value.split("/").at(-1), await post("/api/runs", { path: path.value }))) }, "open")),
    dropZone("drop saved runs or choose files:", (name, text) => app.attempt(() => add(name, JSON.parse(text)))),
    list, h("div", { class: "row" }, h("label", {}, "figure", figure), h("label", {}, logarithmic, "logarithmic")), plots);
  return { element };
}
