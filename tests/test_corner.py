"""The proof that whoever begins Sudden Death wins on every board: its lemma, its brick wall, and games played by it."""

from __future__ import annotations

import random
import sys
from functools import cache
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def corner():
    folder = str(Path(__file__).parent.parent / "docs")
    sys.path.insert(0, folder)
    try:
        import corner

        yield corner
    finally:
        sys.path.remove(folder)
        sys.modules.pop("corner")


@pytest.fixture(scope="module")
def search(corner):
    """A search that has proven the lemma."""
    made = corner.Search()
    for first, own in corner.first_answers().items():
        assert made.wins(own, first), f"{first:b}"
    return made


def cells_of(corner, mask):
    return {divmod(bit.bit_length() - 1, corner.WIDE) for bit in corner.bits(mask)}


def squares_of(size):
    return [
        {(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)}
        for row in range(size - 1)
        for column in range(size - 1)
    ]


def brick_wall(size):
    return [{(row, left), (row, left + 1)} for row in range(size) for left in range(row % 2, size - 1, 2)]


def test_the_lemma_holds(corner, search):
    assert len(corner.first_answers()) == 18 and len(search.known) > 100_000


@pytest.mark.parametrize("size", range(5, 12))
def test_every_square_is_guarded_in_the_corner_or_by_a_domino_outside(corner, size):
    inside = cells_of(corner, corner.CORNER)
    guarded = [cells_of(corner, each) for each in corner.GUARDED]
    wall = brick_wall(size)
    assert all(domino <= inside or not domino & inside for domino in wall)
    outside = [domino for domino in wall if not domino & inside]
    for square in squares_of(size):
        assert square & inside in guarded or any(domino <= square for domino in outside)


def test_the_search_agrees_with_all_games_played_out(corner):
    """In late positions: what is called won is won, by the final board alone."""
    everything, chance, won = corner.bits(corner.CORNER), random.Random(5), 0

    @cache
    def brute(own, other, moving):
        if any(each & own == each for each in corner.SQUARES):
            return True
        if any(each & other == each for each in corner.GUARDED):
            return False
        free = [cell for cell in everything if not (own | other) & cell]
        if not free:
            return any((each & own).bit_count() == 3 for each in corner.SQUARES) and all(
                each & own for each in corner.GUARDED
            )
        if moving:
            return any(brute(own | cell, other, False) for cell in free)
        return all(brute(own, other | cell, True) for cell in free)

    for _ in range(300):
        order = chance.sample(everything, 10)
        own, other = sum(order[::2]), sum(order[1::2])
        if corner.Search().completions(own, other) or any(
            (each & ~other).bit_count() < 2 and not each & own for each in corner.GUARDED
        ):
            continue  # the other's turn does not come here
        if corner.Search().wins(own, other):
            won += 1
            assert brute(own, other, False), (own, other)
    assert won > 20


class Striker:
    """Moves second: by the lemma in the corner, in the same domino elsewhere."""

    def __init__(self, corner, search, size):
        self.corner, self.search = corner, search
        self.inside = cells_of(corner, corner.CORNER)
        self.partner = {}
        for domino in brick_wall(size):
            one, two = sorted(domino)
            self.partner |= {one: two, two: one}
        self.own = self.other = 0
        """The corner as the strategy sees it: a marker that was placed beside it counts as a free cell."""

    def answer(self, cell, free):
        """The striker's cell; None if the board is full."""
        if cell not in self.inside:
            wanted = self.partner.get(cell)
        else:
            self.other |= self.corner.mask([cell])
            wanted = self._in_corner()
            self.own |= self.corner.mask([wanted])
        return wanted if wanted in free else min(free, default=None)

    def _in_corner(self):
        completing = self.search.completions(self.own, self.other)
        choices = completing or (
            cell for cell, _ in self.search.moves(self.own, self.other) if self.search.wins(self.own | cell, self.other)
        )
        if not self.own:
            choices = [self.corner.first_answers()[self.other]]
        return cells_of(self.corner, next(iter(choices))).pop()


@pytest.mark.parametrize("size", [5, 6, 7, 8])
def test_games_played_by_the_proof_end_with_a_trap(corner, search, size):
    chance, squares = random.Random(size), squares_of(size)
    for number in range(12):
        striker, mine, theirs = Striker(corner, search, size), set(), set()
        free = {(row, column) for row in range(size) for column in range(size)}
        while free and not any(square <= mine for square in squares):
            near = [cell for cell in free if cell in striker.inside] if number % 2 else []
            cell = chance.choice(sorted(near or free))
            dangerous = [c for s in squares if len(s & theirs) >= 2 and not s & mine for c in s & free]
            threatened = [c for s in squares if len(s & mine) == 3 and not s & theirs for c in s & free]
            cell = (sorted(threatened) or sorted(dangerous) or [cell])[0]
            free.remove(cell)
            theirs.add(cell)
            reply = striker.answer(cell, free)
            if reply is not None:
                free.remove(reply)
                mine.add(reply)
            assert not any(square <= theirs for square in squares)
        assert any(len(square & mine) >= 3 for square in squares)
