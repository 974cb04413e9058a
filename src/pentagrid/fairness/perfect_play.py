"""Deals under perfect play, counted from exact values: many deals at once where the game's solver can do that.

A solver that can has `firsts(game, boards)`: Player 1's lead after each first move, in each of many deals. It may have
`firsts_without` too, the same with a special rule left out.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentagrid.analysis.solver import Solver
from pentagrid.core.catalog import has_part, part
from pentagrid.core.game import Game
from pentagrid.core.move_worths import MoveWorths
from pentagrid.core.position import Position
from pentagrid.core.scoring import ScoringGame
from pentagrid.errors import OptionError
from pentagrid.fairness.deals import Deals
from pentagrid.fairness.openings import openings_tally
from pentagrid.fairness.tally import GREEDY, MARGIN, MATTERED, TURNS, UNKNOWN, WINNER, WINNING, Tally, count_values

Leads = NDArray[Any]
"""A row for each first move, a column for each deal."""

BATCH_DEALS = 1 << 14
"""Deals looked at together: few enough that all about them stays in the processor's cache."""


def proven_share(game: Game, fair: bool) -> float | None:
    """The share of deals that Player 1 wins between perfect players, where it is known without counting; else None."""
    if game.pie:  # whatever the first move is worth, the second player takes the better side
        return 0.0
    if fair:  # half a point to one side or the other, by the toss
        return 0.5
    games = game.tossed()
    winners = [_every_winner(each) for each in games]
    return None if None in winners else winners.count(1) / len(games)


def _every_winner(game: Game) -> int | None:
    """Who wins every deal, where that is proven."""
    if game.has_numbers:
        winner: int | None = part(game.name, "solver").SOLVER.every_winner(game)
        return winner
    start = game.opening(())
    return Solver(start).value(start).winner


def perfect_tally(deals: Deals, fair: bool, first: int, last: int) -> Tally:
    """What the deals from one number up to another (without the last) come to under perfect play."""
    game = deals.game
    if not (game.has_numbers or game.pie) and has_part(game.name, "worths"):
        worths: type[MoveWorths] = part(game.name, "worths").WORTHS
        if worths.reaches(game):
            return openings_tally(deals, fair, first, last, worths, _count_deal)
    firsts = getattr(part(game.name, "solver"), "firsts", None)
    if firsts is None or not isinstance(game, ScoringGame):
        return tally_one_by_one(deals, fair, first, last)
    tally = Tally()
    for start in range(first, last, BATCH_DEALS):
        end = min(last, start + BATCH_DEALS)
        boards = deals.boards(start, end)
        leads = firsts(game, boards)
        if leads is None:
            return tally_one_by_one(deals, fair, first, last)
        komi: Leads = np.full(end - start, round(4 * game.komi), np.int32)
        if fair:
            komi = 4 * leads.max(axis=0).astype(np.int32) + 4 * deals.tosses(start, end).astype(np.int32) - 2
        _count_batch(tally, game, boards, leads, komi)
    return tally


def _count_batch(tally: Tally, game: ScoringGame, boards: Leads, leads: Leads, komi: Leads) -> None:
    """Count many deals of a game won on points; `komi` is four times the komi of each."""
    worths = _worths(game, leads, komi)
    best = worths.max(axis=0)
    count_values(tally, WINNER, np.where(best > 0, 1, 2))
    count_values(tally, MARGIN, _half_points(best), lambda halves: f"{halves / 2:g}")
    count_values(tally, WINNING, (worths > 0).sum(axis=0))
    gains = game.points_of_claims(boards)
    greedy = gains == gains.max(axis=0)
    hits = (greedy & (worths == best)).sum(axis=0)
    base = len(greedy) + 1
    count_values(tally, GREEDY, hits * base + greedy.sum(axis=0), lambda pair: f"{pair // base}/{pair % base}")
    tally.count(MATTERED, "tie-break", int((np.abs(best) == 1).sum()))
    firsts_without = getattr(part(game.name, "solver"), "firsts_without", None)
    for rule, other_leads in firsts_without(game, boards).items() if firsts_without else ():
        other_best = _worths(game, other_leads, komi).max(axis=0)
        tally.count(MATTERED, rule, int((_half_points(other_best) != _half_points(best)).sum()))


def _worths(game: ScoringGame, leads: Leads, komi: Leads) -> Leads:
    """The worth of each first move, as `ScoringSolver` counts it: four times the margin, ±1 for a tie."""
    worths = 4 * leads.astype(np.int32) - komi
    worths[worths == 0] = 1 if game.winner_by(0) == 1 else -1
    return -np.abs(worths) if game.pie else worths  # Player 2 takes the better side


def _half_points(worths: Leads) -> Leads:
    """The margins of worths, in half points."""
    return np.where(np.abs(worths) == 1, 0, worths // 2)


def tally_one_by_one(deals: Deals, fair: bool, first: int, last: int) -> Tally:
    """The same as `perfect_tally` for any game, a deal at a time."""
    tally = Tally()
    for number in range(first, last):
        _count_deal(tally, deals.start(number, fair))
    return tally


def _check_solved(start: Position) -> None:
    """Raise `OptionError` unless this is an opening of a game that is solved from its first move."""
    game, opening = start.game, "its opening"
    if start.ply:
        empty = game.opening(start.numbers)
        if Solver(empty).value(empty).winner is not None:
            return
        opening = f"every opening of {start.ply} moves"
    raise OptionError(
        f"{game.title} at size {game.size} is not solved from {opening}, so there is no census of perfect play; "
        "name players with --p1 and --p2."
    )


def _count_deal(tally: Tally, start: Position) -> None:
    """Count one deal. Raises `OptionError` if it is not solved and no opening of it can be expected to be."""
    game, solver = start.game, Solver(start)
    value = solver.prove(start)
    if value.winner is None:
        _check_solved(start)
        for measure in (WINNER, WINNING, GREEDY):
            tally.count(measure, UNKNOWN)
        return
    tally.count(WINNER, str(value.winner))
    if value.margin is not None:
        tally.count(MARGIN, f"{value.margin:g}")
    after = [game.after(start, action) for action in start.actions()]
    if any(low != high for low, high in map(solver.bounds, after)):
        tally.count(WINNING, UNKNOWN)
        tally.count(GREEDY, UNKNOWN)
    else:
        winners = [solver.value(position).winner for position in after]
        tally.count(WINNING, str(winners.count(start.mover)))
        losses = solver.losses(start)
        greedy = game.heuristics.greedy_actions(start)
        tally.count(GREEDY, f"{sum(not losses[action] for action in greedy)}/{len(greedy)}")
    if game.has_points:
        tally.count(MATTERED, "tie-break", int(value.margin == 0))
        return
    positions = [start]
    for move in solver.line(start):
        positions.append(positions[-1].play(move))
    if positions[-1].turn:
        return  # the line is not known to its end
    tally.count(TURNS[value.winner], str(positions[-1].ply))
    came_up = game.came_up(positions)
    for rule in game.special_rules:
        tally.count(MATTERED, rule, int(rule in came_up))
