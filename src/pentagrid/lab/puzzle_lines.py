"""What an answer to a puzzle leads to: played out to the end of the game, both sides as well as can be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pentagrid import words
from pentagrid.analysis import solver_of
from pentagrid.errors import OptionError
from pentagrid.lab.puzzle_grades import WIN
from pentagrid.lab.puzzles import Puzzle
from pentagrid.position import Outcome, Position
from pentagrid.solving import Value

NARROW = 3
"""Moves, at most, among which the last hint leaves the answer."""


class Step(NamedTuple):
    """One move of a line."""

    before: Position
    action: int
    after: Position

    @property
    def move(self) -> str:
        """The move as text."""
        return self.before.game.texts[self.action]

    @property
    def player(self) -> int:
        """Who made it."""
        return self.before.mover


class Playout(NamedTuple):
    """An answer to a puzzle and best play by both from there to the end."""

    puzzle: Puzzle
    steps: tuple[Step, ...]
    """The first is the answer that was given."""
    value: Value
    """What it came to: the value of the last position."""
    wanted: Value
    """What the right answer leads to."""
    loss: float
    """What the answer gave away: points of margin, or 1 for the game; 0 for the right one."""

    @property
    def right(self) -> bool:
        """Was it the right answer?"""
        return self.steps[0].action == self.puzzle.answer

    @property
    def final(self) -> Position:
        """The position at the end."""
        return self.steps[-1].after

    @property
    def outcome(self) -> Outcome:
        """How the game ended."""
        outcome = self.final.outcome()
        assert outcome is not None
        return outcome

    def verdict(self, names: Sequence[str] = words.NAMES) -> str:
        """Whether it was right and what it came to, in a sentence or two; a wrong one does not tell the right one."""
        first, mover = self.steps[0], names[self.puzzle.position.mover - 1]
        if self.right:
            only = "is the only move that wins" if self.puzzle.kind == WIN else "wins by the most"
            return f"Right: {first.move} {only}. With best play {words.result(self.wanted, names)}."
        tempted = " looks best, but" if first.action in self.puzzle.grade.tempting else ""
        if self.value.winner != first.player:
            return (
                f"Wrong: {first.move}{tempted} loses a won game. {names[2 - first.player]} answers as well as can be."
            )
        return (
            f"Wrong: {first.move}{tempted} gives away {words.counted(self.loss, 'point')}, though {mover} still wins."
        )

    def story(self, names: Sequence[str] = words.NAMES) -> tuple[str, ...]:
        """The line in sentences: each move, and how the game ends."""
        solver = self.steps[0].player
        told = [f"{names[solver - 1]} plays {self.steps[0].move}."]
        for step in self.steps[1:]:
            told.append(
                f"{names[step.player - 1]} {'goes on with' if step.player == solver else 'answers'} {step.move}."
            )
        return *told, words.ended(self.outcome, self.value, names)

    def moral(self, names: Sequence[str] = words.NAMES) -> str:
        """What the right answer would have come to, and what looked better; it tells the answer."""
        puzzle = self.puzzle
        texts = puzzle.position.game.texts
        tempting = words.listed([texts[action] for action in puzzle.grade.tempting])
        looks = "looks" if len(puzzle.grade.tempting) == 1 else "look"
        return f"The answer is {puzzle.move}: {words.result(self.wanted, names)}. {tempting} only {looks} better."


def refute(puzzle: Puzzle, move: str | int) -> Playout:
    """A wrong answer, played out: the opponent answers perfectly, and the solver goes on as well as he can.

    Raises what `Position.play` raises for what is no legal move, and `OptionError` for the right answer.
    """
    puzzle.position.play(move)
    action = puzzle.position.game.action(move, puzzle.position)
    if action == puzzle.answer:
        raise OptionError(f"{puzzle.move} is the right answer, so it cannot be refuted.")
    return play_out(puzzle, action)


def main_line(puzzle: Puzzle) -> Playout:
    """The right answer, played out."""
    return play_out(puzzle, puzzle.answer)


def play_out(puzzle: Puzzle, move: str | int) -> Playout:
    """Any answer to a puzzle and best play by both from there on. Raises what `Position.play` raises."""
    start = puzzle.position
    after = start.play(move)
    solver = solver_of(start)
    wanted = solver.value(start)
    _, _, loss = solver.verdict(start, after)
    assert loss is not None
    steps = [Step(start, start.game.action(move, start), after)]
    while after.turn:
        before, action = after, best_action(after)
        after = before.game.after(before, action)
        steps.append(Step(before, action, after))
    return Playout(puzzle, tuple(steps), solver.value(after), wanted, loss)


def hint(puzzle: Puzzle, names: Sequence[str] = words.NAMES) -> str:
    """What tempts and why it is wrong, in two sentences; no reply is named, for the best one is often the answer."""
    texts, tempting = puzzle.position.game.texts, puzzle.grade.tempting
    alone = len(tempting) == 1
    looks = f"{words.listed([texts[action] for action in tempting])} {'looks' if alone else 'look'} best"
    if puzzle.position.scores is not None:
        looks += ": no move brings more points at once"
    line = refute(puzzle, tempting[0])
    first = line.steps[0]
    comes = words.result(solver_of(first.after).value(first.after), names)
    if line.value.winner == first.player:
        comes += f", {words.counted(line.loss, 'point')} less than can be had"
    return f"{looks}. But there is a reply to {'it' if alone else f'each: after {first.move}'}{':' * alone} {comes}."


def narrow_hint(puzzle: Puzzle) -> str:
    """How far to look ahead, and the answer among the wrong moves that give away least; what tempts is left out."""
    position, tempting = puzzle.position, puzzle.grade.tempting
    regrets = solver_of(position).regrets(position)
    others = regrets.keys() - {puzzle.answer}
    wrong = sorted(others - set(tempting) or others, key=lambda action: (regrets[action], action))
    few = sorted([puzzle.answer, *wrong[: NARROW - 1]])
    moves = "; ".join(position.game.texts[action] for action in few)
    return f"Look at least {words.counted(puzzle.grade.depth, 'turn')} ahead. It is one of these: {moves}."


def best_action(position: Position) -> int:
    """A best move; of several the most natural, of several such the first."""
    best = solver_of(position).best(position)
    return max(best, key=lambda action: (position.game.natural(position, action), -action))
