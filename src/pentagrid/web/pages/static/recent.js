// The games of this browser, running and finished. No tokens: those are in the cookie.

import { keep, recall } from "./memory.js";

const KEY = "pentagrid.games";
const MOST = 300;
const FORMAT = "pentagrid games 1";

/** What is kept may be anything. @param {any} found @returns {Page.Kept | null} */
function game(found) {
  if (typeof found?.id !== "string" || !/^[\w-]{4,64}$/.test(found.id)) return null;
  /** @param {unknown} value */
  const text = (value) => (typeof value === "string" ? value.slice(0, 20_000) : "");
  return { id: found.id, title: text(found.title), opponent: text(found.opponent), date: text(found.date),
    turn: text(found.turn), result: text(found.result), won: typeof found.won === "boolean" ? found.won : null,
    record: text(found.record) };
}

/** @param {unknown} found @returns {Page.Kept[]} */
const games = (found) => (Array.isArray(found) ? found.map(game).filter((each) => each !== null) : []);

/** The latest first. @returns {Page.Kept[]} */
export function recent() {
  try {
    return games(JSON.parse(recall(KEY) ?? "[]"));
  } catch {
    return [];
  }
}

/** @param {Page.Kept[]} all */
const set = (all) => keep(KEY, JSON.stringify(all.slice(0, MOST)));

/** @param {string} id */
export const recalled = (id) => recent().find((each) => each.id === id) ?? null;

/** Keeps a game, the latest first, as it is known now. @param {Partial<Page.Kept> & { id: string }} known */
export function remember(known) {
  const merged = game({ ...recalled(known.id), ...known });
  if (merged) set([merged, ...recent().filter((each) => each.id !== known.id)]);
}

/** Changes what is known of a game where it stands. @param {Partial<Page.Kept> & { id: string }} known */
export const learn = (known) => set(recent().map((each) => (each.id === known.id ? { ...each, ...known } : each)));

/** @param {string} id */
export const forget = (id) => set(recent().filter((each) => each.id !== id));

/** What is known of a game from its state. @param {Api.GameState} state @param {number[]} you */
export function knownOf(state, you) {
  const seat = you.length === 1 ? you[0] : null;
  const others = state.seats.filter((_, i) => i + 1 !== seat);
  const opponent = others.map(({ name, kind }) => (kind === "human" ? name : `the computer (${kind.replace(":", " ")})`)).join(" – ");
  const mover = state.board.mover;
  const turn = state.outcome ? "" : you.length === 1 && mover === seat ? "your turn" : `${state.seats[mover - 1].name} to move`;
  return { id: state.id, title: state.board.title, opponent, turn, result: state.outcome ? state.sentence : "",
    won: state.outcome && seat ? state.outcome.winner === seat : null };
}

/** Against whom a game is, or who plays it at one screen; to follow its title. @param {Page.Kept} game */
export const playersOf = ({ opponent }) => (!opponent ? "" : opponent.includes(" – ") ? `: ${opponent}` : ` against ${opponent}`);

/** All games as one file. */
export const exported = () => JSON.stringify({ format: FORMAT, games: recent() }, null, 1);

/** Adds the games of such a file to those here. Returns how many are new. @param {string} text */
export function imported(text) {
  let found;
  try {
    found = JSON.parse(text);
  } catch {
    found = null;
  }
  if (found?.format !== FORMAT) throw new Error("This is not a file of games: it must be one that was exported here.");
  const here = recent();
  const known = new Map(here.map((each) => [each.id, each]));
  const fresh = games(found.games).filter((each) => !known.has(each.id));
  set([...here, ...fresh].sort((a, b) => b.date.localeCompare(a.date)));
  return fresh.length;
}
