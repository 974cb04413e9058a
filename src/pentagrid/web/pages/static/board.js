// The board, drawn from a position's own description: the same code for every game.
// A spot is anything that can be chosen: a cell ("c3") or the handle of a line ("l2"). A move is the spots it touches,
// chosen one after the other.

import { button, fill, html, svg } from "./dom.js";
import { GAP, UNIT, drawBadge, drawBands, drawEdges, drawLine, pathOf } from "./drawing.js";

const EDGE = 7; // for each row, so that the letters at the edge are as large on every board

/** @type {Record<string, string>} */
const EFFECTS = { last: "the last move", captured: "just captured", removed: "just removed", winning: "wins the game",
  sending: "on its way" };

export class Board {
  /** @type {Api.BoardData} */
  position;
  /** @type {Required<Page.Drawing>} */
  options;
  /** @type {Page.Path[]} */
  paths = [];
  /** @type {Map<string, Page.Spot>} */
  spots = new Map();
  /** @type {Set<string>} */
  lastKeys = new Set();
  /** @type {Set<string>} */
  sent = new Set();
  side = 0;

  /**
   * onMove(move): a move was chosen; onRefused(move): one that is not possible; onHover(move or null): one is pointed
   * at; onSay(text): something to be announced; onIdle(text): why nothing may be chosen now.
   * @param {HTMLElement} host
   * @param {Page.Choosing} handlers
   */
  constructor(host, { onMove, onRefused, onHover = () => {}, onSay = () => {}, onIdle = onSay }) {
    this.host = host;
    this.onMove = onMove;
    this.onRefused = onRefused;
    this.onHover = onHover;
    this.onSay = onSay;
    this.onIdle = onIdle;
    /** @type {string[]} */
    this.picked = [];
    this.focus = "";
    /** The lines of a number that was chosen, to choose from. @type {HTMLElement | null} */
    this.offer = null;
    this.listen();
  }

  // Spots come and go, the board stays: it listens for all of them.
  listen() {
    const { host } = this;
    /** @param {Event} event */
    const keyOf = (event) => /** @type {Element} */ (event.target).closest("[data-key]")?.getAttribute("data-key") ?? "";
    host.addEventListener("click", (event) => {
      const key = keyOf(event);
      if (key) this.choose(key);
    });
    host.addEventListener("focusin", (event) => {
      const key = keyOf(event);
      if (!key) return;
      this.setFocus(key);
      this.point(key);
    });
    host.addEventListener("focusout", () => this.point(""));
    host.addEventListener("pointerover", (event) => this.point(keyOf(event)));
    host.addEventListener("pointerleave", () => this.point(""));
    host.addEventListener("keydown", (event) => this.onKey(event));
  }

  /** Something is pointed at: light up what choosing it would touch. @param {string} key */
  point(key) {
    const moves = key ? this.movesThrough(key) : [];
    this.highlight(moves.length === 1 ? moves[0].touch : null);
    this.onHover(moves.length === 1 ? moves[0].move : null);
  }

  /**
   * position: as described by the server. names: the players'. playable: may moves be chosen? hints: are possible moves
   * marked? last: the move just made. badges: what is written on each move. line: moves to be numbered on the board.
   * sending: the move that is on its way. idle: what is said to who chooses while nothing may be chosen.
   * @param {Api.BoardData} position
   * @param {Page.Drawing} options
   */
  draw(position, { names, playable = false, hints = playable, last = null, badges = null, line = null,
    label = "The board", sending = null, idle = "" }) {
    if (position.position !== this.position?.position) {
      this.picked = [];
      this.closeOffer();
    }
    this.position = position;
    this.options = { names, playable, hints, last, badges, line, label, sending, idle };
    this.redraw();
  }

