// The analysis page: any line of play from any position, step by step, with as much truth as is asked for.

import { get, post } from "./api.js";
import { Board } from "./board.js";
import { Chart } from "./chart.js";
import { Editor } from "./editor.js";
import { NOT_COPIED, button, copy, fill, find, html, refuse, say, show } from "./dom.js";
import { notice, over } from "./notice.js";
import { drawOptions } from "./options.js";
import { PlayOn } from "./play_on.js";
import { drawPhase, drawPlayers } from "./players.js";
import { recalled } from "./recent.js";
import { Reviewer } from "./reviewer.js";
import { accuracyOf, drawList, drawTurningPoints, errs, mistakeWords, turningPoints } from "./story.js";
import { LAYERS, badgesOf, layerChoice } from "./values.js";

/** @type {Page.Looking} */
const look = { start: "", moves: [], boards: [], at: 0, names: ["", ""], kinds: ["human", "human"], outcome: null,
  main: null, review: null, game: null };

const board = new Board(find("board"), {
  onMove: async (move) => refuse(await play(move)),
  onRefused: async (move) => refuse(await play(move)),
  onHover: (move) => highlight(look.at, move),
  onSay: say,
});
const chart = new Chart(find("chart"), { onGo: go, onHover: highlight });
const layer = layerChoice(find("layers"), "analyze", LAYERS.winner, () => {
  draw();
  fetchReview();
});

const editor = new Editor(find("editor"), {
  onUse: async (position) => {
    await open({ start: position, moves: [] });
    edit(false);
  },
  onClose: () => edit(false),
});

/** @param {boolean} on */
function edit(on) {
  show(find("editor"), on);
  for (const part of [find("board"), find("steps")]) show(part, !on);
  if (on) editor.open(look.boards[look.at]);
  else find("title").focus();
}

const playOn = new PlayOn(find("play-on"), () => ({ board: look.boards[look.at], names: look.names, shown: shownNames(),
  start: look.start, moves: look.moves.slice(0, look.at) }));

const CHART_HINT = "A row for each move: who should win after it, and by how much. Small points are the roads not taken.";

const shownNames = () => look.names.map((name, i) => name || look.boards[0].players[i]);

// Opening --------------------------------------------------------------------------------------------------

/** @param {{ start: string, moves: string[] }} line @param {Partial<Page.Looking>} more */
async function open(line, more = {}) {
  /** @type {Api.BoardsData} */
  const found = await post("/api/boards", { start: line.start, moves: line.moves });
  Object.assign(look, { review: null, outcome: null, names: ["", ""], kinds: ["human", "human"], main: null,
    game: null, at: found.moves.length }, found, more);
  look.main = { ...look, moves: [...look.moves] };
  seeking = look.moves.length > 0;
  settle();
}

// With a finished game the values are what is wanted.
function showMargins() {
  /** @type {HTMLInputElement | null} */
  const margins = find("layers").querySelector(`input[value="${LAYERS.margin}"]`);
  if (layer() < LAYERS.margin) margins?.click();
}

/** @param {string} text */
async function openRecord(text) {
  /** @type {Api.OpenedData} */
  const found = await post("/api/records", { record: text });
  Object.assign(look, { review: null, game: null }, found, { at: found.moves.length });
  look.main = { ...look, moves: [...look.moves] };
  seeking = true;
  showMargins();
  settle();
}

/** @param {string} id */
async function openGame(id) {
  /** @type {Api.GameView} */
  const { state } = await get(`/api/games/${id}`);
  const names = state.seats.map((seat, i) => (seat.name === state.board.players[i] ? "" : seat.name));
  await open({ start: state.start, moves: state.moves }, { names, kinds: state.seats.map((seat) => seat.kind),
    outcome: state.outcome, game: id });
  if (state.outcome) showMargins();
}

// A record begins with a bracket; all else is a position, or a board that one game or several can have.
/** @param {string} text */
async function openFrom(text) {
  show(find("which"), false);
  try {
    over("problem");
    if (text.trim().startsWith("[")) {
      await openRecord(text);
      return;
    }
    /** @type {Api.MeantPositions} */
    const { positions } = await post("/api/positions", { text });
    if (positions.length === 1) await open({ start: positions[0].position, moves: [] });
    else askWhich(positions);
  } catch (error) {
    notice("problem", error.message);
  }
}

/** @param {Api.MeantData[]} positions */
function askWhich(positions) {
  const choices = positions.map(({ title, position }) => button(title, async () => {
    show(find("which"), false);
    await open({ start: position, moves: [] });
  }));
  find("which").querySelector("p")?.replaceChildren(...choices);
  show(find("which"), true);
  find("which-title").focus();
}

