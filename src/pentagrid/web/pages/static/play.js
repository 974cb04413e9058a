// The page of a game: the board, the players, what each may do, live.

import { get, post } from "./api.js";
import { Board } from "./board.js";
import { Clock } from "./clock.js";
import { button, fill, find, html, refuse, say, show } from "./dom.js";
import { Feed } from "./feed.js";
import { drawInvitation } from "./invitation.js";
import { keepGame } from "./keeping.js";
import { notice, over } from "./notice.js";
import { Pace, paceChoice } from "./pace.js";
import { drawPhase, drawPlayers } from "./players.js";
import { Sender } from "./sender.js";
import { drawShare } from "./share.js";
import { showTurn, soundChoice } from "./turn.js";
import { LAYERS, badgesOf, layerChoice } from "./values.js";

const id = find("play").dataset.game ?? "";
const here = `/api/games/${id}`;
/** @type {Page.Playing} */
const game = { state: /** @type {any} */ (null), you: [], values: false, connected: null, analysis: null, told: 0 };

const board = new Board(find("board"), {
  onMove: async (move) => refuse(await play(move)),
  onRefused: async (move) => refuse(await play(move)),
  onIdle: refuse,
  onSay: say,
});
const clock = new Clock();
const layer = layerChoice(find("layers"), "play", LAYERS.nothing, () => {
  draw();
  analyze();
});
const sender = new Sender(`${here}/moves`, { changed: () => draw(), stale: () => feed.again() });
/** @type {Pace<{ message: Page.Message, at: number }>} */
const pace = new Pace(({ message, at }) => hear(message, at), paceChoice(find("pace")));
soundChoice(find("sound"));
/** @type {Feed} */
let feed;
let resigning = false;

/** Is it the computer that moved? @param {Page.Message} message */
function isReply(message) {
  const kinds = game.state?.seats.map((seat) => seat.kind) ?? [];
  return message.type === "events" &&
    message.events.some(({ kind, seat = 0 }) => kind === "move" && kinds[seat - 1] !== "human");
}

/** @param {Page.Message} message @param {number} at */
function hear(message, at) {
  if (message.type === "problem") {
    notice("game", message.message);
    return;
  }
  if (message.type === "presence") game.connected = message.connected;
  if (message.type === "hello") Object.assign(game, { you: message.you, connected: message.connected });
  if (message.state) {
    const first = game.state === null;
    const phase = game.state?.board.phase ? "" : message.state.board.phase; // one that begins
    const gone = game.state && message.state.revision > game.state.revision;
    game.state = message.state;
    clock.set(message.state.deadline, message.now, at);
    const news = message.events.filter((event) => event.revision > game.told);
    game.told = message.state.revision;
    const words = news.map(({ kind, said }) => said || (kind === "move" ? message.state.deed : ""));
    if (!first && news.length) say([...words, phase].filter(Boolean).join(" "), true);
    const { people, outcome, spectator_values: allowed } = game.state;
    game.values = !people || Boolean(outcome) || (!game.you.length && allowed);
    if (outcome) resigning = false;
    if (gone) {
      over("action");
      refuse("");
    }
    sender.heard(message.state.revision);
    if (first) sendLeft();
    if (game.you.length) keepGame(game.state, game.you, here);
  }
  draw();
  if (message.state) analyze();
}

const mine = () => game.you.includes(game.state.board.turn ?? 0) && !game.state.outcome;

function draw() {
  const { state, you } = game;
  if (!state) return;
  const names = state.seats.map((seat) => seat.name);
  const chosen = game.values ? layer() : LAYERS.nothing;
  const analysis = game.analysis?.board.position === state.board.position ? game.analysis : null;
  const sending = sender.move;
  const onItsWay = sender.missing ? `${sending} has not arrived.` : `${sending} is on its way…`;
  const firstTime = find("play").classList.contains("waiting");
  showTurn(mine() && you.length === 1, `${state.board.title}: ${names.join(" – ")} – Pentagrid`, !firstTime);
  find("title").textContent = state.board.title;
  find("sentence").textContent = sending ? onItsWay : sentence();
  find("sentence").classList.toggle("final", Boolean(state.outcome));
  find("deed").textContent = state.deed;
  board.draw(state.board, {
    names,
    playable: mine() && !sending,
    hints: chosen >= LAYERS.moves || (mine() && !sending),
    last: state.last && { touch: state.last },
    badges: badgesOf(analysis, chosen),
    line: chosen >= LAYERS.line ? analysis?.steps : null,
    label: `${state.board.title}, ${state.board.size} by ${state.board.size}`,
    sending,
    idle: sending ? onItsWay : idle(),
  });
  drawPhase(find("phase"), state.board);
  drawPlayers(find("players"), {
    board: state.board,
    seats: state.seats,
    turn: state.outcome ? null : state.board.turn,
    connected: state.screen ? null : game.connected,
    you,
    winner: state.outcome?.winner,
    clock: state.deadline ? clock.text : null,
  });
  find("options").textContent = state.board.options.join(" · ");
  show(find("options"), state.board.options.length > 0);
  show(find("typed"), mine());
  show(find("layers"), game.values && !state.outcome);
  show(find("truth"), Boolean(analysis) && chosen >= LAYERS.winner);
  find("truth").textContent = analysis?.sentence ?? "";
  show(find("log"), state.moves.length > 0);
  fill(find("moves"), ...state.moves.map((move, i) => html("li", { class: `owner${state.players[i]}` }, move)));
  drawControls();
  drawInvitation(game, here, () => feed.again());
  drawShare(find("share"), game, here);
  find("play").classList.remove("waiting");
}

