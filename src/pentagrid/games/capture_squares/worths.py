"""What every move of Capture Squares is worth, in many games at once.

As in `solver`, with S the claimed cells, F(S) what is settled and E the table, a claim c makes the final lead of its
mover the settled numbers they own, less those of the other, plus F(S + c) - F(S) gained for good, less what the other
gains from S + c on: with E = F - lead that is (settled lead) - F(S) + E(S + c).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pentagrid.core.batch import Batch
from pentagrid.core.game import Game
from pentagrid.core.move_worths import Numbers, ScoringMoveWorths
from pentagrid.games.capture_squares.rules import CaptureSquares
from pentagrid.games.capture_squares.solver import WHOLE_DEAL, points_to_come, settling


@lru_cache(maxsize=2)
def tables(size: int, boards: bytes) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """What is to come in many deals, and what settles each cell; kept, as many rules are tried on the same deals."""
    game = CaptureSquares(size)
    columns = np.frombuffer(boards, np.int8).reshape(game.cell_count, -1)
    needs = np.array([settling(game, tuple(column)) for column in columns.T.tolist()], np.int32).T
    return points_to_come(game, columns), needs


class CaptureSquaresWorths(ScoringMoveWorths):
    most_games = 128  # their tables are 16 MiB on 4x4

    def __init__(self, batch: Batch) -> None:
        super().__init__(batch)
        self._cells = self.game.cell_count
        self._to_come, self._needs = tables(self.game.size, batch.numbers[: self._cells].tobytes())

    @staticmethod
    def reaches(game: Game) -> bool:
        return game.cell_count <= WHOLE_DEAL

    def entries(self, turn: int) -> Numbers:
        batch, cells = self.batch, self._cells
        bits = (1 << np.arange(cells, dtype=np.int32))[:, None]
        own, other = batch.own[:cells], batch.other[:cells]
        claimed = ((own | other) * bits).sum(axis=0, dtype=np.int32)
        settled = (claimed & self._needs) == self._needs
        numbers = batch.numbers[:cells].astype(np.int16) * settled
        kept = (numbers * (own - other)).sum(axis=0) - numbers.sum(axis=0)
        sign = 3 - 2 * self.game.side_at(turn)
        excess = batch.numbers[:cells].sum(axis=0, dtype=np.int16) - 2 * self._to_come[
            claimed | bits, batch.columns
        ].astype(np.int16)
        leads: Numbers = sign * (kept + excess)
        return leads

    def natural(self, turn: int) -> Numbers:
        """The number, and twice those it captures."""
        batch, n = self.batch, self.game.size
        numbers = batch.numbers[: self._cells].reshape(n, n, -1).astype(np.int16)
        theirs = batch.other[: self._cells].reshape(n, n, -1)
        edge = (1, 1), (1, 1), (0, 0)
        padded, held = np.pad(numbers, edge), np.pad(theirs, edge)
        gains = numbers.copy()
        for r, c in ((0, 1), (2, 1), (1, 0), (1, 2)):
            near, taken = padded[r : r + n, c : c + n], held[r : r + n, c : c + n]
            gains += 2 * near * (taken & (near < numbers))
        return gains.reshape(self._cells, -1)


WORTHS = CaptureSquaresWorths
