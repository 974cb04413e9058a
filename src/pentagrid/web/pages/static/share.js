// The links of a game: one for the open seat, one for spectators, one for one's own other device.

import { post } from "./api.js";
import { copy as copyText, html, say, show } from "./dom.js";
import { keep, recall } from "./memory.js";
import { notice } from "./notice.js";

let drawn = "";

/** @typedef {Pick<Page.Playing, "state" | "you">} Game a game as it goes on */

/** @param {HTMLElement} host @param {Game} game @param {string} here */
export function drawShare(host, game, here) {
  const { state, you } = game;
  const waiting = state.seats.findIndex((seat) => seat.open) + 1;
  const due = `${waiting} ${you} ${Boolean(state.outcome)} ${state.screen}`;
  show(host, you.length > 0 && !state.outcome && !(state.screen && !waiting));
  if (due === drawn) return;
  drawn = due;
  const parts = [];
  if (you.length && waiting) {
    parts.push(html("h2", {}, "Invite a friend"), html("p", { class: "hint" },
      "Send this link; whoever opens it first takes the other seat."));
    parts.push(linkLine("For the other player", () => invitation(game, waiting, here), true));
  }
  const more = html("details", { open: waiting ? true : null }, html("summary", {}, "Links"));
  more.append(linkLine("For spectators", async () => `${location.origin}/play/${state.id}`, true));
  if (you.length === 1 && !waiting) {
    more.append(linkLine("For you on another device", () => fresh(game, you[0], here), false));
  }
  parts.push(more);
  host.classList.toggle("quiet", !waiting);
  host.replaceChildren(...parts);
}

/** @param {Game} game @param {number} seat @param {string} here */
async function invitation(game, seat, here) {
  const key = `invitation ${game.state.id}`;
  const kept = recall(key, "sessionStorage");
  if (kept) return location.origin + kept;
  const link = await fresh(game, seat, here);
  keep(key, link.slice(location.origin.length), "sessionStorage");
  return link;
}

/** @param {Game} game @param {number} seat @param {string} here @returns {Promise<string>} */
async function fresh(game, seat, here) {
  const { invitation: link } = await post(`${here}/link`, { revision: game.state.revision, seat });
  return location.origin + link;
}

/** @param {string} label @param {() => Promise<string>} make @param {boolean} atOnce */
function linkLine(label, make, atOnce) {
  /** @type {HTMLInputElement} */
  const field = html("input", { readonly: true, "aria-label": label, class: "link", onfocus: () => field.select() });
  const copy = html("button", { type: "button", class: "button" }, atOnce ? "Copy" : "Make");
  const put = async () => {
    try {
      field.value = await make();
    } catch (error) {
      notice("link", error.message);
    }
  };
  copy.addEventListener("click", async () => {
    if (!field.value) await put();
    if (!field.value) return;
    field.select();
    if (await copyText(copy, field.value)) return;
    copy.textContent = "Copy";
    say("This browser does not let the page copy; the link is selected.");
  });
  if (atOnce) put();
  return html("p", { class: "linkline" }, html("span", {}, label), html("span", { class: "pair" }, field, copy));
}
