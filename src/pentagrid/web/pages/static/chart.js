// The chart of a game: a row for each move, its value as a tug of war around a center line, and the roads not taken as
// small points. Each point can be pointed at, focused and clicked.

import { svg } from "./dom.js";
import { pullOf, valueText } from "./values.js";

const [WIDTH, LEFT, RIGHT, ROW, TOP] = [460, 92, 14, 37, 34];
const CENTER = LEFT + (WIDTH - LEFT - RIGHT) / 2;
const REACH = (WIDTH - LEFT - RIGHT) / 2 - 16;

// nodes: analyses of every position; choices: the moves made. onGo(number of moves, other move or null),
// onHover(number, move or null).
export class Chart {
  widest = 1;

  /** @param {HTMLElement} host @param {{ onGo: Page.Go, onHover: Page.Hover }} handlers */
  constructor(host, { onGo, onHover }) {
    this.host = host;
    this.onGo = onGo;
    this.onHover = onHover;
    host.addEventListener("keydown", (event) => this.onKey(event));
  }

  /** @param {Page.Told} told */
  draw({ nodes, choices, names, at }) {
    const hadFocus = this.host.contains(document.activeElement) &&
      document.activeElement?.getAttribute("data-point");
    const every = nodes.flatMap((node) => [node.value, ...node.options]);
    this.widest = Math.max(1, ...every.map((value) => Math.abs(value.margin ?? 0)));
    const height = TOP + ROW * nodes.length + 10;
    const rows = nodes.map((_, i) => this.drawRow(nodes, choices, names, i, at));
    const drawing = svg("svg", { viewBox: `0 0 ${WIDTH} ${height}`, class: "tug",
      role: "group", "aria-label": "Chart of the values; the table beside it says the same." },
      svg("text", { class: "end owner1", x: LEFT + 2, y: 18 }, `◀ ${short(names[0])}`),
      svg("text", { class: "end owner2", x: WIDTH - RIGHT, y: 18, "text-anchor": "end" }, `${short(names[1])} ▶`),
      svg("line", { class: "center", x1: CENTER, x2: CENTER, y1: TOP - 6, y2: height - 4 }), ...rows);
    this.host.replaceChildren(drawing);
    if (hadFocus) this.pointAt(hadFocus)?.focus();
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
      const lanes = Math.abs(where - x) < 13 ? [-11, 11] : [-11, 11, -5, 5];
      const aside = Math.floor(stack / lanes.length) * 8 * (where < CENTER ? -1 : 1);
      return this.point(`${i}:${option.move}`, `${option.move} instead: ${option.result}`,
        `road winner${option.winner ?? 0}`,
        svg("circle", { cx: where + aside, cy: y + lanes[stack % lanes.length], r: 3.4 }),
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
    return svg("g", { class: `row ${i === at ? "here" : ""} ${made?.lost_the_win ? "turned" : ""}`, "data-row": i },
      svg("rect", { class: "ground", x: 2, y: y - ROW / 2 + 1, width: WIDTH - 4, height: ROW - 2, rx: 6 }),
      svg("text", { class: `name ${made ? `owner${made.player}` : ""}`, x: 10, y: y + 1 }, label),
      svg("line", { class: `bar winner${node.value.winner ?? 0}`, x1: CENTER, x2: x, y1: y, y2: y }), ...roads,
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
    return CENTER + REACH * pullOf(value, this.widest);
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
