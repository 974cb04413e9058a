"""Exact values of every move in many games at once: the base of each game's `batch_solver.py` (`BATCH_SOLVER`).

Arrays are laid out as in `core/batch.py`: a row for each action, a column for each game. Worths are those of
`core/deal_solver.py`, but from the side of the player to move in each game, so that the best move has the largest.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentagrid.core.batch import Batch, ScoringBatch
from pentagrid.core.deal_solver import firsts_taken
from pentagrid.core.game import Game
from pentagrid.core.options import SWAP_PLY
from pentagrid.core.scoring import ScoringGame

Worths = NDArray[np.int16]
NEVER = -(1 << 15)
"""The worth of an action that is not legal."""


class BatchSolver(ABC):
    """Knows every position of so many games of one kind."""

    def __init__(self, game: Game, count: int) -> None:
        self.game = game
        self.count = count

    @staticmethod
    def fits(game: Game) -> bool:
        """Are there such values for this game's size and rule options?"""
        return True

    def deal(self, which: slice | NDArray[np.intp], batch: Batch) -> None:  # noqa: B027 - most need no tables
        """Get ready for these games, which were just dealt."""

    @abstractmethod
    def board_worths(self, batch: Batch) -> Worths:
        """What each action but a swap is worth to the mover; anything where it is not legal."""

    @abstractmethod
    def margins(self, worths: Worths) -> NDArray[Any]:
        """What is compared by regret: the final margins of worths, or who wins."""

    def worths(self, batch: Batch) -> Worths:
        """What each action is worth to the mover, the pie rule counted; `NEVER` where it is not legal."""
        worths = np.full(batch.legal.shape, NEVER, np.int16)
        board = self.game.swap_action
        np.copyto(worths[:board], self.board_worths(batch), where=batch.legal[:board])
        if self.game.pie:
            first = np.flatnonzero(batch.ply == SWAP_PLY - 1)  # whatever is good will be taken over
            worths[:board, first] = np.where(batch.legal[:board, first], -np.abs(worths[:board, first]), NEVER)
            answer = np.flatnonzero(batch.legal[board])
            worths[board, answer] = -worths[:board, answer].max(axis=0)
        return worths


class ScoringBatchSolver(BatchSolver):
    """For games won on points: worth is four times the final margin, or 1 or -1 at a tie."""

    game: ScoringGame

    @abstractmethod
    def leads(self, batch: Any) -> NDArray[Any]:
        """By how many points the mover will be ahead after each claim, komi aside."""

    def board_worths(self, batch: Batch) -> Worths:
        first = batch.sides == 1
        komi = round(4 * self.game.komi)
        worths = 4 * self.leads(batch) + np.where(first, -komi, komi).astype(np.int16)
        tie = np.where(first == (self.game.tie_winner() == 1), 1, -1).astype(np.int16)
        return np.where(worths == 0, tie, worths)

    def margins(self, worths: Worths) -> NDArray[Any]:
        return np.where(np.abs(worths) == 1, 0, worths) / 4


class LargestFirstBatchSolver(ScoringBatchSolver):
    """For games in which taking the largest is always right: see `LargestFirstSolver`."""

    def __init__(self, game: ScoringGame, count: int) -> None:
        super().__init__(game, count)
        turns = np.arange(game.claim_count)
        self._turns = turns[:, None]
        self._signs = np.array([3 - 2 * game.side_at(turn) for turn in range(2 * game.claim_count)], np.int16)

    def leads(self, batch: ScoringBatch) -> NDArray[np.int16]:
        values = np.where(batch.legal[: self.game.claim_count], batch.claim_points(), 0).astype(np.int16)
        turns = batch.turns
        turns = turns[:1] if (turns == turns[0]).all() else turns
        signs = self._signs[self._turns + turns]
        leads = firsts_taken(values, signs * signs[0])  # in the eyes of the mover
        leads += batch.points[batch.side] - batch.points[1 - batch.side]
        return leads
