"""Deals played out by imperfect players, one game on each."""

from __future__ import annotations

from pentagrid.analysis.solver import solver_of
from pentagrid.core.deal_solver import margin_now
from pentagrid.core.position import Position
from pentagrid.core.rng import Dice
from pentagrid.core.scoring import ScoringGame
from pentagrid.fairness.deals import Deals
from pentagrid.fairness.tally import MARGIN, MATTERED, RIGHTFUL, TURNS, WINNER, Tally
from pentagrid.play import players
from pentagrid.play.players import Player

PLAY_STREAM = 1 << 35


def tally(deals: Deals, fair: bool, kinds: tuple[str, str], first: int, last: int) -> Tally:
    """The games on the deals from one number up to another; `kinds` are Player 1 and Player 2."""
    found = Tally()
    one, two = map(players.make_player, kinds)
    assert one is not None and two is not None
    for number in range(first, last):
        played = play(deals.start(number, fair), (one, two), Dice(deals.seed_of(number), PLAY_STREAM))
        _count(found, played)
    return found


def play(start: Position, seats: tuple[Player, Player], dice: Dice) -> list[Position]:
    """All positions of one game."""
    played = [start]
    while turn := played[-1].turn:
        position = played[-1]
        played.append(position.game.after(position, seats[turn - 1].choose(position, dice)))
    return played


def _count(found: Tally, played: list[Position]) -> None:
    start, final = played[0], played[-1]
    game, outcome = start.game, final.outcome()
    assert outcome is not None
    found.count(WINNER, str(outcome.winner))
    if isinstance(game, ScoringGame):
        found.count(MARGIN, f"{game.with_komi(margin_now(final), final.swapped):g}")
    found.count(TURNS[outcome.winner], str(final.ply))
    rightful = solver_of(start).value(start).winner
    if rightful is not None:
        found.count(RIGHTFUL, "yes" if rightful == outcome.winner else "no")
    came_up = game.came_up(played)
    for rule in game.special_rules:
        found.count(MATTERED, rule, int(rule in came_up))