find("paste").addEventListener("submit", (event) => {
  event.preventDefault();
  openFrom(find("text").value);
});

find("file").addEventListener("change", async () => {
  const [file] = find("file").files ?? [];
  if (file) openFrom(await file.text());
});

// The address always names the position that is shown -----------------------------------------------------

function address() {
  const query = new URLSearchParams();
  if (look.game && look.main?.moves.join() === look.moves.join()) query.set("game", look.game);
  else {
    query.set("position", look.start);
    if (look.moves.length) query.set("moves", look.moves.join(";"));
    if (look.names.some(Boolean)) for (const name of look.names) query.append("names", name);
  }
  if (look.at !== look.moves.length) query.set("at", String(look.at));
  return `/analyze?${query}`;
}

async function fromAddress() {
  const query = new URLSearchParams(location.search);
  const at = query.get("at");
  try {
    const game = query.get("game"),
      kept = query.get("kept"),
      start = query.get("position");
    if (game) await openGame(game);
    else if (kept) await openRecord(recalled(kept)?.record ?? "");
    else if (start) {
      const given = query.getAll("names");
      const names = given.length > 1 ? given : given[0]?.split(",") ?? []; // both in one, as older links have them
      const moves = query.get("moves")?.split(";").filter(Boolean) ?? [];
      await open({ start, moves }, { names: [names[0] ?? "", names[1] ?? ""] });
    } else return;
    if (at !== null) go(Math.min(Math.max(0, Number(at) || 0), look.moves.length), null);
  } catch (error) {
    notice("problem", error.message);
    draw();
  }
}

function settle() {
  draw();
  history.replaceState(null, "", address());
  fetchReview();
}

// Moving about ---------------------------------------------------------------------------------------------

/**
 * To the position after so many moves; with another move, on along that road.
 * @param {number} number
 * @param {string | null} move
 */
function go(number, move) {
  seeking = false;
  look.at = number;
  if (move !== null) return play(move);
  draw();
  history.replaceState(null, "", address());
  say(`After ${number} moves. ${truth()}`);
  return null;
}

/** Returns why a move was refused, or null. @param {string} move @returns {Promise<string | null>} */
async function play(move) {
  seeking = false;
  const known = look.moves[look.at];
  if (known === move) {
    go(look.at + 1, null);
    return null;
  }
  try {
    const moves = [...look.moves.slice(0, look.at), move];
    /** @type {Api.BoardsData} */
    const found = await post("/api/boards", { start: look.start, moves });
    Object.assign(look, found, { at: moves.length, review: null, outcome: null });
    say(`${found.moves.at(-1)} played.`);
    refuse("");
    settle();
    return null;
  } catch (error) {
    return error.message;
  }
}

find("typed").addEventListener("submit", async (event) => {
  event.preventDefault();
  const refusal = await play(find("move").value);
  refuse(refusal);
  if (!refusal) find("move").value = "";
});

const stepTo = {
  first: () => 0,
  back: () => Math.max(0, look.at - 1),
  next: () => Math.min(look.moves.length, look.at + 1),
  last: () => look.moves.length,
};
for (const [id, where] of Object.entries(stepTo)) find(id).addEventListener("click", () => go(where(), null));

// Truth ----------------------------------------------------------------------------------------------------

/** Will the page go to the first turning point of the game, once it is known? */
let seeking = false;

const reviewer = new Reviewer((review) => {
  if (review) look.review = review;
  if (review?.whole && seeking) {
    seeking = false;
    const [first] = turningPoints(review.choices);
    if (first) look.at = first.number;
    history.replaceState(null, "", address());
  }
  draw();
});

function fetchReview() {
  if (layer() < LAYERS.winner || !look.start) return;
  reviewer.ask(look, look.review);
}

const truth = () => (layer() >= LAYERS.winner ? look.review?.nodes[look.at]?.sentence ?? "" : "");

