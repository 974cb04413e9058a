"""Who chooses moves. A kind of player is a word (`greedy`), perhaps with a setting behind a colon.

To add one, write a class with `choose` and a line in `KINDS`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from pentagrid.core import Position
from pentagrid.dice import Dice
from pentagrid.errors import OptionError, shown

HUMAN = "human"


class Player(Protocol):
    """Chooses one of the legal actions; all its chance comes from the dice."""

    def choose(self, position: Position, dice: Dice) -> int: ...


class Random:
    """Any legal move, each equally likely."""

    def choose(self, position: Position, dice: Dice) -> int:
        return dice.choice(position.actions())


class Greedy:
    """The move that looks best right after it; ties by the dice."""

    def choose(self, position: Position, dice: Dice) -> int:
        greed = {action: position.game.greed(position, action) for action in position.actions()}
        best = max(greed.values())
        return dice.choice([action for action, value in greed.items() if value == best])


KINDS: dict[str, Callable[[], Player]] = {"random": Random, "greedy": Greedy}


def make(kind: str) -> Player | None:
    """The player of a kind, or None for a person. Raises `OptionError`."""
    if kind == HUMAN:
        return None
    if kind not in KINDS:
        raise OptionError(f"There is no player {shown(kind)}; there are {', '.join([HUMAN, *KINDS])}.")
    return KINDS[kind]()
