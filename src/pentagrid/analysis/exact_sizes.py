"""Whether a game at a size has what everything here measures by: the exact value of every position at once."""

from __future__ import annotations

from functools import lru_cache

from pentagrid.analysis.solver import Solver
from pentagrid.core.game import Game
from pentagrid.core.rng import Dice
from pentagrid.errors import OptionError


def check_exact(game: Game) -> None:
    """Raise `OptionError` unless every position has its exact value at once. All do at the default size."""
    if game.size != game.default_size and not _is_exact(game):
        raise OptionError(
            f"{game.title} at size {game.size} is not solved, so its moves cannot be measured; choose a smaller size."
        )


@lru_cache(maxsize=32)
def _is_exact(game: Game) -> bool:
    """Looks at one random game: where a size is not solved, most of its positions are not."""
    position, dice = game.deal(seed=0), Dice(0)
    solver = Solver(position)
    if not solver.deal_solver.instant:
        return False
    while position.turn:
        solver.value(position)  # makes the table, where there can be one
        low, high = solver.bounds(position)
        if low != high:
            return False
        position = position.play(dice.choice(position.actions()))
    return True
