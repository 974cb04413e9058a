"""Proves the lemma that settles Capture Square on every board from 5x5 on (docs/solutions.md), by a plain search.

The corner of a board, laid with dominoes like bricks (equal letters; a dot is a cell of no domino):

    a a b b
    . c c d d
    e e f f
    . g g h h

Lemma: in these 18 cells the striker, moving second, gets three markers of some square, and a marker in every square
that contains one of the eight dominoes, even if all cells outside of the corner are the other player's; or the striker
gets a whole square before.

`python docs/corner.py` proves it, from the striker's answer to each first marker on, in about ten seconds. The search
shares nothing with the package. It tries every move of the other player, and takes a position for won only if the
striker can complete a square, or if free cells can be paired so that one cell of each pair is enough.
"""

from __future__ import annotations

from collections.abc import Iterable

Cell = tuple[int, int]

WIDE = 6
"""Bits to a row: one more than the corner has columns, so that its squares fit in."""
DOMINOES = [(row, column) for row in range(4) for column in range(row % 2, 4, 2)]
"""The left cell of each."""
SPARE = [(1, 0), (3, 0)]
ANSWERS = """
    R2C3 R2C3 R2C3 R2C4
    R2C3 R3C2 R2C4 R3C4 R2C4
    R3C2 R2C2 R3C4 R3C3
    R3C2 R4C3 R4C2 R4C5 R4C4
"""
"""The striker's answer to the other's first marker, by its cell; found by trying."""
DEEPEST = 8
"""The most quiet moves of the striker, those that force no answer, on the way to a pairing."""


def mask(cells: Iterable[Cell]) -> int:
    """Cells as bits."""
    return sum(1 << row * WIDE + column for row, column in cells)


def square(row: int, column: int) -> int:
    """The square whose upper left cell this is."""
    return mask([(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)])


CORNER = mask([*DOMINOES, *((row, column + 1) for row, column in DOMINOES), *SPARE])
SQUARES = [square(row, column) for row in range(4) for column in range(5)]
GUARDED = [square(upper, column) & CORNER for row, column in DOMINOES for upper in (row - 1, row) if upper >= 0]
"""What the corner has of each square with one of the dominoes: the striker needs a marker in each."""


def bits(cells: int) -> list[int]:
    """Each cell by itself."""
    return [1 << number for number in range(cells.bit_length()) if cells >> number & 1]


def pairable(sets: list[int], used: int) -> bool:
    """Can pairs be chosen, without the cells that are used, so that every set contains one?"""
    if not sets:
        return True
    cells = bits(min((each & ~used for each in sets), key=int.bit_count))
    return any(
        pairable([each for each in sets if each & (one | two) != one | two], used | one | two)
        for place, one in enumerate(cells)
        for two in cells[:place]
    )


class Search:
    """What is known of positions: the striker's own markers and the other's, both within the corner."""

    def __init__(self) -> None:
        self.known: dict[tuple[int, int], tuple[int, int]] = {}
        """By position with the other to move: the fewest quiet moves that win, and the most that are known not to."""

    def wins(self, own: int, other: int) -> bool:
        """With the other to move: does the striker get it all?"""
        return any(self.waits(own, other, quiet) for quiet in range(DEEPEST))

    def moves(self, own: int, other: int) -> list[tuple[int, int]]:
        """The striker's moves that do not lose at once, each with 1 if it forces no answer and was not forced."""
        chances = [each & ~other for each in GUARDED if not each & own]
        last = {each for each in chances if each.bit_count() < 2}
        if len(last) > 1 or 0 in last:
            return []
        if last:
            return [(last.pop(), 0)]
        cells = bits(CORNER & ~(own | other))
        cells.sort(key=lambda cell: self.promise(cell, own, other), reverse=True)
        return [(cell, 0 if self.completions(own | cell, other) else 1) for cell in cells]

    def promise(self, cell: int, own: int, other: int) -> int:
        """How good a move looks, so that good ones are tried first."""
        near = [each for each in SQUARES if each & cell]
        wanted = sum(1 + 3 * (each & other).bit_count() ** 2 for each in GUARDED if each & cell and not each & own)
        return wanted + sum((0, 2, 10, 0)[(each & own).bit_count()] for each in near)

    def completions(self, own: int, other: int) -> set[int]:
        """The free cells of the corner that complete a square of the striker."""
        free = CORNER & ~other
        return {each & ~own for each in SQUARES if each & free == each and (each & own).bit_count() == 3}

    def settled(self, own: int, other: int) -> bool:
        """Has the striker all that is asked for, or pairs of free cells that bring it?"""
        left = [each & ~other for each in GUARDED if not each & own]
        if any(each.bit_count() < 2 for each in left):
            return False
        counts = [(each & own).bit_count() for each in SQUARES]
        if 3 in counts:
            return pairable(left, 0)
        free = CORNER & ~(own | other)
        thirds = {each & free for each, count in zip(SQUARES, counts, strict=True) if count == 2}
        return any(pairable(left, third) for third in thirds if third.bit_count() == 2)

    def waits(self, own: int, other: int, quiet: int) -> bool:
        """With the other to move: does the striker get it all with so many quiet moves?"""
        threats = self.completions(own, other)
        if len(threats) > 1:
            return True
        wins, fails = self.known.get((own, other), (DEEPEST, -1))
        if quiet >= wins or quiet <= fails:
            return quiet >= wins
        cells = threats or bits(CORNER & ~(own | other))
        won = self.settled(own, other) or (
            bool(cells) and all(self.replies(own, other | cell, quiet) for cell in cells)
        )
        self.known[own, other] = (quiet, fails) if won else (wins, quiet)
        return won

    def replies(self, own: int, other: int, quiet: int) -> bool:
        """With the striker to move: is there a move that does it?"""
        if self.completions(own, other):
            return True
        return any(
            cost <= quiet and self.waits(own | cell, other, quiet - cost) for cell, cost in self.moves(own, other)
        )


def first_answers() -> dict[int, int]:
    """The striker's answer to each first marker of the other."""
    cells = [mask([(int(move[1]) - 1, int(move[3]) - 1)]) for move in ANSWERS.split()]
    return dict(zip(bits(CORNER), cells, strict=True))


if __name__ == "__main__":
    search = Search()
    for first, own in first_answers().items():
        assert search.wins(own, first), f"The answer to cell {first:b} proves nothing."
    print(f"The lemma holds: {len(search.known):,} positions were looked at.")