function draw() {
  const position = look.boards[look.at];
  show(find("looking"), Boolean(position));
  if (!position) return;
  find("analyze").classList.add("opened");
  find("looking").classList.remove("waiting");
  const chosen = layer(),
    node = look.review?.nodes[look.at] ?? null,
    names = shownNames(),
    failed = reviewer.hasFailed(look);
  const told = chosen >= LAYERS.winner && look.moves.length > 0 && !(failed && !look.review);
  find("title").textContent = position.title;
  document.title = `${position.title}: analysis – Pentagrid`;
  const made = look.at ? look.boards[look.at - 1].moves.find((each) => each.move === look.moves[look.at - 1]) : null;
  board.draw(position, {
    names,
    playable: true,
    hints: chosen >= LAYERS.moves,
    last: made,
    badges: badgesOf(node, chosen),
    line: chosen >= LAYERS.line ? node?.steps : null,
    label: `${position.title}, ${position.size} by ${position.size}`,
  });
  drawPhase(find("phase"), position, look.boards);
  const ended = look.at === look.moves.length ? look.outcome ?? position.outcome : position.outcome;
  drawPlayers(find("players"), { board: position, seats: names.map((name, i) => ({ name, kind: look.kinds[i] })),
    turn: ended ? null : position.turn, winner: ended?.winner, facts: told ? accuracyOf(look.review?.whole ? look.review : null) : [] });
  find("where").textContent = `${look.at} of ${look.moves.length}`;
  for (const step of [find("first"), find("back")]) step.disabled = look.at === 0;
  for (const step of [find("next"), find("last")]) step.disabled = look.at === look.moves.length;
  const last = look.at ? look.review?.choices[look.at - 1] : null;
  const mistake = node && last && errs(last) ? `${mistakeWords(last, node, names)} ` : "";
  const unknown = failed || chosen < LAYERS.winner ? outlook(position, names) : "Working it out…";
  find("truth").textContent = node && chosen >= LAYERS.winner ? mistake + node.sentence : unknown;
  drawOptions(node, chosen, { onPlay: play, onHover: (move) => highlight(move === null ? null : look.at, move) });
  drawControls(position);
  playOn.draw();
  const review = told ? look.review : null;
  show(find("story"), told);
  find("looking").classList.toggle("reviewing", told);
  show(find("turning"), Boolean(review?.whole));
  show(find("record"), Boolean(review));
  if (told && !review) chart.reserve(look.moves.length);
  if (review) {
    find("chart-hint").textContent = review.whole ? CHART_HINT :
      `${review.nodes.length} of ${look.moves.length + 1} positions worked out${failed ? "." : "…"}`;
    const tale = { ...review, choices: review.choices.slice(0, review.nodes.length - 1), names, at: look.at };
    chart.draw(tale, look.moves.length);
    drawList(find("list"), tale, { onGo: go, onHover: highlight });
    if (review.whole) drawTurningPoints(find("turning"), tale, { onGo: go, again: offerGame });
  }
}

/** @param {Api.BoardData} position @param {string[]} names */
function outlook(position, names) {
  if (!position.turn) return "The game is over.";
  return `${names[position.turn - 1]} to move: ${position.moves.length} possible moves.`;
}

/** @type {Page.Hover} */
function highlight(number, move) {
  board.highlight(number === null ? null : look.boards[number]?.moves.find((each) => each.move === move)?.touch);
  chart.highlight(number, move);
  for (const row of document.querySelectorAll("#list tr.lit, #options .lit")) row.classList.remove("lit");
  if (number === null || move === null) return;
  if (look.moves[number] === move) find("list").querySelector(`[data-row="${number + 1}"]`)?.classList.add("lit");
  if (number === look.at) find("options").querySelector(`[data-move="${CSS.escape(move)}"]`)?.classList.add("lit");
}

/** Offers a game from the position after so many moves. @param {number} number */
function offerGame(number) {
  if (number !== look.at) go(number, null);
  playOn.open();
}

// Playing on -----------------------------------------------------------------------------------------------

function backToTheGame() {
  const { main } = look;
  if (!main) return;
  Object.assign(look, main, { main, at: Math.min(look.at, main.moves.length), review: null });
  settle();
}

/** @param {Api.BoardData} position */
function drawControls(position) {
  const parts = [];
  if (look.main && look.main.moves.join() !== look.moves.join()) {
    parts.push(html("button", { type: "button", class: "button", onclick: backToTheGame }, "Back to the game"));
  }
  if (position.turn) {
    const attributes = { type: "button", class: "button main", onclick: () => offerGame(look.at) };
    parts.push(html("button", attributes, "Play on from here"));
  }
  parts.push(button("Edit the board", () => edit(true)));
  parts.push(html("button", {
    type: "button",
    class: "button",
    onclick: async ({ target }) => {
      const allowed = await copy(target, location.origin + address());
      if (!allowed) notice("copy", NOT_COPIED);
    },
  }, "Copy link to this position"));
  if (look.game) {
    const file = `/api/games/${look.game}/record`;
    parts.push(html("a", { class: "button quiet", href: file, download: "" }, "Record file"));
  }
  parts.push(html("a", { class: "button quiet", href: `/rules/${position.game}` }, "Rules"));
  fill(find("controls"), ...parts);
}

fromAddress();
