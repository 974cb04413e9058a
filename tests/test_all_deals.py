"""The program that counts all deals of Matrix Capture, on so few numbers that the deals can be listed."""

from __future__ import annotations

import itertools
import json
import shutil
import sys
from functools import cache
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest

import pentagrid as pg
from pentagrid.games.matrix_capture.solver import firsts

pytestmark = pytest.mark.skipif(not shutil.which("gcc"), reason="needs gcc: install it")


@pytest.fixture
def all_deals(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parent.parent / "docs")
    import all_deals

    yield all_deals
    sys.modules.pop("all_deals")


@cache
def listed(numbers: int) -> list[int]:
    """The same counts from every deal, rows in order: each stands for as many deals as its rows can be ordered in."""
    rows = np.array(list(itertools.product(range(1, numbers + 1), repeat=4)), np.int8)
    orders = itertools.combinations_with_replacement(range(len(rows)), 4)
    chosen = np.fromiter(itertools.chain.from_iterable(orders), np.int16).reshape(-1, 4)
    margins = firsts(pg.load("matrix-capture"), rows[chosen].reshape(-1, 16).T).max(axis=0)
    alike = (chosen[:, 1:] == chosen[:, :-1]) @ [4, 2, 1]
    orderings = np.array([24, 12, 12, 4, 12, 6, 4, 1])[alike]
    return np.bincount(margins, orderings, numbers).astype(int).tolist()


@pytest.mark.parametrize("flags", [("-march=native",), ("-march=native", "-mno-avx512vbmi")])
@pytest.mark.parametrize("numbers", [2, 3])
def test_small_numbers_are_counted_as_listed(all_deals, numbers, flags, tmp_path):
    counter = all_deals.Counter(numbers, flags)
    assert all_deals.count_all(counter, 2, tmp_path / "notes") == listed(numbers)


def listed_part(numbers: int, first: int, start: int) -> list[int]:
    """The counts of one part of the deals: of each block of three rows that is the least of those like it, all rows."""
    game, columns = pg.load("matrix-capture"), numbers**3
    last = np.array(list(itertools.product(range(1, numbers + 1), repeat=4)), np.int8).T
    totals = np.zeros(numbers, int)
    for others in itertools.combinations_with_replacement(range(start, columns), 3):
        block = [tuple(np.unravel_index(column, (numbers,) * 3)) for column in (first, *others)]
        alike = {
            tuple(tuple(column[row] for row in rows) for column in block_order)
            for rows in itertools.permutations(range(3))
            for block_order in itertools.permutations(block)
        }
        if min(alike) == tuple(block):
            above = np.repeat(1 + np.array(block, np.int8).T.reshape(12, 1), last.shape[1], axis=1)
            margins = firsts(game, np.concatenate([above, last])).max(axis=0)
            totals += len(alike) * np.bincount(margins, minlength=numbers)
    return totals.tolist()


@pytest.mark.parametrize("flags", [("-march=native",), ("-march=native", "-mno-avx512vbmi")])
def test_some_of_the_deals_of_all_numbers_are_counted_as_listed(all_deals, flags):
    counter = all_deals.Counter(9, flags)
    for part in ((12, 724), (123, 725)):
        counted = counter.count(part)
        assert counted == listed_part(9, *part) and min(counted) > 0


def test_a_stopped_count_goes_on_where_it_was(all_deals, tmp_path):
    notes = tmp_path / "notes"
    counter = all_deals.Counter(3)
    whole = all_deals.count_all(counter, 1, notes)
    lines = notes.read_text().splitlines(keepends=True)
    notes.write_text("".join(lines[:5]) + lines[5][:9])
    counted = Mock(side_effect=counter.count)
    counter.count = counted
    assert all_deals.count_all(counter, 1, notes) == whole
    assert counted.call_count == len(lines) - 5
    assert dict(all_deals.noted(notes)).keys() == set(counter.parts())


def test_damaged_notes_are_not_believed(all_deals, tmp_path):
    notes = tmp_path / "notes"
    counter = all_deals.Counter(2)
    all_deals.count_all(counter, 1, notes)
    first, *rest = notes.read_text().splitlines()
    notes.write_text("\n".join([json.dumps(json.loads(first) | {"deals": [1, 0]}), *rest]) + "\n")
    with pytest.raises(ArithmeticError, match="65,536"):
        all_deals.count_all(counter, 1, notes)


def test_numbers_that_are_not_there_are_refused(all_deals):
    with pytest.raises(ValueError, match="not 10"):
        all_deals.Counter(10)
