"""Playouts: an answer to a puzzle, followed by best play of both sides to the end of the game. And hints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pentagrid.analysis.sentences import counted, ended, listed, result
from pentagrid.analysis.solver import solver_of
from pentagrid.core.deal_solver import Value
from pentagrid.core.position import Outcome, Position
from pentagrid.core.speech import Speech, player_names, speech_for
from pentagrid.errors import OptionError
from pentagrid.puzzles.grades import WIN
from pentagrid.puzzles.puzzle import Puzzle


class Step(NamedTuple):
    """One move of a playout."""

    before: Position
    action: int
    after: Position

    @property
    def move(self) -> str:
        """The move as text."""
        return self.before.game.texts[self.action]

    @property
    def player(self) -> int:
        """The seat of the player who made it."""
        return self.before.mover

    def sentence(self, names: Sequence[str] | None = None) -> str:
        """What the move does and the points after it, in a sentence or two."""
        return _speech(self.before, names).turn_sentence(self.before, self.action, self.after)


class Playout(NamedTuple):
    """An answer to a puzzle, and best play by both players from there to the end."""

    puzzle: Puzzle
    steps: tuple[Step, ...]
    """The first one is the answer that was given."""
    value: Value
    """The value of the last position: how the game ended."""
    wanted: Value
    """The value of the puzzle: what the right answer leads to."""
    loss: float
    """What the answer gave away: points, or 1 for the game; 0 for the right answer."""

    @property
    def right(self) -> bool:
        """Whether it is the right answer."""
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

    def gist(self, names: Sequence[str] | None = None) -> str:
        """What decides the game, in a sentence, if the moves alone do not show it; else nothing."""
        return _speech(self.final, names).gist(self.outcome)

    def verdict(self, names: Sequence[str] | None = None) -> str:
        """Whether the answer is right and how it ends, in a sentence or two; if wrong, without the right answer."""
        names = names or player_names(self.final.game)
        first = self.steps[0]
        mover, opponent = names[first.player - 1], names[2 - first.player]
        if self.right:
            only = "is the only move that wins" if self.puzzle.kind == WIN else "wins by the most"
            text = f"Right: {first.move} {only}. With best play {result(self.wanted, names)}."
        elif self.value.winner != first.player:
            text = f"Wrong: {first.move}{self._tempted} loses a won game: {opponent} can win now."
        else:
            gives = f"gives away {counted(self.loss, 'point')}"
            return f"Wrong: {first.move}{self._tempted} {gives}, though {mover} still wins."
        return " ".join(filter(None, [text, self.gist(names)]))

    @property
    def _tempted(self) -> str:
        return " looks best, but" if self.steps[0].action in self.puzzle.grade.tempting else ""

    def sentences(self, names: Sequence[str] | None = None) -> tuple[str, ...]:
        """The playout in sentences: one for each move, and one for the end."""
        names = names or player_names(self.final.game)
        return *(step.sentence(names) for step in self.steps), ended(self.outcome, self.value, names)

    def solution(self, names: Sequence[str] | None = None) -> str:
        """The right answer, what it leads to, and which moves only look better."""
        puzzle, names = self.puzzle, names or player_names(self.final.game)
        texts = puzzle.position.game.texts
        tempting = listed([texts[action] for action in puzzle.grade.tempting])
        looks = "looks" if len(puzzle.grade.tempting) == 1 else "look"
        text = f"The answer is {puzzle.move}: {result(self.wanted, names)}. {tempting} only {looks} better."
        return " ".join(filter(None, [text, self.gist(names) if self.right else ""]))


def refute(puzzle: Puzzle, move: str | int) -> Playout:
    """The playout of a wrong answer: the opponent answers perfectly, and the player goes on as well as possible.

    Raises what `Position.play` raises for a move that is not legal, and `OptionError` for the right answer.
    """
    action = puzzle.position.game.action(move, puzzle.position, puzzle.move)
    puzzle.position.play(action)
    if action == puzzle.answer:
        raise OptionError(f"The move to refute must be a wrong one, but {puzzle.move} is the right answer.")
    return play_out(puzzle, action)


def main_line(puzzle: Puzzle) -> Playout:
    """The playout of the right answer."""
    return play_out(puzzle, puzzle.answer)


def play_out(puzzle: Puzzle, move: str | int) -> Playout:
    """The playout of any answer to a puzzle. Raises what `Position.play` raises."""
    start = puzzle.position
    action = start.game.action(move, start, puzzle.move)
    after = start.play(action)
    solver = solver_of(start)
    wanted = solver.value(start)
    loss = solver.verdict(start, after)[2].regret
    assert loss is not None
    steps = [Step(start, action, after)]
    while after.turn:
        before, action = after, _best_action(after)
        after = before.game.after(before, action)
        steps.append(Step(before, action, after))
    return Playout(puzzle, tuple(steps), solver.value(after), wanted, loss)


def _speech(position: Position, names: Sequence[str] | None) -> Speech:
    """The words of a game about two players, by these names or by the game's own."""
    one, two = names or ("", "")
    return speech_for(position.game, (one, two))


def _best_action(position: Position) -> int:
    """A best action; of several the most natural, of several such the first."""
    best = solver_of(position).best(position)
    return max(best, key=lambda action: (position.game.heuristics.natural(position, action), -action))
