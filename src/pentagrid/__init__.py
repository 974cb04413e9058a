"""Five small two-player grid games: exact rules, for the terminal, the browser and for agents.

`import pentagrid as pg` is the front door: everything a user of the library needs is a name here. A name is loaded when
it is first used, so the import itself costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pentagrid.analysis.review import Choice, Review, review
    from pentagrid.analysis.solver import Solver, analyze
    from pentagrid.analysis.values import Analysis, Option
    from pentagrid.core.catalog import game_names, load
    from pentagrid.core.deal_solver import Value
    from pentagrid.core.drawing import Cell, Line, Touch
    from pentagrid.core.game import Game
    from pentagrid.core.options import RuleOption
    from pentagrid.core.position import Outcome, Position
    from pentagrid.core.position_reader import read_position
    from pentagrid.core.rng import Dice
    from pentagrid.errors import (
        BoardError,
        GameOverError,
        NotAllowedError,
        OptionError,
        PentagridError,
        Refusal,
        UnreadableError,
    )
    from pentagrid.play.match import Match, Seat
    from pentagrid.play.players import Player, make_player
    from pentagrid.play.record import Record, read_record, write_record
    from pentagrid.puzzles.playouts import Playout, play_out
    from pentagrid.puzzles.puzzle import Puzzle, daily_puzzle, make_puzzle, puzzle_of

__version__ = "0.2.0.dev0"

_HOMES = {
    "analysis.review": ("Choice", "Review", "review"),
    "analysis.solver": ("Solver", "analyze"),
    "analysis.values": ("Analysis", "Option"),
    "core.catalog": ("game_names", "load"),
    "core.deal_solver": ("Value",),
    "core.drawing": ("Cell", "Line", "Touch"),
    "core.game": ("Game",),
    "core.options": ("RuleOption",),
    "core.position": ("Outcome", "Position"),
    "core.position_reader": ("read_position",),
    "core.rng": ("Dice",),
    "errors": (
        "BoardError", "GameOverError", "NotAllowedError", "OptionError", "PentagridError", "Refusal", "UnreadableError",
    ),
    "play.match": ("Match", "Seat"),
    "play.players": ("Player", "make_player"),
    "play.record": ("Record", "read_record", "write_record"),
    "puzzles.playouts": ("Playout", "play_out"),
    "puzzles.puzzle": ("Puzzle", "daily_puzzle", "make_puzzle", "puzzle_of"),
}  # fmt: skip
"""The module that each name comes from."""

__all__ = [
    "Analysis",
    "BoardError",
    "Cell",
    "Choice",
    "Dice",
    "Game",
    "GameOverError",
    "Line",
    "Match",
    "NotAllowedError",
    "Option",
    "OptionError",
    "Outcome",
    "PentagridError",
    "Player",
    "Playout",
    "Position",
    "Puzzle",
    "Record",
    "Refusal",
    "Review",
    "RuleOption",
    "Seat",
    "Solver",
    "Touch",
    "UnreadableError",
    "Value",
    "analyze",
    "daily_puzzle",
    "game_names",
    "load",
    "make_player",
    "make_puzzle",
    "play_out",
    "puzzle_of",
    "read_position",
    "read_record",
    "review",
    "write_record",
]


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            value = getattr(import_module(f"{__name__}.{module}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
