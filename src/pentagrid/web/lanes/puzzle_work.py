"""Work for the processes beside the server about puzzles: make them, hint at them, play answers out."""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from typing import Any, NamedTuple

from pentagrid.core.catalog import load
from pentagrid.puzzles import hints, playouts
from pentagrid.puzzles import puzzle as puzzles
from pentagrid.puzzles.playouts import Playout
from pentagrid.puzzles.puzzle import Puzzle
from pentagrid.web.api.board_data import described
from pentagrid.web.game_words import refusals_of

MOST_CACHED = 256


class PuzzleName(NamedTuple):
    """What names a puzzle: its day, or its game, difficulty and seed."""

    day: date | None
    game: str = ""
    difficulty: int = 0
    seed: int = 0

    @property
    def query(self) -> str:
        """The name as the query of an address."""
        if self.day is not None:
            return f"daily={self.day.isoformat()}"
        return f"game={self.game}&difficulty={self.difficulty}&seed={self.seed}"


@lru_cache(MOST_CACHED)
def made(name: PuzzleName) -> Puzzle:
    """The puzzle of a name. Raises `OptionError` if there is none."""
    if name.day is not None:
        return puzzles.daily_puzzle(name.day)
    return puzzles.make_puzzle(load(name.game), name.difficulty, name.seed)


def posed(name: PuzzleName) -> dict[str, Any]:
    """A puzzle as plain data, without its answer."""
    puzzle = made(name)
    return {
        "query": name.query,
        "daily": None if name.day is None else name.day.isoformat(),
        "difficulty": puzzle.difficulty,
        "kind": puzzle.kind,
        "question": puzzle.question(),
        "board": described(puzzle.position),
    }


def hinted(name: PuzzleName) -> dict[str, Any]:
    """The tempting moves of a puzzle, and why they are wrong."""
    puzzle = made(name)
    texts = puzzle.position.game.texts
    return {
        "hint": hints.puzzle_hint(puzzle),
        "tempting": [texts[action] for action in puzzle.grade.tempting],
    }


def narrowed(name: PuzzleName) -> dict[str, Any]:
    """How far to look ahead in a puzzle, and a few moves of which one is right."""
    return {"hint": hints.narrow_hint(made(name))}


def answered(name: PuzzleName, move: str) -> dict[str, Any]:
    """An answer to a puzzle, judged and played out. Raises what `Position.play` raises."""
    puzzle = made(name)
    with refusals_of(puzzle.position.game):
        line = playouts.play_out(puzzle, move)
    return playout_data(line)


def solved(name: PuzzleName) -> dict[str, Any]:
    """The right answer to a puzzle, played out."""
    line = playouts.main_line(made(name))
    return {**playout_data(line), "verdict": line.solution()}


def playout_data(line: Playout) -> dict[str, Any]:
    """A line of play as plain data; a wrong one does not tell the right answer."""
    *sentences, end = line.sentences()
    return {
        "right": line.right,
        "verdict": line.verdict(),
        "why": hints.puzzle_hint(line.puzzle) if line.right else None,
        "steps": [
            {
                "move": step.move,
                "player": step.player,
                "touch": step.before.game.drawing.touch(step.action)._asdict(),
                "said": said,
                "board": described(step.after, step.before),
            }
            for step, said in zip(line.steps, sentences, strict=True)
        ],
        "end": end,
    }
