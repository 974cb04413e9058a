"""Matrix Capture: take a number, and its whole row and column are gone for both."""

from __future__ import annotations

from functools import lru_cache

from pentagrid.core.options import PIE
from pentagrid.core.position import Position, bits
from pentagrid.core.rng import Dice
from pentagrid.core.scoring import KOMI, ORDER, ScoringGame, in_order
from pentagrid.errors import BoardError, Refusal
from pentagrid.games.matrix_capture.heuristics import MatrixCaptureHeuristics
from pentagrid.games.matrix_capture.notation import MatrixCaptureNotation

LARGEST = 9


class MatrixCapture(ScoringGame):
    """Numbers 1..9 at any size; the game ends when no row and column are left. A tie goes to Player 2."""

    name = "matrix-capture"
    title = "Matrix Capture"
    sentence = "Take a number, and its whole row and column are gone for both."
    learning_place = 4
    sizes = range(2, 13)
    default_size = 4
    quick_size = 10
    notation_class = MatrixCaptureNotation
    heuristics_class = MatrixCaptureHeuristics
    offered_rules = (ORDER, KOMI, PIE)

    def __init__(self, size: int | None = None, **rules: str) -> None:
        super().__init__(size, **rules)
        self._open_cells = lru_cache(maxsize=1 << 14)(self._still_open)

    def _still_open(self, taken: int) -> int:
        """The cells whose row and column both hold no taken cell."""
        n = self.size
        rows = {cell // n for cell in bits(taken)}
        columns = {cell % n for cell in bits(taken)}
        return sum(1 << r * n + c for r in range(n) if r not in rows for c in range(n) if c not in columns)

    @property
    def most_turns(self) -> int:
        return self.size

    def side_at(self, turns: int) -> int:
        return in_order(self.rules["order"], turns)

    def legal_on_board(self, position: Position) -> int:
        return self._open_cells(position.one | position.two)

    def deal_numbers(self, dice: Dice) -> tuple[int, ...]:
        return tuple(1 + dice.below(LARGEST) for _ in range(self.cell_count))

    def check_numbers(self, numbers: tuple[int, ...]) -> None:
        for number in numbers:
            if not 1 <= number <= LARGEST:
                raise BoardError(f"{number} is not on a {self.title} board: the numbers are 1 to {LARGEST}.")

    def check_reachable(self, position: Position) -> None:
        super().check_reachable(position)
        taken = bits(position.one | position.two)
        for what, lines in (("row", [c // self.size for c in taken]), ("column", [c % self.size for c in taken])):
            for line in lines:
                if lines.count(line) > 1:
                    raise BoardError(f"Two captured cells are in {what} {line + 1}; a {what} is removed at the first.")

    def refusal_on_board(self, position: Position, action: int) -> Refusal:
        row, column = divmod(action, self.size)
        taken = bits(position.one | position.two)
        if action in taken:
            return Refusal("captured", self.texts[action])
        facts = {"row": row + 1} if row in (c // self.size for c in taken) else {}
        facts |= {"column": column + 1} if column in (c % self.size for c in taken) else {}
        return Refusal("removed", self.texts[action], facts)


GAME = MatrixCapture
