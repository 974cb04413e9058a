// The page of a game: the board, the players, what each may do, live.

import { get, post } from "./api.js";
import { Board, drawPhase, drawPlayers } from "./board.js";
import { Clock } from "./clock.js";
import { find, html, problem, refuse, say, show } from "./dom.js";
import { Feed } from "./feed.js";
import { keep, recall } from "./memory.js";
import { remember } from "./recent.js";
import { drawShare } from "./share.js";
import { LAYERS, badgesOf, layerChoice } from "./values.js";

const id = find("play").dataset.game ?? "";
const here = `/api/games/${id}`;
/** @type {Page.Playing} */
const game = { state: /** @type {any} */ (null), you: [], values: false, connected: null, sentAt: null, analysis: null, told: 0 };

const board = new Board(find("board"), {
  onMove: async (move) => notice((await play(move)) ?? ""),
  onRefused: async (move) => refuse(await play(move)),
  onSay: say,
});
const clock = new Clock();
const layer = layerChoice(find("layers"), LAYERS.nothing, () => {
  draw();
  analyze();
});
const LOST = "The connection is lost; coming back…";
/** @type {Feed} */
let feed;
let offered = ""; // what the controls were drawn for

/** @param {Page.Message} message */
function hear(message) {
  if (message.type === "problem") {
    notice(message.message);
    return;
  }
  if (message.type === "presence") game.connected = message.connected;
  if (message.type === "hello") Object.assign(game, { you: message.you, connected: message.connected });
  if (message.state) {
    const first = game.state === null;
    const phase = game.state?.board.phase ? "" : message.state.board.phase; // one that begins
    game.state = message.state;
    clock.set(message.state.deadline, message.now);
    const news = message.events.filter((event) => event.revision > game.told);
    game.told = message.state.revision;
    if (!first && news.length) say([...news.map((event) => event.said), phase].join(" "));
    const { people, outcome, spectator_values: allowed } = game.state;
    game.values = !people || Boolean(outcome) || (!game.you.length && allowed);
    if (game.you.length) remember({ id });
  }
  draw();
  if (message.state) analyze();
}

/** @param {string} text */
function notice(text) {
  problem(find("notice"), text);
}

const mine = () => game.you.includes(game.state.board.turn ?? 0) && !game.state.outcome;

// A move is under way until the game has gone on, or it has been refused.
const sending = () => game.sentAt === game.state.revision;

function draw() {
  const { state, you } = game;
  if (!state) return;
  const names = state.seats.map((seat) => seat.name);
  const chosen = game.values ? layer() : LAYERS.nothing;
  const analysis = game.analysis?.board.position === state.board.position ? game.analysis : null;
  document.title = `${state.board.title}: ${names.join(" – ")} – Pentagrid`;
  find("title").textContent = state.board.title;
  find("sentence").textContent = sentence();
  board.draw(state.board, {
    names,
    playable: mine() && !sending(),
    hints: chosen >= LAYERS.moves || (mine() && !sending()),
    last: state.last && { touch: state.last },
    badges: badgesOf(analysis, chosen),
    line: chosen >= LAYERS.line ? analysis?.steps : null,
    label: `${state.board.title}, ${state.board.size} by ${state.board.size}`,
    idle: sending() ? "" : state.sentence,
  });
  drawPhase(find("phase"), state.board);
  drawPlayers(find("players"), {
    board: state.board,
    seats: state.seats,
    turn: state.outcome ? null : state.board.turn,
    connected: state.screen ? null : game.connected,
    you,
    winner: state.outcome?.winner,
    clock: state.deadline ? clock.element : null,
  });
  find("options").textContent = state.board.options.join(" · ");
  show(find("options"), state.board.options.length > 0);
  show(find("typed"), mine());
  show(find("layers"), game.values && !state.outcome);
  show(find("truth"), Boolean(analysis) && chosen >= LAYERS.winner);
  find("truth").textContent = analysis?.sentence ?? "";
  const drawn = state.moves.map((move, i) => html("li", { class: `owner${state.players[i]}` }, move));
  find("moves").replaceChildren(...drawn);
  const due = `${state.revision} ${you} ${mine()} ${state.rematch}`;
  if (due !== offered) drawControls(); // else a question that is being answered stays
  offered = due;
  drawInvitation();
  drawShare(find("share"), game, here);
}

function sentence() {
  const { state, you } = game;
  if (state.outcome) return state.sentence;
  if (you.length === 1) return mine() ? "Your move." : state.sentence;
  return state.sentence;
}

/** @param {string} text @param {() => unknown} action */
function button(text, action, kind = "") {
  return html("button", { type: "button", class: `button ${kind}`, onclick: action }, text);
}

