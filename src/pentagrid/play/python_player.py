"""A seat played by Python code of the user's: `py:MODULE:NAME`, described in docs/programs.md.

Nothing is imported before the first turn in a match that may start programs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from pentagrid.core.position import Outcome, Position
from pentagrid.core.rng import Dice
from pentagrid.errors import OptionError, PentagridError, shown
from pentagrid.play.players import ForfeitError, OutsidePlayer


class PythonPlayer(OutsidePlayer):
    """A player that calls `choose(position, dice)`: a function, an object with that method, or a class of such."""

    def __init__(self, path: str) -> None:
        self._module, colon, self._name = path.partition(":")
        if not (colon and self._name and all(map(str.isidentifier, self._module.split(".")))):
            raise OptionError(f"A Python player must be py:MODULE:NAME, such as py:my_bot:choose, not {shown(path)}.")
        self._choose: Callable[[Position, Dice], Any] | None = None

    def inform(self, start: Position, moves: list[str], seconds: float | None, turn_seconds: float | None) -> None:
        pass  # a position is all that it is told

    def choose(self, position: Position, dice: Dice) -> int:
        self._choose = self._choose or self._load()
        try:
            move = self._choose(position, dice)
        except Exception as error:  # another's code may raise anything
            raise ForfeitError("illegal", f"it raised {type(error).__name__} ({shown(str(error), 100)})") from None
        try:
            position.play(move)
        except PentagridError as error:
            raise ForfeitError("illegal", f"it chose {shown(str(move))}: {error}") from None
        return position.game.action(move)

    def _load(self) -> Callable[[Position, Dice], Any]:
        """What is called for a move. Raises `OptionError`."""
        path = f"py:{self._module}:{self._name}"
        here = str(Path.cwd())
        if here not in sys.path:
            sys.path.insert(0, here)
        try:
            found = getattr(import_module(self._module), self._name, None)
            player = found() if isinstance(found, type) else found
        except Exception as error:  # another's code may raise anything
            raise OptionError(f"{path} cannot be loaded: {type(error).__name__}: {error}.") from None
        choose = getattr(player, "choose", player)
        if found is None or not callable(choose):
            raise OptionError(f"{path} must be a function, or have a method choose(position, dice).")
        chosen: Callable[[Position, Dice], Any] = choose
        return chosen

    def leave(self, outcome: Outcome | None = None, final: Position | None = None) -> None:
        pass
