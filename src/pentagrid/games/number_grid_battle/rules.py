"""Number Grid Battle: take turns claiming numbers; the higher sum wins."""

from __future__ import annotations

from pentagrid.core.options import PIE
from pentagrid.core.position import Position
from pentagrid.core.scoring import KOMI, ORDER, ScoringGame, in_order
from pentagrid.errors import Refusal
from pentagrid.games.number_grid_battle.notation import NumberGridBattleNotation


class NumberGridBattle(ScoringGame):
    """Numbers 1..N², each claimed once. At equal sums the player who took the last turn loses."""

    name = "number-grid-battle"
    title = "Number Grid Battle"
    sentence = "Claim numbers in turn; the higher sum wins."
    learning_place = 1
    sizes = range(2, 7)
    default_size = 3
    quick_size = 6
    notation_class = NumberGridBattleNotation
    offered_rules = (ORDER, KOMI, PIE)

    def __init__(self, size: int | None = None, **rules: str) -> None:
        super().__init__(size, **rules)
        self._all = (1 << self.cell_count) - 1

    def side_at(self, turns: int) -> int:
        return in_order(self.rules["order"], turns)

    def legal_on_board(self, position: Position) -> int:
        return self._all & ~(position.one | position.two)

    def tie_winner(self) -> int:
        return 3 - self.side_at(self.cell_count - 1)

    def refusal_on_board(self, position: Position, action: int) -> Refusal:
        return Refusal("claimed", self.texts[action], {"owner": position.owner(action)})


GAME = NumberGridBattle
