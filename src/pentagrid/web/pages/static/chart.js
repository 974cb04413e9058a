// The chart of a game: a row for each move, its value as a tug of war around a center line, and the roads not taken as
// small points. Each point can be pointed at, focused and clicked.

import { html, svg } from "./dom.js";
import { pullOf, valueText } from "./values.js";

const [LEFT, RIGHT, ROW, TOP] = [84, 14, 44, 46]; // in pixels: a row is as high as a finger needs
const [NARROWEST, WIDEST] = [280, 480];

/** How high the chart of a game with so many moves is. @param {number} moves */
const heightOf = (moves) => TOP + ROW * (moves + 1) + 10;

// nodes: analyses of every position; choices: the moves made. onGo(number of moves, other move or null),
// onHover(number, move or null).
export class Chart {
  widest = 1;
  width = WIDEST;

  /** @param {HTMLElement} host @param {{ onGo: Page.Go, onHover: Page.Hover }} handlers */
  constructor(host, { onGo, onHover }) {
    this.host = host;
    this.onGo = onGo;
    this.onHover = onHover;
    host.addEventListener("keydown", (event) => this.onKey(event));
  }

  get center() {
    return LEFT + (this.width - LEFT - RIGHT) / 2;
  }

  get reach() {
    return (this.width - LEFT - RIGHT) / 2 - 16;
  }

  /** Keep the place of the chart of a game with so many moves, until it can be drawn. @param {number} moves */
  reserve(moves) {
    this.host.replaceChildren();
    this.host.style.height = `${heightOf(moves)}px`;
  }

  /** The chart as far as it is known of so many moves. @param {Page.Told} told @param {number} moves */
  draw({ nodes, choices, names, at }, moves) {
    const hadFocus = this.host.contains(document.activeElement) &&
      document.activeElement?.getAttribute("data-point");
    const every = nodes.flatMap((node) => [node.value, ...node.options]);
    this.widest = Math.max(1, ...every.map((value) => Math.abs(value.margin ?? 0)));
    this.width = Math.min(WIDEST, Math.max(NARROWEST, this.host.clientWidth || WIDEST));
    const height = heightOf(moves);
    const rows = nodes.map((_, i) => this.drawRow(nodes, choices, names, i, at));
    const { labels, lines } = this.drawScale(nodes.some(({ value }) => value.margin !== null), height);
    const head = svg("svg", { viewBox: `0 0 ${this.width} ${TOP}`, class: "scales", "aria-hidden": "true" },
      svg("text", { class: "end owner1", x: LEFT + 2, y: 18 }, `◀ ${short(names[0])}`),
      svg("text", { class: "end owner2", x: this.width - RIGHT, y: 18, "text-anchor": "end" }, `${short(names[1])} ▶`),
      ...labels);
    const body = svg("svg", { viewBox: `0 ${TOP} ${this.width} ${height - TOP}` },
      svg("g", { "aria-hidden": "true" }, ...lines), ...rows);
    const words = { role: "group", "aria-label": "Chart of the values; the table beside it says the same." };
    this.host.style.height = "";
    this.host.replaceChildren(html("div", { class: "tug", ...words }, head, body));
    this.host.scrollTop = ROW * at + ROW / 2 - (this.host.clientHeight - TOP) / 2; // in the middle, below the scale
    if (hadFocus) this.pointAt(hadFocus)?.focus();
  }

  /** How much a distance means: points, or how soon the game is won. @param {boolean} points @param {number} height */
  drawScale(points, height) {
    const step = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((size) => this.widest / size <= 2.5) ?? this.widest;
    const marks = points ? [-2, -1, 1, 2].map((times) => times * step).filter((mark) => Math.abs(mark) <= this.widest) : [];
    /** @param {number} x @param {string} text */
    const label = (x, text) => svg("text", { class: "scale", x, y: TOP - 14 }, text);
    /** @param {string} kind @param {number} x */
    const line = (kind, x) => svg("line", { class: kind, x1: x, x2: x, y1: TOP, y2: height - 4 });
    /** @param {number} mark */
    const at = (mark) => this.center + (this.reach * mark) / this.widest;
    return {
      labels: [label(this.center, points ? "0" : "even"), ...marks.map((mark) => label(at(mark), `+${Math.abs(mark)}`)),
        ...(points ? [] : [-1, 1].map((side) => label(this.center + side * (this.reach - 14), "soon won")))],
      lines: [line("center", this.center), ...marks.map((mark) => line("tick", at(mark)))],
    };
  }

  /** @param {string} key @returns {SVGElement | null} */
  pointAt(key) {
    return this.host.querySelector(`[data-point="${CSS.escape(key)}"]`);
  }

