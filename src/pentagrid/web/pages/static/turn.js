// That it is your turn: in the title and the icon of the page, and as a sound if it is asked for.

import { keep, recall } from "./memory.js";

const KEY = "pentagrid.sound";
const NOTES = [660, 880]; // Hz
const NOTE = 0.12; // seconds

/** @type {AudioContext | null} */
let audio = null;

// Two short notes, made here: nothing is loaded.
function ring() {
  audio ??= new AudioContext();
  const { currentTime: now, destination } = audio;
  NOTES.forEach((pitch, i) => {
    if (!audio) return;
    const tone = new OscillatorNode(audio, { frequency: pitch, type: "triangle" });
    const loudness = new GainNode(audio, { gain: 0 });
    const begin = now + i * NOTE;
    loudness.gain.setValueAtTime(0.15, begin);
    loudness.gain.exponentialRampToValueAtTime(0.001, begin + NOTE);
    tone.connect(loudness).connect(destination);
    tone.start(begin);
    tone.stop(begin + NOTE);
  });
}

/** @param {HTMLInputElement} box */
export function soundChoice(box) {
  box.checked = recall(KEY) === "on";
  box.addEventListener("change", () => {
    keep(KEY, box.checked ? "on" : "off");
    if (box.checked) ring();
  });
}

let yours = false;

/** @param {boolean} mine @param {string} title @param {boolean} heard may it be heard? */
export function showTurn(mine, title, heard) {
  document.title = mine ? `Your turn · ${title}` : title;
  const icon = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=icon]"));
  if (icon && mine !== yours) icon.href = icon.href.replace(/icon(-turn)?\.svg/, mine ? "icon-turn.svg" : "icon.svg");
  if (mine && !yours && heard && recall(KEY) === "on") ring();
  yours = mine;
}
