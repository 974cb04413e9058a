"""Five small two-player grid games: exact rules, for the terminal, the browser and for agents."""

from __future__ import annotations

from pentagrid.catalogue import game_names, load, read
from pentagrid.core import Cell, Game, Line, Outcome, Position, Touch
from pentagrid.dice import Dice
from pentagrid.errors import (
    BoardError,
    GameOverError,
    NotAllowedError,
    OptionError,
    PentagridError,
    UnreadableError,
)

__version__ = "0.1.0"

__all__ = [
    "BoardError",
    "Cell",
    "Dice",
    "Game",
    "GameOverError",
    "Line",
    "NotAllowedError",
    "OptionError",
    "Outcome",
    "PentagridError",
    "Position",
    "Touch",
    "UnreadableError",
    "game_names",
    "load",
    "read",
]
