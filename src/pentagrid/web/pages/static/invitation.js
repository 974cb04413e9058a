// An invitation: the token stands behind # in the address, and goes once it has been used.

import { post } from "./api.js";
import { find, html, show } from "./dom.js";
import { keep, recall } from "./memory.js";
import { notice, over } from "./notice.js";

let checked = "";
/** What is asked when somebody sits down. @type {(event: SubmitEvent) => unknown} */
let sitDown = () => {};

find("invited").addEventListener("submit", (event) => sitDown(event));

const token = () => location.hash.slice(1);
const forgetToken = () => history.replaceState(null, "", location.pathname);

/**
 * @param {Pick<Page.Playing, "state" | "you">} game
 * @param {string} here
 * @param {() => unknown} onSeat
 */
export function drawInvitation({ state, you }, here, onSeat) {
  if (token() && you.length) {
    forgetToken();
    show(find("invited"), false);
    const isFree = state.seats.some(({ open }) => open); // else it is the link that brought them here
    if (isFree) notice("invitation", "You sit at this game already. The link is for your friend: send it.");
  }
  if (!token()) show(find("invited"), false);
  if (!token() || checked === token()) return;
  checked = token();
  sitDown = (event) => sit(event, here, onSeat);
  check(state, here);
}

/** Is it still good, and for which seat? @param {Api.GameState} state @param {string} here */
async function check(state, here) {
  try {
    /** @type {Api.JoinedData} */
    const { seat } = await post(`${here}/invitation`, { invitation: token() });
    find("invited-text").replaceChildren(...describe(state, seat));
    find("name").value = recall("pentagrid.name") ?? "";
    show(find("invited"), true);
  } catch (error) {
    notice("invitation", error.code.endsWith("-invitation") ? `${error.message} You can watch the game.` : error.message);
    forgetToken();
  }
}

/** @param {Api.GameState} state @param {number} seat */
function describe({ seats, board, turn_seconds: seconds }, seat) {
  const host = seats[2 - seat];
  const rules = board.options.length ? board.options.join(", ") : "as the rules say";
  const facts = {
    Game: `${board.title}, ${board.size} × ${board.size}`,
    Against: host.name,
    "You are": `${seats[seat - 1].name}, and move ${seat === 1 ? "first" : "second"}`,
    Clock: seconds ? `${seconds} seconds for each turn` : "none",
    Rules: rules,
  };
  return [html("dl", { class: "terms" }, ...Object.entries(facts).flatMap(([name, fact]) =>
    [html("dt", {}, name), html("dd", {}, fact)]))];
}

/** @param {SubmitEvent} event @param {string} here @param {() => unknown} onSeat */
async function sit(event, here, onSeat) {
  event.preventDefault();
  const name = find("name").value.trim();
  try {
    await post(`${here}/join`, { invitation: token(), name });
    if (name) keep("pentagrid.name", name);
    over("invitation");
    forgetToken();
    show(find("invited"), false);
    onSeat();
  } catch (error) {
    notice("invitation", error.message);
    if (!error.code.endsWith("-invitation")) return;
    forgetToken();
    show(find("invited"), false);
  }
}
