"""The players `level:1` to `level:9`: their error model is a softmax over exact regret.

At level n a move is e times less likely for every w(n) typical regrets that it gives away. w falls by a constant factor
from level to level, from WARMEST at level 1 to COOLEST at level 9. A move that changes who wins at equal points counts
as one typical regret.
"""

from __future__ import annotations

from math import exp

from pentagrid.analysis.solver import solver_of
from pentagrid.core.deal_solver import Loss
from pentagrid.core.position import Position
from pentagrid.core.rng import Dice

LEVELS = range(1, 10)
LEVEL_NAMES = (
    "very easy", "easy", "gentle", "moderate", "medium", "demanding", "hard", "very hard", "rarely errs",
)  # fmt: skip
"""What each level is like, the first for level 1."""
WEIGHT = 1 << 40
"""The weight of a move that gives nothing away."""
WARMEST, COOLEST = 2.5, 0.2
"""Of level 1 and of level 9: the regret, in a game's typical regrets, that makes a move e times less likely."""
LEAN = 3.0
"""How much likelier the most natural of equally good moves is than the least: e^3, about 20 times."""


class Level:
    """Errs as people do: the more a move gives away, the less likely it is, and even less so at a higher level.

    A softmax over exact regret. Where all moves are equally good it leans to the natural one.
    """

    def __init__(self, level: int) -> None:
        self.warmth = WARMEST * (COOLEST / WARMEST) ** ((level - 1) / (LEVELS[-1] - 1))

    def choose(self, position: Position, dice: Dice) -> int:
        return _weighted(self.weights(position), dice)

    def weights(self, position: Position) -> dict[int, int]:
        """How likely each action is, as whole numbers, so that the choice is the same on every machine."""
        solver = solver_of(position)
        losses = solver.losses(position)
        if len(set(losses.values())) > 1:
            return {action: self.weight(loss, solver.scale) for action, loss in losses.items()}
        natural = {action: position.game.heuristics.natural(position, action) for action in losses}
        most, least = max(natural.values()), min(natural.values())
        return {action: lean(most - value, most - least) for action, value in natural.items()}

    def weight(self, loss: Loss, scale: float) -> int:
        """How likely a move is that gives this away, where not all moves give away the same."""
        typical = (loss.regret or 0) / scale or loss.win_regret or 0
        return round(WEIGHT * exp(-(typical / self.warmth)))


def lean(behind: int, spread: int) -> int:
    """How likely one of equally good moves is that looks so much less natural than the most natural one.

    `spread` is how much the least natural does.
    """
    return round(WEIGHT * exp(-(LEAN * behind / (spread or 1))))


def _weighted(weights: dict[int, int], dice: Dice) -> int:
    """One of the actions, as likely as its weight."""
    mark = dice.below(sum(weights.values()))
    for action, weight in weights.items():
        mark -= weight
        if mark < 0:
            return action
    raise AssertionError("weights that do not add up")
