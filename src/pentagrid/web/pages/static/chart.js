// The chart of a game: a row for each move, its value as a tug of war around a center line, and the roads not taken as
// small points. Each point can be pointed at, focused and clicked.

import { svg } from "./dom.js";
import { pullOf, valueText } from "./values.js";

const [WIDTH, LEFT, RIGHT, ROW, TOP] = [460, 92, 14, 37, 34];
const CENTRE = LEFT + (WIDTH - LEFT - RIGHT) / 2;
const REACH = (WIDTH - LEFT - RIGHT) / 2 - 16;

// nodes: analyses of every position; choices: the moves made. onGo(number of moves, other move or null),
// onHover(number, move or null).
export class Chart {
  constructor(host, { onGo, onHover }) {
    this.host = host;
    this.onGo = onGo;
    this.onHover = onHover;
    host.addEventListener("keydown", (event) => this.onKey(event));
  }

  draw({ nodes, choices, names, at }) {
    const hadFocus = this.host.contains(document.activeElement) ? document.activeElement.dataset.point : null;
    const every = nodes.flatMap((node) => [node.value, ...node.options]);
    this.widest = Math.max(1, ...every.map((value) => Math.abs(value.margin ?? 0)));
    const height = TOP + ROW * nodes.length + 10;
    const rows = nodes.map((node, i) => this.drawRow(nodes, choices, names, i, at));
    const drawing = svg("svg", { viewBox: `0 0 ${WIDTH} ${height}`, class: "tug",
      role: "group", "aria-label": "Chart of the values; the table beside it says the same." },
      svg("text", { class: "end owner1", x: LEFT + 2, y: 18 }, `◀ ${short(names[0])}`),
      svg("text", { class: "end owner2", x: WIDTH - RIGHT, y: 18, "text-anchor": "end" }, `${short(names[1])} ▶`),
      svg("line", { class: "center", x1: CENTRE, x2: CENTRE, y1: TOP - 6, y2: height - 4 }), ...rows);
    this.host.replaceChildren(drawing);
    if (hadFocus) this.host.querySelector(`[data-point="${CSS.escape(hadFocus)}"]`)?.focus();
  }

  drawRow(nodes, choices, names, i, at) {
    const node = nodes[i],
      made = choices[i - 1],
      before = nodes[i - 1];
    const y = TOP + ROW * i + ROW / 2;
    const x = this.x(node.value);
    const label = made ? `${made.number}. ${made.move}` : "Start";
    const others = (before?.options ?? []).filter((option) => option.move !== made.move);
    const seen = new Map();
    const roads = others.map((option) => {
      const at = Math.round(this.x(option));
      const stack = seen.get(at) ?? 0;
      seen.set(at, stack + 1);
      const lanes = Math.abs(at - x) < 13 ? [-11, 11] : [-11, 11, -5, 5];
      const aside = Math.floor(stack / lanes.length) * 8 * (at < CENTRE ? -1 : 1);
      return this.point(`${i}:${option.move}`, `${option.move} instead: ${option.result}`,
        `road winner${option.winner ?? 0}`,
        svg("circle", { cx: at + aside, cy: y + lanes[stack % lanes.length], r: 3.4 }),
        () => this.onGo(i - 1, option.move), () => this.onHover(i - 1, option.move));
    });
    const words = made ?
      `Move ${made.number}, ${names[made.player - 1]}, ${made.move}: ${valueText(node.value, node.board.marks)}` :
      `Start: ${valueText(node.value, node.board.marks)}`;
    const main = this.point(`${i}`, words, `now winner${node.value.winner ?? 0}`,
      node.value.winner === 2 ? svg("rect", { x: x - 7.5, y: y - 7.5, width: 15, height: 15, rx: 3 }) : svg(
        "circle", { cx: x, cy: y, r: 8 }),
      () => this.onGo(i, null), () => this.onHover(i - 1, made?.move ?? null));
    main.setAttribute("tabindex", i === at ? 0 : -1);
    return svg("g", { class: `row ${i === at ? "here" : ""} ${made?.lost_the_win ? "turned" : ""}`, "data-row": i },
      svg("rect", { class: "ground", x: 2, y: y - ROW / 2 + 1, width: WIDTH - 4, height: ROW - 2, rx: 6 }),
      svg("text", { class: `name ${made ? `owner${made.player}` : ""}`, x: 10, y: y + 1 }, label),
      svg("line", { class: `bar winner${node.value.winner ?? 0}`, x1: CENTRE, x2: x, y1: y, y2: y }), ...roads,
      main);
  }

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

  x(value) {
    return CENTRE + REACH * pullOf(value, this.widest);
  }

  highlight(number, move) {
    this.host.querySelectorAll(".lit").forEach((element) => element.classList.remove("lit"));
    if (number === null || move === null) return;
    const road = this.host.querySelector(`[data-point="${CSS.escape(`${number + 1}:${move}`)}"]`);
    const row = this.host.querySelector(`[data-row="${number + 1}"]`);
    if (road) road.classList.add("lit");
    else row?.querySelector(".now")?.classList.add("lit");
  }

  onKey(event) {
    const here = document.activeElement?.closest?.("[data-point]");
    if (!here) return;
    const fromLeft = (a, b) => a.getBoundingClientRect().x - b.getBoundingClientRect().x;
    const rows = [...this.host.querySelectorAll("[data-row]")];
    const points = rows.map((each) => [...each.querySelectorAll("[data-point]")].sort(fromLeft));
    const row = points.findIndex((each) => each.includes(here));
    const column = points[row].indexOf(here);
    const mains = points.map((each) => each.find((point) => point.classList.contains("now")));
    const next = {
      ArrowUp: mains[row - 1],
      ArrowDown: mains[row + 1],
      ArrowLeft: points[row][column - 1],
      ArrowRight: points[row][column + 1],
    }[event.key];
    if (next) next.focus();
    else if (event.key === "Enter" || event.key === " ") here.dispatchEvent(new MouseEvent("click"));
    else if (!event.key.startsWith("Arrow")) return;
    event.preventDefault();
  }
}

const short = (name) => (name.length > 16 ? `${name.slice(0, 15)}…` : name);
