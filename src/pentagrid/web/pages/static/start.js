// The start page: the unfinished games of this browser.

import { get } from "./api.js";
import { find, html, show } from "./dom.js";
import { forget, recent } from "./recent.js";

for (const { id } of recent()) {
  try {
    const { state, you } = await get(`/api/games/${id}`);
    if (state.outcome || !you.length) {
      forget(id);
      continue;
    }
    const names = state.seats.map((seat) => seat.name).join(" – ");
    find("recent").querySelector("ul").append(html("li", {},
      html("a", { class: "button", href: `/play/${id}` }, `${state.board.title}: ${names}`)));
    show(find("recent"), true);
  } catch (error) {
    if (error.code === "no-such-game") forget(id);
  }
}
