// The layers of truth over a board: possible moves, who wins after each, by how much, the best line.

import { keep, recall } from "./memory.js";

export const LAYERS = { nothing: 0, moves: 1, winner: 2, margin: 3, line: 4 };

/**
 * What is written on a move, and how strongly: the best at full strength, others by what they give away.
 * @param {Api.AnalysisData | null} analysis
 * @param {number} layer
 * @returns {Map<string, Page.Badge> | null}
 */
export function badgesOf(analysis, layer) {
  if (!analysis || layer < LAYERS.winner) return null;
  const { marks } = analysis.board;
  const worst = Math.max(1, ...analysis.options.map((option) => option.regret ?? 0));
  return new Map(analysis.options.map((option) => {
    const strength = option.best ? 1 : option.regret === null ? 0.5 : 0.9 - 0.9 * ((option.regret || option.win_regret || 0) / worst);
    const text = layer < LAYERS.margin ? winnerText(option, marks) : valueText(option, marks);
    const given = [option.margin !== null && option.regret, option.win_regret && "the win"].filter(Boolean);
    const title = [option.result, option.best ? "best" : "", given.length ? `gives away ${given.join(" and ")}` : ""
    ];
    return [option.move, { text, title: title.filter(Boolean).join(", "), winner: option.winner, best: option
        .best && layer >= LAYERS.margin, strength }];
  }));
}

/** @param {Api.ValueData} value @param {string[]} marks */
const winnerText = (value, marks) => (value.winner ? marks[value.winner - 1] : "?");

/**
 * A value in a few letters: "X+4", "O tie" (on the tie-break), "X in 5", "-3…8".
 * @param {Api.ValueData & { bounds?: number[] | null }} value
 * @param {string[]} marks
 */
export function valueText(value, marks) {
  if (!value.winner) return value.bounds ? `${value.bounds[0]}…${value.bounds[1]}` : "?";
  const mark = marks[value.winner - 1];
  if (value.plies !== null) return `${mark} in ${value.plies}`;
  if (value.margin === null) return mark;
  return value.margin ? `${mark}+${Math.abs(value.margin)}` : `${mark} tie`;
}

/**
 * Where a value stands between the two players: -1 (all Player 1's) to 1 (all Player 2's); 0 if it is not known.
 * @param {Api.ValueData} value
 * @param {number} widest
 */
export function pullOf(value, widest) {
  if (value.margin !== null && value.margin !== undefined) {
    if (value.margin === 0) return value.winner === 1 ? -0.04 : 0.04;
    return Math.max(-1, Math.min(1, -value.margin / widest));
  }
  if (!value.winner) return 0;
  const side = value.winner === 1 ? -1 : 1;
  return value.plies === null ? side * 0.5 : side * (1 - 0.85 * Math.min(1, value.plies / 32));
}

/**
 * The chosen layer, remembered for this page.
 * @param {HTMLFieldSetElement} fieldset
 * @param {string} page
 * @param {number} fallback
 * @param {() => unknown} changed
 */
export function layerChoice(fieldset, page, fallback, changed) {
  const inputs = [...fieldset.querySelectorAll("input")];
  let layer = Number(recall(`layer ${page}`, "sessionStorage") ?? fallback);
  inputs[layer].checked = true;
  for (const input of inputs) {
    input.addEventListener("change", () => {
      layer = Number(input.value);
      keep(`layer ${page}`, input.value, "sessionStorage");
      changed();
    });
  }
  return () => layer;
}
