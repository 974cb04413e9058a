"""Capture Squares: claim a number, and take over the lower ones of the opponent beside it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from pentagrid.core.position import Position
from pentagrid.core.scoring import ScoringGame
from pentagrid.errors import BoardError, Refusal
from pentagrid.games.capture_squares.heuristics import CaptureSquaresHeuristics
from pentagrid.games.capture_squares.notation import CaptureSquaresNotation


class CaptureSquares(ScoringGame):
    """Numbers 1..N². Only the cell just claimed captures, once, and only strictly lower neighbors."""

    name = "capture-squares"
    title = "Capture Squares"
    sentence = "Claim a number and take over the lower ones of your opponent beside it."
    learning_place = 5
    sizes = range(2, 7)
    default_size = 4
    notation_class = CaptureSquaresNotation
    heuristics_class = CaptureSquaresHeuristics
    special_rules = ("captures", "captures decided", "tie-break")

    def __init__(self, size: int | None = None, **rules: str) -> None:
        super().__init__(size, **rules)
        n = self.size
        self._all = (1 << self.cell_count) - 1
        self.neighbors = tuple(
            tuple(
                (r + dr) * n + c + dc
                for dr, dc in ((-1, 0), (1, 0), (0, -1), (0, 1))
                if 0 <= r + dr < n and 0 <= c + dc < n
            )
            for r in range(n)
            for c in range(n)
        )
        """The cells up, down, left and right of each cell."""

    def legal_on_board(self, position: Position) -> int:
        return self._all & ~(position.one | position.two)

    def captures(self, position: Position, action: int) -> tuple[int, ...]:
        """The cells that claiming a cell captures, in reading order."""
        numbers = position.numbers
        number = numbers[action]
        theirs = position.two if position.mover == 1 else position.one
        return tuple(sorted(c for c in self.neighbors[action] if theirs >> c & 1 and numbers[c] < number))

    def after_on_board(self, position: Position, action: int) -> Position:
        numbers, one, two, scores = position.numbers, position.one, position.two, position.scores
        assert scores is not None
        mover, number = position.mover, numbers[action]
        theirs = two if mover == 1 else one
        flips = points = 0
        for cell in self.neighbors[action]:
            if theirs >> cell & 1 and numbers[cell] < number:
                flips |= 1 << cell
                points += numbers[cell]
        claims = flips | 1 << action
        if mover == 1:
            return position.advance(one | claims, two ^ flips, (scores[0] + number + points, scores[1] - points))
        return position.advance(one ^ flips, two | claims, (scores[0] - points, scores[1] + number + points))

    def came_up(self, played: Sequence[Position]) -> tuple[str, ...]:
        """Captures, and whether another would have won if everybody had kept just what they claimed."""
        kept, captured = [0, 0], False
        for before, after in pairwise(played):
            if after.swapped != before.swapped:
                kept.reverse()
                continue
            kept[before.mover - 1] |= (before.one | before.two) ^ (after.one | after.two)
            captured = captured or bool(before.one & after.two | before.two & after.one)
        if not captured:
            return super().came_up(played)
        final = played[-1]
        totals = self.count_scores(final.numbers, *kept)
        winner = self.winner_by(self.with_komi(totals[0] - totals[1], final.swapped), final.swapped)
        decided = () if winner == self.final_outcome(final).winner else ("captures decided",)
        return ("captures", *decided, *super().came_up(played))

    def check_shares(self, position: Position) -> None:
        """Captures move cells about, but the player who moved last still owns the cell just claimed."""
        if position.turns:
            last = self.side(self.side_at(position.turns - 1), position)
            if not (position.one, position.two)[last - 1]:
                raise BoardError(f"Seat {last} has just claimed a cell and must own at least that one.")

    def refusal_on_board(self, position: Position, action: int) -> Refusal:
        return Refusal("claimed", self.texts[action], {"owner": position.owner(action)})


GAME = CaptureSquares
