"""A puzzle: a position with one winning (or one best) move, which is not the one that looks best.

A puzzle is made from a seed. The same game, difficulty and seed always give the same puzzle. Everything about it
follows from its position, so the text of the position identifies it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any, NamedTuple

from pentagrid.analysis.sentences import listed
from pentagrid.analysis.solver import Solver
from pentagrid.core.catalog import game_names, load
from pentagrid.core.game import Game
from pentagrid.core.position import Position
from pentagrid.core.rng import Dice
from pentagrid.core.speech import player_names
from pentagrid.core.streams import Stream
from pentagrid.errors import OptionError, shown
from pentagrid.puzzles.grades import (
    DIFFICULTIES,
    FEWEST_MOVES,
    WIN,
    Grade,
    add_depth,
    could_be_puzzle,
    difficulty_of,
    grade_position,
    solver_class,
)

AT_ONCE = 8
"""Games that are searched together; among their puzzles, one winning move is preferred to one best move."""
PATIENCE = 50
"""How often so many games more are searched for one winning move before one best move is taken."""
MOST_GAMES = 4000
"""Games after which the search for a puzzle ends."""
SAMPLE_GAMES = 400
"""Games that are searched for other difficulties where one is not found."""
WEEK = (1, 2, 2, 3, 3, 4, 5)
"""The difficulty of the daily puzzle, from Monday to Sunday."""


class Puzzle(NamedTuple):
    """A position with a single right answer, and how hard it is to find."""

    position: Position
    difficulty: int
    grade: Grade
    seed: int | None
    """The seed of `make_puzzle` or of the whole set; None for a position that was given."""

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

    def question(self, names: Sequence[str] | None = None) -> str:
        """The question of the puzzle, in a sentence or two."""
        position = self.position
        mover = (names or player_names(position.game))[position.mover - 1]
        if self.kind == WIN:
            return f"{mover} is to move, and one move wins: every other loses. Which one?"
        return f"{mover} is to move and can win; one move wins by more than every other. Which one?"

    def data(self, answer: bool = True) -> dict[str, Any]:
        """The puzzle as plain data, with its answer or without; docs/json.md describes the fields."""
        grade, texts = self.grade, self.position.game.texts
        question = {
            **self.position.data(),
            "kind": grade.kind,
            "difficulty": self.difficulty,
            "seed": self.seed,
            "question": self.question(),
        }
        if not answer:
            return question
        return {
            **question,
            "answer": self.move,
            "hardness": round(grade.hardness, 2),
            "tempting": [texts[action] for action in grade.tempting],
            "loss": grade.loss,
            "depth": grade.depth,
            "better": grade.better,
            "close": round(grade.close, 4),
        }


# Which games have puzzles ---------------------------------------------------------------------------------


def why_no_puzzles(game: Game) -> str | None:
    """Why a game has no puzzles, in a sentence or two; None if it has some."""
    try:
        solver = solver_class(game)
    except OptionError as error:  # the game has no solver
        return str(error)
    if not solver.greed_is_right:
        return None
    return " ".join(filter(None, [f"{game.title} has no puzzles, because greed is always right in it.", solver.proof]))


def puzzle_games() -> tuple[str, ...]:
    """The names of the games that have puzzles."""
    return tuple(name for name in game_names() if why_no_puzzles(load(name)) is None)


def game_for_seed(seed: int) -> str:
    """The name of the game that a seed draws when no game is given."""
    return Dice(seed, Stream.PUZZLE_GAME).choice(puzzle_games())


def check_has_puzzles(game: Game) -> None:
    """Raise `OptionError` if a game has no puzzles."""
    if not isinstance(game, Game):
        raise OptionError(f"{shown(str(game))} is not a game; load one with pentagrid.load.")
    reason = why_no_puzzles(game)
    if reason:
        raise OptionError(f"{reason} The games with puzzles are {listed(puzzle_games())}.")


def check_difficulty(difficulty: int) -> None:
    """Raise `OptionError` unless it is from 1 to 5."""
    if type(difficulty) is not int or difficulty not in DIFFICULTIES:
        raise OptionError(f"The difficulty must be a whole number from 1 (easy) to 5, not {shown(str(difficulty))}.")


# Making them ----------------------------------------------------------------------------------------------


def make_puzzle(game: Game, difficulty: int = 3, seed: int = 0) -> Puzzle:
    """A puzzle of this difficulty: the same for the same game, difficulty and seed.

    Raises `OptionError` if greed is always right in the game, and if no puzzle is found: not every size has every
    difficulty, and without exact values there are no puzzles.
    """
    check_has_puzzles(game)
    check_difficulty(difficulty)
    second_choice: Puzzle | None = None
    for start in range(0, MOST_GAMES, AT_ONCE):
        if second_choice is not None and start >= PATIENCE * AT_ONCE:
            return second_choice
        games = (Dice(seed, Stream.PUZZLE, difficulty, number) for number in range(start, start + AT_ONCE))
        candidates = [graded for dice in games for graded in grade_positions(random_positions(game, dice))]
        if not candidates:
            check_has_values(game, Dice(seed, Stream.PUZZLE, difficulty, start))
        mixing = Dice(seed, Stream.PUZZLE, difficulty, start, AT_ONCE)  # early and late positions alike
        for position, grade in sorted(mixing.shuffled(candidates), key=lambda candidate: candidate[1].kind != WIN):
            if grade.kind != WIN and second_choice is not None:
                break
            full = full_grade(position, grade)
            if difficulty_of(game, full) == difficulty:
                puzzle = Puzzle(position, difficulty, full, seed)
                if grade.kind == WIN:
                    return puzzle
                second_choice = puzzle
    raise OptionError(none_found_message(game, difficulty))


def none_found_message(game: Game, difficulty: int | None = None) -> str:
    """An error message for when no puzzle is found, of one difficulty or at all, with what to ask for instead."""
    all_five = f"size {game.default_size} without rule options, which has all five difficulties"
    none_at_all = f"No puzzle was found in {MOST_GAMES} games of {_variant(game)}. Try {all_five}."
    if difficulty is None:
        return none_at_all
    others = sorted(_difficulties(game) - {difficulty})
    if not others:
        return none_at_all
    return (
        f"No puzzle of difficulty {difficulty} was found in {MOST_GAMES} games of {_variant(game)}. "
        f"Try difficulty {listed([str(other) for other in others])}, or {all_five}."
    )


def _difficulties(game: Game) -> set[int]:
    """The difficulties of the puzzles in some hundred games."""
    return {
        difficulty_of(game, full_grade(position, grade))
        for number in range(SAMPLE_GAMES)
        for position, grade in grade_positions(random_positions(game, Dice(0, Stream.PUZZLE, number)))
    }


def check_has_values(game: Game, dice: Dice) -> None:
    """Raise `OptionError` if no position of a random game that could be a puzzle has an exact value."""
    positions = random_positions(game, dice)
    if positions and not any(_has_value(position) for position in reversed(positions)):
        raise OptionError(
            f"{_variant(game)} has no puzzles: its exact values are not known. Size {game.default_size} has some."
        )


def _has_value(position: Position) -> bool:
    solver = Solver(position)
    solver.prepare(position)
    low, high = solver.bounds(position)
    return low == high


def _variant(game: Game) -> str:
    """A game with its size and the rule options that are not at their default."""
    return f"{game.title} at size {game.size}" + "".join(
        f", {name}={value}" for name, value in game.chosen_rules.items()
    )


def random_positions(game: Game, dice: Dice) -> list[Position]:
    """The positions of one game of random moves that could be puzzles."""
    position, positions = game.deal(seed=dice.next() >> 1), []
    while (actions := position.actions()) and game.heuristics.leaves_enough(position):
        if could_be_puzzle(position):
            positions.append(position)
        position = game.after(position, dice.choice(actions))
    return positions


def grade_positions(positions: list[Position]) -> Iterator[tuple[Position, Grade]]:
    """The puzzles among positions of one game, with grades that have no depth yet."""
    if positions:
        solver = Solver(positions[0])
        solver.prepare(positions[0])
        for position in positions:
            grade = grade_position(solver, position)
            if grade is not None:
                yield position, grade


def full_grade(position: Position, grade: Grade) -> Grade:
    """The grade with its depth, which is worked out if it is missing."""
    return grade if grade.depth else add_depth(Solver(position), position, grade)


def puzzle_of(position: Position, seed: int | None = None) -> Puzzle:
    """A position as a puzzle. Raises `OptionError` if it is none."""
    check_has_puzzles(position.game)
    grade = None
    if could_be_puzzle(position):
        solver = Solver(position)
        solver.prepare(position)
        grade = grade_position(solver, position)
    if grade is None:
        raise OptionError(
            f"{shown(position.text, 200)} is no puzzle. A puzzle must have enough of the game left, {FEWEST_MOVES} or "
            "more moves, and a single best move, which wins and is not a tempting one."
        )
    grade = add_depth(solver, position, grade)
    return Puzzle(position, difficulty_of(position.game, grade), grade, seed)


def daily_puzzle(day: date, game: Game | None = None) -> Puzzle:
    """The puzzle of a day, the same for everyone: easy on Monday, hard on Sunday. By default the games take turns."""
    if game is None:
        names = puzzle_games()
        game = load(names[day.toordinal() % len(names)])
    return make_puzzle(game, WEEK[day.weekday()], day.year * 10000 + day.month * 100 + day.day)
