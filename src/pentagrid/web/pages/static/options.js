// The moves from a position as a list, the best first, and the best line.

import { find, html, show } from "./dom.js";
import { LAYERS } from "./values.js";

/**
 * @param {Api.AnalysisData | null} node
 * @param {number} chosen the layer
 * @param {{ onPlay: (move: string) => unknown, onHover: (move: string | null) => unknown }} handlers
 */
export function drawOptions(node, chosen, { onPlay, onHover }) {
  show(find("options"), Boolean(node?.options.length) && chosen >= LAYERS.winner);
  const sorted = [...(node?.options ?? [])].sort((a, b) => Number(b.best) - Number(a.best) || (a.regret ?? 0) - (b.regret ?? 0) ||
      (a.win_regret ?? 0) - (b.win_regret ?? 0))
    .slice(0, 40);
  find("options").querySelector("ul")?.replaceChildren(...sorted.map((option) => html("li", {},
    html("button", {
      type: "button",
      class: `option winner${option.winner ?? 0} ${option.best && chosen >= LAYERS.margin ? "best" : ""}`,
      "data-move": option.move,
      onclick: () => onPlay(option.move),
      onpointerenter: () => onHover(option.move),
      onfocus: () => onHover(option.move),
      onpointerleave: () => onHover(null),
      onblur: () => onHover(null),
    }, html("strong", {}, option.move), html("span", {}, words(option, chosen))))));
  show(find("line"), Boolean(node?.line.length) && chosen >= LAYERS.line);
  find("line").textContent = node?.line.length ? `Best line: ${node.line.join("; ")}` : "";
}

/** @param {Api.OptionData} option @param {number} chosen */
function words(option, chosen) {
  return chosen >= LAYERS.margin ? option.result : option.result.replace(/ (by|in|on the) .*/, "");
}
