"""Openings of Capture Square on 5x5 and 6x6 that are proven to be won, kept because their search is long.

`openings.json` holds, for each size, [striker's cells, other's cells, the striker's move] as masks and a cell: whatever
the other answers to the move, the position is one of these again (up to turning and mirroring), or the prover settles
it with EASY nodes. The tests check that for every entry. `python -m pentagrid.games.capture_square.openings` makes the
file again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

from pentagrid.core.symmetry import turns
from pentagrid.games.capture_square.prover import Opening, Prover
from pentagrid.games.capture_square.rules import CaptureSquare
from pentagrid.util.files import write_atomically

FILE = "openings.json"
EASY, HARD = 1000, 200_000
"""Nodes up to which a position needs no entry, and that a search for a move may take."""
FIRST_ANSWERS = {
    5: {0: 6, 1: 6, 2: 7, 6: 7, 7: 12, 12: 6},
    6: {0: 7, 1: 7, 2: 8, 7: 8, 8: 13, 14: 21},
}
"""By size: the striker's answer to each first marker of the other, up to turning and mirroring; found by trying."""


def images(size: int, *masks: int) -> Iterator[tuple[int, ...]]:
    """Masks of cells, turned and mirrored in all eight ways."""
    for turn in turns(size):
        yield tuple(sum(1 << to for to, cell in enumerate(turn) if mask >> cell & 1) for mask in masks)


def entries(size: int) -> list[tuple[int, int, int]]:
    """The entries of a size; none where there are tables of all positions."""
    kept = json.loads(files(__package__).joinpath(FILE).read_text(encoding="utf-8"))
    return [(striker, other, cell) for striker, other, cell in kept.get(str(size), [])]


@cache
def proven_openings(size: int) -> frozenset[Opening]:
    """Every position that the entries prove: those before and after the striker's moves, in all eight ways."""
    found: set[Opening] = {(0, 0, False)} if entries(size) else set()
    for striker, other, cell in entries(size):
        for before, after, theirs in images(size, striker, striker | 1 << cell, other):
            found |= {(before, theirs, True), (after, theirs, False)}
    return frozenset(found)


def answers(game: CaptureSquare, striker: int, other: int) -> Iterator[int]:
    """The other's markers after each of their possible moves."""
    return (other | 1 << cell for cell in range(game.cell_count) if not (striker | other) >> cell & 1)


def make(size: int) -> list[tuple[int, int, int]]:
    """The entries of a size: the first answers, and what a search finds against every answer to them."""
    game = CaptureSquare(size)
    prover = Prover(game)
    made: dict[tuple[int, ...], int] = {(0, 1 << first): cell for first, cell in FIRST_ANSWERS[size].items()}
    waiting = [(0, 0), *((1 << cell, other) for (_, other), cell in made.items())]
    waiting[1:] = [(own, more) for own, other in waiting[1:] for more in answers(game, own, other)]
    while waiting:
        striker, other = waiting.pop()
        prover.forget()
        if any(image in made for image in images(size, striker, other)) or prover.wins(striker, other, True, EASY):
            continue
        cell = prover.winning_move(striker, other, HARD)
        assert cell is not None, f"no move was found: {striker} {other}"
        made[striker, other] = cell
        own = striker | 1 << cell
        waiting += [(own, more) for more in answers(game, own, other)]
    return [(striker, other, cell) for (striker, other), cell in sorted(made.items())]


if __name__ == "__main__":
    made = {str(size): make(size) for size in (5, 6)}
    write_atomically(Path(__file__).with_name(FILE), json.dumps(made, separators=(",", ":")) + "\n")
