// The pace of a game: a computer's reply waits a moment, so that one's own move is seen first. Order is kept.

import { keep, recall } from "./memory.js";

const KEY = "pentagrid.pace";
const CALM = 0.35; // of the pause, where motion is reduced: there is no movement to wait for
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** @param {HTMLSelectElement} field */
export function paceChoice(field) {
  const kept = recall(KEY);
  if ([...field.options].some(({ value }) => value === kept)) field.value = kept ?? "";
  field.addEventListener("change", () => keep(KEY, field.value));
  return () => Number(field.value) * (calm.matches ? CALM : 1);
}

/** @template T */
export class Pace {
  /** @type {{ thing: T, waits: boolean }[]} */
  queue = [];
  shown = -Infinity;
  timer = 0;

  /**
   * show: what to do with each thing when its time has come; pause(): how long one that waits does so, after the one
   * before it.
   * @param {(thing: T) => unknown} show
   * @param {() => number} pause
   */
  constructor(show, pause) {
    this.show = show;
    this.pause = pause;
  }

  /** @param {T} thing @param {boolean} waits */
  add(thing, waits) {
    this.queue.push({ thing, waits });
    this.next();
  }

  next() {
    clearTimeout(this.timer);
    while (this.queue.length) {
      const left = this.queue[0].waits ? this.shown + this.pause() - performance.now() : 0;
      if (left > 0) {
        this.timer = setTimeout(() => this.next(), left);
        return;
      }
      this.release();
    }
  }

  /** Everything at once: somebody acts. */
  flush() {
    clearTimeout(this.timer);
    while (this.queue.length) this.release();
  }

  release() {
    const { thing } = /** @type {{ thing: T }} */ (this.queue.shift());
    this.shown = performance.now();
    this.show(thing);
  }
}
