// A move on its way to the server: it is one until the game has gone on or it was refused, and sets out again by itself,
// also after the page was loaded anew.

import { post } from "./api.js";
import { keep, recall } from "./memory.js";
import { notice, over } from "./notice.js";

const PATIENCE = 5000;
const PAUSE = 3000; // before a move that could not be sent sets out again
const LAG = 2000; // by which the game may come after the answer

export class Sender {
  /** The move that is on its way. @type {string | null} */
  move = null;
  revision = -1;
  tries = 0;
  failed = false;
  /** Is it known that it has not arrived? */
  missing = false;
  timer = 0;
  control = new AbortController();

  /**
   * changed(): a move sets out, or arrives; stale(): the game has gone on without this page.
   * @param {string} address
   * @param {{ changed: () => unknown, stale: () => unknown }} handlers
   */
  constructor(address, { changed, stale }) {
    this.address = address;
    this.changed = changed;
    this.stale = stale;
    this.key = `pentagrid.sending ${address}`;
    addEventListener("online", () => this.connected());
  }

  /** Returns why the move was refused, or null. @param {string} move @param {number} revision */
  async send(move, revision) {
    Object.assign(this, { move, revision, tries: 0, missing: false });
    keep(this.key, JSON.stringify({ move, revision }), "sessionStorage");
    return this.post();
  }

  /** The move that was on its way when this page was left, if the game still waits for it. @param {number} revision */
  left(revision) {
    try {
      const kept = JSON.parse(recall(this.key, "sessionStorage") || "null");
      return this.move === null && kept?.revision === revision && typeof kept.move === "string" ? kept.move : null;
    } catch {
      return null; // something else has written there
    }
  }

  // The revision tells the server which turn is meant: a move that comes twice is made once.
  async post() {
    const { move, revision } = this;
    const control = new AbortController();
    Object.assign(this, { control, failed: false, tries: this.tries + 1 });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.wait(`The server has not answered: ${move} may not have arrived.`);
      this.timer = setTimeout(() => this.again(), PATIENCE);
    }, PATIENCE);
    this.changed();
    try {
      await post(this.address, { move, revision }, control.signal);
      this.settle();
      if (this.control === control && this.move !== null) this.timer = setTimeout(() => this.stale(), LAG);
    } catch (error) {
      if (control.signal.aborted || this.control !== control) return null;
      clearTimeout(this.timer);
      if (error.code === "offline") {
        if (!this.missing) this.wait(`The server cannot be reached: ${move} has not arrived.`);
        Object.assign(this, { failed: true, missing: true, timer: setTimeout(() => this.post(), PAUSE) });
        this.changed();
        return null;
      }
      const again = this.tries > 1;
      this.done();
      if (error.code !== "stale") return error.message;
      this.stale();
      return again ? null : "The game has just gone on; look again.";
    }
    return null;
  }

  /** @param {string} words */
  wait(words) {
    notice("sending", words, { text: "Try again", action: () => this.again() });
  }

  again() {
    if (this.move === null) return;
    this.control.abort();
    over("sending");
    this.missing = false;
    this.stale(); // the connection may be as dead as the request
    this.post();
  }

  // It has been answered: the game itself will tell, or else is asked.
  settle() {
    clearTimeout(this.timer);
    over("sending");
    keep(this.key, "", "sessionStorage");
  }

  done() {
    this.settle();
    this.move = null;
    this.changed();
  }

  /** The connection is back: what could not be sent sets out again. */
  connected() {
    if (this.move !== null && this.failed) this.post();
  }

  /** The game stands at this revision. @param {number} revision */
  heard(revision) {
    if (this.move === null || revision <= this.revision) return;
    this.settle();
    this.control.abort();
    this.move = null;
  }
}
