// The board, drawn from a position's own description: the same code for every game.
// A spot is anything that can be chosen: a cell ("c3") or the handle of a line ("l2"). A move is the spots it touches,
// chosen one after the other.

import { html, show, svg } from "./dom.js";

const UNIT = 100;
const GAP = 8;
const EDGE = 7; // for each row, so that the letters at the edge are as large on every board

/** @param {Api.TouchData} touch */
const pathOf = (touch) => touch.at.map((number) => (touch.kind === "line" ? "l" : "c") + number);

export class Board {
  /** @type {Api.BoardData} */
  position;
  /** @type {Required<Page.Drawing>} */
  options;
  /** @type {Page.Path[]} */
  paths = [];
  /** @type {Map<string, Page.Spot>} */
  spots = new Map();
  side = 0;

  /**
   * onMove(move): a move was chosen; onRefused(move): one that is not possible; onHover(move or null): one is pointed
   * at; onSay(text): something to be announced.
   * @param {HTMLElement} host
   * @param {Page.Choosing} handlers
   */
  constructor(host, { onMove, onRefused, onHover = () => {}, onSay = () => {} }) {
    this.host = host;
    this.onMove = onMove;
    this.onRefused = onRefused;
    this.onHover = onHover;
    this.onSay = onSay;
    /** @type {string[]} */
    this.picked = [];
    this.focus = "";
  }

  /**
   * position: as described by the server. names: the players'. playable: may moves be chosen? hints: are possible moves
   * marked? last: the move just made. badges: what is written on each move. line: moves to be numbered on the board.
   * idle: what is said to who chooses while nothing may be chosen.
   * @param {Api.BoardData} position
   * @param {Page.Drawing} options
   */
  draw(position, { names, playable = false, hints = playable, last = null, badges = null, line = null,
    label = "The board", idle = "" }) {
    if (position.position !== this.position?.position) this.picked = [];
    this.position = position;
    this.options = { names, playable, hints, last, badges, line, label, idle };
    this.redraw();
  }

