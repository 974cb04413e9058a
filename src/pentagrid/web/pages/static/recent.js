// The games that were played in this browser, so that one can come back. No tokens: those are in the cookie.

const KEY = "pentagrid.games";
const MOST = 12;

export function recent() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? [];
  } catch {
    return [];
  }
}

function keep(games) {
  localStorage.setItem(KEY, JSON.stringify(games.slice(0, MOST)));
}

export const remember = (game) => keep([game, ...recent().filter((other) => other.id !== game.id)]);

export const forget = (id) => keep(recent().filter((game) => game.id !== id));