function drawControls() {
  const { state, you } = game;
  const parts = [];
  const asker = state.undo_asked;
  if (you.length && asker && !you.includes(asker)) {
    const wish = `${state.seats[asker - 1].name} asks to take back a move.`;
    parts.push(html("p", { class: "asked", role: "alert" }, wish));
    parts.push(button("Agree", () => act("/undo/answer", { grant: true }), "main"));
    parts.push(button("Refuse", () => act("/undo/answer", { grant: false })));
  } else if (asker) {
    parts.push(html("p", { class: "asked" }, `${state.seats[asker - 1].name} asked to take back a move.`));
  }
  const swap = state.board.moves.find(({ touch }) => /** @type {string} */ (touch.kind) === "swap");
  if (swap && mine()) parts.push(button("Swap sides", () => play(swap.move), "main"));
  if (you.length && !state.outcome) {
    const words = state.people && you.length === 1 ? "Ask to take back" : "Take back";
    if (state.moves.length && asker === null) parts.push(button(words, () => act("/undo"), "quiet"));
    parts.push(button("Resign", () => confirmed("Really resign?", () => act("/resign")), "quiet"));
  }
  if (state.outcome) {
    if (you.length) parts.push(button(state.rematch ? "To the rematch" : "Rematch, seats swapped", rematch, "main"));
    else if (state.rematch) {
      parts.push(html("a", { class: "button main", href: `/play/${state.rematch}` }, "Watch the rematch"));
    }
    parts.push(html("a", { class: "button", href: `/analyze?game=${id}` }, "Review the game"));
  }
  parts.push(html("a", { class: "button quiet", href: `${here}/record`, download: "" }, "Record file"));
  parts.push(html("a", { class: "button quiet", href: `/rules/${state.board.game}` }, "Rules"));
  find("controls").replaceChildren(...parts);
}

/** @param {string} question @param {() => unknown} action */
function confirmed(question, action) {
  const yes = button("Yes", action, "main");
  find("controls").replaceChildren(html("p", { class: "asked" }, question), yes, button("No", drawControls));
  yes.focus();
}

/** @param {string} path */
async function act(path, more = {}) {
  try {
    await post(here + path, { revision: game.state.revision, ...more });
    notice("");
  } catch (error) {
    notice(error.code === "stale" ? "The game has just gone on; look again." : error.message);
  }
}

/** Returns why a move was refused, or null. @param {string} move @returns {Promise<string | null>} */
async function play(move) {
  if (sending()) return null;
  game.sentAt = game.state.revision;
  let refusal = null;
  try {
    await post(`${here}/moves`, { move, revision: game.state.revision });
    notice("");
    refuse("");
  } catch (error) {
    refusal = error.code === "stale" ? "The game has just gone on; look again." : error.message;
    game.sentAt = null;
  }
  draw();
  return refusal;
}

find("typed").addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = find("move");
  const refusal = await play(field.value);
  find("typed-problem").textContent = refusal ?? "";
  if (!refusal) field.value = "";
  field.focus();
});

async function rematch() {
  try {
    const { play: address } = await post(`${here}/rematch`, { revision: game.state.revision });
    location.assign(address);
  } catch (error) {
    if (error.code === "stale" && game.state.rematch) rematch();
    else notice(error.message);
  }
}

async function analyze() {
  const { position } = game.state.board;
  if (!game.values || layer() < LAYERS.winner || game.state.board.outcome) return;
  if (game.analysis?.board.position === position) return;
  try {
    const found = await get(`/api/analysis?${new URLSearchParams({ position, game: id })}`);
    if (game.state.board.position === position) {
      game.analysis = found;
      draw();
    }
  } catch (error) {
    if (error.code !== "bad-option") notice(error.message);
  }
}

// An invitation: the token stands behind # in the address, and goes once it has been used.
function drawInvitation() {
  const token = location.hash.slice(1);
  const open = Boolean(token) && !game.you.length;
  if (token && game.you.length) {
    history.replaceState(null, "", location.pathname);
    notice("You sit at this game already. The link is for your friend: send it.");
  }
  if (open && find("invited").hidden) {
    find("invited-text").textContent = `Take your seat at ${game.state.board.title}.`;
    find("name").value = recall("pentagrid.name") ?? "";
  }
  show(find("invited"), open);
}

find("invited").addEventListener("submit", async (event) => {
  event.preventDefault();
  const name = find("name").value.trim();
  try {
    await post(`${here}/join`, { invitation: location.hash.slice(1), name });
    if (name) keep("pentagrid.name", name);
    history.replaceState(null, "", location.pathname);
    feed.again();
  } catch (error) {
    notice(error.message);
    if (error.code === "wrong-invitation") {
      history.replaceState(null, "", location.pathname);
      draw();
    }
  }
});

// The first request gives a new visitor a cookie, so that the connection knows them too.
get(here).catch((error) => notice(error.message)).then(() => {
  feed = new Feed(id, hear, (connected) => {
    if (!connected) notice(LOST);
    else if (find("notice").textContent === LOST) notice("");
  });
});