  redraw() {
    const { position, options } = this;
    this.paths = position.moves.map((move) => ({ ...move, path: pathOf(move.touch) }));
    this.spots = this.layOut();
    this.lastKeys = new Set(options.last ? pathOf(options.last.touch) : []);
    this.sent = new Set(this.paths.find(({ move }) => move === options.sending)?.path);
    if (!this.spots.has(this.focus)) this.focus = this.firstSpot();
    /** @type {SVGElement[][]} */
    const rows = [];
    for (const spot of this.spots.values()) {
      rows[spot.row] ??= [];
      rows[spot.row].push(this.drawSpot(spot));
    }
    const margin = position.edges.rows.length ? EDGE * position.size : 0;
    const drawing = svg("svg", {
        viewBox: `${-margin} ${-margin} ${this.side + margin} ${this.side + margin}`,
        role: "grid",
        "aria-label": options.label,
        "aria-busy": options.sending ? "true" : null,
        class: "grid",
      },
      ...rows.map((row) => svg("g", { role: "row" }, ...row)), drawEdges(position.edges, margin), drawBands(position),
      drawLine(options.line ?? [], (key) => this.spotAt(key)));
    fill(this.host, drawing, this.offer);
  }

  // Where everything stands: cells in rows; the handle of a line at its right or lower end.
  layOut() {
    const { position } = this;
    const n = position.size;
    /** @type {Map<string, Page.Spot>} */
    const spots = new Map();
    position.cells.flat().forEach((cell, i) => {
      const row = Math.floor(i / n),
        column = i % n;
      spots.set(`c${i}`, { key: `c${i}`, kind: "cell", index: i, sum: null, ...cell, row, column, x: column * UNIT,
        y: row * UNIT });
    });
    position.lines.forEach((line, i) => {
      const row = Math.floor(line.cells[0] / n),
        column = line.cells[0] % n;
      const level = line.cells.every((cell) => Math.floor(cell / n) === row);
      const at = level ? { row, column: n } : { row: n, column };
      const cells = position.cells.flat();
      const sum = line.cells.reduce((total, cell) => total + Number(cells[cell].label), 0);
      spots.set(`l${i}`, { key: `l${i}`, kind: "line", index: i, sum, ...line, ...at, x: at.column * UNIT,
        y: at.row * UNIT });
    });
    this.side = (n + (position.lines.length ? 1 : 0)) * UNIT;
    return spots;
  }

  /** The moves that begin with the picked spots and this one. @param {string} key */
  movesThrough(key) {
    const wanted = [...this.picked, key];
    return this.paths.filter(({ path }) => wanted.every((spot, i) => path[i] === spot));
  }

  firstSpot() {
    const open = [...this.spots.keys()].find((key) => this.movesThrough(key).length);
    return open ?? [...this.spots.keys()][0];
  }

  /** What the last move did to a spot, as classes. @param {Page.Spot} spot */
  effects({ kind, key, index }) {
    const { captured, removed, winning } = this.position;
    const cell = kind === "cell";
    return [this.lastKeys.has(key) ? "last" : "", cell && captured.includes(index) ? "captured" : "",
      cell && removed.includes(index) ? "removed" : "", cell && winning.includes(index) ? "winning" : "",
      this.sent.has(key) ? "sending" : ""].filter(Boolean);
  }

