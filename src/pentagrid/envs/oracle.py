"""What is exactly known about a move: what it is worth, what it gave away, whether it mattered.

All numbers are from the side of whoever made the move. `value` is what they will be paid after the move if both then
play their best, and `best_value` after the best move: 1 or -1, or the final margin, as the payoff says. `regret` is the
points given away, and `win_regret` is 1 if a won game is; in a game without points they are the same. `mattered` tells
whether the legal moves differed in what they are paid.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentagrid.analysis.solver import solver_of
from pentagrid.core.batch import Batch
from pentagrid.core.batch_solver import NEVER, BatchSolver
from pentagrid.core.catalog import has_part, part
from pentagrid.core.deal_solver import Value
from pentagrid.core.game import Game
from pentagrid.core.payoff import Payoff, cost
from pentagrid.core.position import Position

NAMES = ("value", "best_value", "regret", "win_regret", "mattered")


def judge(before: Position, after: Position, payoff: Payoff) -> dict[str, Any]:
    """The numbers about the move that led from one position to another; None for what is not known."""
    solver, seat = solver_of(before), before.mover
    best, now, loss = solver.verdict(before, after)
    return {
        "value": paid_under_best_play(now, seat, payoff),
        "best_value": paid_under_best_play(best, seat, payoff),
        **loss._asdict(),
        "mattered": bool(cost(loss, payoff)) or _differ(before, best, payoff),
    }


def paid_under_best_play(value: Value, seat: int, payoff: Payoff) -> float | None:
    """What a seat will be paid if both play their best from a position of this value; None if that is not known."""
    if payoff == "points":
        return None if value.margin is None else float(value.margin if seat == 1 else -value.margin)
    return None if value.winner is None else 1.0 if value.winner == seat else -1.0


def _differ(position: Position, best: Value, payoff: Payoff) -> bool | None:
    """Do the legal moves differ in what they are paid? None where that is not known."""
    seat, solver = position.mover, solver_of(position)
    most = paid_under_best_play(best, seat, payoff)
    if most is None:
        return None
    if payoff == "win" and most < 0:
        return False  # whoever has lost loses by every move
    for action in position.actions():
        paid = paid_under_best_play(solver.value(position.game.after(position, action)), seat, payoff)
        if paid != most:
            return None if paid is None else True
    return False


class GamesOracle:
    """Judges a move in each of many games: an array for each name. What is not known is not a number."""

    def __init__(self, game: Game, payoff: Payoff, count: int) -> None:
        self.game, self.payoff = game, payoff
        self._batch_solver: BatchSolver | None = None
        if has_part(game.name, "batch_solver"):
            kind: type[BatchSolver] = part(game.name, "batch_solver").BATCH_SOLVER
            self._batch_solver = kind(game, count) if kind.fits(game) else None

    def deal(self, which: slice | NDArray[np.intp], batch: Batch) -> None:
        """Get ready for these games, which were just dealt."""
        if self._batch_solver is not None:
            self._batch_solver.deal(which, batch)

    def judge(self, batch: Batch, chosen: NDArray[np.int64]) -> dict[str, Any]:
        """The numbers about these actions, which are legal, an array for each name."""
        if self._batch_solver is None:
            return self._judge_singly(batch, chosen)
        worths = self._batch_solver.worths(batch)
        best, worth = worths.max(axis=0), worths[chosen, batch.columns]
        worst = np.where(batch.legal, worths, -NEVER - 1).min(axis=0)
        margin, best_margin = self._batch_solver.margins(worth), self._batch_solver.margins(best)
        won, winning = worth > 0, best > 0
        if self.payoff == "points":
            value, best_value = margin, best_margin
            mattered = self._batch_solver.margins(worst) != best_margin
        else:
            value, best_value, mattered = np.where(won, 1.0, -1.0), np.where(winning, 1.0, -1.0), winning & (worst <= 0)
        return {
            "value": value,
            "best_value": best_value,
            "regret": best_margin - margin,
            "win_regret": (winning & ~won).astype(np.float64),
            "mattered": mattered,
        }

    def _judge_singly(self, batch: Batch, chosen: NDArray[np.int64]) -> dict[str, Any]:
        """The same game by game, where there is no solver for many."""
        rows = []
        for number, action in enumerate(chosen.tolist()):
            position = batch.position(number)
            rows.append(judge(position, position.play(action), self.payoff))
        numbers = {name: np.array([row[name] for row in rows], np.float64) for name in NAMES[:-1]}
        return {**numbers, "mattered": np.array([bool(row["mattered"]) for row in rows])}
