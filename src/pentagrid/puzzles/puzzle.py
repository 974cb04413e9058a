"""Puzzles: positions with one winning (or one best) move, which is not the one that looks best.

A puzzle is made from a seed, and is the same for the same game, difficulty and seed for ever; its position alone tells
all about it, so the text of the position is its name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from pentagrid.analysis import sentences as words
from pentagrid.analysis.solver import Solver
from pentagrid.core.catalog import game_names, load
from pentagrid.core.game import Game
from pentagrid.core.position import Position
from pentagrid.core.rng import Dice
from pentagrid.errors import OptionError, shown
from pentagrid.puzzles.grades import (
    DIFFICULTIES,
    FEWEST,
    WIN,
    Grade,
    deepen,
    difficulty_of,
    fitting,
    solver_class,
    weigh,
)

MAKE, SET = 21, 22
"""The streams of a seed: for single puzzles and for sets."""
AT_ONCE = 8
"""Games among which a winning move is preferred to a best one."""
MOST_GAMES = 4000
"""Games after which a puzzle is said not to exist."""
LOOKED_AT = 400
"""Games in which other difficulties are looked for where one is not found."""
GAME_STREAM = 23
"""The stream of a seed that chooses a game."""
WEEK = (1, 2, 2, 3, 3, 4, 5)
"""The difficulty of the day, from Monday to Sunday."""


class Puzzle(NamedTuple):
    """A position, its one answer, and what makes it hard."""

    position: Position
    difficulty: int
    grade: Grade
    seed: int | None
    """The seed it was made from: of `make`, or in a set that of its deal; None for a position that was given."""

    @property
    def answer(self) -> int:
        """The right action."""
        return self.grade.answer

    @property
    def move(self) -> str:
        """The right move as text."""
        return self.position.game.texts[self.grade.answer]

    @property
    def kind(self) -> str:
        """`win`: every other move loses. `best`: others win too, but by less."""
        return self.grade.kind

    def question(self, names: Sequence[str] = words.NAMES) -> str:
        """What is asked, in a sentence."""
        mover = names[self.position.mover - 1]
        if self.kind == WIN:
            return f"{mover} is to move, and one move wins: every other loses. Which one?"
        return f"{mover} is to move and can win; one move wins by more than every other. Which one?"


# Which games have puzzles ---------------------------------------------------------------------------------


def no_puzzles(game: Game) -> str | None:
    """Why a game has no puzzles, in a sentence or two; None if it has some."""
    try:
        kind = solver_class(game)
    except OptionError as error:  # nobody has solved it
        return str(error)
    if not kind.greed_is_right:
        return None
    return " ".join(filter(None, [f"{game.title} has no puzzles, because greed is always right in it.", kind.proof]))


def puzzle_games() -> tuple[str, ...]:
    """The names of the games that have puzzles."""
    return tuple(name for name in game_names() if no_puzzles(load(name)) is None)


def game_of(seed: int) -> str:
    """The game that a seed chooses where nobody has chosen one."""
    return Dice(seed, GAME_STREAM).choice(puzzle_games())


def check_game(game: Game) -> None:
    """Raise `OptionError` if a game has no puzzles."""
    reason = no_puzzles(game)
    if reason:
        raise OptionError(f"{reason} There are puzzles in {words.listed(puzzle_games())}.")


def check_difficulty(difficulty: int) -> None:
    """Raise `OptionError` unless it is from 1 to 5."""
    if type(difficulty) is not int or difficulty not in DIFFICULTIES:
        raise OptionError(f"{shown(str(difficulty))} is not a difficulty; it is a whole number from 1, easy, to 5.")


# Making them ----------------------------------------------------------------------------------------------


def make(game: Game, difficulty: int = 3, seed: int = 0) -> Puzzle:
    """A puzzle of this difficulty: the same for the same game, difficulty and seed.

    Raises `OptionError` where greed is always right, and where no puzzle is found: not every difficulty is there at
    every size, and without exact values there are none.
    """
    check_game(game)
    check_difficulty(difficulty)
    for start in range(0, MOST_GAMES, AT_ONCE):
        found = [
            (position, grade)
            for number in range(start, start + AT_ONCE)
            for position, grade in weigh_line(line(game, Dice(seed, MAKE, difficulty, number)))
        ]
        if not found:
            check_values(game, Dice(seed, MAKE, difficulty, start))
        mixed = Dice(seed, MAKE, difficulty, start, AT_ONCE).shuffled(found)  # early and late positions alike
        for position, grade in sorted(mixed, key=lambda one: one[1].kind != WIN):
            full = looked_into(position, grade)
            if difficulty_of(game, full) == difficulty:
                return Puzzle(position, difficulty, full, seed)
    raise OptionError(none_found(game, difficulty))


def none_found(game: Game, difficulty: int | None = None) -> str:
    """What is said where no puzzle turned up, of one difficulty or at all, and what to ask for instead."""
    all_five = f"size {game.default_size} without rule options, where all five difficulties are found"
    nowhere = f"No puzzle was found in {MOST_GAMES} games of {_asked(game)}. Try {all_five}."
    if difficulty is None:
        return nowhere
    there = sorted(_difficulties(game) - {difficulty})
    if not there:
        return nowhere
    others = words.listed([str(other) for other in there])
    return (
        f"No puzzle of difficulty {difficulty} was found in {MOST_GAMES} games of {_asked(game)}. "
        f"Try difficulty {others}, or {all_five}."
    )


def _difficulties(game: Game) -> set[int]:
    """The difficulties that turn up in some hundred games."""
    return {
        difficulty_of(game, looked_into(position, grade))
        for number in range(LOOKED_AT)
        for position, grade in weigh_line(line(game, Dice(0, MAKE, number)))
    }


def check_values(game: Game, dice: Dice) -> None:
    """Raise `OptionError` if a position that could be a puzzle has no exact value."""
    for position in line(game, dice)[:1]:
        solver = Solver(position)
        solver.prepare(position)
        low, high = solver.bounds(position)
        if low != high:
            raise OptionError(
                f"{_asked(game)} has no puzzles: its exact values are not known. Size {game.default_size} has some."
            )


def _asked(game: Game) -> str:
    return f"{game.title} at size {game.size}" + "".join(
        f", {name}={value}" for name, value in game.chosen_rules.items()
    )


def line(game: Game, dice: Dice) -> list[Position]:
    """The positions of a game of random moves that could be puzzles by their number of moves."""
    position, found = game.deal(seed=dice.next() >> 1), []
    while (actions := position.actions()) and game.heuristics.leaves_enough(position):
        if fitting(position):
            found.append(position)
        position = game.after(position, dice.choice(actions))
    return found


def weigh_line(positions: list[Position]) -> Iterator[tuple[Position, Grade]]:
    """The puzzles among positions of one game, their depth not looked at."""
    if positions:
        solver = Solver(positions[0])
        solver.prepare(positions[0])
        for position in positions:
            grade = weigh(solver, position)
            if grade is not None:
                yield position, grade


def looked_into(position: Position, grade: Grade) -> Grade:
    """A grade with its depth, where that has not been looked at yet."""
    return grade if grade.depth else deepen(Solver(position), position, grade)


def of(position: Position, seed: int | None = None) -> Puzzle:
    """The puzzle that a position is. Raises `OptionError` if it is none."""
    check_game(position.game)
    grade = None
    if fitting(position):
        solver = Solver(position)
        solver.prepare(position)
        grade = weigh(solver, position)
    if grade is None:
        raise OptionError(
            f"{shown(position.text, 200)} is no puzzle: in one, the mover can win, has {FEWEST} moves or more, enough "
            "of the game left, and a single best move, which is none that tempts."
        )
    grade = deepen(solver, position, grade)
    return Puzzle(position, difficulty_of(position.game, grade), grade, seed)


def daily(day: date, game: Game | None = None) -> Puzzle:
    """The puzzle of a day, the same for everyone: harder from Monday to Sunday; without a game, each has its turn."""
    if game is None:
        names = puzzle_games()
        game = load(names[day.toordinal() % len(names)])
    return make(game, WEEK[day.weekday()], day.year * 10000 + day.month * 100 + day.day)
