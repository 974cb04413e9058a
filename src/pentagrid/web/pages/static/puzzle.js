// The page of puzzles: a position with one right move; answers are judged by the server and played out on the board.

import { get, post } from "./api.js";
import { Board } from "./board.js";
import { NOT_COPIED, button, copy, find, html, problem, refuse, say, show } from "./dom.js";
import { notice as tell, over } from "./notice.js";
import { drawPhase, drawPlayers } from "./players.js";
import { Playout } from "./playout.js";
import { firstTry, record, streaks } from "./streaks.js";

const PATIENCE = 5000;
const WRONG = { text: "wrong", title: "tried: wrong", winner: null, best: false, strength: 0.5 };
const TEMPTS = { text: "tempts", title: "looks best, but is wrong", winner: null, best: false, strength: 0.4 };

/** @type {Page.Solving} */
const page = { posed: /** @type {any} */ (null), line: null, marks: new Map(), over: false, sending: null, asked: 0,
  hints: [], tries: [] };

const board = new Board(find("board"), {
  onMove: async (move) => refuse(await answer(move)),
  onRefused: async (move) => refuse(await answer(move)),
  onSay: say,
});
const playout = new Playout({ onStep: drawBoard });
/** @type {{ game: RadioNodeList, difficulty: RadioNodeList }} */
const wanted = /** @type {any} */ (find("another").elements);
const games = new Map(/** @type {HTMLInputElement[]} */ ([...wanted.game]).map((input) =>
  [input.value, input.labels?.[0].textContent]));

const narrow = matchMedia("(max-width: 820px)"); // the verdict stands below the board

/** @param {string} text */
const notice = (text) => tell("puzzle", text);

// Which puzzle -----------------------------------------------------------------------------------------------

/** @param {string | URLSearchParams} query */
async function open(query, { push = false, focus = false } = {}) {
  const number = ++page.asked;
  try {
    const posed = await get(`/api/puzzle?${query}`);
    if (number !== page.asked) return;
    playout.close();
    Object.assign(page, { posed, line: null, marks: new Map(), over: false, sending: null, hints: [], tries: [] });
    notice("");
    explain("");
  } catch (error) {
    if (number === page.asked && page.posed) notice(error.message);
    else if (number === page.asked) explain(error.message);
    show(find("solving"), Boolean(page.posed));
    return;
  }
  const { posed } = page;
  const address = `/puzzle?${posed.query}`;
  if (push) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
  wanted.game.value = posed.board.game;
  wanted.difficulty.value = String(posed.difficulty);
  find("move").value = "";
  refuse("");
  problem(find("hint"), "");
  drawHead();
  draw();
  if (!focus) return;
  scrollTo({ top: 0 });
  find("question").focus({ preventScroll: true });
}

/** Why there is nothing else to look at. @param {string} why */
function explain(why) {
  show(find("no-puzzle"), Boolean(why));
  problem(find("no-puzzle-why"), why);
}

/** @param {string} game @param {string} difficulty */
const another = (game, difficulty) =>
  open(new URLSearchParams({ game, difficulty }), { push: true, focus: true });

find("another").addEventListener("submit", (event) => {
  event.preventDefault();
  another(wanted.game.value, wanted.difficulty.value);
});

addEventListener("popstate", () => open(location.search.slice(1)));

// Answers ----------------------------------------------------------------------------------------------------

/** @param {Api.PuzzleData} posed */
const puzzleOf = ({ board: { position: text, game }, daily, today }) => ({ text, game, day: daily === today ? daily : null });

/** Returns why a move was refused, or null. @param {string} move */
async function answer(move) {
  if (page.sending !== null || page.over || page.line) return null;
  return asking(async (posed, signal) => {
    const line = await post(`/api/puzzle/answer?${posed.query}`, { move }, signal);
    record(puzzleOf(posed), line.right);
    return line;
  }, move);
}

/**
 * Ask for a line and play it out; one question at a time. move: the answer that is on its way. Returns why it was refused,
 * or null.
 * @param {(posed: Api.PuzzleData, signal: AbortSignal) => Promise<Page.PlayedOut>} ask
 * @param {string} move
 * @returns {Promise<string | null>}
 */
