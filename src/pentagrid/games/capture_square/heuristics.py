"""What looks good in Capture Square: completing a square, stopping one, marking next to one's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pentagrid.core.heuristics import Heuristics
from pentagrid.core.position import Position, bits

if TYPE_CHECKING:
    from pentagrid.games.capture_square.rules import CaptureSquare


class CaptureSquareHeuristics(Heuristics):
    game: CaptureSquare

    def greed(self, position: Position, action: int) -> int:
        """2: completes a square; 1: stops one that the opponent could complete next; -1: gives them one; else 0.

        Where blocks of three decide, each of these is worth more than any lead in them, which is counted too.
        """
        game = self.game
        after = game.after(position, action)
        outcome = after.outcome()
        weight, lead = 1, 0
        if after.scores is not None:
            weight, lead = len(game.quads) + 1, after.scores[position.mover - 1] - after.scores[2 - position.mover]
        if outcome and outcome.reason == "square":
            return 2 * weight if outcome.winner == position.mover else -weight
        them = 3 - position.mover
        threats = game.completions(position, them).bit_count(), game.completions(after, them).bit_count()
        return weight * (threats[1] < threats[0]) + lead

    def natural(self, position: Position, action: int) -> int:
        """People mark next to their own, and where many squares can be."""
        game, size = self.game, self.game.size
        own = position.one if position.mover == 1 else position.two
        if action == game.swap_action:
            return 0
        row, column = divmod(game.drawing.touch(action).at[-1], size)
        near = sum((abs(row - cell // size) <= 1) and (abs(column - cell % size) <= 1) for cell in bits(own))
        squares = sum(quad >> row * size + column & 1 for quad in game.quads)
        return 2 * near + squares + 20 * self.greed(position, action)

    def leaves_enough(self, position: Position) -> bool:
        """Sudden Death only counts turns, and few boards come to it: there is little to find in it."""
        return self.game.sudden_death_turns(position) is None
