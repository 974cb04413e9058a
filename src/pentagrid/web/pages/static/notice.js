// Notices over the page: they never move what is below them, and go away when what they say is over.

import { button, find, html } from "./dom.js";

/** What a notice is about: there is one at most for each. @type {Map<string, HTMLElement>} */
const shown = new Map();

/**
 * Shows what there is to say about something, instead of what was said of it before; with a way out if there is one.
 * @param {string} topic
 * @param {string | null | undefined} text
 * @param {{ text: string, action: () => unknown } | null} way
 */
export function notice(topic, text, way = null) {
  if (!text) return over(topic);
  const close = html("button", { type: "button", class: "close", "aria-label": "Close", onclick: () => over(topic) }, "×");
  const fresh = html("div", { class: "notice", "data-topic": topic }, html("p", {}, text),
    way ? button(way.text, way.action) : null, close);
  const old = shown.get(topic);
  shown.set(topic, fresh);
  if (old) old.replaceWith(fresh);
  else find("notice").append(fresh);
  return undefined;
}

/** What was said about something is over. @param {string} topic */
export function over(topic) {
  shown.get(topic)?.remove();
  shown.delete(topic);
}
