// A line of play shown on the board move by move, by buttons or keys; once it has been started, by itself.

import { find, html, say } from "./dom.js";

const LEAST = 1800;
const A_LETTER = 60; // as long as it takes to say or read one

/** @param {string} text */
const timeFor = (text) => Math.max(LEAST, A_LETTER * text.length);

export class Playout {
  /** onStep(number): show the position after so many moves. @param {{ onStep: (number: number) => void }} handlers */
  constructor({ onStep }) {
    this.onStep = onStep;
    /** @type {Api.PuzzleStep[]} */
    this.steps = [];
    this.end = "";
    this.at = 0;
    /** @type {number | null} */
    this.timer = null;
    const go = { first: () => 0, back: () => this.at - 1, next: () => this.at + 1, last: () => this.steps.length };
    for (const [id, where] of Object.entries(go)) find(id).addEventListener("click", () => this.step(where()));
    find("run").addEventListener("click", () => this.toggle());
    find("verdict").addEventListener("keydown", (event) => this.onKey(event));
  }

  /**
   * A line begins with its first move made. It goes on when it is asked to: nothing cuts into the verdict being read.
   * @param {Api.PuzzleLine} line
   */
  open({ steps, end }) {
    this.stop();
    this.steps = steps;
    this.end = end;
    find("line").replaceChildren(...steps.map(({ move, player }) => html("li", { class: `owner${player}` }, move)));
    this.show(1);
    this.drawButtons();
  }

  close() {
    this.stop();
    this.steps = [];
  }

  /** Show a position, say its sentence, and go on when there has been time for it. @param {number} number */
  run(number) {
    this.show(number);
    say(this.words());
    this.timer = number < this.steps.length ? setTimeout(() => this.run(number + 1), timeFor(this.words())) : null;
    this.drawButtons();
  }

  stop() {
    clearTimeout(this.timer ?? undefined);
    this.timer = null;
  }

  toggle() {
    if (this.timer !== null) {
      this.stop();
      say("Paused.");
      this.drawButtons();
    } else this.run(this.at === this.steps.length ? 0 : this.at + 1);
  }

  /** @param {number} number */
  step(number) {
    this.stop();
    if (number >= 0 && number <= this.steps.length) this.show(number);
    this.drawButtons();
    say(this.words());
  }

  words() {
    if (this.at === 0) return "The puzzle as it was.";
    const { said } = this.steps[this.at - 1];
    return this.at === this.steps.length ? `${said} ${this.end}` : said;
  }

  /** @param {number} number */
  show(number) {
    this.at = number;
    find("told").textContent = this.words();
    [...find("line").children].forEach((item, i) => {
      item.classList.toggle("ahead", i >= number);
      if (i === number - 1) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
    });
    this.onStep(number);
  }

  // Buttons that can do nothing keep the focus, so they are not disabled in earnest.
  drawButtons() {
    const atStart = this.at === 0,
      atEnd = this.at === this.steps.length;
    for (const [id, off] of Object.entries({ first: atStart, back: atStart, next: atEnd, last: atEnd })) {
      find(id).setAttribute("aria-disabled", String(off));
    }
    find("run").textContent = this.timer !== null ? "Pause" : atEnd ? "Again" : "Play";
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    /** @type {Record<string, number>} */
    const keys = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.steps.length };
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key in keys) this.step(keys[event.key]);
    else if (event.key === " " && !(/** @type {Element} */ (event.target)).closest("button, a")) this.toggle();
    else return;
    event.preventDefault();
  }
}
