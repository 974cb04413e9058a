"""Is a position a puzzle, and how hard is it?

A puzzle is a position that the mover can win and that has a single best move, which is none that tempts.
Its hardness grows with how tempting the wrong moves are and with how far one has to look ahead:

    hardness = depth² · (1 + better) · (1 + close)

`depth` is how many turns one has to look ahead to be sure to choose the answer, `better` how many moves look better
than it, `close` how many wrong moves there are, each counting less the more it gives away. Only additions,
multiplications and divisions are used, so a hardness is the same on every machine.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from pentagrid.analysis.solver import Solver
from pentagrid.core.catalog import part
from pentagrid.core.deal_solver import DealSolver
from pentagrid.core.game import Game
from pentagrid.core.options import SWAP_PLY
from pentagrid.core.position import Position

WIN, BEST = "win", "best"
"""The kinds: the one winning move, and the one best move of several that win."""
DIFFICULTIES = range(1, 6)
FEWEST, MOST = 4, 16
"""Legal moves of a puzzle: with fewer there is nothing to find, with more nobody would look through them."""
FURTHEST = 5
"""Turns that a look ahead goes at most; what it does not see is one deeper."""
FAR = 1 << 20
"""More than any lead."""


class Grade(NamedTuple):
    """Why a position is a puzzle: its answer, and what makes it hard."""

    answer: int
    kind: str
    tempting: tuple[int, ...]
    """The moves that look best, all of them wrong."""
    loss: float
    """What the best of the tempting moves gives away."""
    better: int
    """How many moves look better than the answer."""
    close: float
    """The wrong moves, each counted as (scale / (scale + what it gives away))²."""
    depth: int
    """From how many turns on a look ahead chooses the answer; 0 where nobody has looked yet."""

    @property
    def hardness(self) -> float:
        """How hard the puzzle is, as a number without an upper limit."""
        return self.depth * self.depth * (1 + self.better) * (1 + self.close)


def difficulty_of(game: Game, grade: Grade) -> int:
    """From 1, easy, to 5, by the hardness that divides the puzzles of a game."""
    cuts = solver_class(game).hardness_cuts
    return DIFFICULTIES[bisect_right(cuts, grade.hardness)]


def solver_class(game: Game) -> type[DealSolver]:
    """The solver of a game, to be asked what holds for all deals."""
    kind: type[DealSolver] = part(game.name, "solver").SOLVER
    return kind


def fitting(position: Position) -> bool:
    """Could it be a puzzle by its moves and what is left to play? Where sides may be swapped there is none."""
    if position.game.pie and position.ply <= SWAP_PLY:
        return False
    if not position.game.heuristics.leaves_enough(position):
        return False
    return FEWEST <= position.game.legal(position).bit_count() <= MOST


def weigh(solver: Solver, position: Position) -> Grade | None:
    """The grade of a position without its depth, or None if it is no puzzle or its values are not known at once."""
    game, points = position.game, position.scores is not None
    sign = 1 if position.mover == 1 else -1
    low, high = solver.bounds(position)
    if low != high or sign * low < 0:
        return None
    worths: dict[int, int] = {}
    winning = 0
    for action in position.actions():
        low, high = solver.bounds(game.after(position, action))
        worths[action] = sign * low
        winning += worths[action] > 0
        if low != high or (winning > 1 and not points):
            return None
    answer, second = sorted(worths, key=worths.__getitem__, reverse=True)[:2]
    if worths[second] == worths[answer]:
        return None
    looks = {action: game.heuristics.natural(position, action) for action in worths}
    most = max(looks.values())
    if looks[answer] == most or answer in game.heuristics.temptations(position):
        return None
    tempting = tuple(action for action in worths if looks[action] == most)
    scale, close, regrets = solver.scale, 0.0, {}
    for action, worth in worths.items():
        if action != answer:
            regrets[action] = solver.regret(sign * worths[answer], sign * worth)
            share = scale / (scale + regrets[action])
            close += share * share
    better = sum(look > looks[answer] for look in looks.values())
    kind = WIN if winning == 1 else BEST
    return Grade(answer, kind, tempting, min(regrets[action] for action in tempting), better, close, 0)


def deepen(solver: Solver, position: Position, grade: Grade) -> Grade:
    """The grade with its depth: from how many turns on a look ahead chooses the answer alone."""
    game = position.game
    if position.scores is None:  # seen once the answer is seen to win, or everything else to lose
        ends = {action: _turns_to_the_end(solver, game.after(position, action)) for action in position.actions()}
        answer = ends.pop(grade.answer)
        return grade._replace(depth=1 + min(answer, max(ends.values())))
    for turns in range(FURTHEST, 0, -1):
        if not chosen_by_a_look(position, grade.answer, turns):
            return grade._replace(depth=turns + 1)
    raise AssertionError("a greedy move that is right")


def _turns_to_the_end(solver: Solver, position: Position) -> int:
    plies = solver.value(position).plies
    assert plies is not None
    return plies


def chosen_by_a_look(position: Position, answer: int, turns: int) -> bool:
    """Does a look so many turns ahead, which then counts the points as they stand, choose the answer alone?"""
    game, sign = position.game, 1 if position.mover == 1 else -1
    seen = _look(game.after(position, answer), turns - 1, -FAR, FAR)
    for action in position.actions():
        if action != answer:
            after = game.after(position, action)
            other = _look(after, turns - 1, seen - 1, seen) if sign > 0 else _look(after, turns - 1, seen, seen + 1)
            if sign * (other - seen) >= 0:
                return False
    return True


def _look(position: Position, turns: int, alpha: int, beta: int) -> int:
    """Player 1's lead so many turns later, both looking no further (alpha–beta)."""
    game = position.game
    if turns == 0 or not (actions := position.actions()):
        assert position.scores is not None
        return position.scores[0] - position.scores[1]
    for action in actions:
        lead = _look(game.after(position, action), turns - 1, alpha, beta)
        if position.mover == 1:
            alpha = max(alpha, lead)
        else:
            beta = min(beta, lead)
        if alpha >= beta:
            break
    return alpha if position.mover == 1 else beta
