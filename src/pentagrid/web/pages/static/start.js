// The start page: the unfinished games of this browser.

import { Problem, get } from "./api.js";
import { find, html, show } from "./dom.js";
import { forget, recent } from "./recent.js";

for (const { id } of recent()) {
  try {
    /** @type {Api.GameView} */
    const { state, you } = await get(`/api/games/${id}`);
    if (state.outcome || !you.length) {
      forget(id);
      continue;
    }
    const names = state.seats.map((seat) => seat.name).join(" – ");
    find("recent").querySelector("ul")?.append(html("li", {},
      html("a", { class: "button", href: `/play/${id}` }, `${state.board.title}: ${names}`)));
    show(find("recent"), true);
  } catch (error) {
    if (error instanceof Problem && error.code === "no-such-game") forget(id);
  }
}
