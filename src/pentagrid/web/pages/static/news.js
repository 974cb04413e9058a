// What has happened meanwhile in the games that this browser keeps.

import { get } from "./api.js";
import { knownOf, learn } from "./recent.js";

const MOST = 20; // that the server tells of at once

/**
 * Learns how the visitor's games stand. Returns which of these are the visitor's, or null if the server cannot say.
 * @param {Page.Kept[]} games
 */
export async function learnNews(games) {
  const ids = games.slice(0, MOST).map(({ id }) => id);
  if (!ids.length) return new Set();
  /** @type {{ games: Api.GameView[] } | null} */
  const found = await get(`/api/games?ids=${ids.join(",")}`).catch(() => null);
  if (!found) return null;
  const mine = found.games.filter(({ you }) => you.length);
  for (const { state, you } of mine) learn(knownOf(state, you));
  return new Set(mine.map(({ state }) => state.id));
}