async function asking(ask, move = "") {
  const { posed } = page;
  const isHere = () => posed === page.posed;
  const { signal, end } = patience(isHere);
  page.sending = move;
  if (!page.line) drawBoard(0);
  let line = null,
    refusal = null;
  try {
    line = await ask(posed, signal);
  } catch (error) {
    refusal = error.message;
  }
  end();
  if (!isHere()) return null;
  page.sending = null;
  if (line) playOut(line);
  else if (signal.aborted) return asking(ask, move);
  else if (!page.line) drawBoard(0);
  return refusal;
}

/** Offers to ask again when no answer comes, as long as that matters. @param {() => boolean} matters */
function patience(matters) {
  const control = new AbortController();
  const again = { text: "Try again", action: () => control.abort() };
  const timer = setTimeout(() => {
    if (matters()) tell("answer", "The server has not answered yet.", again);
  }, PATIENCE);
  const end = () => {
    clearTimeout(timer);
    over("answer");
  };
  return { signal: control.signal, end };
}

/** @param {Page.PlayedOut} line */
function playOut(line) {
  page.line = line;
  page.over = line.right;
  if (!line.shown) page.tries.push(line.right);
  if (!line.right) page.marks.set(line.steps[0].move, WRONG);
  if (page.over) problem(find("hint"), "");
  refuse("");
  draw();
  playout.open(line);
  find("verdict-title").focus({ preventScroll: true });
  find("board").scrollIntoView({ block: narrow.matches ? "start" : "nearest" });
}

find("typed").addEventListener("submit", async (event) => {
  event.preventDefault();
  const refusal = await answer(find("move").value);
  refuse(refusal);
  if (!refusal) find("move").value = "";
});

function tryAgain() {
  playout.close();
  page.line = null;
  draw();
  board.elementOf(board.focus)?.focus();
}

// The first time what tempts, then a few moves of which one is right.
async function showHint() {
  const { posed, hints } = page;
  try {
    /** @type {Api.PuzzleNarrowHint & Partial<Api.PuzzleHint>} */
    const { hint, tempting = [] } = await get(`/api/puzzle/hint${hints.length ? "/narrow" : ""}?${posed.query}`);
    if (posed !== page.posed || page.over) return;
    for (const move of tempting) if (!page.marks.has(move)) page.marks.set(move, TEMPTS);
    page.hints = [...hints.slice(0, 1), hint];
    find("hint").replaceChildren(...page.hints.map((each) => html("p", {}, each)));
    show(find("hint"), true);
    say(hint);
    drawHintButton();
    if (!page.line) drawBoard(0);
  } catch (error) {
    notice(error.message);
  }
}

function askSolution() {
  if (firstTry(page.posed.board.position) !== undefined) return showSolution();
  const yes = button("Show it", showSolution, "main");
  const question = html("p", { class: "asked" }, "Then it counts as not solved.");
  find("controls").replaceChildren(question, yes, button("I go on trying", keepTrying, "trying"));
  say(question.textContent);
  return yes.focus();
}

function keepTrying() {
  drawControls();
  /** @type {HTMLElement | null} */
  const solution = find("controls").querySelector(".solution");
  solution?.focus();
}

find("controls").addEventListener("keydown", (event) => {
  if (event.key === "Escape" && find("controls").querySelector(".trying")) keepTrying();
});

async function showSolution() {
  const refusal = await asking(async (posed, signal) => {
    const line = await get(`/api/puzzle/solution?${posed.query}`, signal);
    record(puzzleOf(posed), false);
    return { ...line, shown: true };
  });
  if (refusal) notice(refusal);
}

// Drawing ----------------------------------------------------------------------------------------------------

/** @param {string} day */
const longDay = (day) => new Date(`${day}T00:00:00Z`).toLocaleDateString("en-GB", { weekday: "long", day: "numeric",
  month: "long", year: "numeric", timeZone: "UTC" });

/** @param {number} difficulty */
const dots = (difficulty) => "●".repeat(difficulty) + "○".repeat(5 - difficulty);

function drawHead() {
  const { daily, today, difficulty, question, board: { title, game } } = page.posed;
  const name = daily === null ? `A puzzle of ${title}` : daily === today ? "The puzzle of the day" :
    "An earlier puzzle of the day";
  find("title").textContent = name;
  document.title = `${name}${daily === null ? "" : `: ${title}`} – Pentagrid`;
  find("about").replaceChildren(daily ? `${longDay(daily)} · ${title} · ` : "",
    html("span", { class: "dots", "aria-hidden": "true" }, dots(difficulty)), ` difficulty ${difficulty} of 5 · `,
    html("a", { href: `/rules/${game}` }, "Rules"));
  find("question").textContent = question;
  const known = firstTry(page.posed.board.position);
  find("known").textContent = known === undefined ? "" :
    `You know this one: your first try was ${known ? "right" : "wrong"}. It does not count again.`;
}

