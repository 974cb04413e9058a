// The players of a game with their scores, whose turn it is, and what is special about the position.

import { fill, html, show } from "./dom.js";

/**
 * What is special about a position of a line of play, if anything is about one of them: the place stays the same.
 * @param {HTMLElement} host
 * @param {Api.BoardData} position
 * @param {Api.BoardData[]} line
 */
export function drawPhase(host, position, line = [position]) {
  host.textContent = position.phase;
  show(host, line.some(({ phase }) => phase));
}

/** @param {string} kind */
const kindWords = (kind) => (kind === "human" ? null : kind.replace(":", " "));

/**
 * The players with their marks and scores, whose turn it is, and who is connected. facts: more to be said of each.
 * @param {HTMLElement} host
 * @param {Page.Players} players
 */
export function drawPlayers(host, { board, seats, turn, connected = null, you = [], winner = null, clock = null, facts = [] }) {
  fill(host, ...seats.map((seat, i) => {
    const number = i + 1;
    const self = you.includes(number);
    const online = connected && seat.kind === "human" && !self ? connected.players[i] : null;
    const known = [
      kindWords(seat.kind),
      self && you.length === 1 ? "you" : null,
      seat.joined === false ? "not here yet" : online === null ? null : online ? "connected" : "away",
      facts[i],
    ].filter(Boolean).join(" · ");
    const won = winner === number ? html("span", { class: "won" }, "won") : null;
    const state = [turn === number ? "turn" : "", winner === number ? "winner" : ""].join(" ").trim();
    return html("div", { class: `player owner${number} ${state}` },
      html("span", { class: "token", "aria-hidden": "true" }, board.marks[i]),
      html("span", { class: "who" }, html("strong", {}, seat.name),
        known || won ? html("small", {}, won, won && known ? ` · ${known}` : known) : null),
      clock !== null && turn === number ? html("span", { class: "clock", role: "timer", "aria-label": "Time left" }, clock) : null,
      board.scores ? html("span", { class: "score" }, String(board.scores[i]), html("span", { class: "far" }, " points")) : null,
      board.komi && board.komi.seat === number ? html("span", { class: "komi" }, komiWords(board.komi.points)) : null);
  }));
}

/** @param {number} points */
const komiWords = (points) => `${points < 0 ? "−" : "+"} ${Math.abs(points)} komi`;
