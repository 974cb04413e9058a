// What is drawn over the cells of a board: values, the names of rows and columns, owned lines, a line of play.

import { svg } from "./dom.js";

export const UNIT = 100;
export const GAP = 8;

/** The spots that a move touches, one after the other. @param {Api.TouchData} touch */
export const pathOf = (touch) => touch.at.map((number) => (touch.kind === "line" ? "l" : "c") + number);

/** @param {Page.Badge} badge @param {number} x @param {number} y @param {number} inner */
export function drawBadge(badge, x, y, inner) {
  const width = Math.min(inner - 6, Math.max(36, 14 + 11.5 * badge.text.length));
  const left = x + (inner - width) / 2,
    top = y + inner - 32;
  const strength = badge.strength > 0.99 ? "s3" : badge.strength > 0.6 ? "s2" : "s1";
  return svg("g", { class: `badge winner${badge.winner ?? 0} ${strength} ${badge.best ? "best" : ""}` },
    svg("rect", { x: left, y: top, width, height: 27, rx: badge.winner === 2 ? 4 : 13.5 }),
    svg("text", { class: badge.text.length > 6 ? "long" : "", x: left + width / 2, y: top + 14.5 }, badge.text),
    badge.best ? svg("path", { class: "star", d: star(x + inner - 16, y + 17, 10) }) : null);
}

/** The rows and columns as moves name them; what is listened to has the moves themselves. @param {Api.EdgesData} edges @param {number} margin */
export function drawEdges({ rows, columns }, margin) {
  /** @param {number} x @param {number} y @param {string} text */
  const label = (x, y, text) => svg("text", { class: "edge", x, y, "font-size": margin * 0.52 }, text);
  return svg("g", { "aria-hidden": "true" },
    ...rows.map((text, i) => label(-margin / 2, (i + 0.5) * UNIT, text)),
    ...columns.map((text, i) => label((i + 0.5) * UNIT, -margin / 2, text)));
}

/** The lines that are owned. @param {Api.BoardData} position */
export function drawBands({ size: n, lines }) {
  const bands = lines.filter((line) => line.owner).map((line) => {
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

/**
 * The best line: each of its moves numbered where it is made.
 * @param {Page.LineStep[]} line
 * @param {(key: string) => Page.Spot} spotAt
 */
export function drawLine(line, spotAt) {
  /** @type {Map<string, number>} */
  const used = new Map();
  const steps = line.flatMap(({ player, touch }, i) => pathOf(touch).slice(-1).map((key) => {
    const spot = spotAt(key);
    const before = used.get(key) ?? 0;
    used.set(key, before + 1);
    const x = spot.x + 20 + 26 * before,
      y = spot.y + (spot.kind === "line" ? 10 : 22); // above what is written on a line
    return before > 2 ? null : svg("g", { class: `step owner${player}` },
      svg("circle", { cx: x, cy: y, r: 13 }), svg("text", { x, y: y + 1 }, String(i + 1)));
  }));
  return svg("g", { class: "steps-drawn", "aria-hidden": "true" }, ...steps);
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
