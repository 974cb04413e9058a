"""The eight ways to turn and mirror a square board. A game's `symmetry.py` says which positions are the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import chain, groupby, permutations, product
from typing import Any

from pentagrid.core.catalog import has_part, part
from pentagrid.core.game import Game
from pentagrid.core.position import Position


@cache
def turns(n: int) -> tuple[tuple[int, ...], ...]:
    """The eight symmetries of an N x N board: each tells for every cell which one comes to lie there."""
    symmetries = []
    here = tuple(range(n * n))
    for _ in range(2):
        for _ in range(4):
            symmetries.append(here)
            here = tuple(here[(n - 1 - c) * n + r] for r in range(n) for c in range(n))
        here = tuple(here[r * n + n - 1 - c] for r in range(n) for c in range(n))
    return tuple(symmetries)


def quarter_turn_and_mirror(n: int) -> list[tuple[int, ...]]:
    """Two symmetries of a board that make up all eight."""
    return [turns(n)[1], turns(n)[4]]


def line_exchanges(n: int) -> list[tuple[int, ...]]:
    """Symmetries of a board in which only lines matter: they make up all orders of rows and of columns, and mirroring.

    Each tells for every cell which one comes to lie there.
    """
    cells = [(r, c) for r in range(n) for c in range(n)]
    moved = [[(c, r) for r, c in cells]]
    for i in range(n - 1):
        other = {i: i + 1, i + 1: i}
        moved += [[(other.get(r, r), c) for r, c in cells], [(r, other.get(c, c)) for r, c in cells]]
    return [tuple(r * n + c for r, c in places) for places in moved]


def cell_exchanges(n: int) -> list[tuple[int, ...]]:
    """Symmetries of a board on which places do not matter: they make up all orders of the cells."""
    here = tuple(range(n * n))
    return [(*here[:i], i + 1, i, *here[i + 2 :]) for i in range(n * n - 1)]


def generators_of(game: Game) -> list[tuple[int, ...]]:
    """Symmetries of a game's board that make up all others: none where its folder does not tell."""
    if not has_part(game.name, "symmetry"):
        return []
    generators: Callable[[int], list[tuple[int, ...]]] | None = getattr(part(game.name, "symmetry"), "generators", None)
    return generators(game.size) if generators else []


def least_turn(values: tuple[object, ...], n: int) -> tuple[object, ...]:
    """The smallest of what a board's values become under its eight symmetries: the same for symmetric boards."""
    return min(tuple(values[cell] for cell in turn) for turn in turns(n))


def turned_masks(game: Game, claims: int) -> list[int]:
    """What a mask of claims becomes under the eight symmetries; where lines are claimed, only itself."""
    if game.claim_count != game.cell_count:
        return [claims]
    return [sum(1 << i for i, cell in enumerate(turn) if claims >> cell & 1) for turn in turns(game.size)]


def orders(keys: Sequence[Any]) -> Iterator[tuple[int, ...]]:
    """All orders of some things in which their keys rise: just one where no two keys are equal."""
    rising = sorted(range(len(keys)), key=keys.__getitem__)
    equal = [tuple(group) for _, group in groupby(rising, key=keys.__getitem__)]
    return (tuple(chain(*parts)) for parts in product(*map(permutations, equal)))


def turned_alike(position: Position) -> tuple[object, ...]:
    """The same for positions that differ only by a symmetry of the board."""
    return position.ply, _least_board(position)


def asking_alike(position: Position) -> tuple[object, ...]:
    """The same for positions that ask the same: whoever is to move, and the board up to a symmetry."""
    return position.mover, _least_board(position)


def _least_board(position: Position) -> tuple[object, ...]:
    numbers = position.numbers or (0,) * position.game.cell_count
    cells = tuple((number, position.owner(i)) for i, number in enumerate(numbers))
    return least_turn(cells, position.game.size)
