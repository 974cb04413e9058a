"""Exact values in Matrix Capture: a table over the rows and columns that are left.

Scores aside, a position is the set of rows and the set of columns left, equally many. The table of level k holds, for
every k rows and every k columns, the lead that Player 1 gains from there on; on Player 1's turns

    lead[k][R, C] = max over r in R, c in C of  lead[k - 1][R - r, C - c] + number[r, c]

and on Player 2's the least of the same with the number taken away.

R and C are ranks among the subsets of their size, so a level is one square array of C(N, k) rows and columns, and all
of it is filled by k² whole-array steps. There are C(2N, N) entries in all: 70 at N = 4, 2,704,156 at N = 12.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pentagrid.core.deal_solver import ScoringSolver, margin_now
from pentagrid.core.position import Position, bits
from pentagrid.core.scoring import ScoringGame
from pentagrid.games.matrix_capture.rules import LARGEST

FAR = 1 << 14
"""More than any lead."""
DEALS_AT_ONCE = 8192
"""In batches: few enough that a table of them stays in the processor's cache."""
LARGEST_TOGETHER = 8
"""On larger boards a deal's own table is filled faster than those of many deals together."""


def turn_of(mover: int) -> tuple[np.ufunc, int]:
    """How the mover chooses, and the sign of what they gain."""
    return (np.maximum, 1) if mover == 1 else (np.minimum, -1)


class Level(NamedTuple):
    """The k-subsets of N lines: each one's members, and the rank of what is left without each member."""

    members: NDArray[np.intp]
    without: NDArray[np.intp]


@cache
def subsets(n: int) -> tuple[list[int], list[Level]]:
    """The rank of every set of n lines among those of its size, and the levels."""
    sizes: list[list[int]] = [[] for _ in range(n + 1)]
    ranks = []
    for mask in range(1 << n):
        group = sizes[mask.bit_count()]
        ranks.append(len(group))
        group.append(mask)
    levels = []
    for k, group in enumerate(sizes):
        members = [bits(mask) for mask in group]
        without = [[ranks[mask ^ 1 << line] for line in lines] for mask, lines in zip(group, members, strict=True)]
        shape = len(group), k
        levels.append(Level(np.array(members, np.intp).reshape(shape), np.array(without, np.intp).reshape(shape)))
    return ranks, levels


class MatrixCaptureSolver(ScoringSolver):
    """The table of one deal, filled when first asked."""

    scale = 5.0
    hardness_cuts = (550, 1450, 4100, 13_000)

    def __init__(self, game: ScoringGame, numbers: tuple[int, ...]) -> None:
        super().__init__(game, numbers)
        n = game.size
        self._ranks, levels = subsets(n)
        matrix = np.array(numbers, np.int16).reshape(n, n)
        self._leads: list[NDArray[np.int16]] = [np.zeros((1, 1), np.int16)]
        for k in range(1, n + 1):
            members, without = levels[k]
            better, sign = turn_of(game.side_at(n - k))
            lead = np.full((len(members), len(members)), -sign * FAR, np.int16)
            for i in range(k):
                rows = sign * matrix[members[:, i]]
                left = self._leads[-1][without[:, i]]
                for j in range(k):
                    better(lead, rows[:, members[:, j]] + left[:, without[:, j]], out=lead)
            self._leads.append(lead)

    @classmethod
    def every_lead(cls, game: ScoringGame) -> tuple[int, int] | None:
        """By induction, taking the largest number (docs/solutions.md), where turns alternate."""
        if any(game.side_at(turn) != 1 + turn % 2 for turn in range(game.size)):
            return None
        return (1, LARGEST) if game.size % 2 else (0, LARGEST - 1)

    def leads(self, position: Position) -> tuple[int, int]:
        lines = lines_left(position, self._ranks)
        lead = margin_now(position) + int(self._leads[self.game.size - position.ply][lines])
        return lead, lead


def lines_left(position: Position, ranks: list[int]) -> tuple[int, int]:
    """The ranks of the rows and of the columns that are left."""
    n = position.game.size
    rows = columns = (1 << n) - 1
    for cell in bits(position.one | position.two):
        rows ^= 1 << cell // n
        columns ^= 1 << cell % n
    return ranks[rows], ranks[columns]


def firsts(game: ScoringGame, boards: NDArray[Any]) -> NDArray[np.int16]:
    """Player 1's lead by the first move, komi aside: a row for each move; `boards` has a row for each cell."""
    n = game.size
    leads = np.empty(boards.shape, np.int16)
    if n > LARGEST_TOGETHER:
        for deal, numbers in enumerate(boards.T):
            left = MatrixCaptureSolver(game, tuple(numbers.tolist()))._leads[n - 1]
            leads[:, deal] = numbers + left[::-1, ::-1].ravel()  # the set without line i has rank n - 1 - i
        return leads
    for start in range(0, boards.shape[1], DEALS_AT_ONCE):
        numbers = np.ascontiguousarray(boards[:, start : start + DEALS_AT_ONCE], np.int8).reshape(n, n, -1)
        gained = _left_together(game, numbers)[::-1, ::-1]
        leads[:, start : start + DEALS_AT_ONCE] = (numbers + gained).reshape(n * n, -1)
    return leads


def _left_together(game: ScoringGame, numbers: NDArray[np.int8]) -> NDArray[np.int8]:
    """What Player 1 gains from the first move on, by the ranks of the rows and the columns left, in many deals."""
    lead = np.zeros((1, 1, numbers.shape[2]), np.int8)
    for k in range(1, game.size):
        lead = level_together(game, numbers, k, lead)
    return lead


def level_together(game: ScoringGame, numbers: NDArray[np.int8], k: int, below: NDArray[np.int8]) -> NDArray[np.int8]:
    """The level of k lines left made from the one of k - 1, in many deals: they lie along the last axis."""
    members, without = subsets(game.size)[1][k]
    better, sign = turn_of(game.side_at(game.size - k))
    gain = np.add if sign == 1 else np.subtract
    lead = np.full((len(members), len(members), numbers.shape[2]), -127 * sign, np.int8)
    trial = np.empty(numbers.shape[2], np.int8)
    for r, rows in enumerate(members):
        for c, columns in enumerate(members):
            for row, less in zip(rows, without[r], strict=True):
                for column, fewer in zip(columns, without[c], strict=True):
                    gain(below[less, fewer], numbers[row, column], out=trial)
                    better(lead[r, c], trial, out=lead[r, c])
    return lead


SOLVER = MatrixCaptureSolver
