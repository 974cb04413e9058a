"""Five small two-player grid games: exact rules, for the terminal, the browser and for agents."""

from __future__ import annotations

from pentagrid.analysis.solver import Analysis, Option, Solver, analyze
from pentagrid.core.catalog import game_names, load, read
from pentagrid.core.deal_solver import Value
from pentagrid.core.game import Game
from pentagrid.core.position import Cell, Line, Outcome, Position, Touch
from pentagrid.core.rng import Dice
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
    "Analysis",
    "BoardError",
    "Cell",
    "Dice",
    "Game",
    "GameOverError",
    "Line",
    "NotAllowedError",
    "Option",
    "OptionError",
    "Outcome",
    "PentagridError",
    "Position",
    "Solver",
    "Touch",
    "UnreadableError",
    "Value",
    "analyze",
    "game_names",
    "load",
    "read",
]
