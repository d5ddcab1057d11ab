// A board that can be clicked, or used with the keyboard: arrows move, Enter chooses.

import { post } from "./api.js";
import { h, picture, replace } from "./dom.js";

export class Board {
  /** `choose` gets the board and cell that were chosen. */
  constructor(choose = null) {
    this.choose = choose;
    this.frame = h("div", { class: "board-frame", role: "group", "aria-label": "board" });
    this.facts = h("p", { class: "facts" });
    this.element = h("div", {}, this.frame, this.facts);
    this.asked = 0;
    this.busy = null;
    this.position = null;
    this.marked = [[], null];
    this.frame.addEventListener("click", (event) => this.#clicked(event));
    this.frame.addEventListener("keydown", (event) => this.#typed(event));
  }

  /** Asks for a position and shows it; gives what the server says, or null if a later one came first.
      While one answer is awaited, only the last of those that are wanted meanwhile is asked for. */
  async show(request) {
    const number = ++this.asked;
    await this.busy;
    if (number !== this.asked) return null;
    const answer = post("/api/position", request);
    this.busy = answer.catch(() => {});
    const position = await answer;
    if (number !== this.asked) return null;
    this.draw(position);
    return position;
  }

  draw(position) {
    const focus = document.activeElement?.closest?.(".cell");
    const kept = focus && this.frame.contains(focus) ? [focus.dataset.board, focus.dataset.cell] : null;
    this.position = position;
    replace(this.frame, position.board ? picture(position.board) : h("p", { class: "soft" }, "This game has no board; its facts are listed."));
    // Small boards stay small; large ones take the room they need.
    const width = Number(this.frame.querySelector("svg")?.getAttribute("width")) || 0;
    this.frame.style.maxWidth = width ? `${Math.min(Math.max(1.6 * width, 260), 720)}px` : "";
    this.cells = [...this.frame.querySelectorAll(".cell")];
    for (const cell of this.cells) cell.setAttribute("role", this.choose ? "button" : "img");
    if (this.choose) {
      this.cells.forEach((cell, at) => {
        cell.setAttribute("tabindex", at === 0 ? "0" : "-1");
        cell.classList.add("live");
      });
    }
    if (kept) this.cells.find((cell) => cell.dataset.board === kept[0] && cell.dataset.cell === kept[1])?.focus();
    this.mark(...this.marked);
    this.overlay(position.overlay);
    replace(this.facts, position.lists.map((list) => list.name + (list.entries.some((entry) => entry) ? ": " + list.entries.slice(0, 60).join(", ") : "")).join(" · "));
  }

  /** Lays a picture of the same size over the board. */
  overlay(svg) {
    this.frame.querySelector("svg.overlay")?.remove();
    if (svg && this.position?.board) this.frame.append(picture(svg));
  }

  /** Marks the cells that may be chosen, and the one that is. */
  mark(targets, picked = null) {
    this.marked = [targets, picked];
    const keys = new Set(targets.map((cell) => `${cell.board}:${cell.cell}`));
    for (const cell of this.cells || []) {
      const key = `${cell.dataset.board}:${cell.dataset.cell}`;
      cell.classList.toggle("target", keys.has(key));
      cell.classList.toggle("picked", !!picked && key === `${picked.board}:${picked.cell}`);
      if (this.choose) cell.setAttribute("aria-pressed", String(!!picked && key === `${picked.board}:${picked.cell}`));
    }
  }

  #clicked(event) {
    const cell = event.target.closest(".cell");
    if (cell && this.choose) this.choose({ board: Number(cell.dataset.board), cell: Number(cell.dataset.cell) });
  }

  #typed(event) {
    const cell = event.target.closest(".cell");
    if (!cell) return;
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#clicked(event);
    } else if (ways[event.key]) {
      event.preventDefault();
      event.stopPropagation();
      this.#go(cell, ways[event.key]);
    }
  }

  /** Moves the focus to the nearest cell in a direction. */
  #go(cell, [dx, dy]) {
    const middle = (one) => { const box = one.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
    const [x, y] = middle(cell);
    let best = null, least = Infinity;
    for (const other of this.cells) {
      const [ox, oy] = middle(other);
      const along = (ox - x) * dx + (oy - y) * dy;
      const aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
      if (along > 1 && along + 3 * aside < least) { least = along + 3 * aside; best = other; }
    }
    if (best) {
      this.cells.forEach((one) => one.setAttribute("tabindex", "-1"));
      best.setAttribute("tabindex", "0");
      best.focus();
    }
  }
}