  /** @param {Page.Spot} spot */
  drawSpot(spot) {
    const { position, options } = this;
    const moves = this.movesThrough(spot.key);
    const open = moves.length > 0;
    const crossed = options.playable && this.linesThrough(spot).length > 0;
    const picked = this.picked.includes(spot.key);
    const gone = spot.kind === "cell" && !spot.owner && !spot.available && !position.lines.length;
    const effects = this.effects(spot);
    const badge = this.badgeOf(moves);
    const classes = ["spot", spot.kind, spot.owner ? `owner${spot.owner}` : gone ? "gone" : "free",
      open && options.playable ? "open" : "", open && options.hints ? "hinted" : "", picked ? "picked" : "",
      badge ? "badged" : "", crossed ? "crossed" : "", ...effects
    ];
    const inner = UNIT - GAP,
      x = spot.x + GAP / 2,
      y = spot.y + GAP / 2;
    const words = this.words(spot, moves, badge, effects);
    /** @type {SVGElement[]} */
    const parts = [svg("title", {}, words),
      svg("rect", { class: "tile", x, y, width: inner, height: inner, rx: spot.kind === "line" ? inner / 2 : 14 })
    ];
    const mark = spot.owner ? position.marks[spot.owner - 1] : "";
    const number = spot.kind === "line" ? spot.label : spot.label || mark;
    const middle = { x: x + inner / 2, y: y + inner / 2 };
    const shift = badge ? -11 : spot.kind === "line" && mark ? -9 : 2;
    const style = spot.kind === "line" ? "label" : "number";
    if (number) parts.push(svg("text", { class: style, x: middle.x, y: middle.y + shift }, number));
    if (mark && spot.label) {
      parts.push(spot.kind === "line" ?
        svg("text", { class: "label", x: x + inner / 2, y: y + inner / 2 + 15 }, mark) :
        svg("text", { class: "mark", x: x + 15, y: y + 21 }, mark));
    }
    if (spot.sum !== null && !mark && !badge) {
      parts.push(svg("text", { class: "sum", x: middle.x, y: middle.y + 26 }, `= ${spot.sum}`));
    }
    if (open && options.hints && spot.owner) {
      const inset = { x: x + 8, y: y + 8, width: inner - 16, height: inner - 16, rx: 9 };
      parts.push(svg("rect", { class: "ring", ...inset }));
    } else if (open && options.hints && !spot.label) {
      parts.push(svg("circle", { class: "dot", cx: middle.x, cy: middle.y, r: 9 }));
    }
    if (effects.includes("removed")) parts.push(svg("path", { class: "strike", d: `M${x + 16} ${y + inner - 16}L${x + inner - 16} ${y + 16}` }));
    if (effects.includes("captured")) parts.push(svg("path", { class: "flag", d: `M${x + inner - 30} ${y + 4}h26v26z` }));
    if (effects.includes("last")) parts.push(svg("circle", { class: "pin", cx: x + inner - 14, cy: y + inner - 14, r: 7 }));
    if (badge) parts.push(drawBadge(badge, x, y, inner));
    return svg("g", {
      class: classes.filter(Boolean).join(" "),
      role: "gridcell",
      "data-key": spot.key,
      tabindex: spot.key === this.focus ? 0 : -1,
      "aria-label": words,
      "aria-disabled": crossed || (open && options.playable) ? null : "true",
      "aria-selected": picked ? "true" : null,
    }, ...parts);
  }

  /** The lines that can still be chosen through a cell, in games of lines. @param {Page.Spot} spot */
  linesThrough({ kind, index }) {
    if (kind !== "cell") return [];
    return this.paths.filter(({ touch }) => touch.kind === "line" && this.position.lines[touch.at[0]].cells.includes(index));
  }

  /** The value of a spot: that of its move, or of the best of its moves. @param {Api.MoveData[]} moves */
  badgeOf(moves) {
    const { badges } = this.options;
    if (!badges || !moves.length) return null;
    const found = moves.flatMap(({ move }) => badges.get(move) ?? []);
    return found.sort((a, b) => b.strength - a.strength)[0] ?? null;
  }

  /** @param {Page.Spot} spot @param {Api.MoveData[]} moves @param {Page.Badge | null} badge @param {string[]} effects */
  words(spot, moves, badge, effects) {
    const { names } = this.options;
    const where = spot.kind === "line" ? spot.label : `Row ${spot.row + 1}, column ${spot.column + 1}`;
    const what = spot.kind === "cell" ? (spot.label ? `: ${spot.label}` : ":") : `: sum ${spot.sum}`;
    let state = spot.owner ? `${names[spot.owner - 1]}'s (${this.position.marks[spot.owner - 1]})` : "free";
    if (spot.kind === "cell" && this.position.lines.length) state = "";
    else if (!spot.owner && !moves.length && this.position.turn) state = "out of play";
    const move = moves.length === 1 ? moves[0].move : "";
    const chosen = this.picked.includes(spot.key) ? "chosen" : "";
    const told = effects.map((effect) => EFFECTS[effect]);
    const parts = [`${where}${what}`, state, move, chosen, badge ? badge.title : "", ...told];
    return parts.filter(Boolean).join(", ").replace(":,", ":");
  }

