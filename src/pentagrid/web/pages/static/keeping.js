// Keeps a game that is played here among the games of this browser; when it is over, with its record.

import { knownOf, learn, recalled, remember } from "./recent.js";

/** @param {Api.GameState} state @param {number[]} you @param {string} here */
export async function keepGame(state, you, here) {
  const before = recalled(state.id);
  remember({ ...knownOf(state, you), date: before?.date || new Date().toISOString() });
  if (state.outcome) await keepRecord(state.id, here);
}

/**
 * Keeps the record of a game that is over, unless it is there: whoever left at once has none yet.
 * @param {string} id @param {string} here
 */
export async function keepRecord(id, here) {
  if (recalled(id)?.record) return;
  const answer = await fetch(`${here}/record`).catch(() => null);
  if (answer?.ok) learn({ id, record: await answer.text() });
}
