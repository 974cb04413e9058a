// Reviews of the line that is looked at: one comes position by position, and is given up when another line is.

import { Problem, postForLines } from "./api.js";
import { notice, over } from "./notice.js";

/** @typedef {Pick<Page.Looking, "start" | "moves" | "names">} Line */

/** @param {Line} line */
const keyOf = ({ start, moves, names }) => JSON.stringify([start, moves, names]);

export class Reviewer {
  /** The line whose review is on its way. */
  asked = "";
  /** The line whose review did not come. */
  failed = "";
  stop = new AbortController();

  /**
   * changed(review): more of it is there; without one: it was asked for, or will not come.
   * @param {(review: Page.Review | null) => unknown} changed
   */
  constructor(changed) {
    this.changed = changed;
  }

  /** Will no more come of the review of this line? @param {Line} line */
  hasFailed(line) {
    return this.failed === keyOf(line);
  }

  /** Asks for the review of a line, unless it is there or on its way. @param {Line} line @param {Page.Review | null} known */
  async ask(line, known) {
    const key = keyOf(line);
    if (this.asked === key || (known?.line === key && known.whole)) return;
    this.stop.abort();
    const stop = new AbortController();
    Object.assign(this, { asked: key, failed: "", stop });
    this.changed(null);
    /** @type {Page.Review} */
    const review = { nodes: [], choices: [], accuracy: [null, null], given_away: [0, 0], line: key, whole: false };
    const { start, moves, names } = line;
    try {
      await postForLines("/api/review", { start, moves, names }, (parts) => {
        if (this.stop !== stop) return;
        try {
          addTo(review, parts);
        } finally { // what came before a problem is shown
          if (review.nodes.length) this.changed(review);
        }
      }, stop.signal);
      over("problem");
    } catch (error) {
      if (stop.signal.aborted) return;
      this.failed = key;
      const words = error instanceof Problem ? error.message : String(error);
      notice("problem", words, { text: "Try again", action: () => this.ask(line, null) });
    } finally {
      if (this.stop === stop) this.asked = "";
    }
    if (this.failed === key) this.changed(null);
  }
}

/** @param {Page.Review} review @param {Page.ReviewLine[]} parts */
function addTo(review, parts) {
  for (const part of parts) {
    if (part.kind === "problem") throw new Problem(part.code, part.message, 200);
    if (part.kind === "end") Object.assign(review, part, { whole: true });
    else {
      review.nodes.push(part.node);
      if (part.choice) review.choices.push(part.choice);
    }
  }
}
