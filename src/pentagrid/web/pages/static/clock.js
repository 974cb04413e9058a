// The turn clock: what is left by the server's clock, whatever this machine's clock says.

export class Clock {
  /** @type {number | null} */
  end = null;

  constructor() {
    setInterval(() => this.tick(), 200);
  }

  /**
   * Both are seconds since 1970 by the server; at: when this page heard of them.
   * @param {number | null} deadline
   * @param {number} now
   * @param {number} at
   */
  set(deadline, now, at) {
    this.end = deadline === null ? null : at + 1000 * (deadline - now);
  }

  left() {
    return this.end === null ? null : Math.max(0, (this.end - performance.now()) / 1000);
  }

  /** What is left, as it is shown; null without a clock. */
  get text() {
    const left = this.left();
    if (left === null) return null;
    const whole = Math.ceil(left);
    return left < 10 ? left.toFixed(1) : `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  }

  tick() {
    const { text } = this;
    const element = document.querySelector(".clock");
    if (text === null || !element) return;
    if (element.textContent !== text) element.textContent = text;
    element.classList.toggle("short", (this.left() ?? 10) < 10);
  }
}
