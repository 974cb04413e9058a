"""Exact values in Capture Squares: a table over the sets of claimed cells; owners do not matter for what is to come.

Claiming a cell gives the mover every claimed lower neighbor of it, whoever owned it before. So a cell belongs in the
end to whoever makes the last claim among the cell itself and its higher neighbors. A cell is *settled* once all of
those are claimed: then it never changes hands again. A cell that is not settled will be decided by a later claim, and
who owns it now changes nothing. With S the set of claimed cells and F(S) the sum of the settled numbers, a claim c
earns its mover F(S + c) - F(S) for good, and the lead that the mover gains from S on is

    lead(S) = max over c of  F(S + c) - F(S) - lead(S + c)

which with E(S) = F(S) - lead(S) is

    E(S) = 2 F(S) - max over c of E(S + c),    E(all) = F(all)

So the 3^16 = 43,046,721 positions of a 4x4 deal are told by 2^16 numbers E (and F, from which E is made in place).

The table has a bit for each free cell of the position it starts from, high bits first: one row of 2^LOW entries for
each set H of the high cells. Rows are done from the fullest H down; what adding a high cell leads to is another row,
taken whole; what adding a low cell leads to lies in the same row, done layer by layer of equally many low cells:

    row H:  [ 000 001 010 011 100 101 110 111 ]   low cells claimed
              <----- layers 3, 2, 1, 0: gathered from the layer before
    rows H + h for every h not in H: maximum of whole rows
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentagrid.core.deal_solver import ScoringSolver, firsts_taken, signs
from pentagrid.core.position import Position, bits
from pentagrid.core.scoring import ScoringGame
from pentagrid.games.capture_squares.rules import CaptureSquares

MOST_FREE = 26
"""The most free cells that a table is made for: 2^26 entries of two bytes are 128 MiB."""
WHOLE_DEAL = 16
"""Up to so many cells the whole deal is cheaper to solve than to think about."""
LOW = 14
"""Low cells in a row of the table; 2^14 entries of two bytes fit the processor's nearer caches."""
LOWEST = -(1 << 14)
DEALS_AT_ONCE = 64
"""In batches: the entries of so many deals are one line of the processor's cache."""


@cache
def layers(low: int) -> tuple[tuple[NDArray[np.intp], NDArray[np.intp]], ...]:
    """For each number of low cells claimed, from all but one down to none: the sets, and what each leads to."""
    sets = np.arange(1 << low)
    count = np.array([mask.bit_count() for mask in range(1 << low)])
    groups = []
    for k in range(low - 1, -1, -1):
        group = sets[count == k]
        added = group[:, None] | 1 << np.arange(low)
        groups.append((group, np.ascontiguousarray(added[added != group[:, None]].reshape(len(group), low - k).T)))
    return tuple(groups)


class ClaimTable:
    """E and F for every set of the cells that are free once `claimed` is taken."""

    def __init__(self, game: CaptureSquares, numbers: tuple[int, ...], claimed: int) -> None:
        self.claimed = claimed
        self.free = [cell for cell in range(game.cell_count) if not claimed >> cell & 1]
        self._place = {cell: 1 << i for i, cell in enumerate(self.free)}
        n = len(self.free)
        low = min(n, LOW)
        settled = np.zeros(1 << n, np.int16)
        for cell, needs in enumerate(settling(game, numbers)):
            settled[self.place(needs)] += numbers[cell]
        for i in range(n):  # from what each set settles by itself to what all its subsets settle
            together = 2 if i >= 2 else 0  # four entries are added as one number: no sum has more than 16 bits
            halves = (settled.view(np.uint64) if together else settled).reshape(-1, 2, 1 << i - together)
            halves[:, 1] += halves[:, 0]
        self.total = int(settled[-1])
        self._table = settled.reshape(-1, 1 << low)
        self._fill(n - low, low)

    def _fill(self, high: int, low: int) -> None:
        table = self._table
        last = len(table) - 1
        for row in range(last, -1, -1):
            best = np.full(1 << low, LOWEST, np.int16)
            for i in range(high):
                if not row >> i & 1:
                    np.maximum(best, table[row | 1 << i], out=best)
            here = table[row]
            if row < last:
                here[-1] = 2 * here[-1] - best[-1]
            for sets, added in layers(low):
                top = np.maximum(here[added].max(axis=0), best[sets])
                here[sets] = 2 * here[sets] - top

    def place(self, cells: int) -> int:
        """The index of a set of cells; claimed ones do not count."""
        return sum(self._place.get(cell, 0) for cell in bits(cells))

    def entries(self) -> NDArray[np.int16]:
        """E of every set, by its index."""
        return self._table.ravel()

    def excess(self, cells: int) -> int:
        """E of a set of claimed cells."""
        return int(self._table.ravel()[self.place(cells)])


