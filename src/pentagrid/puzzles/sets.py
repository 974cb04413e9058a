"""Sets of puzzles: many at once, varied, no two of them the same up to the game's symmetries."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from typing import Any, NamedTuple

from pentagrid.core.catalog import part
from pentagrid.core.game import Game
from pentagrid.core.position import Position
from pentagrid.core.rng import Dice
from pentagrid.core.streams import Stream
from pentagrid.errors import OptionError, shown
from pentagrid.puzzles.grades import BEST, DEEPEST_LOOK, WIN, Grade, difficulty_of
from pentagrid.puzzles.puzzle import (
    MOST_GAMES,
    Puzzle,
    check_difficulty,
    check_has_puzzles,
    check_has_values,
    full_grade,
    grade_positions,
    none_found_message,
    random_positions,
)
from pentagrid.util.workers import Mapper, on_cores

GAMES_AT_ONCE = 512
"""Games whose positions are graded together, where the game can do that."""
FEW_AT_ONCE = 8
"""Games that are graded one after the other, where the game cannot do that."""
BEST_EVERY = 4
"""Of every fourth game a puzzle may have several winning moves, of which one is best; of others a single one wins."""
MOST_OF_A_GAME = 2
"""The most puzzles from one random game."""
MOST_PUZZLES = 10_000_000

GradedPositions = list[tuple[Position, Grade]]


class PuzzleSet(NamedTuple):
    """Puzzles of one game, and how many were wanted."""

    game: Game
    puzzles: list[Puzzle]
    wanted: int
    seed: int

    def rows(self) -> Iterator[dict[str, Any]]:
        """The plain data of each puzzle."""
        return (puzzle.data() for puzzle in self.puzzles)

    def text(self) -> str:
        """The whole set as JSON Lines."""
        return "".join(json.dumps(row) + "\n" for row in self.rows())


def generate_puzzles(
    game: Game, wanted: int, difficulty: int | None = None, seed: int = 0,
    progress: Callable[[float], None] = lambda share: None, stop: Callable[[], bool] = lambda: False,
    mapper: Mapper | None = None,
) -> PuzzleSet:  # fmt: skip
    """A set of this many puzzles, of one difficulty or of all; the same for the same arguments, whoever does the work.

    The set has fewer only if `stop` says so or no new puzzle is found any more. Raises `OptionError`, also if there is
    no puzzle at all.
    """
    check_has_puzzles(game)
    if difficulty is not None:
        check_difficulty(difficulty)
    if type(wanted) is not int or not 1 <= wanted <= MOST_PUZZLES:
        raise OptionError(f"The number of puzzles must be from 1 to {MOST_PUZZLES}, not {shown(str(wanted))}.")
    identity = puzzle_identity(game)
    puzzles: list[Puzzle] = []
    seen: set[object] = set()
    games_without = 0
    for number, (dice, graded) in enumerate(_random_games(game, seed, mapper or on_cores(1), stop)):
        if stop() or len(puzzles) == wanted or games_without > MOST_GAMES:
            break
        answers: set[int] = set()  # two positions of a game with the same answer are one puzzle, not two
        wanted_kinds = (WIN, BEST) if number % BEST_EVERY == 0 else (WIN,)
        candidates = [(position, grade) for position, grade in dice.shuffled(graded) if grade.kind in wanted_kinds]
        for position, grade in sorted(candidates, key=lambda candidate: candidate[1].kind != WIN):
            if len(answers) == MOST_OF_A_GAME or len(puzzles) == wanted:
                break
            if grade.answer in answers:
                continue
            full = full_grade(position, grade)
            actual = difficulty_of(game, full)
            if difficulty in (None, actual) and (key := identity(position)) not in seen:
                seen.add(key)
                puzzles.append(Puzzle(position, actual, full, seed))
                answers.add(full.answer)
        games_without = 0 if answers else games_without + 1
        progress(len(puzzles) / wanted)
    if games_without > MOST_GAMES and not puzzles:
        check_has_values(game, Dice(seed, Stream.PUZZLE_SET, 0))
        raise OptionError(none_found_message(game, difficulty))
    return PuzzleSet(game, puzzles, wanted, seed)


def puzzle_identity(game: Game) -> Callable[[Position], object]:
    """A function whose value is the same for positions of a game that are the same puzzle."""
    symmetry = part(game.name, "symmetry")
    identity: Callable[[Position], object] = getattr(symmetry, "same_puzzle", symmetry.canonical)
    return identity


def _random_games(
    game: Game, seed: int, mapper: Mapper, stop: Callable[[], bool]
) -> Iterator[tuple[Dice, GradedPositions]]:
    """Random games without end, each with its dice and its puzzles."""
    size = GAMES_AT_ONCE if _batch_grader(game) else FEW_AT_ONCE
    blocks = (range(first, first + size) for first in count(0, size))
    for block in mapper(partial(_play_block, game, seed), blocks, stop):
        yield from block


def _play_block(game: Game, seed: int, numbers: range) -> list[tuple[Dice, GradedPositions]]:
    """The games of these numbers."""
    dice = [Dice(seed, Stream.PUZZLE_SET, number) for number in numbers]
    return list(zip(dice, _grade_games(game, dice), strict=True))


def _grade_games(game: Game, dice: list[Dice]) -> Iterator[GradedPositions]:
    """The puzzles of the game of each dice: all at once where the game can do that, else one after the other."""
    grade_all = _batch_grader(game)
    if grade_all is None:
        for each in dice:
            yield list(grade_positions(random_positions(game, each)))
        return
    games = [random_positions(game, each) for each in dice]
    grades = iter(grade_all([position for positions in games for position in positions], DEEPEST_LOOK))
    for positions in games:
        graded = [(position, next(grades)) for position in positions]
        yield [
            (position, Grade(fields[0], WIN if fields[1] else BEST, *fields[2:]))
            for position, fields in graded
            if fields is not None
        ]


def _batch_grader(game: Game) -> Callable[[list[Position], int], list[Any]] | None:
    """The function that grades many positions at once, if the game has one."""
    try:
        module = part(game.name, "puzzles")
    except OptionError:
        return None
    return module.grades if module.reaches(game) else None