  /** @param {string} key */
  choose(key) {
    this.setFocus(key);
    this.closeOffer();
    if (!this.options.playable) {
      this.onIdle(this.options.idle);
      return;
    }
    if (this.picked.includes(key)) {
      this.picked = [];
      this.redraw();
      return;
    }
    const moves = this.movesThrough(key);
    const done = moves.find(({ path }) => path.length === this.picked.length + 1);
    const spot = this.spotAt(key);
    const lines = this.linesThrough(spot);
    if (done) {
      this.picked = [];
      this.onMove(done.move);
    } else if (moves.length) {
      this.picked.push(key);
      this.onSay(`Chosen. Now choose the one it trades places with: ${moves.length} possible.`);
      this.redraw();
    } else if (lines.length) {
      this.openOffer(spot, lines);
    } else {
      const named = spot.kind === "line" ? spot.label : spot.move;
      if (named) this.onRefused(named);
      else this.onSay(`A move is ${this.position.notation}.`);
    }
  }

  /** A number is in a row and a column: which of them is meant? @param {Page.Spot} spot @param {Page.Path[]} lines */
  openOffer(spot, lines) {
    const choices = lines.map(({ move, path }) => {
      const choice = button(`${move} = ${this.spotAt(path[0]).sum}`, () => {
        this.closeOffer();
        this.onMove(move);
      });
      for (const kind of ["pointerenter", "focus"]) choice.addEventListener(kind, () => this.point(path[0]));
      return choice;
    });
    const place = `--x: ${(spot.column + 0.5) / (this.position.size + 1)}; --y: ${(spot.row + 1) / (this.position.size + 1)}`;
    this.offer = html("div", { class: "offer", role: "group", "aria-label": `The lines of ${spot.label}` }, ...choices);
    this.offer.style.cssText = place;
    this.redraw();
    choices[0].focus();
  }

  closeOffer() {
    if (!this.offer) return;
    const inside = this.offer.contains(document.activeElement);
    this.offer.remove();
    this.offer = null;
    if (inside) this.elementOf(this.focus)?.focus({ preventScroll: true });
  }

  /** Light up what a move touches, a line with its cells; nothing without one. @param {Api.TouchData | null | undefined} touch */
  highlight(touch) {
    const lines = touch?.kind === "line" ? touch.at : [];
    const cells = lines.flatMap((line) => this.position.lines[line].cells.map((cell) => `c${cell}`));
    const lit = new Set([...(touch ? pathOf(touch) : []), ...cells]);
    for (const element of this.host.querySelectorAll("[data-key]")) {
      element.classList.toggle("lit", lit.has(element.getAttribute("data-key") ?? ""));
    }
  }

  /** @param {string} key @returns {SVGElement | null} */
  elementOf(key) {
    return this.host.querySelector(`[data-key="${key}"]`);
  }

  /** @param {string} key */
  spotAt(key) {
    return /** @type {Page.Spot} */ (this.spots.get(key));
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    /** @type {Record<string, [number, number]>} */
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const here = this.spotAt(this.focus);
    if (this.offer?.contains(/** @type {Node} */ (event.target)) && event.key !== "Escape") return;
    if (steps[event.key]) {
      const [down, right] = steps[event.key];
      const next = [...this.spots.values()].find(({ row, column }) =>
        row === here.row + down && column === here.column + right);
      if (next) this.moveFocus(next.key);
    } else if (event.key === "Home" || event.key === "End") {
      const row = [...this.spots.values()].filter((spot) => spot.row === here.row);
      this.moveFocus(row[event.key === "Home" ? 0 : row.length - 1].key);
    } else if (event.key === "Enter" || event.key === " ") {
      this.choose(this.focus);
    } else if (event.key === "Escape" && (this.picked.length || this.offer)) {
      this.picked = [];
      this.closeOffer();
      this.redraw();
    } else return;
    event.preventDefault();
  }

  /** The spot that the Tab key comes to. @param {string} key */
  setFocus(key) {
    if (key === this.focus) return;
    this.elementOf(this.focus)?.setAttribute("tabindex", "-1");
    this.focus = key;
    this.elementOf(key)?.setAttribute("tabindex", "0");
  }

  /** @param {string} key */
  moveFocus(key) {
    this.setFocus(key);
    this.elementOf(key)?.focus();
  }
}