def settling(game: CaptureSquares, numbers: tuple[int, ...]) -> list[int]:
    """For each cell the mask of what settles it: the cell itself and its higher neighbors."""
    return [
        1 << cell | sum(1 << near for near in game.neighbors[cell] if numbers[near] > numbers[cell])
        for cell in range(game.cell_count)
    ]


class CaptureSquaresSolver(ScoringSolver):
    """The table of one deal, made when first asked: of the whole deal where it is small enough."""

    scale = 9.0
    hardness_cuts = (35, 80, 270, 1150)
    game: CaptureSquares
    proof = (
        "A player who always claims the largest free number can never lose a cell again, since every later claim is "
        "smaller: so Player A is sure of every second number from the top and Player B of those between, "
        "which together is everything."
    )

    def __init__(self, game: CaptureSquares, numbers: tuple[int, ...]) -> None:
        super().__init__(game, numbers)
        self._settling = settling(game, numbers)
        self._table: ClaimTable | None = None

    @classmethod
    def every_lead(cls, game: ScoringGame) -> tuple[int, int]:
        """What both are sure of is everything, so every deal has the same lead."""
        falling = range(game.cell_count, 0, -1)
        lead = sum(falling[::2]) - sum(falling[1::2])
        return lead, lead

    def leads(self, position: Position) -> tuple[int, int]:
        """Exact by table, or between what each player is sure of by claiming the largest free numbers."""
        claimed = position.one | position.two
        margin, settled, unsettled = 0, 0, 0
        for cell in bits(claimed):
            number = self.numbers[cell]
            if self._settling[cell] & ~claimed:
                unsettled += number
            else:
                settled += number
                margin += number if position.one >> cell & 1 else -number
        sign = 1 if position.mover == 1 else -1
        if unsettled and self._table is not None and not self._table.claimed & ~claimed:
            lead = settled - self._table.excess(claimed)
            return margin + sign * lead, margin + sign * lead
        falling = sorted((self.numbers[cell] for cell in bits(self.game.legal_on_board(position))), reverse=True)
        lead = sum(falling[::2]) - sum(falling[1::2])
        return margin + sign * lead - unsettled, margin + sign * lead + unsettled

    def prepare(self, position: Position) -> None:
        """Make a table that holds this position: of the whole deal on small boards, else from here on."""
        claimed = position.one | position.two
        if self._table is not None and not self._table.claimed & ~claimed:
            return
        cells = self.game.cell_count
        base = 0 if cells <= WHOLE_DEAL else claimed
        if self._table is not None and cells - (claimed & self._table.claimed).bit_count() <= MOST_FREE:
            base &= self._table.claimed  # going back and forth in a game needs one table, not many
        if cells - base.bit_count() <= MOST_FREE:
            self._table = ClaimTable(self.game, self.numbers, base)


