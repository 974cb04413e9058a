"""What a census counts: whole numbers only, so that sums are the same whoever counted what, and in which order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import isfinite, sqrt

WINNER, MARGIN, WINNING, GREEDY = "winner", "margin", "winning first moves", "greedy move best"
MATTERED, RIGHTFUL = "rule mattered", "rightful winner won"
TURNS = {1: "turns when Player 1 wins", 2: "turns when Player 2 wins"}
UNKNOWN = "unknown"


class Tally:
    """For each measure, how many deals had each value of it. Values are text: '4', '-0.5', '1/2'."""

    def __init__(self, counts: Mapping[str, Mapping[str, int]] | None = None) -> None:
        self.counts: dict[str, Counter[str]] = {name: Counter(found) for name, found in (counts or {}).items()}

    def count(self, measure: str, value: str, deals: int = 1) -> None:
        """So many more deals had this value."""
        self.counts.setdefault(measure, Counter())[value] += deals

    def add(self, other: Tally) -> None:
        """Everything that another has counted."""
        for measure, found in other.counts.items():
            self.counts.setdefault(measure, Counter()).update(found)

    def of(self, measure: str) -> Counter[str]:
        """The counts of one measure."""
        return self.counts.get(measure, Counter())

    def as_json(self) -> dict[str, dict[str, int]]:
        """The counts in a fixed order."""
        return {name: dict(in_order(self.counts[name])) for name in sorted(self.counts)}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tally) and self.as_json() == other.as_json()

    @property
    def deals(self) -> int:
        """How many were looked at."""
        return self.of(WINNER).total()


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


def in_order(found: Mapping[str, int]) -> list[tuple[str, int]]:
    """Numbers by size, then words."""
    words = [value for value in found if is_word(value)]
    numbers = sorted(found.keys() - set(words), key=lambda value: (number_of(value), value))
    return [(value, found[value]) for value in (*numbers, *sorted(words))]


def mean(found: Mapping[str, int]) -> float:
    """The average value."""
    deals = sum(found.values())
    return (sum(number_of(value) * count for value, count in in_order(found)) / deals or 0.0) if deals else float("nan")


def interval(hits: int, deals: int, z: float = 1.959964) -> tuple[float, float]:
    """The share that so many hits speak for, with 95 % confidence (Wilson)."""
    if not deals:
        return 0.0, 1.0
    share = hits / deals
    middle = share + z * z / (2 * deals)
    reach = z * sqrt(share * (1 - share) / deals + z * z / (4 * deals * deals))
    whole = 1 + z * z / deals
    return (middle - reach) / whole if hits else 0.0, (middle + reach) / whole if hits < deals else 1.0