function sentence() {
  const { state, you } = game;
  if (state.outcome && you.length === 1) return result(you[0], state);
  return !state.outcome && you.length === 1 && mine() ? "Your move." : state.sentence;
}

/** How a game ended for one of its players; by how much, or else why. @param {number} seat @param {Api.GameState} state */
function result(seat, { outcome, sentence: why, board: { scores, komi } }) {
  const [one, two] = (scores ?? [0, 0]).map((score, i) => score + (komi?.seat === i + 1 ? komi.points : 0));
  const margin = outcome?.reason === "score" ? Math.abs(one - two) : 0;
  const won = `You ${outcome?.winner === seat ? "won" : "lost"}`;
  return margin ? `${won} by ${margin}. The game is over.` : `${won}. ${why}`;
}

/** What is said to who chooses a cell when it is not their move. */
function idle() {
  const { state, you } = game;
  const turn = state.outcome || !state.board.turn ? state.sentence : `It is ${state.seats[state.board.turn - 1].name}’s turn.`;
  return you.length ? turn : `You are watching. ${turn}`;
}

function drawControls() {
  const { state, you } = game;
  /** @type {HTMLElement[]} */
  const parts = [];
  const asker = state.undo_asked;
  if (asker) {
    const asks = !you.length || you.includes(asker) ? "asked" : "asks";
    parts.push(html("p", { class: "asked", role: asks === "asks" ? "alert" : null },
      `${state.seats[asker - 1].name} ${asks} to take back a move.`));
  }
  if (you.length && asker && !you.includes(asker)) {
    parts.push(button("Agree", () => act("/undo/answer", { grant: true }), "main"));
    parts.push(button("Refuse", () => act("/undo/answer", { grant: false })));
  }
  const swap = state.board.moves.find(({ touch }) => /** @type {string} */ (touch.kind) === "swap");
  if (swap && mine()) parts.push(button("Swap sides", async () => refuse(await play(swap.move)), "main"));
  if (you.length && !state.outcome) parts.push(...playersControls());
  if (state.outcome) {
    if (you.length) parts.push(button(state.rematch ? "To the rematch" : "Rematch, seats swapped", rematch, "main"));
    else if (state.rematch) {
      parts.push(html("a", { class: "button main", href: `/play/${state.rematch}` }, "Watch the rematch"));
    }
    parts.push(html("a", { class: "button", href: `/analyze?game=${id}` }, "Review the game"));
  }
  parts.push(html("a", { class: "button quiet", href: `${here}/record`, download: "" }, "Record file"));
  parts.push(html("a", { class: "button quiet", href: `/rules/${state.board.game}` }, "Rules"));
  fill(find("controls"), ...parts);
}

// While a player is asked whether they resign, the game may go on: the question stays.
function playersControls() {
  const { state, you } = game;
  if (resigning) {
    return [html("p", { class: "asked" }, "Really resign?"), button("Yes", () => act("/resign"), "main"),
      button("No", () => askToResign(false))];
  }
  const words = state.people && you.length === 1 ? "Ask to take back" : "Take back";
  const back = state.moves.length && state.undo_asked === null ? [button(words, () => act("/undo"), "quiet")] : [];
  return [...back, button("Resign", () => askToResign(true), "quiet")];
}

/** @param {boolean} asked */
function askToResign(asked) {
  resigning = asked;
  drawControls();
  const buttons = [...find("controls").querySelectorAll("button")];
  buttons.find(({ textContent }) => textContent === (asked ? "Yes" : "Resign"))?.focus();
}

/** @param {string} path */
async function act(path, more = {}) {
  pace.flush();
  try {
    await post(here + path, { revision: game.state.revision, ...more });
    over("action");
  } catch (error) {
    notice("action", error.code === "stale" ? "The game has just gone on; look again." : error.message);
  }
}

/** A move that had not arrived when the page was left sets out again. */
async function sendLeft() {
  const move = sender.left(game.state.revision);
  if (move !== null && mine()) refuse(await play(move));
}

/** Returns why a move was refused, or null. @param {string} move @returns {Promise<string | null>} */
async function play(move) {
  if (sender.move) return `${sender.move} is on its way; wait for it.`;
  pace.flush();
  refuse("");
  return sender.send(move, game.state.revision);
}

find("typed").addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = find("move");
  const refusal = await play(field.value);
  refuse(refusal);
  if (!refusal) field.value = "";
  field.focus();
});

async function rematch() {
  try {
    const { play: address } = await post(`${here}/rematch`, { revision: game.state.revision });
    location.assign(address);
  } catch (error) {
    if (error.code === "stale" && game.state.rematch) rematch();
    else notice("action", error.message);
  }
}

async function analyze() {
  const { position } = game.state.board;
  if (!game.values || layer() < LAYERS.winner || game.state.board.outcome) return;
  if (game.analysis?.board.position === position) return;
  try {
    const found = await get(`/api/analysis?${new URLSearchParams({ position, game: id })}`);
    over("analysis");
    if (game.state.board.position === position) {
      game.analysis = found;
      draw();
    }
  } catch (error) {
    if (error.code !== "bad-option") notice("analysis", error.message);
  }
}

// The first request gives a new visitor a cookie, so that the connection knows them too.
get(here).catch((error) => notice("game", error.message)).then(() => {
  feed = new Feed(id, (message) => pace.add({ message, at: performance.now() }, isReply(message)), (connected) => {
    notice("connection", connected ? "" : "The connection is lost; coming back…");
    if (connected) sender.connected();
  });
});
