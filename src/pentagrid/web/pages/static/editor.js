// The board editor: numbers are typed, owners are clicked, and the server says whether a game can come to that.

import { button, html, problem } from "./dom.js";

export class Editor {
  /** @type {Api.BoardData} */
  board;
  /** @type {number[]} */
  claims = [];
  /** For each button of an owner, what gives it another one. @type {((owner: number) => void)[]} */
  owners = [];

  /**
   * onUse(position): the text of the position that was set up, throws why it cannot be; onClose(): nothing is to change.
   * @param {HTMLFormElement} form
   * @param {{ onUse: (position: string) => Promise<unknown>, onClose: () => unknown }} handlers
   */
  constructor(form, { onUse, onClose }) {
    this.form = form;
    this.onClose = onClose;
    this.problem = html("p", { class: "problem", role: "alert" });
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      try {
        await onUse(this.text());
      } catch (error) {
        problem(this.problem, error.message);
      }
    });
  }

  /** @param {Api.BoardData} board */
  open(board) {
    this.board = board;
    this.claims = [...board.claims];
    this.owners = [];
    const { size: n, lines, players } = board;
    const cells = Array.from({ length: n * n }, (_, i) => this.drawCell(i));
    const grid = html("div", { class: "editing", role: "group", "aria-label": "The board" });
    for (let row = 0; row < n; row++) {
      grid.append(...cells.slice(row * n, row * n + n), ...(lines.length ? [this.owner(row, lines[row].label)] : []));
    }
    if (lines.length) grid.append(...lines.slice(n).map((line, i) => this.owner(n + i, line.label)));
    grid.style.setProperty("--columns", String(n + (lines.length ? 1 : 0)));
    const turns = ["as the board says", ...players].map((name, i) => html("option", { value: i || "" }, name));
    this.turn = html("select", { id: "editor-turn" }, ...turns);
    problem(this.problem, "");
    const whose = lines.length ? "The buttons say who owns each row and column" : board.board
      ? "The button below a number says who owns it" : "A button says who owns the cell";
    this.form.replaceChildren(grid,
      html("p", { class: "hint" }, `${whose}; press one to change that.`),
      html("p", { class: "field" }, html("label", { for: "editor-turn" }, "Whose turn is it?"), this.turn),
      this.problem,
      html("div", { class: "controls" }, html("button", { type: "submit", class: "button main" }, "Use this board"),
        button("Nobody owns anything", () => this.clear()), button("Cancel", this.onClose)));
    /** @type {HTMLElement | null} */
    const first = this.form.querySelector("input, button");
    first?.focus();
  }

  /** @param {number} i */
  drawCell(i) {
    const { size: n, board, lines } = this.board;
    const place = `row ${Math.floor(i / n) + 1}, column ${(i % n) + 1}`;
    const number = board?.flat()[i];
    /** @type {HTMLInputElement | null} */
    const field = number === undefined ? null : html("input", { type: "number", min: 1, max: 999, value: number,
      inputmode: "numeric", "aria-label": `Number in ${place}`, "data-number": i, onfocus: () => field?.select(),
      onchange: () => this.trade(field) });
    if (field) field.dataset.was = String(number);
    return html("div", { class: "editing-cell" }, field, lines.length ? null : this.owner(i, place));
  }

  /**
   * Where every number occurs once, the one that is typed comes from its old place, which gets the one that is missing.
   * A number that the board never had is a mistake: nothing trades places with it.
   * @param {HTMLInputElement | null} field
   */
  trade(field) {
    const numbers = (this.board.board ?? []).flat().map(String);
    if (!field || new Set(numbers).size < numbers.length || !numbers.includes(field.value)) return;
    const other = this.fields().find((each) => each !== field && each.value === field.value);
    const there = new Set(this.fields().map(({ value }) => value));
    const missing = numbers.filter((number) => !there.has(number));
    const was = field.dataset.was ?? "";
    if (other) other.value = other.dataset.was = missing.includes(was) ? was : missing[0];
    field.dataset.was = field.value;
  }

  /** @returns {HTMLInputElement[]} */
  fields() {
    return [...this.form.querySelectorAll("input")];
  }

  /** A button that goes from nobody to one player, to the other, to nobody. @param {number} i @param {string} place */
  owner(i, place) {
    const { marks, players } = this.board;
    const pressed = button("", () => set((this.claims[i] + 1) % 3), "owner");
    /** @param {number} owner */
    const set = (owner) => {
      this.claims[i] = owner;
      pressed.className = `button owner owner${owner}`;
      pressed.textContent = owner ? marks[owner - 1] : "–";
      pressed.setAttribute("aria-label", `Owner of ${place}: ${owner ? players[owner - 1] : "nobody"}`);
    };
    this.owners.push(set);
    set(this.claims[i]);
    return pressed;
  }

  clear() {
    for (const set of this.owners) set(0);
  }

  /** The position as text. */
  text() {
    const { position, size: n } = this.board;
    const numbers = this.fields().map(({ value }) => value);
    const rows = Array.from({ length: n }, (_, row) => numbers.slice(row * n, row * n + n).join(","));
    const marks = this.claims.map((owner) => ".12"[owner]);
    const claims = (/claims=(\S+)/.exec(position)?.[1] ?? "").replace(/[^/]/g, () => marks.shift() ?? ".");
    const words = position.split(" ").filter((word) => !/^(board|claims|turn|ply|swapped)=/.test(word));
    if (numbers.length) words.push(`board=${rows.join("/")}`);
    words.push(`claims=${claims}`);
    if (this.turn?.value) words.push(`turn=${this.turn.value}`);
    return words.join(" ");
  }
}
