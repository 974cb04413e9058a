"""Openings of a game that has a single deal, under perfect play: thousands at once, every move by the game's table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentagrid.analysis.solver import Solver
from pentagrid.core.batch import Batch
from pentagrid.core.catalog import part
from pentagrid.core.deal_solver import DealSolver
from pentagrid.core.game import Game
from pentagrid.core.move_worths import MoveWorths, losses_together
from pentagrid.core.position import Position
from pentagrid.fairness.deals import Deals
from pentagrid.fairness.tally import GREEDY, MARGIN, MATTERED, TURNS, WINNER, WINNING, Tally, count_values

Numbers = NDArray[Any]
LOST = np.iinfo(np.int32).min
"""Worse than any move."""
AT_ONCE = 1 << 12


def openings_tally(
    deals: Deals, fair: bool, first: int, last: int, worths: type[MoveWorths], one: Callable[[Tally, Position], None]
) -> Tally:
    """The counts of the deals from one number up to another (without the last); `one` counts a single one."""
    tally = Tally()
    for start in range(first, last, AT_ONCE):
        end = min(last, start + AT_ONCE)
        tosses = deals.tosses(start, end) if fair else np.zeros(end - start)
        for game, which, moves in deals.openings(start, end):
            if which.size:
                looked = Openings(game, worths, moves, tosses[which] if fair else None)
                looked.count(tally)
                for number in (start + which[looked.left_out]).tolist():
                    one(tally, deals.start(number, fair))
    return tally


class Openings:
    """Positions after opening moves, a column for each, and what their moves are worth."""

    def __init__(self, game: Game, worths: type[MoveWorths], moves: Numbers, tosses: Numbers | None) -> None:
        self.game, self.turn = game, len(moves)
        self.start = game.deal(0)
        self.solver: DealSolver = Solver(self.start).deal_solver
        count = moves.shape[1]
        plain = type(game)(game.size, **{**game.rules, "komi": "0"}) if game.komi else game
        self.batch: Batch = part(game.name, "batch").BATCH(plain, count)
        self.batch.deal(slice(None), np.zeros(count, np.uint64))
        self.moves = worths(self.batch)
        komi: Numbers = np.full(count, round(4 * game.komi), np.int32)
        if tosses is not None:
            komi = 4 * self.moves.entries(0).astype(np.int32).max(axis=0) + 4 * tosses.astype(np.int32) - 2
        for actions in moves:
            self.batch.play(actions)
        self.side = game.side_at(self.turn)
        sign = 3 - 2 * self.side
        entries = self.moves.entries(self.turn)
        self.worths = np.where(self.batch.legal, sign * self.moves.worths(entries, komi), LOST)
        """What each move is worth to the mover."""
        self.best = self.worths.max(axis=0)
        kinds, self.places = np.unique(sign * self.best, return_inverse=True)
        self.values = [self.solver.value(self.start, worth, worth) for worth in kinds.tolist()]
        """The values there are; their plies are counted from the beginning of the game."""
        longest = np.array([value.plies == game.most_turns for value in self.values])[self.places]
        self.left_out = np.flatnonzero(longest & (not game.has_points))
        """Those that last as long as can be: which rule ends them depends on the way there."""

    def count(self, tally: Tally) -> None:
        """Count all but those left out."""
        kept = np.ones(len(self.best), np.bool_)
        kept[self.left_out] = False
        for number, value in enumerate(self.values):
            deals = int((self.places[kept] == number).sum())
            if deals:
                tally.count(WINNER, str(value.winner), deals)
                if value.margin is not None:
                    tally.count(MARGIN, f"{value.margin:g}", deals)
                if value.winner is not None and not self.game.has_points:
                    tally.count(TURNS[value.winner], str(value.plies), deals)
                for rule in self.game.special_rules:
                    tally.count(MATTERED, rule, deals * (rule in self.moves.rules_met(value)))
        if kept.any():
            count_values(tally, WINNING, (self.worths > 0).sum(axis=0)[kept])
            greedy, base = self._greedy(), len(self.worths) + 1
            hits = (greedy & ~self._errs(greedy)).sum(axis=0) * base + greedy.sum(axis=0)
            count_values(tally, GREEDY, hits[kept], lambda pair: f"{pair // base}/{pair % base}")

    def _greedy(self) -> NDArray[np.bool_]:
        """The moves that look best right after them."""
        greed = np.where(self.batch.legal, self.moves.greed(self.turn), LOST)
        greedy: NDArray[np.bool_] = greed == greed.max(axis=0)
        return greedy

    def _errs(self, which: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Do these moves give anything away?"""
        worths = np.where(which, self.worths, self.best)
        losses, places = losses_together(self.solver, self.side, self.best, worths)
        errs: NDArray[np.bool_] = np.array(list(map(bool, losses)))[places]
        return errs
