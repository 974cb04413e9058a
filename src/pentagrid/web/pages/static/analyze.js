// The analysis page: any line of play from any position, step by step, with as much truth as is asked for.

import { Problem, get, post } from "./api.js";
import { Board, drawPhase, drawPlayers } from "./board.js";
import { Chart } from "./chart.js";
import { NOT_COPIED, copy, find, html, problem, refuse, say, show } from "./dom.js";
import { recall } from "./memory.js";
import { drawList, drawReview } from "./story.js";
import { LAYERS, badgesOf, layerChoice } from "./values.js";

/** @type {Page.Looking} */
const look = { start: "", moves: [], boards: [], at: 0, names: ["", ""], kinds: ["human", "human"], outcome: null,
  main: null, review: null, game: null };

const board = new Board(find("board"), {
  onMove: async (move) => problem(find("notice"), await play(move)),
  onRefused: async (move) => refuse(await play(move)),
  onHover: (move) => highlight(look.at, move),
  onSay: say,
});
const chart = new Chart(find("chart"), { onGo: go, onHover: highlight });
const layer = layerChoice(find("layers"), LAYERS.moves, () => {
  draw();
  fetchReview();
});

const offer = find("play-on");
/** By name. @type {{ with: RadioNodeList & HTMLInputElement[], level: HTMLSelectElement }} */
const offered = /** @type {any} */ (offer.elements);
/** @type {NodeListOf<HTMLElement>} */
const offerParts = offer.querySelectorAll("[data-for]");

const shownNames = () => look.names.map((name, i) => name || look.boards[0].players[i]);

// Opening --------------------------------------------------------------------------------------------------

/** @param {{ start: string, moves: string[] }} line @param {Partial<Page.Looking>} more */
async function open(line, more = {}) {
  /** @type {Api.BoardsData} */
  const found = await post("/api/boards", { start: line.start, moves: line.moves });
  Object.assign(look, { review: null, outcome: null, names: ["", ""], kinds: ["human", "human"], main: null,
    game: null, at: found.moves.length }, found, more);
  look.main = { ...look, moves: [...look.moves] };
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

/** @param {string} text */
async function openFrom(text) {
  try {
    problem(find("notice"), "");
    if (text.trim().startsWith("[")) await openRecord(text);
    else await open({ start: text.trim(), moves: [] });
  } catch (error) {
    problem(find("notice"), error.message);
  }
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
    if (look.names.some(Boolean)) query.set("names", look.names.join(","));
  }
  if (look.at !== look.moves.length) query.set("at", String(look.at));
  return `/analyze?${query}`;
}

