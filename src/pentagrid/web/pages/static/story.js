// A game told move by move: the table that is the chart's twin, and how well each player chose.

import { html } from "./dom.js";

/** @param {Api.ChoiceData} choice @param {Api.AnalysisData} node */
const given = (choice, node) => {
  if (choice.regret === null) return "not known";
  if (!choice.regret) return "";
  return node.value.margin === null ? "the win" : String(choice.regret);
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
      html("td", {}, choice.regret ? best : ""));
  });
  const titles = ["Move", "Player", "Played", "Then", "Gives away", "Best was"];
  const head = titles.map((title) => html("th", { scope: "col" }, title));
  host.replaceChildren(html("table", { class: "moves" }, html("caption", { class: "far" }, "The chart as a table"),
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
function turningPoints(choices) {
  const costly = choices.filter((choice) => choice.regret);
  const worst = costly.filter((choice) => !choice.lost_the_win)
    .sort((a, b) => (b.regret ?? 0) - (a.regret ?? 0)).slice(0, 3);
  return [...costly.filter((choice) => choice.lost_the_win), ...worst].sort((a, b) => a.number - b.number);
}

/**
 * @param {{ accuracy: HTMLElement, turning: HTMLElement }} hosts
 * @param {Page.Told} review
 * @param {{ onGo: Page.Go, again: (number: number) => unknown }} handlers
 */
export function drawReview({ accuracy, turning }, review, { onGo, again }) {
  const { nodes, choices, names, accuracy: shares, given_away: away } = review;
  accuracy.replaceChildren(...names.map((name, i) => {
    const share = shares[i];
    return html("p", { class: `accuracy owner${i + 1}` }, html("strong", {}, name),
      html("span", { class: "share" }, share === null ? "–" : `${Math.round(100 * share)}%`),
      html("span", { class: "hint" }, share === null ? "no real choice" :
        `of the real choices were best${nodes[0].board.scores ? `; ${away[i]} points given away` : ""}`));
  }));
  const points = turningPoints(choices);
  if (!points.length) {
    turning.replaceChildren(html("p", {}, choices.length ? "Nobody gave anything away: perfect play." : ""));
    return;
  }
  turning.replaceChildren(html("h3", {}, "Turning points"), html("ul", { class: "turning" }, ...points.map((
    choice) => {
    const cost = choice.lost_the_win ? "throws the win away" : nodes[0].board.scores ?
      `gives away ${choice.regret}` : "is a mistake";
    return html("li", {}, html("span", {},
        `${choice.number}. ${names[choice.player - 1]}’s ${choice.move} ${cost}; best was ${choice.best.slice(0, 3).join(" or ")}.`
        ),
      html("span", { class: "pair" },
        html("button", { type: "button", class: "button", onclick: () => onGo(choice.number - 1, null) },
          "Look"),
        html("button", { type: "button", class: "button", onclick: () => again(choice.number - 1) },
          "Try it again from here")));
  })));
}
