"""Deals under perfect play: counted from exact values, many deals at once where the game's solver can do that.

A solver that can has `firsts(game, boards)`, Player 1's lead by his first move in each of many deals, and perhaps
`firsts_without`, the same with a special rule thought away.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentagrid.analysis.solver import Solver
from pentagrid.core.catalog import part
from pentagrid.core.position import Position
from pentagrid.core.scoring import ScoringGame
from pentagrid.errors import OptionError
from pentagrid.fairness.deals import Deals
from pentagrid.fairness.tally import GREEDY, MARGIN, MATTERED, TURNS, UNKNOWN, WINNER, WINNING, Tally

Leads = NDArray[Any]

AT_ONCE = 1 << 14
"""Deals: few enough that all about them stays in the processor's cache."""


def tally(deals: Deals, fair: bool, first: int, last: int) -> Tally:
    """The deals from one number up to another."""
    game = deals.game
    firsts = getattr(part(game.name, "solver"), "firsts", None)
    if firsts is None or not isinstance(game, ScoringGame):
        return one_by_one(deals, fair, first, last)
    found = Tally()
    for start in range(first, last, AT_ONCE):
        end = min(last, start + AT_ONCE)
        boards = deals.boards(start, end)
        leads = firsts(game, boards)
        if leads is None:
            return one_by_one(deals, fair, first, last)
        found.add(_together(deals, game, fair, start, end, boards, leads))
    return found


def _together(deals: Deals, game: ScoringGame, fair: bool, first: int, last: int, boards: Leads, leads: Leads) -> Tally:
    """Many deals of a game won on points."""
    komi: Leads = np.full(last - first, round(4 * game.komi), np.int32)
    if fair:
        komi = 4 * leads.max(axis=0).astype(np.int32) + 4 * deals.tosses(first, last).astype(np.int32) - 2
    worths = _worths(game, leads, komi)
    best = worths.max(axis=0)
    found = Tally()
    _count(found, WINNER, np.where(best > 0, 1, 2))
    _count(found, MARGIN, _halves(best), lambda halves: f"{halves / 2:g}")
    _count(found, WINNING, (worths > 0).sum(axis=0))
    gains = game.points_of_claims(boards)
    greedy = gains == gains.max(axis=0)
    hits = (greedy & (_halves(worths) == _halves(best))).sum(axis=0)
    most = len(greedy) + 1
    _count(found, GREEDY, hits * most + greedy.sum(axis=0), lambda pair: f"{pair // most}/{pair % most}")
    found.count(MATTERED, "tie-break", int((np.abs(best) == 1).sum()))
    without = getattr(part(game.name, "solver"), "firsts_without", None)
    for rule, others in without(game, boards).items() if without else ():
        other = _worths(game, others, komi).max(axis=0)
        found.count(MATTERED, rule, int((_halves(other) != _halves(best)).sum()))
    return found


def _worths(game: ScoringGame, leads: Leads, komi: Leads) -> Leads:
    """The worth of each first move, as `ScoringSolver` counts it: four times the margin, ±1 for a tie."""
    worths = 4 * leads.astype(np.int32) - komi
    worths[worths == 0] = 1 if game.winner_by(0) == 1 else -1
    return -np.abs(worths) if game.pie else worths  # Player 2 takes the better side


def _halves(worths: Leads) -> Leads:
    """The margins of worths, in half points."""
    return np.where(np.abs(worths) == 1, 0, worths // 2)


def _count(found: Tally, measure: str, values: Leads, name: Callable[[int], str] = str) -> None:
    """Count small whole numbers, each by the name it has as a value of the measure."""
    least = int(values.min())
    for number, count in enumerate(np.bincount(values - least).tolist(), least):
        if count:
            found.count(measure, name(number), count)


def one_by_one(deals: Deals, fair: bool, first: int, last: int) -> Tally:
    """The same for any game, a deal at a time."""
    found = Tally()
    for number in range(first, last):
        _look(found, deals.start(number, fair))
    return found


def _look(found: Tally, start: Position) -> None:
    """Count one deal. Raises `OptionError` if it is not solved exactly."""
    game, solver = start.game, Solver(start)
    value = solver.value(start)
    if value.winner is None:
        raise OptionError(
            f"{game.title} at size {game.size} is not solved from its opening, so there is no census of perfect play; "
            "name players with --p1 and --p2."
        )
    found.count(WINNER, str(value.winner))
    if value.margin is not None:
        found.count(MARGIN, f"{value.margin:g}")
    after = {action: game.after(start, action) for action in start.actions()}
    known = {action: solver.bounds(position) for action, position in after.items()}
    if any(low != high for low, high in known.values()):
        found.count(WINNING, UNKNOWN)
        found.count(GREEDY, UNKNOWN)
    else:
        winners = [solver.value(position).winner for position in after.values()]
        found.count(WINNING, str(winners.count(start.mover)))
        regrets = solver.regrets(start)
        greed = {action: game.heuristics.greed(start, action) for action in after}
        greedy = [action for action, looks in greed.items() if looks == max(greed.values())]
        found.count(GREEDY, f"{sum(not regrets[action] for action in greedy)}/{len(greedy)}")
    if isinstance(game, ScoringGame):
        found.count(MATTERED, "tie-break", int(value.margin == 0))
        return
    played = [start]
    for move in solver.analyze(start).line:
        played.append(played[-1].play(move))
    found.count(TURNS[value.winner], str(played[-1].ply))
    came_up = game.came_up(played)
    for rule in game.special_rules:
        found.count(MATTERED, rule, int(rule in came_up))
