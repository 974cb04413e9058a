"""What a census counts: whole numbers only, so that sums are the same whoever counted what, and in which order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from math import isfinite, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

WINNER, MARGIN, WINNING, GREEDY = "winner", "margin", "winning first moves", "greedy move best"
MATTERED, RIGHTFUL = "rule mattered", "rightful winner won"
TURNS = {1: "turns when Player 1 wins", 2: "turns when Player 2 wins"}
UNKNOWN = "unknown"


class Tally:
    """For each measure, how many deals had each value of it. Values are text: '4', '-0.5', '1/2'."""

    def __init__(self, counts: Mapping[str, Mapping[str, int]] | None = None) -> None:
        self.counts: dict[str, Counter[str]] = {measure: Counter(values) for measure, values in (counts or {}).items()}

    def count(self, measure: str, value: str, deals: int = 1) -> None:
        """Add so many deals with this value."""
        self.counts.setdefault(measure, Counter())[value] += deals

    def add(self, other: Tally) -> None:
        """Add everything that another tally has counted."""
        for measure, values in other.counts.items():
            self.counts.setdefault(measure, Counter()).update(values)

    def of(self, measure: str) -> Counter[str]:
        """The counts of one measure."""
        return self.counts.get(measure, Counter())

    def data(self) -> dict[str, dict[str, int]]:
        """The counts as plain data, in a fixed order."""
        return {measure: dict(in_order(self.counts[measure])) for measure in sorted(self.counts)}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tally) and self.data() == other.data()

    @property
    def deals(self) -> int:
        """How many deals were looked at."""
        return self.of(WINNER).total()


def count_values(tally: Tally, measure: str, values: NDArray[Any], name: Callable[[int], str] = str) -> None:
    """Count small whole numbers, each by the name it has as a value of the measure."""
    if not values.size:
        return
    least = int(values.min())
    for number, count in enumerate(np.bincount(values - least).tolist(), least):
        if count:
            tally.count(measure, name(number), count)


def number_of(value: str) -> float:
    """A value as a number: '-0.5', or '1/2' for a share."""
    top, _, bottom = value.partition("/")
    return float(top) / float(bottom or 1)


def is_word(value: str) -> bool:
    """True for a value that is no number, such as a rule's name."""
    return bool(value) and value[0] not in "-.0123456789"


def is_value(measure: str, value: str) -> bool:
    """True if a measure can have this value: a word for a rule, a number or 'unknown' for others."""
    if measure.endswith((MATTERED, RIGHTFUL)):
        return is_word(value)
    try:
        return value == UNKNOWN or (not is_word(value) and isfinite(number_of(value)))
    except (ValueError, ZeroDivisionError):
        return False


def in_order(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Values with their counts: numbers by size, then words."""
    words = [value for value in counts if is_word(value)]
    numbers = sorted(counts.keys() - set(words), key=lambda value: (number_of(value), value))
    return [(value, counts[value]) for value in (*numbers, *sorted(words))]


def mean(counts: Mapping[str, int]) -> float:
    """The average value."""
    deals = sum(counts.values())
    if not deals:
        return float("nan")
    return sum(number_of(value) * count for value, count in in_order(counts)) / deals or 0.0


def interval(hits: int, deals: int, z: float = 1.959964) -> tuple[float, float]:
    """The 95 % confidence interval (Wilson) of a share, from so many hits among so many deals."""
    if not deals:
        return 0.0, 1.0
    share = hits / deals
    middle = share + z * z / (2 * deals)
    reach = z * sqrt(share * (1 - share) / deals + z * z / (4 * deals * deals))
    whole = 1 + z * z / deals
    return (middle - reach) / whole if hits else 0.0, (middle + reach) / whole if hits < deals else 1.0