  redraw() {
    const { position } = this;
    this.paths = position.moves.map((move) => ({ ...move, path: pathOf(move.touch) }));
    this.spots = this.layOut();
    const hadFocus = this.host.contains(document.activeElement);
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
        "aria-label": this.options.label,
        class: "grid",
        onkeydown: (/** @type {KeyboardEvent} */ event) => this.onKey(event),
        onpointerleave: () => this.onHover(null),
      },
      ...rows.map((row) => svg("g", { role: "row" }, ...row)), this.drawEdges(margin), this.drawBands(), this.drawLine());
    this.host.replaceChildren(drawing);
    if (hadFocus) this.elementOf(this.focus)?.focus({ preventScroll: true });
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
      spots.set(`c${i}`, { key: `c${i}`, kind: "cell", ...cell, row, column, x: column * UNIT, y: row * UNIT });
    });
    position.lines.forEach((line, i) => {
      const row = Math.floor(line.cells[0] / n),
        column = line.cells[0] % n;
      const level = line.cells.every((cell) => Math.floor(cell / n) === row);
      const at = level ? { row, column: n } : { row: n, column };
      spots.set(`l${i}`, { key: `l${i}`, kind: "line", ...line, ...at, x: at.column * UNIT, y: at.row * UNIT });
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

  /** @param {Page.Spot} spot */
  drawSpot(spot) {
    const { position, options } = this;
    const moves = this.movesThrough(spot.key);
    const open = moves.length > 0;
    const picked = this.picked.includes(spot.key);
    const gone = spot.kind === "cell" && !spot.owner && !spot.available && !position.lines.length;
    const last = options.last && pathOf(options.last.touch).includes(spot.key);
    const badge = this.badgeOf(moves);
    const classes = ["spot", spot.kind, spot.owner ? `owner${spot.owner}` : gone ? "gone" : "free",
      open && options.playable ? "open" : "", open && options.hints ? "hinted" : "", picked ? "picked" : "",
      last ? "last" : "", badge ? "badged" : ""
    ];
    const inner = UNIT - GAP,
      x = spot.x + GAP / 2,
      y = spot.y + GAP / 2;
    /** @type {SVGElement[]} */
    const parts = [svg("title", {}, this.words(spot, moves, badge)),
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
    if (open && options.hints && spot.owner) {
      const inset = { x: x + 8, y: y + 8, width: inner - 16, height: inner - 16, rx: 9 };
      parts.push(svg("rect", { class: "ring", ...inset }));
    } else if (open && options.hints && !spot.label) {
      parts.push(svg("circle", { class: "dot", cx: middle.x, cy: middle.y, r: 9 }));
    }
    if (badge) parts.push(this.drawBadge(badge, x, y, inner));
    return svg("g", {
      class: classes.filter(Boolean).join(" "),
      role: "gridcell",
      "data-key": spot.key,
      tabindex: spot.key === this.focus ? 0 : -1,
      "aria-label": this.words(spot, moves, badge),
      "aria-disabled": open && options.playable ? null : "true",
      "aria-selected": picked ? "true" : null,
      onclick: () => this.choose(spot.key),
      onfocus: () => { this.focus = spot.key; if (moves.length === 1) this.onHover(moves[0].move); },
      onblur: () => this.onHover(null),
      onpointerenter: () => this.onHover(moves.length === 1 ? moves[0].move : null),
    }, ...parts);
  }

  /** The value of a spot: that of its move, or of the best of its moves. @param {Api.MoveData[]} moves */
  badgeOf(moves) {
    const { badges } = this.options;
    if (!badges || !moves.length) return null;
    const found = moves.flatMap(({ move }) => badges.get(move) ?? []);
    return found.sort((a, b) => b.strength - a.strength)[0] ?? null;
  }

  /** @param {Page.Badge} badge @param {number} x @param {number} y @param {number} inner */
  drawBadge(badge, x, y, inner) {
    const width = Math.min(inner - 6, Math.max(36, 14 + 11.5 * badge.text.length));
    const left = x + (inner - width) / 2,
      top = y + inner - 32;
    const strength = badge.strength > 0.99 ? "s3" : badge.strength > 0.6 ? "s2" : "s1";
    return svg("g", { class: `badge winner${badge.winner ?? 0} ${strength} ${badge.best ? "best" : ""}` },
      svg("rect", { x: left, y: top, width, height: 27, rx: badge.winner === 2 ? 4 : 13.5 }),
      svg("text", { class: badge.text.length > 6 ? "long" : "", x: left + width / 2, y: top + 14.5 }, badge.text),
      badge.best ? svg("path", { class: "star", d: star(x + inner - 16, y + 17, 10) }) : null);
  }

  /** The rows and columns as moves name them; what is listened to has the moves themselves. @param {number} margin */
  drawEdges(margin) {
    /** @param {number} x @param {number} y @param {string} text */
    const label = (x, y, text) => svg("text", { class: "edge", x, y, "font-size": margin * 0.52 }, text);
    const { rows, columns } = this.position.edges;
    return svg("g", { "aria-hidden": "true" },
      ...rows.map((text, i) => label(-margin / 2, (i + 0.5) * UNIT, text)),
      ...columns.map((text, i) => label((i + 0.5) * UNIT, -margin / 2, text)));
  }

  drawBands() {
    const n = this.position.size;
    const bands = this.position.lines.filter((line) => line.owner).map((line) => {
      const first = Math.min(...line.cells),
        last = Math.max(...line.cells);
      const x = (first % n) * UNIT,
        y = Math.floor(first / n) * UNIT;
      return svg("rect", {
        class: `band owner${line.owner}`,
        x: x + 2,
        y: y + 2,
        rx: 18,
        width: ((last % n) - (first % n) + 1) * UNIT - 4,
        height: (Math.floor(last / n) - Math.floor(first / n) + 1) * UNIT - 4,
      });
    });
    return svg("g", { class: "bands", "aria-hidden": "true" }, ...bands);
  }

  // The best line: each of its moves numbered where it is made.
  drawLine() {
    /** @type {Map<string, number>} */
    const used = new Map();
    const steps = (this.options.line ?? []).flatMap(({ player, touch }, i) => pathOf(touch).slice(-1).map((key) => {
      const spot = this.spotAt(key);
      const before = used.get(key) ?? 0;
      used.set(key, before + 1);
      const x = spot.x + 20 + 26 * before,
        y = spot.y + 22;
      return before > 2 ? null : svg("g", { class: `step owner${player}` },
        svg("circle", { cx: x, cy: y, r: 13 }), svg("text", { x, y: y + 1 }, String(i + 1)));
    }));
    return svg("g", { class: "steps-drawn", "aria-hidden": "true" }, ...steps);
  }

  /** @param {Page.Spot} spot @param {Api.MoveData[]} moves @param {Page.Badge | null} badge */
  words(spot, moves, badge) {
    const { names } = this.options;
    const where = spot.kind === "line" ? spot.label : `Row ${spot.row + 1}, column ${spot.column + 1}`;
    const what = spot.kind === "cell" && spot.label ? `: ${spot.label}` : ":";
    let state = spot.owner ? `${names[spot.owner - 1]}'s (${this.position.marks[spot.owner - 1]})` : "free";
    if (spot.kind === "cell" && this.position.lines.length) state = "";
    else if (!spot.owner && !moves.length && this.position.turn) state = "out of play";
    const move = moves.length === 1 ? moves[0].move : "";
    const chosen = this.picked.includes(spot.key) ? "chosen" : "";
    const parts = [`${where}${what}`, state, move, chosen, badge ? badge.title : ""];
    return parts.filter(Boolean).join(", ").replace(":,", ":");
  }

  /** @param {string} key */
  choose(key) {
    this.focus = key;
    if (!this.options.playable) {
      this.onSay(this.options.idle);
      return;
    }
    if (this.picked.includes(key)) {
      this.picked = [];
      this.redraw();
      return;
    }
    const moves = this.movesThrough(key);
    const done = moves.find(({ path }) => path.length === this.picked.length + 1);
    if (done) {
      this.picked = [];
      this.onMove(done.move);
    } else if (moves.length) {
      this.picked.push(key);
      this.onSay(`Chosen. Now choose the one it trades places with: ${moves.length} possible.`);
      this.redraw();
    } else {
      const { kind, label, move } = this.spotAt(key);
      const named = kind === "line" ? label : move;
      if (named) this.onRefused(named);
      else this.onSay(`A move is ${this.position.notation}.`);
    }
  }

  /** Light up what a move touches; nothing without one. @param {Api.TouchData | null | undefined} touch */
  highlight(touch) {
    this.host.querySelectorAll(".lit").forEach((element) => element.classList.remove("lit"));
    for (const key of touch ? pathOf(touch) : []) this.elementOf(key)?.classList.add("lit");
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
    } else if (event.key === "Escape" && this.picked.length) {
      this.picked = [];
      this.redraw();
    } else return;
    event.preventDefault();
  }

  /** @param {string} key */
  moveFocus(key) {
    this.elementOf(this.focus)?.setAttribute("tabindex", "-1");
    this.focus = key;
    const element = this.elementOf(key);
    element?.setAttribute("tabindex", "0");
    element?.focus();
  }
}

/** @param {number} x @param {number} y @param {number} r */
function star(x, y, r) {
  const points = Array.from({ length: 10 }, (_, i) => {
    const angle = (Math.PI * i) / 5 - Math.PI / 2,
      length = i % 2 ? r * 0.45 : r;
    return `${(x + length * Math.cos(angle)).toFixed(1)},${(y + length * Math.sin(angle)).toFixed(1)}`;
  });
  return `M${points.join("L")}Z`;
}

/**
 * What is special about a position of a line of play, if anything is about one of them: the board stays where it is.
 * @param {HTMLElement} host
 * @param {Api.BoardData} position
 * @param {Api.BoardData[]} line
 */
export function drawPhase(host, position, line = [position]) {
  host.textContent = position.phase;
  show(host, line.some(({ phase }) => phase));
}

/**
 * The players with their marks and scores, whose turn it is, and who is connected.
 * @param {HTMLElement} host
 * @param {Page.Players} players
 */
export function drawPlayers(host, { board, seats, turn, connected = null, you = [], winner = null, clock = null }) {
  host.replaceChildren(...seats.map((seat, i) => {
    const number = i + 1;
    const online = connected && seat.kind === "human" ? connected.players[i] : null;
    const facts = [
      seat.kind === "human" ? null : seat.kind.replace("level:", "level "),
      you.includes(number) && you.length === 1 ? "you" : null,
      seat.joined === false ? "not here yet" : online === null ? null : online ? "connected" : "away",
    ].filter(Boolean).join(" · ");
    return html(
      "div", { class: `player owner${number} ${turn === number ? "turn" : ""} ${winner === number ? "winner" : ""}` },
      html("span", { class: "token", "aria-hidden": "true" }, board.marks[i]),
      html("span", { class: "who" }, html("strong", {}, seat.name), facts ? html("small", {}, facts) : null),
      clock && turn === number ? clock : null,
      board.scores ? html("span", { class: "score" }, String(board.scores[i]), html("span", { class: "far" }, " points")) : null,
      board.komi && board.komi.seat === i + 1 ? html("span", { class: "komi" }, `${board.komi.points < 0 ? "−" : "+"} ${Math.abs(board.komi.points)} komi`) : null);
  }));
}
