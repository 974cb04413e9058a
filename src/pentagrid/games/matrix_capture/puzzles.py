"""Puzzles of many deals of Matrix Capture at once: their grades by whole-array steps.

A look d turns ahead is a table like the solver's: with k rows and k columns left, Player 1's lead after d more turns is

    look[d][k][R, C] = max over r in R, c in C of  look[d - 1][k - 1][R - r, C - c] + number[r, c],   look[0] = 0

(on Player 2's turns the least, with the number taken away), and with d = k it is the exact value. Every table has the
deals along its last axis.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentagrid.core.deal_solver import margin_now
from pentagrid.core.position import Position
from pentagrid.core.scoring import ScoringGame
from pentagrid.games.matrix_capture.solver import MatrixCaptureSolver, level_together, lines_left, subsets

LARGEST = 5
"""On larger boards there are too many sets of lines for whole-array steps to pay."""

PuzzleGrade = tuple[int, bool, tuple[int, ...], int, int, float, int]
"""Answer, is it the only winning move, tempting moves, their least loss, moves that look better, close ones, depth."""
Leads = NDArray[np.int8]


def reaches(game: ScoringGame) -> bool:
    """Can positions of this game be graded here? Not on large boards, nor where sides may have been swapped."""
    return game.size <= LARGEST and not game.pie


def grades(positions: Sequence[Position], furthest: int) -> list[PuzzleGrade | None]:
    """For each position of a game: why it is a puzzle, or None; looks go so many turns ahead at most."""
    game = positions[0].game
    assert isinstance(game, ScoringGame)
    deals: dict[tuple[int, ...], int] = {}
    at = np.array([deals.setdefault(position.numbers, len(deals)) for position in positions])
    boards = np.ascontiguousarray(np.array(list(deals), np.int8).T).reshape(game.size, game.size, -1)
    looks = _looks(game, boards, furthest)
    graded: list[PuzzleGrade | None] = [None] * len(positions)
    plies = np.array([position.ply for position in positions])
    for ply in sorted(set(plies.tolist())):
        which = np.flatnonzero(plies == ply).tolist()
        for place, grade in _level(game, boards, looks, [positions[i] for i in which], at[which], furthest):
            graded[which[place]] = grade
    return graded


def _looks(game: ScoringGame, boards: Leads, furthest: int) -> list[list[Leads]]:
    """The tables, by turns looked ahead and lines left; beyond its lines a look sees no more."""
    n, deals = game.size, boards.shape[2]
    _, levels = subsets(n)
    tables: list[list[Leads]] = [[np.zeros((len(level.members),) * 2 + (deals,), np.int8) for level in levels[:n]]]
    for turns in range(1, max(n, furthest)):
        looks = tables[-1][:turns]  # with fewer lines left nothing new is seen
        looks += (level_together(game, boards, k, tables[-1][k - 1]) for k in range(turns, n))
        tables.append(looks)
    return tables


def _level(
    game: ScoringGame, boards: Leads, looks: list[list[Leads]], positions: list[Position], at: NDArray[np.intp],
    furthest: int,
) -> list[tuple[int, PuzzleGrade]]:  # fmt: skip
    """The puzzles among positions with the same number of turns made."""
    n, ply = game.size, positions[0].ply
    ranks, levels = subsets(n)
    k = n - ply
    if k < 1:
        return []
    members, without = levels[k]
    rows, columns = (np.array(ranked) for ranked in zip(*(lines_left(p, ranks) for p in positions), strict=True))
    r, c, d = members[rows][:, :, None], members[columns][:, None, :], at[:, None, None]
    shape = len(positions), k * k
    cells: NDArray[Any] = (r * n + c).reshape(shape)
    numbers = boards[r, c, d].reshape(shape).astype(np.int64)
    sign = 3 - 2 * positions[0].mover
    fewer = without[rows][:, :, None], without[columns][:, None, :], d

    def seen(turns: int) -> NDArray[np.int64]:
        """What each move gains its mover in so many turns, itself counted."""
        gains: NDArray[np.int64] = numbers + sign * looks[turns - 1][k - 1][fewer].reshape(shape)
        return gains

    exact = seen(n)
    order = np.arange(len(positions))
    answer = exact.argmax(axis=1)
    top = exact[order, answer]
    largest = numbers.max(axis=1)
    leads = np.array([margin_now(position) for position in positions])
    others = np.where(np.arange(k * k) == answer[:, None], -(1 << 14), exact).max(axis=1)
    wins = _won(game, leads + sign * top, sign)
    good = wins & (others < top) & (numbers[order, answer] < largest)
    depth = np.ones(len(positions), np.int64)
    for turns in range(1, furthest + 1):
        gains = seen(min(turns, n))
        chosen = (gains.argmax(axis=1) == answer) & ((gains == gains.max(axis=1)[:, None]).sum(axis=1) == 1)
        depth[~chosen] = turns + 1
    losses = top[:, None] - exact
    shares = MatrixCaptureSolver.scale / (MatrixCaptureSolver.scale + losses)
    close = np.zeros(len(positions))
    for move in range(k * k):  # one after the other, as they are added up elsewhere
        close += np.where(answer == move, 0.0, shares[:, move] * shares[:, move])
    better = (numbers > numbers[order, answer][:, None]).sum(axis=1)
    only = ~_won(game, leads + sign * others, sign)
    graded = []
    for i in np.flatnonzero(good).tolist():
        tempting = numbers[i] == largest[i]
        graded.append(
            (
                i,
                (
                    int(cells[i, answer[i]]),
                    bool(only[i]),
                    tuple(cells[i, tempting].tolist()),
                    int(losses[i, tempting].min()),
                    int(better[i]),
                    float(close[i]),
                    int(depth[i]),
                ),
            )
        )
    return graded


def _won(game: ScoringGame, leads: NDArray[np.int64], sign: int) -> NDArray[np.bool_]:
    """Has the player of this sign won with Player 1's final lead?"""
    margins = leads - game.komi
    first: NDArray[np.bool_] = (margins > 0) | ((margins == 0) & (game.winner_by(0) == 1))
    return first if sign == 1 else ~first
