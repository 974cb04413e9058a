"""Sets of puzzles: many at once, varied, without two that are the same up to the game's symmetries."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from pentagrid.core.catalog import part
from pentagrid.core.game import Game
from pentagrid.core.position import Position
from pentagrid.core.rng import Dice
from pentagrid.core.streams import Stream
from pentagrid.errors import OptionError, shown
from pentagrid.puzzles.grades import BEST, FURTHEST, WIN, Grade, difficulty_of
from pentagrid.puzzles.puzzle import (
    MOST_GAMES,
    Puzzle,
    check_difficulty,
    check_game,
    check_values,
    line,
    looked_into,
    none_found,
    weigh_line,
)

GAMES_AT_ONCE = 512
"""Games whose positions are graded together, where a game has a way to do that."""
MOST_OF_A_DEAL = 2
"""Puzzles from one game at most."""
MOST_PUZZLES = 10_000_000

Weighed = list[tuple[Position, Grade]]


class PuzzleSet(NamedTuple):
    """The puzzles, and how many were wanted."""

    game: Game
    puzzles: list[Puzzle]
    wanted: int
    seed: int

    def rows(self) -> Iterator[dict[str, Any]]:
        """Each puzzle as a row of a file."""
        return map(row, self.puzzles)

    def text(self) -> str:
        """The whole set as a file of JSON lines."""
        return "".join(json.dumps(one) + "\n" for one in self.rows())


def generate(
    game: Game, count: int, difficulty: int | None = None, seed: int = 0,
    progress: Callable[[float], None] = lambda share: None, stop: Callable[[], bool] = lambda: False,
) -> PuzzleSet:  # fmt: skip
    """So many puzzles, of one difficulty or of all as they come; the same for the same arguments.

    Fewer only if `stop` says so or no new one turns up any more. Raises `OptionError`, also where there is none at all.
    """
    check_game(game)
    if difficulty is not None:
        check_difficulty(difficulty)
    if type(count) is not int or not 1 <= count <= MOST_PUZZLES:
        raise OptionError(f"{shown(str(count))} is not a number of puzzles; it is from 1 to {MOST_PUZZLES}.")
    same = same_puzzle_of(game)
    puzzles: list[Puzzle] = []
    seen: set[object] = set()
    since = 0
    for dice, weighed in _games(game, seed):
        if stop() or len(puzzles) == count or since > MOST_GAMES:
            break
        answers: set[int] = set()  # a game in which the answer stays where it is is one puzzle, not two
        for position, grade in sorted(dice.shuffled(weighed), key=lambda one: one[1].kind != WIN):
            if len(answers) == MOST_OF_A_DEAL or len(puzzles) == count:
                break
            if grade.answer in answers:
                continue
            full = looked_into(position, grade)
            found = difficulty_of(game, full)
            if difficulty in (None, found) and (key := same(position)) not in seen:
                seen.add(key)
                puzzles.append(Puzzle(position, found, full, seed))
                answers.add(full.answer)
        since = 0 if answers else since + 1
        progress(len(puzzles) / count)
    if since > MOST_GAMES and not puzzles:
        check_values(game, Dice(seed, Stream.PUZZLE_SET, 0))
        raise OptionError(none_found(game, difficulty))
    return PuzzleSet(game, puzzles, count, seed)


def same_puzzle_of(game: Game) -> Callable[[Position], object]:
    """What is the same for positions of a game that are no more than one puzzle."""
    symmetry = part(game.name, "symmetry")
    same: Callable[[Position], object] = getattr(symmetry, "same_puzzle", symmetry.canonical)
    return same


def _games(game: Game, seed: int) -> Iterator[tuple[Dice, Weighed]]:
    """Random games without end, each with its dice and the puzzles on its way."""
    number = 0
    while True:
        dice = [Dice(seed, Stream.PUZZLE_SET, number + i) for i in range(GAMES_AT_ONCE)]
        yield from zip(dice, _weigh_games(game, dice), strict=True)
        number += GAMES_AT_ONCE


def _weigh_games(game: Game, dice: list[Dice]) -> Iterator[Weighed]:
    """The puzzles of each game: all at once where the game can do that, else one after the other."""
    many = _many(game)
    if many is None:
        for one in dice:
            yield list(weigh_line(line(game, one)))
        return
    lines = [line(game, one) for one in dice]
    grades = iter(many([position for positions in lines for position in positions], FURTHEST))
    for positions in lines:
        found = [(position, next(grades)) for position in positions]
        yield [
            (position, Grade(one[0], WIN if one[1] else BEST, *one[2:])) for position, one in found if one is not None
        ]


def _many(game: Game) -> Callable[[list[Position], int], list[Any]] | None:
    """How a game grades many positions at once, if it does."""
    try:
        module = part(game.name, "puzzles")
    except OptionError:
        return None
    return module.grades if module.reaches(game) else None


def row(puzzle: Puzzle) -> dict[str, Any]:
    """A puzzle as a row of a file; docs/puzzles.md tells what each field means."""
    position, grade = puzzle.position, puzzle.grade
    game = position.game
    return {
        "game": game.name,
        "position": position.text,
        "board": [list(numbers) for numbers in position.board or ()],
        "mover": position.mover,
        "scores": list(position.scores) if position.scores is not None else None,
        "answer": game.texts[grade.answer],
        "kind": grade.kind,
        "difficulty": puzzle.difficulty,
        "hardness": round(grade.hardness, 2),
        "tempting": [game.texts[action] for action in grade.tempting],
        "loss": grade.loss,
        "depth": grade.depth,
        "better": grade.better,
        "close": round(grade.close, 4),
        "seed": puzzle.seed,
    }
