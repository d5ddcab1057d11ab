// Forward and back through the states of a line of play, by buttons, a slider or arrow keys.

import { h } from "./dom.js";

export class Stepper {
  constructor(app) {
    this.app = app;
    const button = (sign, name, to) => h("button", { type: "button", "aria-label": name, title: name, onclick: () => app.step(to()) }, sign);
    this.slider = h("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "step", oninput: () => app.step(Number(this.slider.value)) });
    this.said = h("output", { class: "soft" });
    this.element = h("div", { class: "stepper", role: "group", "aria-label": "steps" },
      button("«", "first state", () => 0), button("‹", "one step back", () => app.line.at - 1), this.slider,
      button("›", "one step forward", () => app.line.at + 1), button("»", "last state", () => app.line.states.length - 1), this.said);
    app.on("line", () => this.update());
    this.update();
  }

  update() {
    const { states, at } = this.app.line;
    this.slider.max = String(Math.max(0, states.length - 1));
    this.slider.value = String(at);
    this.said.textContent = `step ${at} of ${Math.max(0, states.length - 1)}`;
  }
}
