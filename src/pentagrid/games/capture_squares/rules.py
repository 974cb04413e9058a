"""Capture Squares: claim a number, and take over the lower ones of the opponent beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from pentagrid.core.position import Position
from pentagrid.core.scoring import ScoringGame
from pentagrid.errors import BoardError


class CaptureSquares(ScoringGame):
    """Numbers 1..N². Only the cell just claimed captures, once, and only strictly lower neighbors."""

    name = "capture-squares"
    title = "Capture Squares"
    sizes = range(2, 7)
    default_size = 4
    notation = "a row and a column"
    special_rules = ("captures", "captures decided", "tie-break")
    preferred_examples = ("2,1",)

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
        _, numbers, one, two, mover, ply, scores, swapped = position
        assert scores is not None
        number = numbers[action]
        theirs = two if mover == 1 else one
        flips = points = 0
        for cell in self.neighbors[action]:
            if theirs >> cell & 1 and numbers[cell] < number:
                flips |= 1 << cell
                points += numbers[cell]
        claims = flips | 1 << action
        ply += 1
        following = self.mover_at(ply, swapped)
        if mover == 1:
            scores = (scores[0] + number + points, scores[1] - points)
            return Position(self, numbers, one | claims, two ^ flips, following, ply, scores, swapped)
        scores = (scores[0] - points, scores[1] + number + points)
        return Position(self, numbers, one ^ flips, two | claims, following, ply, scores, swapped)

    def temptations(self, position: Position) -> tuple[int, ...]:
        """Beside what brings most at once, the largest free number: it can never be captured."""
        largest = max(position.actions(), key=position.numbers.__getitem__)
        return tuple(sorted({largest, *super().temptations(position)}))

    def came_up(self, played: Sequence[Position]) -> tuple[str, ...]:
        """Captures, and whether another would have won had everybody kept just what he claimed."""
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
        """Captures move cells about, but who moved last still owns the cell he claimed."""
        if position.turns:
            last = self.side(self.side_at(position.turns - 1), position)
            if not (position.one, position.two)[last - 1]:
                raise BoardError(f"Player {last} has just claimed a cell and must own at least that one.")

    def refusal_on_board(self, position: Position, action: int) -> str:
        owner = "AB"[position.owner(action) - 1]
        cell = self.texts[action]
        return f"Sorry, cell ({cell}) has already been claimed by Player {owner}. Please choose another cell."

    def write_move(self, action: int) -> str:
        return f"{action // self.size + 1},{action % self.size + 1}"

    def read_move(self, move: str) -> int | None:
        found = re.fullmatch(r"(\()? ?([0-9]{1,9})(?: ?, ?| )([0-9]{1,9}) ?(?(1)\))", move)
        return self._cell_named(found[2], found[3]) if found else None


GAME = CaptureSquares
