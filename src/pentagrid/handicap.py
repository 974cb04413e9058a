"""Handicaps that make a deal as close as can be."""

from __future__ import annotations

from pentagrid.analysis import analyze
from pentagrid.core import Game, Position
from pentagrid.dice import Dice
from pentagrid.errors import OptionError

FAIR = "fair"
TOSS_STREAM = 1 << 33
"""The stream of a seed that decides to which side of a deal's value its fair komi lies."""


def fair_komi(position: Position, seed: int) -> str:
    """The komi that leaves half a point between the players: just below or just above the value, by the seed's toss.

    The value is that of the deal without komi and without swapping, so that under the pie rule too there is a first
    move that leaves half a point. Raises `OptionError` if it is not known exactly.
    """
    game = position.game
    plain = type(game)(game.size, **{**game.rules, "komi": "0", "pie": "off"})
    margin = analyze(plain._open(position.numbers)).value.margin
    if margin is None:
        raise OptionError(f"There is no fair komi: the exact value of this {position.game.title} deal is not known.")
    return f"{margin + (0.5 if Dice(seed, TOSS_STREAM).below(2) else -0.5):g}"


def with_fair_komi(game: Game, position: Position, seed: int) -> Game:
    """The same game with the komi that is fair for a deal of it."""
    return type(game)(game.size, **{**game.rules, "komi": fair_komi(position, seed)})
