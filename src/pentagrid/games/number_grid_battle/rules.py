"""Number Grid Battle: take turns claiming numbers; the higher sum wins."""

from __future__ import annotations

import re

from pentagrid.core.game import PIE
from pentagrid.core.position import Position
from pentagrid.core.scoring import KOMI, ORDER, ScoringGame, in_order


class NumberGridBattle(ScoringGame):
    """Numbers 1..N², each claimed once. At equal sums the player who took the last turn loses."""

    name = "number-grid-battle"
    title = "Number Grid Battle"
    sizes = range(2, 7)
    default_size = 3
    notation = "a row and a column counted from 0"
    offered_rules = (ORDER, KOMI, PIE)
    preferred_examples = ("0 1",)

    def __init__(self, size: int | None = None, **rules: str) -> None:
        super().__init__(size, **rules)
        self._all = (1 << self.cell_count) - 1

    def side_at(self, turns: int) -> int:
        return in_order(self.rules["order"], turns)

    def legal_on_board(self, position: Position) -> int:
        return self._all & ~(position.one | position.two)

    def tie_winner(self) -> int:
        return 3 - self.side_at(self.cell_count - 1)

    def refusal_on_board(self, position: Position, action: int) -> str:
        row, column = divmod(action, self.size)
        return f"Sorry, cell ({row},{column}) has already been claimed. Please choose another cell."

    def write_move(self, action: int) -> str:
        return f"{action // self.size} {action % self.size}"

    def read_move(self, move: str) -> int | None:
        found = re.fullmatch(r"(\()? ?([0-9]{1,9})(?: ?, ?| )([0-9]{1,9}) ?(?(1)\))", move)
        return self._cell_named(found[2], found[3], first=0) if found else None


GAME = NumberGridBattle
