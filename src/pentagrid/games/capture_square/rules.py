"""Capture Square: be the first to own a 2x2 square; on a full board, Sudden Death decides."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from string import ascii_uppercase
from typing import ClassVar

from pentagrid.core.game import PIE, Game, Rule
from pentagrid.core.position import Outcome, Position, Touch, bits
from pentagrid.errors import BoardError, UnreadableError

FLIP, EXCHANGE = "flip", "exchange"


class CaptureSquare(Game):
    """Actions 0..N²-1 name a cell: to mark it, or in Sudden Death (`flip`) to turn it into one's own.

    Under `exchange` action N² + own·N² + opposing trades two markers. Sudden Death lasts at most N² turns;
    then Player 2 wins.
    """

    name = "capture-square"
    title = "Capture Square"
    sizes = range(3, 7)
    default_size = 4
    offered_rules = (
        Rule(
            "sudden-death",
            (FLIP, EXCHANGE),
            "a Sudden Death turn turns an opposing marker into one's own (flip), "
            "or an own and an opposing marker trade places (exchange)",
        ),
        Rule(
            "sudden-death-first",
            ("next", "1", "2"),
            "who begins Sudden Death: whose turn it is next, or a player",
            only_turns=True,
        ),
        PIE,
    )
    has_numbers = False
    notation = "a column letter and a row number"
    endings: ClassVar[Mapping[str, str]] = {"square": "with a square", "limit": "by the limit of Sudden Death"}
    special_rules = ("Sudden Death", "Sudden Death limit")
    preferred_examples = ("A1",)

    def __init__(self, size: int | None = None, **rules: str) -> None:
        super().__init__(size, **rules)
        n = self.size
        self._all = (1 << self.cell_count) - 1
        self._corners = sum(1 << r * n + c for r in range(n - 1) for c in range(n - 1))
        self._quads = tuple(1 << c | 2 << c | 1 << c + n | 2 << c + n for c in bits(self._corners))
        if self.exchanges:
            self.notation += "; in Sudden Death your own cell and the opposing one"
        self.limit = 2 * self.cell_count
        """The number of turns after which the second player wins."""

    @property
    def most_turns(self) -> int:
        return self.limit

    def count_board_actions(self) -> int:
        cells = self.cell_count
        return cells + cells * cells if self.exchanges else cells

    @property
    def exchanges(self) -> bool:
        """Is Sudden Death played by trading markers?"""
        return self.rules["sudden-death"] == EXCHANGE

    def square(self, marks: int) -> int:
        """The top left corners of all squares among the marks, as a mask."""
        pairs = marks & marks >> 1
        return pairs & pairs >> self.size & self._corners

    def legal_on_board(self, position: Position) -> int:
        one, two = position.one, position.two
        if self.square(one) or self.square(two) or position.turns >= self.limit:
            return 0
        free = self._all & ~(one | two)
        if free:
            return free
        own, opposing = (one, two) if position.mover == 1 else (two, one)
        if not self.exchanges:
            return opposing
        cells = self.cell_count
        return sum(opposing << cells + cell * cells for cell in bits(own))

    def after_on_board(self, position: Position, action: int) -> Position:
        _, numbers, one, two, mover, ply, scores, swapped = position
        if action >= self.cell_count:
            own, opposing = divmod(action - self.cell_count, self.cell_count)
            trade = 1 << own | 1 << opposing
            one, two = one ^ trade, two ^ trade
        elif mover == 1:
            one, two = one | 1 << action, two & ~(1 << action)
        else:
            one, two = one & ~(1 << action), two | 1 << action
        ply += 1
        return Position(self, numbers, one, two, self.mover_at(ply, swapped), ply, scores, swapped)

    def side_at(self, turns: int) -> int:
        first = self.rules["sudden-death-first"]
        if turns < self.cell_count or first == "next":
            return 1 + turns % 2
        return 1 + (turns - self.cell_count + int(first) - 1) % 2

    def final_outcome(self, position: Position) -> Outcome:
        squares = self.square(position.one), self.square(position.two)
        last = self.side(self.side_at(position.turns - 1), position)
        if squares[last - 1]:
            return Outcome(last, "square")
        if squares[2 - last]:
            return Outcome(3 - last, "square")
        return Outcome(self.side(2, position), "limit")

    def came_up(self, played: Sequence[Position]) -> tuple[str, ...]:
        final = played[-1]
        reached = ("Sudden Death",) if final.turns > self.cell_count else ()
        return (*reached, *(("Sudden Death limit",) if self.final_outcome(final).reason == "limit" else ()))

    def sudden_death_turns(self, position: Position) -> int | None:
        """How many Sudden Death turns have been made; None while cells are free."""
        full = position.one | position.two == self._all
        return position.turns - self.cell_count if full else None

    def count_scores(self, numbers: tuple[int, ...], one: int, two: int) -> None:
        return None

    def check_reachable(self, position: Position) -> None:
        ones, marked, turns = position.one.bit_count(), (position.one | position.two).bit_count(), position.turns
        if turns > self.limit or (turns != marked and marked < self.cell_count):
            raise BoardError(f"ply={position.ply} cannot be: {marked} of {self.cell_count} cells are marked.")
        expected = (marked + 1) // 2
        if not self.exchanges and (turns - marked) % 2:
            expected += 1 if self.side_at(marked) == 1 else -1
        if position.swapped:
            expected = marked - expected
        if ones != expected:
            raise BoardError(
                f"X has {ones} markers and O {marked - ones}; after {position.ply} turns it must be "
                f"{expected} and {marked - expected}."
            )
        squares = self.square(position.one), self.square(position.two)
        last = self.side(self.side_at(turns - 1), position)
        if squares[2 - last] and not (self.exchanges and turns > self.cell_count):
            raise BoardError(f"Player {3 - last} has a square, but Player {last} has moved after it.")

    def refusal_on_board(self, position: Position, action: int) -> str:
        sudden_death = self.sudden_death_turns(position) is not None
        mark, other = ("X", "O") if position.mover == 1 else ("O", "X")
        if action < self.cell_count:
            name = self.texts[action]
            if not sudden_death:
                return f"Sorry, {name} is already occupied. Please choose another cell."
            if self.exchanges:
                return (
                    f"Sorry, {name} is not enough. In Sudden Death name your own {mark} and the {other} it trades with."
                )
            return f"Sorry, {name} is already yours. Please choose a cell marked {other}."
        if not sudden_death:
            return "Sorry, markers trade places only in Sudden Death. Please choose an empty cell."
        own, opposing = divmod(action - self.cell_count, self.cell_count)
        owned = position.one if position.mover == 1 else position.two
        if not owned >> own & 1:
            return (
                f"Sorry, {self.texts[own]} is not yours. Name your own {mark} first, then the {other} it trades with."
            )
        return f"Sorry, {self.texts[opposing]} is already yours. Your {mark} must trade places with an {other}."

    def write_move(self, action: int) -> str:
        if action >= self.cell_count:
            own, opposing = divmod(action - self.cell_count, self.cell_count)
            return f"{self.write_move(own)} {self.write_move(opposing)}"
        return f"{ascii_uppercase[action % self.size]}{action // self.size + 1}"

    def read_move(self, move: str) -> int | None:
        found = re.fullmatch(r"([A-Z]) ?([0-9]{1,9})(?: ?,? ?([A-Z]) ?([0-9]{1,9}))?", move)
        if not found or (found[3] and not self.exchanges):
            return None
        cells = [self._named(found[1], found[2])]
        if found[3]:
            cells.append(self._named(found[3], found[4]))
            return self.cell_count + cells[0] * self.cell_count + cells[1]
        return cells[0]

    def _named(self, column: str, row: str) -> int:
        last = ascii_uppercase[self.size - 1]
        if column > last or not 1 <= int(row) <= self.size:
            raise UnreadableError(
                f"{column}{row} is not on the board: columns go from A to {last}, rows from 1 to {self.size}."
            )
        return (int(row) - 1) * self.size + ascii_uppercase.index(column)

    def _touch(self, action: int) -> Touch:
        if action < self.cell_count:
            return Touch("cell", (action,))
        return Touch("pair", divmod(action - self.cell_count, self.cell_count))

    def greed(self, position: Position, action: int) -> int:
        """2: completes a square; 1: stops one the opponent could complete next; -1: gives him one; else 0."""
        after = self.after(position, action)
        outcome = after.outcome()
        if outcome and outcome.reason == "square":
            return 2 if outcome.winner == position.mover else -1
        them = 3 - position.mover
        threats = self.completions(position, them).bit_count(), self.completions(after, them).bit_count()
        return int(threats[1] < threats[0])

    def natural(self, position: Position, action: int) -> int:
        """People mark next to their own, and where many squares can be."""
        own = position.one if position.mover == 1 else position.two
        if action == self.swap_action:
            return 0
        row, column = divmod(self.touch(action).at[-1], self.size)
        near = sum((abs(row - cell // self.size) <= 1) and (abs(column - cell % self.size) <= 1) for cell in bits(own))
        squares = sum(quad >> row * self.size + column & 1 for quad in self._quads)
        return 2 * near + squares + 20 * self.greed(position, action)

    def leaves_enough(self, position: Position) -> bool:
        """Sudden Death only counts turns, and few boards come to it: there is little to find in it."""
        return self.sudden_death_turns(position) is None

    def completions(self, position: Position, seat: int) -> int:
        """The cells whose taking would complete a player's square if he were to move, as a mask."""
        own, other = (position.one, position.two) if seat == 1 else (position.two, position.one)
        open_cells = self._all & ~(own | other) or other
        found = 0
        for quad in self._quads:
            if (own & quad).bit_count() == 3:
                found |= quad & open_cells
        return found


GAME = CaptureSquare
