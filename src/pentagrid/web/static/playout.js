// A line of play shown on the board move by move: by itself, by buttons, by keys.

import { find, html, say } from "./dom.js";

const EVERY = 1800;
const AT_FIRST = 2600; // the verdict is read first

const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Playout {
  // onStep(number): show the position after so many moves.
  constructor({ onStep }) {
    this.onStep = onStep;
    this.steps = [];
    this.at = 0;
    this.timer = null;
    const go = { first: () => 0, back: () => this.at - 1, next: () => this.at + 1, last: () => this.steps.length };
    for (const [id, where] of Object.entries(go)) find(id).addEventListener("click", () => this.step(where()));
    find("run").addEventListener("click", () => this.toggle());
    find("verdict").addEventListener("keydown", (event) => this.onKey(event));
  }

  // A line begins with its first move made, and goes on by itself unless motion is unwelcome.
  open({ steps, end }) {
    this.stop();
    this.steps = steps;
    this.end = end;
    find("line").replaceChildren(...steps.map(({ move, player }) => html("li", { class: `owner${player}` }, move)));
    this.show(1);
    if (!still.matches) this.start(AT_FIRST);
    this.drawButtons();
  }

  close() {
    this.stop();
    this.steps = [];
  }

  start(pause = EVERY) {
    this.timer = setTimeout(() => {
      this.show(this.at + 1);
      say(this.words());
      if (this.at < this.steps.length) this.start();
      else this.timer = null;
      this.drawButtons();
    }, pause);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
  }

  toggle() {
    if (this.timer !== null) {
      this.stop();
      say("Paused.");
    } else {
      if (this.at === this.steps.length) this.show(0);
      this.start();
    }
    this.drawButtons();
  }

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
      find(id).setAttribute("aria-disabled", off);
    }
    find("run").textContent = this.timer !== null ? "Pause" : atEnd ? "Again" : "Play";
  }

  onKey(event) {
    const keys = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.steps.length };
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key in keys) this.step(keys[event.key]);
    else if (event.key === " " && !event.target.closest("button, a")) this.toggle();
    else return;
    event.preventDefault();
  }
}