async function fromAddress() {
  const query = new URLSearchParams(location.search);
  const at = query.get("at");
  try {
    const game = query.get("game"),
      start = query.get("position");
    if (game) await openGame(game);
    else if (start) {
      const names = query.get("names")?.split(",") ?? [];
      const moves = query.get("moves")?.split(";").filter(Boolean) ?? [];
      await open({ start, moves }, { names: [names[0] ?? "", names[1] ?? ""] });
    } else return;
    if (at !== null) go(Math.min(Math.max(0, Number(at) || 0), look.moves.length), null);
  } catch (error) {
    problem(find("notice"), error.message);
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
  look.at = number;
  if (move !== null) return play(move);
  draw();
  history.replaceState(null, "", address());
  say(`After ${number} moves. ${truth()}`);
  return null;
}

/** Returns why a move was refused, or null. @param {string} move @returns {Promise<string | null>} */
async function play(move) {
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
  find("typed-problem").textContent = refusal ?? "";
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

let asked = "";

async function fetchReview() {
  if (layer() < LAYERS.winner || !look.start) return;
  const line = JSON.stringify([look.start, look.moves, look.names]);
  if ((look.review && look.review.line === line) || asked === line) return;
  asked = line;
  find("truth").textContent = "Working it out…";
  try {
    /** @type {Api.ReviewData} */
    const review = await post("/api/review", { start: look.start, moves: look.moves, names: look.names });
    if (line !== JSON.stringify([look.start, look.moves, look.names])) return;
    look.review = { ...review, line };
    problem(find("notice"), "");
  } catch (error) {
    find("truth").textContent = "";
    problem(find("notice"), error instanceof Problem ? error.message : String(error));
  } finally {
    if (asked === line) asked = "";
  }
  draw();
}

const truth = () => (layer() >= LAYERS.winner ? look.review?.nodes[look.at]?.sentence ?? "" : "");

function draw() {
  const position = look.boards[look.at];
  show(find("looking"), Boolean(position));
  if (!position) return;
  find("open").classList.add("done");
  const chosen = layer(),
    node = look.review?.nodes[look.at] ?? null,
    names = shownNames();
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
  const over = look.at === look.moves.length ? look.outcome ?? position.outcome : position.outcome;
  drawPlayers(find("players"), { board: position, seats: names.map((name, i) => ({ name, kind: look.kinds[i] })),
    turn: over ? null : position.turn, winner: over?.winner });
  find("where").textContent = `${look.at} of ${look.moves.length}`;
  for (const step of [find("first"), find("back")]) step.disabled = look.at === 0;
  for (const step of [find("next"), find("last")]) step.disabled = look.at === look.moves.length;
  const known = node?.sentence ?? "Working it out…";
  find("truth").textContent = chosen >= LAYERS.winner ? known : outlook(position, names);
  drawOptions(node, chosen);
  drawControls(position);
  drawOffer(position, names);
  const review = chosen >= LAYERS.winner && look.moves.length ? look.review : null;
  show(find("story"), Boolean(review));
  if (review) {
    find("chart-hint").textContent =
      "A row for each move: who should win after it, and by how much. Small points are the roads not taken.";
    const told = { ...review, names, at: look.at };
    chart.draw(told);
    drawList(find("list"), told, { onGo: go, onHover: highlight });
    drawReview({ accuracy: find("accuracy"), turning: find("turning") }, told, { onGo: go, again: offerGame });
  }
}

/** @param {Api.BoardData} position @param {string[]} names */
function outlook(position, names) {
  if (!position.turn) return "The game is over.";
  return `${names[position.turn - 1]} to move: ${position.moves.length} possible moves.`;
}

/** @param {Api.AnalysisData | null} node @param {number} chosen */
function drawOptions(node, chosen) {
  show(find("options"), Boolean(node?.options.length) && chosen >= LAYERS.winner);
  const sorted = [...(node?.options ?? [])].sort((a, b) => Number(b.best) - Number(a.best) || (a.regret ?? 0) - (b.regret ?? 0))
    .slice(0, 40);
  find("options").querySelector("ul")?.replaceChildren(...sorted.map((option) => html("li", {},
    html("button", {
      type: "button",
      class: `option winner${option.winner ?? 0} ${option.best && chosen >= LAYERS.margin ? "best" : ""}`,
      "data-move": option.move,
      onclick: () => play(option.move),
      onpointerenter: () => highlight(look.at, option.move),
      onfocus: () => highlight(look.at, option.move),
      onpointerleave: () => highlight(null, null),
      onblur: () => highlight(null, null),
    }, html("strong", {}, option.move), html("span", {}, words(option, chosen))))));
  show(find("line"), Boolean(node?.line.length) && chosen >= LAYERS.line);
  find("line").textContent = node?.line.length ? `Best line: ${node.line.join("; ")}` : "";
}

/** @param {Api.OptionData} option @param {number} chosen */
function words(option, chosen) {
  return chosen >= LAYERS.margin ? option.result : option.result.replace(/ (by|in|on the) .*/, "");
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

// Playing on -----------------------------------------------------------------------------------------------

/** Offers a game from the position after so many moves. @param {number} number */
function offerGame(number) {
  if (number !== look.at) go(number, null);
  show(offer, true);
  offer.scrollIntoView({ block: "nearest" });
  offered.with[0].focus({ preventScroll: true });
}

/** @param {Api.BoardData} position @param {string[]} names */
function drawOffer(position, names) {
  if (position.turn) find("play-on-seat").textContent = `It is ${names[position.turn - 1]}’s turn, and you take that seat.`;
  else show(offer, false);
  for (const part of offerParts) show(part, part.dataset.for === offered.with.value);
}

offer.addEventListener("change", () => drawOffer(look.boards[look.at], shownNames()));
find("play-on-close").addEventListener("click", () => show(offer, false));

offer.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { turn } = look.boards[look.at];
  const alone = offered.with.value === "computer";
  const seats = look.names.map((name, i) => {
    if (!alone) return { kind: "human", name };
    return i + 1 === turn ? { kind: "human", name: recall("pentagrid.name") ?? "" } : { kind: offered.level.value };
  });
  try {
    /** @type {Api.CreatedGame} */
    const created = await post("/api/games", { position: look.start, moves: look.moves.slice(0, look.at), seats,
      you: alone ? turn : "both" });
    location.assign(created.play);
  } catch (error) {
    problem(find("notice"), error.message);
  }
});

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
  parts.push(html("button", {
    type: "button",
    class: "button",
    onclick: async ({ target }) => {
      const allowed = await copy(target, location.origin + address());
      if (!allowed) problem(find("notice"), NOT_COPIED);
    },
  }, "Copy link to this position"));
  if (look.game) {
    const file = `/api/games/${look.game}/record`;
    parts.push(html("a", { class: "button quiet", href: file, download: "" }, "Record file"));
  }
  parts.push(html("a", { class: "button quiet", href: `/rules/${position.game}` }, "Rules"));
  find("controls").replaceChildren(...parts);
}

fromAddress();
