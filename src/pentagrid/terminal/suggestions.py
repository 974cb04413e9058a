"""How this program was called, and the commands it suggests."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from shlex import join, quote
from typing import TYPE_CHECKING

from pentagrid.core.game import Game
from pentagrid.play.match import Match, Seat

if TYPE_CHECKING:
    from pentagrid.puzzles.puzzle import Puzzle


def program() -> str:
    """The words that start this program again from the same shell and folder."""
    called = Path(sys.argv[0])
    if called.name == "__main__.py":
        return f"{quote(_near(Path(sys.executable)))} -m pentagrid"
    from shutil import which

    found = which(called.name)
    if found and os.path.realpath(found) == os.path.realpath(called):
        return called.name
    return quote(_near(called))


def _near(path: Path) -> str:
    """A path as it is shortest to type: relative when it lies below this folder."""
    try:
        return str(path.absolute().relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def resume_command(path: Path) -> str:
    """The command that goes on with a saved game."""
    name = str(path)
    return f"{program()} resume {quote(f'./{name}' if name.startswith('-') else name)}"


def play_command(match: Match) -> str:
    """The command that makes a game again from its deal and its moves, for when there is no file of it."""
    game, default = match.start.game, Seat()
    words = ["play", game.name, "--size", str(game.size), "--seed", str(match.seed)]
    words += _rules(game)
    words += ["--board", game.write_board(match.start)] if game.has_numbers else []
    one, two = match.seats
    words += [word for i, seat in ((1, one), (2, two)) if seat.kind != default.kind for word in (f"--p{i}", seat.kind)]
    words += ["--names", f"{one.name},{two.name}"] if one.name and two.name else []
    words += ["--turn-seconds", f"{match.turn_seconds:g}"] if match.turn_seconds is not None else []
    words += ["--moves", "; ".join(match.moves)] if match.actions else []
    return f"{program()} {join(words)}"


def puzzle_command(puzzle: Puzzle) -> str:
    """The command that puts a puzzle again, also that of a day on any other."""
    game = puzzle.position.game
    words = ["puzzle", game.name, "--difficulty", str(puzzle.difficulty), "--seed", str(puzzle.seed)]
    words += ["--size", str(game.size)] if game.size != game.default_size else []
    words += _rules(game)
    return f"{program()} {join(words)}"


def _rules(game: Game) -> list[str]:
    return [word for name, value in game.chosen_rules.items() for word in ("--rule", f"{name}={value}")]
