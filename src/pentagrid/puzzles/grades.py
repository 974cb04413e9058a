"""Decides whether a position is a puzzle, and how hard it is.

A puzzle is a position that the mover can win, with a single best move that is not one of the tempting ones. Its
hardness grows with how tempting the wrong moves are and with how far one has to look ahead:

    hardness = depth · (1 + better) · (1 + close)⁴

`depth` is how many turns one has to look ahead to find the answer, `better` how many moves look better than the answer,
`close` how many wrong moves there are, where a move counts less the more it gives away. The last part weighs most: the
chance that a graded player finds the answer is about 1 / (1 + close). Only additions, multiplications
and divisions are used, so the hardness is the same on every machine.
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
"""The kinds of puzzle: one move wins, or several moves win and one is best."""
DIFFICULTIES = range(1, 6)
FEWEST_MOVES, MOST_MOVES = 4, 16
"""How many legal moves a puzzle has: with fewer it is trivial, with more it is tedious."""
DEEPEST_LOOK = 5
"""The most turns of a look ahead; an answer that it does not find is one turn deeper."""
INFINITE = 1 << 20
"""More than any lead."""


class Grade(NamedTuple):
    """Why a position is a puzzle: its answer, and what makes it hard."""

    answer: int
    kind: str
    tempting: tuple[int, ...]
    """The moves that look best, all of them wrong."""
    loss: float
    """What the best of the tempting moves gives away: points, or 1 for the game."""
    better: int
    """How many moves look better than the answer."""
    close: float
    """The wrong moves, each counted as (scale / (scale + what it gives away))²."""
    depth: int
    """How many turns a look ahead needs to find the answer; 0 before `add_depth`."""

    @property
    def hardness(self) -> float:
        """How hard the puzzle is: a number without an upper limit."""
        squared = (1 + self.close) * (1 + self.close)
        return self.depth * (1 + self.better) * squared * squared


def difficulty_of(game: Game, grade: Grade) -> int:
    """The difficulty from 1 (easy) to 5, by the hardness and the cut-offs of the game."""
    cuts = solver_class(game).hardness_cuts
    return DIFFICULTIES[bisect_right(cuts, grade.hardness)]


def solver_class(game: Game) -> type[DealSolver]:
    """The solver class of a game, which knows what is true of all deals."""
    solver: type[DealSolver] = part(game.name, "solver").SOLVER
    return solver


def could_be_puzzle(position: Position) -> bool:
    """Whether a position has the right number of moves and enough left to play, and no swap is possible any more."""
    if position.game.pie and position.ply <= SWAP_PLY:
        return False
    if not position.game.heuristics.leaves_enough(position):
        return False
    return FEWEST_MOVES <= position.game.legal(position).bit_count() <= MOST_MOVES


def grade_position(solver: Solver, position: Position) -> Grade | None:
    """The grade of a position without its depth; None if it is no puzzle or the solver does not know its values yet."""
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
    scale, close, losses = solver.scale, 0.0, {}
    for action, worth in worths.items():
        if action != answer:
            losses[action] = solver.loss(sign * worths[answer], sign * worth).regret or 0
            share = scale / (scale + losses[action])
            close += share * share
    better = sum(look > looks[answer] for look in looks.values())
    kind = WIN if winning == 1 else BEST
    return Grade(answer, kind, tempting, min(losses[action] for action in tempting), better, close, 0)


def add_depth(solver: Solver, position: Position, grade: Grade) -> Grade:
    """The grade with its depth: how many turns a look ahead needs to choose the answer and nothing else."""
    game = position.game
    if position.scores is None:  # found when the answer is seen to win, or every other move to lose
        ends = {action: _turns_to_the_end(solver, game.after(position, action)) for action in position.actions()}
        answer = ends.pop(grade.answer)
        return grade._replace(depth=1 + min(answer, max(ends.values())))
    for turns in range(DEEPEST_LOOK, 0, -1):
        if not look_ahead_finds(position, grade.answer, turns):
            return grade._replace(depth=turns + 1)
    raise AssertionError("the answer is a greedy move")


def _turns_to_the_end(solver: Solver, position: Position) -> int:
    plies = solver.value(position).plies
    assert plies is not None
    return plies


def look_ahead_finds(position: Position, answer: int, turns: int) -> bool:
    """Whether a look this many turns ahead, which then compares the scores, chooses the answer and nothing else."""
    game, sign = position.game, 1 if position.mover == 1 else -1
    lead = _lead_after(game.after(position, answer), turns - 1, -INFINITE, INFINITE)
    for action in position.actions():
        if action != answer:
            after = game.after(position, action)
            other = (
                _lead_after(after, turns - 1, lead - 1, lead)
                if sign > 0
                else _lead_after(after, turns - 1, lead, lead + 1)
            )
            if sign * (other - lead) >= 0:
                return False
    return True


def _lead_after(position: Position, turns: int, alpha: float, beta: float) -> float:
    """The margin of seat 1 this many turns later, if both look no further (alpha–beta)."""
    game = position.game
    if turns == 0 or not (actions := position.actions()):
        return game.margin(position)
    for action in actions:
        lead = _lead_after(game.after(position, action), turns - 1, alpha, beta)
        if position.mover == 1:
            alpha = max(alpha, lead)
        else:
            beta = min(beta, lead)
        if alpha >= beta:
            break
    return alpha if position.mover == 1 else beta
