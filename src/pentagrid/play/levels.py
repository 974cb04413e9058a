"""The players `level:1` to `level:9`: their error model is a softmax over exact regret.

At level n a move is e times less likely for every w(n) typical regrets that it gives away. w falls by a constant factor
from level to level, from WARMEST at level 1 to COOLEST at level 9.
"""

from __future__ import annotations

from math import exp

from pentagrid.analysis.solver import solver_of
from pentagrid.core.position import Position
from pentagrid.core.rng import Dice

LEVELS = range(1, 10)
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
        regrets = solver.regrets(position)
        if len(set(regrets.values())) > 1:
            cost = {action: regret / (self.warmth * solver.scale) for action, regret in regrets.items()}
        else:
            natural = {action: position.game.heuristics.natural(position, action) for action in regrets}
            most, least = max(natural.values()), min(natural.values())
            cost = {action: LEAN * (most - value) / ((most - least) or 1) for action, value in natural.items()}
        return {action: round(WEIGHT * exp(-value)) for action, value in cost.items()}


def _weighted(weights: dict[int, int], dice: Dice) -> int:
    """One of the actions, as likely as its weight."""
    mark = dice.below(sum(weights.values()))
    for action, weight in weights.items():
        mark -= weight
        if mark < 0:
            return action
    raise AssertionError("weights that do not add up")
