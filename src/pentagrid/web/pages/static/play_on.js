// Playing on from a position of the analysis: against the computer, as whoever is to move, or two at one screen.

import { post } from "./api.js";
import { find, show } from "./dom.js";
import { recall } from "./memory.js";
import { notice } from "./notice.js";

/** The position that is looked at. names: those that were given; shown: what the players are called.
 * @typedef {{ board: Api.BoardData, names: string[], shown: string[], start: string, moves: string[] }} Here */

export class PlayOn {
  /** @param {HTMLFormElement} form @param {() => Here} here */
  constructor(form, here) {
    this.form = form;
    this.here = here;
    /** By name. @type {{ with: RadioNodeList & HTMLInputElement[], level: HTMLSelectElement }} */
    this.fields = /** @type {any} */ (form.elements);
    form.addEventListener("change", () => this.draw());
    form.addEventListener("submit", (event) => this.begin(event));
    find("play-on-close").addEventListener("click", () => show(form, false));
  }

  open() {
    show(this.form, true);
    this.form.scrollIntoView({ block: "nearest" });
    this.fields.with[0].focus({ preventScroll: true });
  }

  draw() {
    const { board: { turn }, shown } = this.here();
    if (turn) find("play-on-seat").textContent = `It is ${shown[turn - 1]}’s turn, and you take that seat.`;
    else show(this.form, false);
    /** @type {NodeListOf<HTMLElement>} */
    const parts = this.form.querySelectorAll("[data-for]");
    for (const part of parts) show(part, part.dataset.for === this.fields.with.value);
  }

  /** @param {SubmitEvent} event */
  async begin(event) {
    event.preventDefault();
    const { board: { turn }, names, start: position, moves } = this.here();
    const alone = this.fields.with.value === "computer";
    const seats = names.map((name, i) => {
      if (!alone) return { kind: "human", name };
      return i + 1 === turn ? { kind: "human", name: recall("pentagrid.name") ?? "" } : { kind: this.fields.level.value };
    });
    try {
      /** @type {Api.CreatedGame} */
      const created = await post("/api/games", { position, moves, seats, you: alone ? turn : "both" });
      location.assign(created.play);
    } catch (error) {
      notice("problem", error.message);
    }
  }
}
