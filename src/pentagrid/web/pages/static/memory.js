// What the browser keeps for a page: for good, or as long as its tab lives. It may refuse; then nothing is kept.

/** @typedef {"localStorage" | "sessionStorage"} Place */

/** @param {string} key @param {Place} place @returns {string | null} */
export function recall(key, place = "localStorage") {
  try {
    return window[place].getItem(key);
  } catch {
    return null;
  }
}

/** @param {string} key @param {string} text @param {Place} place */
export function keep(key, text, place = "localStorage") {
  try {
    window[place].setItem(key, text);
  } catch {
    // not allowed to, or full
  }
}
