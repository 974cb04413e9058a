"""Deals played out by players of any strength, one game on each."""

from __future__ import annotations

from pentagrid.analysis.solver import solver_of
from pentagrid.core.position import Position
from pentagrid.core.rng import Dice
from pentagrid.core.streams import Stream
from pentagrid.fairness.deals import Deals
from pentagrid.fairness.tally import MARGIN, MATTERED, RIGHTFUL, TURNS, WINNER, Tally
from pentagrid.play.players import Player, make_player


def played_tally(deals: Deals, fair: bool, kinds: tuple[str, str], first: int, last: int) -> Tally:
    """What games on the deals from one number up to another (without the last) come to.

    `kinds` are the players in seat 1 and in seat 2.
    """
    tally = Tally()
    one, two = map(make_player, kinds)
    assert one is not None and two is not None
    for number in range(first, last):
        dice = Dice(deals.seed_of(number), Stream.CENSUS_PLAYERS)
        _count_game(tally, play_out(deals.start(number, fair), (one, two), dice))
    return tally


def play_out(start: Position, seats: tuple[Player, Player], dice: Dice) -> list[Position]:
    """All positions of one game."""
    positions = [start]
    while seat := positions[-1].turn:
        position = positions[-1]
        positions.append(position.game.after(position, seats[seat - 1].choose(position, dice)))
    return positions


def _count_game(tally: Tally, positions: list[Position]) -> None:
    start, final = positions[0], positions[-1]
    game, outcome = start.game, final.outcome()
    assert outcome is not None
    tally.count(WINNER, str(outcome.winner))
    if outcome.reason in ("score", "tie-break"):
        tally.count(MARGIN, f"{game.margin(final):g}")
    tally.count(TURNS[outcome.winner], str(final.ply))
    rightful = solver_of(start).value(start).winner
    if rightful is not None:
        tally.count(RIGHTFUL, "yes" if rightful == outcome.winner else "no")
    came_up = game.came_up(positions)
    for rule in game.special_rules:
        tally.count(MATTERED, rule, int(rule in came_up))
