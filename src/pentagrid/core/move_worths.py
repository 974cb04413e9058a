"""What every move is worth in many games in progress at once: the base of each game's `worths.py`, called `WORTHS`.

A column is a game, a row an action, as in `core.batch`. It is asked about games without the pie rule and before their
end, all after the same number of turns; whoever asks counts komi and swaps.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pentagrid.core.batch import Batch, ScoringBatch
from pentagrid.core.deal_solver import DealSolver, Loss, Value, firsts_taken, signs
from pentagrid.core.game import Game

Numbers = NDArray[Any]


def losses_together(solver: DealSolver, side: int, best: Numbers, worths: Numbers) -> tuple[list[Loss], Numbers]:
    """What moves give away, each kind of loss looked up once: the losses, and for each move the place of its own.

    `worths` are those of the moves to the mover, of this side, and `best` is what the best is worth in each game.
    """
    pairs, places = np.unique(best.astype(np.int64) * (1 << 32) + worths, return_inverse=True)
    sign, losses = 3 - 2 * side, []
    for pair in pairs.tolist():
        most = (pair + (1 << 31)) >> 32
        losses.append(solver.loss(sign * most, sign * (pair - (most << 32))))
    return losses, places.reshape(worths.shape)


class MoveWorths(ABC):
    """The worths of all moves in the games of a batch, right after they are dealt and at every later turn."""

    most_games: ClassVar[int] = 2048
    """How many games are best looked at together."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self.game = batch.game

    @staticmethod
    def reaches(game: Game) -> bool:
        """Can it be made for this game at its size?"""
        return True

    @abstractmethod
    def entries(self, turn: int) -> Numbers:
        """For each action and game what a table says of the position after it; anything where it is not legal."""

    @abstractmethod
    def worths(self, entries: Numbers, komi: Numbers) -> Numbers:
        """The worths of entries (`core.deal_solver`); `komi` is four times the komi of each game."""

    @abstractmethod
    def natural(self, turn: int) -> Numbers:
        """How natural each action looks (`Heuristics.natural`), up to a constant for each game."""

    def greed(self, turn: int) -> Numbers:
        """How good each action looks right after it (`Heuristics.greed`), up to a constant for each game."""
        return self.natural(turn)

    def rules_met(self, value: Value) -> tuple[str, ...]:
        """Which special rules best play meets from a position of this value, its plies counted from the start."""
        return ("tie-break",) if value.margin == 0 else ()

    @abstractmethod
    def natural_swap(self) -> Numbers:
        """How natural it looks to swap, up to the same constant; asked after the first move."""

    @abstractmethod
    def final_leads(self, turns: int) -> Numbers:
        """Player 1's lead in points after so many turns, komi aside; only in games won on points."""

    def decided_before_points(self) -> NDArray[np.bool_]:
        """In which games something else has decided than the points: in none, unless the game says otherwise."""
        return np.zeros(self.batch.count, np.bool_)


class ScoringMoveWorths(MoveWorths):
    """Games won on points: an entry is Player 1's final lead, komi aside."""

    batch: ScoringBatch

    def __init__(self, batch: Batch) -> None:
        super().__init__(batch)
        self._tie = 1 if self.game.winner_by(0) == 1 else -1

    def lead_now(self, turn: int) -> Numbers:
        """Player 1's lead as the scores stand."""
        points, side = self.batch.points, self.batch.side
        lead: Numbers = points[side] - points[1 - side]
        return lead if self.game.side_at(turn) == 1 else -lead

    def worths(self, entries: Numbers, komi: Numbers) -> Numbers:
        worths = 4 * entries.astype(np.int32) - komi
        worths[worths == 0] = self._tie
        return worths

    def natural(self, turn: int) -> Numbers:
        """The points of the claim: what is left of the lead right after it."""
        points: Numbers = self.batch.claim_points()[: self.game.claim_count]
        return points

    def natural_swap(self) -> Numbers:
        """The lead that it turns round: twice the points of whoever moved first."""
        lead: Numbers = 2 * self.batch.points[1 - self.batch.side]
        return lead

    def final_leads(self, turns: int) -> Numbers:
        return self.lead_now(turns)


class LargestFirstWorths(ScoringMoveWorths):
    """Games in which taking the largest is best from any position: nothing is looked up."""

    def entries(self, turn: int) -> Numbers:
        free = self.batch.legal
        left = self.game.claim_count - turn
        order = np.argsort(~free, axis=0, kind="stable")[:left]
        values = np.take_along_axis(self.batch.claim_points()[: len(free)], order, axis=0)
        leads = np.zeros(free.shape, np.int16)
        gained = firsts_taken(values, signs(self.game, turn, left)) + self.lead_now(turn)
        np.put_along_axis(leads, order, gained, axis=0)
        return leads
