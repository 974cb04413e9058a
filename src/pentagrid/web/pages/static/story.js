// A game told move by move: the table that is the chart's twin, and how well each player chose.

import { fill, html } from "./dom.js";

/** Did the move give anything away, points or the win? @param {Api.ChoiceData} choice */
export const errs = (choice) => Boolean(choice.regret || choice.win_regret);

/** @param {Api.ChoiceData} choice @param {Api.AnalysisData} node */
const given = (choice, node) => {
  if (!errs(choice)) return choice.regret === null ? "not known" : "";
  return node.value.margin === null || !choice.regret ? "the win" : String(choice.regret);
};

/** @param {HTMLElement} host @param {Page.Told} told @param {{ onGo: Page.Go, onHover: Page.Hover }} handlers */
export function drawList(host, { nodes, choices, names, at }, { onGo, onHover }) {
  const rows = choices.map((choice, i) => {
    const node = nodes[i + 1];
    const best = choice.best.slice(0, 3).join(" or ") + (choice.best.length > 3 ? " …" : "");
    return html("tr", {
        class: `${at === i + 1 ? "here" : ""} ${choice.lost_the_win ? "turned" : ""}`,
        "data-row": i + 1,
        onpointerenter: () => onHover(i, choice.move),
        onpointerleave: () => onHover(null, null),
      },
      html("th", { scope: "row" }, String(choice.number)),
      html("td", { class: `owner${choice.player}` }, names[choice.player - 1]),
      html("td", {}, html("button", {
        type: "button",
        class: "goto",
        "aria-current": at === i + 1 ? "step" : null,
        onclick: () => onGo(i + 1, null),
        onfocus: () => onHover(i, choice.move),
        onblur: () => onHover(null, null),
      }, choice.move)),
      html("td", {}, outlook(node, names)),
      html("td", {}, given(choice, node)),
      html("td", {}, errs(choice) ? best : ""));
  });
  const titles = ["Move", "Player", "Played", "Then", "Gives away", "Best was"];
  const head = titles.map((title) => html("th", { scope: "col" }, title));
  fill(host, html("table", { class: "moves" }, html("caption", { class: "far" }, "The chart as a table"),
    html("thead", {}, html("tr", {}, ...head)), html("tbody", {}, ...rows)));
}

/** @param {Api.AnalysisData} node @param {string[]} names */
function outlook({ value, board }, names) {
  if (board.outcome) return `${names[board.outcome.winner - 1]} has won`;
  if (!value.winner) return "not known";
  const name = names[value.winner - 1];
  if (value.plies !== null) return `${name} in ${value.plies}`;
  if (value.margin === null) return name;
  return value.margin ? `${name} by ${Math.abs(value.margin)}` : `${name} on the tie-break`;
}

/** Turning points: where a win was thrown away, then what cost most. @param {Api.ChoiceData[]} choices */
export function turningPoints(choices) {
  const costly = choices.filter(errs);
  const worst = costly.filter((choice) => !choice.lost_the_win)
    .sort((a, b) => (b.regret ?? 0) - (a.regret ?? 0)).slice(0, 3);
  return [...costly.filter((choice) => choice.lost_the_win), ...worst].sort((a, b) => a.number - b.number);
}

/** A move that gave something away, in a sentence. @param {Api.ChoiceData} choice @param {Api.AnalysisData} node @param {string[]} names */
export function mistakeWords({ player, move, regret, best, lost_the_win: lost }, node, names) {
  const cost = lost ? "throws the win away" : node.board.scores ? `gives away ${regret}` : "is a mistake";
  return `${names[player - 1]}’s ${move} ${cost}; best was ${best.slice(0, 3).join(" or ")}.`;
}

/** How well each player chose, in a few words; dots until that is known. @param {Api.ReviewData | null} review */
export const accuracyOf = (review) => (review?.accuracy ?? [undefined, undefined]).map((share) =>
  share === undefined ? "…" : share === null ? "no real choice" : `${Math.round(100 * share)}% best`);

/**
 * @param {HTMLElement} turning
 * @param {Page.Told} review
 * @param {{ onGo: Page.Go, again: (number: number) => unknown }} handlers
 */
export function drawTurningPoints(turning, { nodes, choices, names, given_away: away }, { onGo, again }) {
  const points = turningPoints(choices);
  if (!points.length) {
    fill(turning, html("p", {}, choices.length ? "Nobody gave anything away: perfect play." : ""));
    return;
  }
  const lost = names.map((name, i) => `${name} gave away ${away[i]}`).join(", ");
  const sums = nodes[0].board.scores ? html("p", { class: "hint" }, `In all, ${lost}.`) : null;
  fill(turning, html("h2", {}, "Turning points"), sums, html("ul", { class: "turning" }, ...points.map((
    choice) => {
    return html("li", { "data-key": choice.number }, html("span", {}, `${choice.number}. ${mistakeWords(choice, nodes[0], names)}`),
      html("span", { class: "pair" },
        html("button", { type: "button", class: "button", onclick: () => onGo(choice.number, null) },
          "Look"),
        html("button", { type: "button", class: "button", onclick: () => again(choice.number - 1) },
          "Try it again from here")));
  })));
}