def firsts(game: CaptureSquares, boards: NDArray[Any]) -> NDArray[np.int16] | None:
    """Player 1's lead by the first move, komi aside: a row for each move; `boards` has a row for each cell.

    After the claim c it is E({c}). None on boards that no table holds.
    """
    if game.cell_count > MOST_FREE:
        return None
    leads = np.empty(boards.shape, np.int16)
    alone = 1 << np.arange(game.cell_count)
    if game.cell_count > WHOLE_DEAL:
        for deal, numbers in enumerate(boards.T):
            leads[:, deal] = ClaimTable(game, tuple(numbers.tolist()), 0).entries()[alone]
        return leads
    for start in range(0, boards.shape[1], DEALS_AT_ONCE):
        some = boards[:, start : start + DEALS_AT_ONCE]
        taken = points_to_come(game, some)[alone].astype(np.int16)
        leads[:, start : start + DEALS_AT_ONCE] = some.sum(axis=0, dtype=np.int16) - 2 * taken
    return leads


def points_to_come(game: CaptureSquares, boards: NDArray[Any]) -> NDArray[np.uint8]:
    """What the mover will still settle of many deals: a row for each set of claimed cells, a column for each deal.

    With T all the numbers this is G(S) = (T - E(S)) / 2: of the T - F(S) points that are open at S the mover takes all
    but what the other then takes, so G(S) = T - F(S) - min over c of G(S + c). On up to 16 cells it fits a byte.
    """
    cells, deals = game.cell_count, np.arange(boards.shape[1])
    table = np.zeros((1 << cells, deals.size), np.uint8)
    for cell in range(cells):  # no two cells are settled by the same set
        needs = 1 << cell | sum((boards[near] > boards[cell]).astype(np.intp) << near for near in game.neighbors[cell])
        table[needs, deals] += boards[cell].astype(np.uint8)
    for i in range(cells):  # F, as in `ClaimTable`
        halves = table.reshape(-1, 2, 1 << i, deals.size)
        halves[:, 1] += halves[:, 0]
    np.subtract(table[-1].copy(), table, out=table)
    for sets, added in layers(cells):
        least = table.take(added[0], axis=0)
        for more in added[1:]:
            np.minimum(least, table.take(more, axis=0), out=least)
        table[sets] -= least
    return table


def firsts_without(game: CaptureSquares, boards: NDArray[Any]) -> dict[str, NDArray[np.int16]]:
    """The same with one of the special rules thought away."""
    return {"captures": firsts_taken(boards, signs(game, 0, game.cell_count))}


def every_position(game: CaptureSquares, numbers: tuple[int, ...]) -> list[NDArray[np.uint8]]:
    """Player 1's final total under best play at every position of a deal, written out.

    By the number k of claimed cells: a row for each set of k cells in rising order of their masks, in it an entry for
    each choice of those that Player 1 owns, as a mask packed to the k cells. 3^16 bytes in all on 4x4; both cores.
    """
    cells, needs = game.cell_count, np.array(settling(game, numbers))
    excess = ClaimTable(game, numbers, 0).entries().astype(np.int32)
    masks = np.arange(1 << cells)
    counts = np.array([mask.bit_count() for mask in range(1 << cells)])
    values = np.array(numbers)

    def layer(k: int) -> NDArray[np.uint8]:
        sets = masks[counts == k]
        settled = sets[:, None] & needs == needs
        sums = settled @ values
        first = (excess[-1] - excess[sets]) // 2
        rows = np.empty((len(sets), 1 << k), np.uint8)
        rows[:, 0] = first if game.side_at(k) == 1 else excess[-1] - first - sums
        cell = np.argsort(sets[:, None] >> np.arange(cells) & 1, axis=1, kind="stable")[:, cells - k :]
        worth = np.take_along_axis(np.where(settled, values, 0), cell, axis=1).astype(np.uint8)
        for i in range(k):  # with the i-th cell: as without it, and its number if it is settled
            np.add(rows[:, : 1 << i], worth[:, i : i + 1], out=rows[:, 1 << i : 2 << i])
        return rows

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(layer, range(cells + 1)))


SOLVER = CaptureSquaresSolver