  /**
   * @param {Api.AnalysisData[]} nodes
   * @param {Api.ChoiceData[]} choices
   * @param {string[]} names
   * @param {number} i
   * @param {number} at
   */
  drawRow(nodes, choices, names, i, at) {
    const node = nodes[i],
      made = i ? choices[i - 1] : null,
      before = i ? nodes[i - 1] : null;
    const y = TOP + ROW * i + ROW / 2;
    const x = this.x(node.value);
    const label = made ? `${made.number}. ${made.move}` : "Start";
    const others = (before?.options ?? []).filter((option) => option.move !== made?.move);
    /** @type {Map<number, number>} */
    const seen = new Map();
    const roads = others.map((option) => {
      const where = Math.round(this.x(option));
      const stack = seen.get(where) ?? 0;
      seen.set(where, stack + 1);
      const lanes = Math.abs(where - x) < 13 ? [-14, 14] : [-14, 14, -5, 5];
      const aside = Math.floor(stack / lanes.length) * 9 * (where < this.center ? -1 : 1);
      return this.point(`${i}:${option.move}`, `${option.move} instead: ${option.result}`,
        `road winner${option.winner ?? 0}`,
        svg("circle", { cx: where + aside, cy: y + lanes[stack % lanes.length], r: 4 }),
        () => this.onGo(i - 1, option.move), () => this.onHover(i - 1, option.move));
    });
    const words = made ?
      `Move ${made.number}, ${names[made.player - 1]}, ${made.move}: ${valueText(node.value, node.board.marks)}` :
      `Start: ${valueText(node.value, node.board.marks)}`;
    const main = this.point(`${i}`, words, `now winner${node.value.winner ?? 0}`,
      node.value.winner === 2 ? svg("rect", { x: x - 7.5, y: y - 7.5, width: 15, height: 15, rx: 3 }) : svg(
        "circle", { cx: x, cy: y, r: 8 }),
      () => this.onGo(i, null), () => this.onHover(i - 1, made?.move ?? null));
    main.setAttribute("tabindex", i === at ? "0" : "-1");
    return svg("g", { class: `row ${i === at ? "here" : ""} ${made?.lost_the_win ? "turned" : ""}`, "data-row": i, onclick: choose },
      svg("rect", { class: "ground", x: 2, y: y - ROW / 2 + 1, width: this.width - 4, height: ROW - 2, rx: 6 }),
      svg("text", { class: `name ${made ? `owner${made.player}` : ""}`, x: 10, y: y + 1 }, label),
      svg("line", { class: `bar winner${node.value.winner ?? 0}`, x1: this.center, x2: x, y1: y, y2: y }), ...roads,
      main);
  }

  /**
   * @param {string} key
   * @param {string} words
   * @param {string} kind
   * @param {SVGElement} shape
   * @param {() => unknown} go
   * @param {() => unknown} hover
   */
  point(key, words, kind, shape, go, hover) {
    return svg("g", {
      class: `point ${kind}`,
      role: "button",
      tabindex: -1,
      "data-point": key,
      "aria-label": words,
      onclick: go,
      onpointerenter: hover,
      onfocus: hover,
      onpointerleave: () => this.onHover(null, null),
      onblur: () => this.onHover(null, null),
    }, svg("title", {}, words), shape);
  }

  /** @param {Api.ValueData} value */
  x(value) {
    return this.center + this.reach * pullOf(value, this.widest);
  }

  /** @param {number | null} number @param {string | null} move */
  highlight(number, move) {
    this.host.querySelectorAll(".lit").forEach((element) => element.classList.remove("lit"));
    if (number === null || move === null) return;
    const road = this.pointAt(`${number + 1}:${move}`);
    const row = this.host.querySelector(`[data-row="${number + 1}"]`);
    if (road) road.classList.add("lit");
    else row?.querySelector(".now")?.classList.add("lit");
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const here = /** @type {SVGElement | null | undefined} */ (document.activeElement?.closest("[data-point]"));
    if (!here) return;
    /** @param {Element} a @param {Element} b */
    const fromLeft = (a, b) => a.getBoundingClientRect().x - b.getBoundingClientRect().x;
    const rows = [...this.host.querySelectorAll("[data-row]")];
    const points = rows.map((each) =>
      [.../** @type {NodeListOf<SVGElement>} */ (each.querySelectorAll("[data-point]"))].sort(fromLeft));
    const row = points.findIndex((each) => each.includes(here));
    const column = points[row].indexOf(here);
    const mains = points.map((each) => each.find((point) => point.classList.contains("now")));
    /** @type {Record<string, SVGElement | undefined>} */
    const targets = {
      ArrowUp: mains[row - 1],
      ArrowDown: mains[row + 1],
      ArrowLeft: points[row][column - 1],
      ArrowRight: points[row][column + 1],
    };
    const next = targets[event.key];
    if (next) next.focus();
    else if (event.key === "Enter" || event.key === " ") here.dispatchEvent(new MouseEvent("click"));
    else if (!event.key.startsWith("Arrow")) return;
    event.preventDefault();
  }
}

/** @param {string} name */
const short = (name) => (name.length > 16 ? `${name.slice(0, 15)}…` : name);

/** A finger on a row means its nearest point, or that of the move made. @param {MouseEvent} event */
function choose({ target, currentTarget, clientX, clientY }) {
  if (/** @type {Element} */ (target).closest(".point")) return; // which has heard it
  const row = /** @type {Element} */ (currentTarget);
  const distances = [...row.querySelectorAll(".point")].map((point) => {
    const { x, y, width, height } = point.getBoundingClientRect();
    return { point, far: Math.hypot(clientX - x - width / 2, clientY - y - height / 2) };
  });
  const [first] = distances.filter(({ far }) => far < ROW / 2).sort((a, b) => a.far - b.far);
  (first?.point ?? row.querySelector(".now"))?.dispatchEvent(new MouseEvent("click"));
}
