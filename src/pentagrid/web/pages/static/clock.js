// The turn clock: what is left by the server's clock, whatever this machine's clock says.

import { html } from "./dom.js";

export class Clock {
  constructor() {
    this.element = html("span", { class: "clock", role: "timer", "aria-label": "Time left" });
    /** @type {number | null} */
    this.end = null;
    setInterval(() => this.tick(), 200);
  }

  /** Both are seconds since 1970 by the server. @param {number | null} deadline @param {number} now */
  set(deadline, now) {
    this.end = deadline === null ? null : performance.now() + 1000 * (deadline - now);
    this.tick();
  }

  tick() {
    if (this.end === null) return;
    const left = Math.max(0, (this.end - performance.now()) / 1000);
    const whole = Math.ceil(left);
    const text = left < 10 ? left.toFixed(1) : `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
    if (this.element.textContent !== text) this.element.textContent = text;
    this.element.classList.toggle("short", left < 10);
  }
}
