// The start page: the unfinished games of this browser, as they are known here at once, then as the server knows them.

import { get } from "./api.js";
import { fill, find, html, show } from "./dom.js";
import { forget, knownOf, learn, playersOf, recent } from "./recent.js";

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
if (shown.length) {
  /** @type {{ games: Api.GameView[] }} */
  const { games } = await get(`/api/games?ids=${shown.map(({ id }) => id).join(",")}`).catch(() => ({ games: null }));
  for (const { id } of games ? shown : []) {
    const found = games.find(({ state, you }) => state.id === id && you.length);
    if (found) learn(knownOf(found.state, found.you));
    else forget(id);
  }
  draw();
}