function draw() {
  const { posed, line } = page;
  show(find("solving"), true);
  find("solving").classList.remove("waiting");
  show(find("verdict"), Boolean(line));
  show(find("typed"), !line && !page.over);
  if (line) {
    find("verdict").className = `card verdict ${line.shown ? "shown" : line.right ? "right" : "wrong"}`;
    find("verdict-title").textContent = line.verdict;
    problem(find("why"), line.why);
    const next = button("Next puzzle", () => another(posed.board.game, String(posed.difficulty)), "main");
    const position = new URLSearchParams({ position: posed.board.position });
    const analyze = html("a", { class: "button", href: `/analyze?${position}` }, "Analyze it");
    const share = posed.daily ? [html("button", { type: "button", class: "button", onclick: shareResult }, "Share the result")] : [];
    find("after").replaceChildren(...(page.over ? [next, analyze, ...share] : [button("Try again", tryAgain, "main")]));
  } else drawBoard(0);
  drawControls();
  drawStreaks();
}

// How it went, without anything that helps another one.
function resultText() {
  const { daily, difficulty, board: { title } } = page.posed;
  const tries = page.tries.map((right) => (right ? "✅" : "❌")).join("") + (page.line?.shown ? "🏳" : "");
  const hints = page.hints.length ? ` with ${page.hints.length === 1 ? "a hint" : "two hints"}` : "";
  return [`Pentagrid, puzzle of ${daily}`, `${title} ${dots(difficulty)}`, `${tries}${hints}`,
    `${location.origin}/puzzle?daily=${daily}`].join("\n");
}

/** @param {MouseEvent} event */
async function shareResult({ currentTarget }) {
  const text = resultText();
  if (!(await copy(/** @type {HTMLElement} */ (currentTarget), text))) tell("copy", `This browser does not let the page copy. The result: ${text}`);
}

/** The position after so many moves of the line; without one, the puzzle itself. @param {number} number */
function drawBoard(number) {
  const { posed, line } = page;
  const step = number && line ? line.steps[number - 1] : null;
  const position = step?.board ?? posed.board;
  const playable = !line && !page.over;
  board.draw(position, {
    names: position.players,
    playable,
    last: step,
    badges: playable ? page.marks : null,
    sending: page.sending,
    label: `${position.title}, ${position.size} by ${position.size}`,
    idle: page.over ? "This puzzle is solved." : "To answer again, choose Try again first.",
  });
  drawPhase(find("phase"), position, [posed.board, ...(line?.steps ?? []).map((each) => each.board)]);
  drawPlayers(find("players"), {
    board: position,
    seats: position.players.map((name) => ({ name, kind: "human" })),
    turn: position.turn,
    you: [posed.board.mover],
    winner: position.outcome?.winner,
  });
}

function drawHintButton() {
  const hint = find("controls").querySelector(".hinting");
  if (hint) hint.textContent = ["Hint", "Another hint", "Hints given"][page.hints.length];
  hint?.setAttribute("aria-disabled", String(page.hints.length > 1));
}

function drawControls() {
  const link = button("Copy link", async () => {
    if (!(await copy(link, location.href))) notice(NOT_COPIED);
  });
  const help = [button("Hint", showHint, "hinting"), button("Show the solution", askSolution, "solution")];
  find("controls").replaceChildren(...(page.over ? [] : help), link);
  drawHintButton();
}

function drawStreaks() {
  const { posed } = page;
  const { days, games: byGame } = streaks(posed.today);
  /** @type {[string, Page.Streak][]} */
  const rows = [["Days in a row", days]];
  for (const [name, title] of games) rows.push([`First tries in a row: ${title}`, byGame[name] ?? { run: 0, best: 0 }]);
  find("streaks").replaceChildren(...rows.flatMap(([name, { run, best }]) => [html("dt", {}, name),
    html("dd", {}, html("strong", {}, String(run)),
      best > run ? html("span", { class: "hint" }, ` best ${best}`) : null)]));
}

open(location.search.slice(1));
