// The games that were played in this browser, so that one can come back. No tokens: those are in the cookie.

import { keep, recall } from "./memory.js";

const KEY = "pentagrid.games";
const MOST = 12;

/** @returns {{ id: string }[]} */
export function recent() {
  try {
    const games = JSON.parse(recall(KEY) ?? "[]");
    return Array.isArray(games) ? games : [];
  } catch {
    return [];
  }
}

/** @param {{ id: string }[]} games */
const set = (games) => keep(KEY, JSON.stringify(games.slice(0, MOST)));

/** @param {{ id: string }} game */
export const remember = (game) => set([game, ...recent().filter((other) => other.id !== game.id)]);

/** @param {string} id */
export const forget = (id) => set(recent().filter((game) => game.id !== id));
