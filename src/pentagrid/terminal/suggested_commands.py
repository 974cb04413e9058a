"""Commands that the program suggests, as they can be typed in the same shell."""

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


def program_words() -> str:
    """The words that start this program again from the same shell and folder."""
    called = Path(sys.argv[0])
    if called.name == "__main__.py":
        return f"{quote(_shortest(Path(sys.executable)))} -m pentagrid"
    from shutil import which

    in_path = which(called.name)
    if in_path and os.path.realpath(in_path) == os.path.realpath(called):
        return called.name
    return quote(_shortest(called))


def suggested_command(*words: str) -> str:
    """A command of this program with these words behind it."""
    return f"{program_words()} {join(words)}"


def _shortest(path: Path) -> str:
    """A path as it is shortest to type: relative when it lies below this folder."""
    try:
        return str(path.absolute().relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def resume_command(path: Path) -> str:
    """The command that goes on with a saved game."""
    name = str(path)
    return f"{program_words()} resume {quote(f'./{name}' if name.startswith('-') else name)}"


def play_command(match: Match) -> str:
    """The command that plays a game again from its deal and its moves, for when there is no file of it."""
    game, default = match.start.game, Seat()
    words = ["play", game.name, "--seed", str(match.seed)]
    if match.start == game.opening(match.start.numbers):
        words += ["--size", str(game.size), *_rules(game)]
        words += ["--board", game.write_board(match.start)] if game.has_numbers else []
    else:
        words += ["--position", match.start.text]
    one, two = match.seats
    words += [word for i, seat in ((1, one), (2, two)) if seat.kind != default.kind for word in (f"--p{i}", seat.kind)]
    words += ["--names", f"{one.name},{two.name}"] if one.name and two.name else []
    words += ["--turn-seconds", f"{match.turn_seconds:g}"] if match.turn_seconds is not None else []
    words += ["--moves", "; ".join(match.moves)] if match.actions else []
    return suggested_command(*words)


def puzzle_command(puzzle: Puzzle) -> str:
    """The command that asks a puzzle again; a puzzle of the day can be asked again on any day."""
    game = puzzle.position.game
    words = ["puzzle", game.name, "--difficulty", str(puzzle.difficulty), "--seed", str(puzzle.seed)]
    words += ["--size", str(game.size)] if game.size != game.default_size else []
    words += _rules(game)
    return suggested_command(*words)


def _rules(game: Game) -> list[str]:
    return [word for name, value in game.chosen_rules.items() for word in ("--rule", f"{name}={value}")]
