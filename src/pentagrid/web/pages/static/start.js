// The start page: the unfinished games of this browser, as they are known here at once, then as the server knows them.

import { fill, find, html, show } from "./dom.js";
import { learnNews } from "./news.js";
import { forget, playersOf, recent } from "./recent.js";

const MOST = 4;
const list = /** @type {HTMLElement} */ (find("recent").querySelector("ul"));
const shown = recent().filter((game) => !game.result).slice(0, MOST);

/** @param {Page.Kept} game */
const row = (game) => html("li", {},
  html("a", { class: "button", href: `/play/${game.id}` }, html("strong", {}, game.title || "A game"),
    playersOf(game), html("small", { class: game.turn === "your turn" ? "yours" : "" }, game.result || game.turn)));

function draw() {
  const known = new Map(recent().map((game) => [game.id, game]));
  fill(list, ...shown.map((game) => row(known.get(game.id) ?? { ...game, turn: "no longer there" })));
}

show(find("recent"), shown.length > 0);
draw();
const mine = await learnNews(shown);
for (const { id } of mine ? shown : []) if (!mine?.has(id)) forget(id);
draw();
