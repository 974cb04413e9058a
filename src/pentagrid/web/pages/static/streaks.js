// How well puzzles were solved in this browser: days in a row, and first tries in a row by game.

const KEY = "pentagrid.puzzles";
const MOST = 2000;
/** @type {Page.Streaks} */
const NOTHING = { answered: {}, days: { last: null, run: 0, best: 0 }, games: {} };

let here = NOTHING; // where the browser keeps nothing, as long as the page lives

// What is stored may be anything: what is no whole number counts as none, and what is no date as no day.
/** @param {unknown} value @returns {number} */
const whole = (value) => (typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : 0);
/** @param {any} value */
const streak = (value) => ({ run: whole(value?.run), best: whole(value?.best) });
/** @param {unknown} value */
const entries = (value) => (value instanceof Object && !Array.isArray(value) ? Object.entries(value) : []);
/** @param {any} value @returns {string | null} */
const dayOf = (value) => (/^\d{4}-\d{2}-\d{2}$/.test(value) ? value : null);

/** @returns {Page.Streaks} */
function kept() {
  let found;
  try {
    found = JSON.parse(localStorage.getItem(KEY) ?? "null");
  } catch {
    return here;
  }
  return {
    answered: Object.fromEntries(entries(found?.answered).filter(([, right]) => typeof right === "boolean")),
    days: { last: dayOf(found?.days?.last), ...streak(found?.days) },
    games: Object.fromEntries(entries(found?.games).map(([name, value]) => [name, streak(value)])),
  };
}

/** @param {Page.Streaks} all */
function keep(all) {
  here = all;
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    // not allowed to, or full: `here` has it
  }
}

/** @param {string} day */
const dayBefore = (day) => new Date(Date.parse(`${day}T00:00:00Z`) - 86400000).toISOString().slice(0, 10);

/** @param {Page.Streak} streak @param {boolean} right */
const grown = ({ run, best }, right) => ({ run: right ? run + 1 : 0, best: Math.max(best, right ? run + 1 : 0) });

/**
 * The first try at a puzzle, by its position: true or false; undefined before there was one.
 * @type {(text: string) => boolean | undefined}
 */
export const firstTry = (text) => kept().answered[text];

/**
 * Keep a first try; of a puzzle that is known already it changes nothing, but its day has been met. day: whose puzzle
 * it is, if it is that of the day.
 * @param {{ text: string, game: string, day: string | null }} puzzle
 * @param {boolean} right
 */
export function record({ text, game, day }, right) {
  const all = kept();
  const first = all.answered[text];
  let { answered, games, days } = all;
  if (first === undefined) {
    answered = Object.fromEntries(Object.entries({ ...answered, [text]: right }).slice(-MOST));
    games = { ...games, [game]: grown(games[game] ?? { run: 0, best: 0 }, right) };
  }
  if (day && day !== days.last) {
    const run = days.last === dayBefore(day) ? days.run : 0;
    days = { last: day, ...grown({ ...days, run }, first ?? right) };
  }
  keep({ answered, days, games });
}

/** The streaks as they stand today; a day that was left out has ended that of the days. @param {string} today */
export function streaks(today) {
  const { days, games } = kept();
  const alive = days.last === today || days.last === dayBefore(today);
  return { days: { run: alive ? days.run : 0, best: days.best }, games };
}
