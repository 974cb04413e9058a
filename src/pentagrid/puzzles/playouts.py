"""What an answer to a puzzle leads to: played out to the end of the game, both sides as well as can be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pentagrid.analysis import sentences as words
from pentagrid.analysis.solver import solver_of
from pentagrid.core.catalog import part
from pentagrid.core.deal_solver import Value
from pentagrid.core.position import Outcome, Position
from pentagrid.core.speech import Speech
from pentagrid.errors import OptionError
from pentagrid.puzzles.grades import WIN
from pentagrid.puzzles.puzzle import Puzzle

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

    def told(self, names: Sequence[str] = words.NAMES) -> str:
        """What it does and what the points are behind it, in a sentence or two."""
        return _speech(self.before, names).turn_sentence(self.before, self.action, self.after)


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

    def gist(self, names: Sequence[str] = words.NAMES) -> str:
        """What the line is about, in a sentence, where its moves do not show it; else nothing."""
        return _speech(self.final, names).gist(self.outcome)

    def verdict(self, names: Sequence[str] = words.NAMES) -> str:
        """Whether it was right and what it came to, in a sentence or two; a wrong one does not tell the right one."""
        first, mover = self.steps[0], names[self.puzzle.position.mover - 1]
        if self.right:
            only = "is the only move that wins" if self.puzzle.kind == WIN else "wins by the most"
            told = f"Right: {first.move} {only}. With best play {words.result(self.wanted, names)}."
        elif self.value.winner != first.player:
            told = f"Wrong: {first.move}{self._tempted} loses a won game: {names[2 - first.player]} can win now."
        else:
            gives = f"gives away {words.counted(self.loss, 'point')}"
            return f"Wrong: {first.move}{self._tempted} {gives}, though {mover} still wins."
        return " ".join(filter(None, [told, self.gist(names)]))

    @property
    def _tempted(self) -> str:
        return " looks best, but" if self.steps[0].action in self.puzzle.grade.tempting else ""

    def story(self, names: Sequence[str] = words.NAMES) -> tuple[str, ...]:
        """The line in sentences: each move with what it does, and how the game ends."""
        return *(step.told(names) for step in self.steps), words.ended(self.outcome, self.value, names)

    def moral(self, names: Sequence[str] = words.NAMES) -> str:
        """What the right answer would have come to, and what looked better; it tells the answer."""
        puzzle = self.puzzle
        texts = puzzle.position.game.texts
        tempting = words.listed([texts[action] for action in puzzle.grade.tempting])
        looks = "looks" if len(puzzle.grade.tempting) == 1 else "look"
        told = f"The answer is {puzzle.move}: {words.result(self.wanted, names)}. {tempting} only {looks} better."
        return " ".join(filter(None, [told, self.gist(names) if self.right else ""]))


def refute(puzzle: Puzzle, move: str | int) -> Playout:
    """A wrong answer, played out: the opponent answers perfectly, and the solver goes on as well as he can.

    Raises what `Position.play` raises for what is no legal move, and `OptionError` for the right answer.
    """
    action = puzzle.position.game.action(move, puzzle.position, puzzle.move)
    puzzle.position.play(action)
    if action == puzzle.answer:
        raise OptionError(f"{puzzle.move} is the right answer, so it cannot be refuted.")
    return play_out(puzzle, action)


def main_line(puzzle: Puzzle) -> Playout:
    """The right answer, played out."""
    return play_out(puzzle, puzzle.answer)


def play_out(puzzle: Puzzle, move: str | int) -> Playout:
    """Any answer to a puzzle and best play by both from there on. Raises what `Position.play` raises."""
    start = puzzle.position
    action = start.game.action(move, start, puzzle.move)
    after = start.play(action)
    solver = solver_of(start)
    wanted = solver.value(start)
    _, _, loss = solver.verdict(start, after)
    assert loss is not None
    steps = [Step(start, action, after)]
    while after.turn:
        before, action = after, best_action(after)
        after = before.game.after(before, action)
        steps.append(Step(before, action, after))
    return Playout(puzzle, tuple(steps), solver.value(after), wanted, loss)


def _speech(position: Position, names: Sequence[str]) -> Speech:
    """The game's own words, about two players by name."""
    speech: Speech = part(position.game.name, "text").SPEECH(position.game, tuple(names), people=())
    return speech


def hint(puzzle: Puzzle, names: Sequence[str] = words.NAMES) -> str:
    """What tempts and why it is wrong, in two sentences; no reply is named, for the best one is often the answer."""
    texts, tempting = puzzle.position.game.texts, puzzle.grade.tempting
    alone = len(tempting) == 1
    looks = f"{words.listed([texts[action] for action in tempting])} {'looks' if alone else 'look'} best"
    if puzzle.position.scores is not None:
        looks += ": no move brings more points at once"
    line = refute(puzzle, tempting[0])
    first = line.steps[0]
    where = "after it" if alone else f"none is right: after {first.move}"
    value = solver_of(first.after).value(first.after)
    if value.winner == first.player:
        by = f"by {abs(value.margin)}" if value.margin else "on the tie-break"
        less = f"{words.counted(line.loss, 'point')} less than can be had"
        return f"{looks}. {where[0].upper()}{where[1:]} {names[first.player - 1]} still wins, but only {by}: {less}."
    return " ".join(filter(None, [f"{looks}. But {where} {words.result(value, names)}.", line.gist(names)]))


def narrow_hint(puzzle: Puzzle) -> str:
    """How far to look ahead, and the answer among the wrong moves that give away least; what tempts is left out."""
    position, tempting = puzzle.position, puzzle.grade.tempting
    regrets = solver_of(position).regrets(position)
    others = regrets.keys() - {puzzle.answer}
    drawn = set(position.game.heuristics.temptations(position))
    wrong = sorted(others - drawn or others - set(tempting) or others, key=lambda action: (regrets[action], action))
    few = sorted([puzzle.answer, *wrong[: NARROW - 1]])
    moves = "; ".join(position.game.texts[action] for action in few)
    return f"Look at least {words.counted(puzzle.grade.depth, 'turn')} ahead. It is one of these: {moves}."


def best_action(position: Position) -> int:
    """A best move; of several the most natural, of several such the first."""
    best = solver_of(position).best(position)
    return max(best, key=lambda action: (position.game.heuristics.natural(position, action), -action))
