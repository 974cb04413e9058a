// The form for a new game.

import { post } from "./api.js";
import { find, problem, show } from "./dom.js";

const form = find("new");
const query = new URLSearchParams(location.search);
const given = { board: query.get("board"), moves: query.get("moves")?.split(";").filter(Boolean) ?? [] };

const asked = form.querySelector(`input[name=with][value="${CSS.escape(query.get("with") ?? "")}"]`);
if (asked) asked.checked = true;
if (query.get("size")) form.size.value = query.get("size");
for (const select of form.querySelectorAll("[data-rule]")) select.value = query.get(select.dataset.rule) ?? select
  .value;
if (given.board && form.board) form.board.value = given.board;
form.name.value = localStorage.getItem("pentagrid.name") ?? "";
if (given.moves.length) {
  const from = find("from");
  from.textContent =
    `The game begins after ${given.moves.length === 1 ? "the move" : "the moves"} ${given.moves.join("; ")}.`;
  show(from, true);
}

function adapt() {
  const choice = form.with.value;
  for (const part of form.querySelectorAll("[data-for]")) show(part, part.dataset.for.split(" ").includes(choice));
}
form.addEventListener("change", adapt);
adapt();

function wanted() {
  const choice = form.with.value;
  const first = form.first.value === "chance" ? Math.random() < 0.5 : form.first.value === "you";
  const mine = { kind: "human", name: form.name.value.trim() };
  const other = { kind: choice === "computer" ? form.level.value : "human", name: choice === "screen" ? form[
      "other-name"].value.trim() : "" };
  const seats = first || choice === "screen" ? [mine, other] : [other, mine];
  const number = (field) => (field?.value ? Number(field.value) : null);
  return {
    game: form.dataset.game,
    size: Number(form.size.value),
    rules: Object.fromEntries([...form.querySelectorAll("[data-rule]")].map((field) => [field.dataset.rule,
      field.value.trim() || field.defaultValue
    ])),
    board: form.board?.value.trim() || null,
    moves: given.moves,
    seed: number(form.seed),
    seats,
    you: choice === "screen" ? "both" : first ? 1 : 2,
    turn_seconds: number(form.clock),
    spectator_values: choice === "link" && form["spectator-values"].checked,
  };
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = form.querySelector("button[type=submit]");
  button.disabled = true;
  try {
    if (form.name.value.trim()) localStorage.setItem("pentagrid.name", form.name.value.trim());
    const created = await post("/api/games", wanted());
    if (created.invitation) sessionStorage.setItem(`invitation ${created.id}`, created.invitation);
    location.assign(created.play);
  } catch (error) {
    problem(find("problem"), error.message);
    button.disabled = false;
  }
});
