// The form for a new game.

import { post } from "./api.js";
import { find, problem, show } from "./dom.js";
import { keep, recall } from "./memory.js";

const form = find("new");
/** By name; board and seed are only there in games with numbers. @type {Record<string, HTMLInputElement>} */
const fields = /** @type {any} */ (form.elements);
/** @type {NodeListOf<HTMLInputElement>} */
const rules = form.querySelectorAll("[data-rule]");
/** @type {NodeListOf<HTMLElement>} */
const parts = form.querySelectorAll("[data-for]");
const query = new URLSearchParams(location.search);
const given = { board: query.get("board"), moves: query.get("moves")?.split(";").filter(Boolean) ?? [] };

/** @type {HTMLInputElement | null} */
const asked = form.querySelector(`input[name=with][value="${CSS.escape(query.get("with") ?? "")}"]`);
if (asked) asked.checked = true;
fields.size.value = query.get("size") || fields.size.value;
for (const field of rules) field.value = query.get(field.dataset.rule ?? "") ?? field.value;
if (given.board && fields.board) fields.board.value = given.board;
fields.name.value = recall("pentagrid.name") ?? "";
if (given.moves.length) {
  const from = find("from");
  from.textContent =
    `The game begins after ${given.moves.length === 1 ? "the move" : "the moves"} ${given.moves.join("; ")}.`;
  show(from, true);
}

function adapt() {
  for (const part of parts) show(part, Boolean(part.dataset.for?.split(" ").includes(fields.with.value)));
}
form.addEventListener("change", adapt);
adapt();

function wanted() {
  const choice = fields.with.value;
  const first = fields.first.value === "chance" ? Math.random() < 0.5 : fields.first.value === "you";
  const mine = { kind: "human", name: fields.name.value.trim() };
  const other = { kind: choice === "computer" ? fields.level.value : "human",
    name: choice === "screen" ? fields["other-name"].value.trim() : "" };
  const seats = first || choice === "screen" ? [mine, other] : [other, mine];
  /** @param {HTMLInputElement | undefined} field */
  const number = (field) => (field?.value ? Number(field.value) : null);
  return {
    game: form.dataset.game,
    size: Number(fields.size.value),
    rules: Object.fromEntries([...rules].map((field) => [field.dataset.rule, field.value.trim() || field.defaultValue])),
    board: fields.board?.value.trim() || null,
    moves: given.moves,
    seed: number(fields.seed),
    seats,
    you: choice === "screen" ? "both" : first ? 1 : 2,
    turn_seconds: number(fields.clock),
    spectator_values: choice === "link" && fields["spectator-values"].checked,
  };
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("button[type=submit]"));
  button.disabled = true;
  try {
    if (fields.name.value.trim()) keep("pentagrid.name", fields.name.value.trim());
    /** @type {Api.CreatedGame} */
    const created = await post("/api/games", wanted());
    if (created.invitation) keep(`invitation ${created.id}`, created.invitation, "sessionStorage");
    location.assign(created.play);
  } catch (error) {
    problem(find("problem"), error.message);
    button.disabled = false;
  }
});
