"""Averages with standard errors and 95 % intervals, where observations come in clusters (all moves on one deal).

What is averaged is a sum divided by another, such as regret by moves; both are given for each cluster. Clusters are
independent of each other, what is in one cluster need not be.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import nan, sqrt, tan
from statistics import NormalDist
from typing import NamedTuple

Sums = tuple[float, float]
"""Of one cluster: the sum that is averaged, and how much it is divided by."""
CONFIDENCE = 0.95


class Interval(NamedTuple):
    """An average with its interval; not a number where there is nothing to average."""

    value: float
    low: float
    high: float


NOTHING = Interval(nan, nan, nan)


def average(clusters: Iterable[Sums]) -> tuple[float, float]:
    """The average and its standard error, which is not a number where there are fewer than two clusters.

    The error is that of a ratio of sums over clusters, by linearization.
    """
    sums = [(top, bottom) for top, bottom in clusters if bottom]
    whole = sum(bottom for _, bottom in sums)
    if not whole:
        return nan, nan
    value = sum(top for top, _ in sums) / whole
    if len(sums) < 2:
        return value, nan
    spread = sum((top - value * bottom) ** 2 for top, bottom in sums)
    return value, sqrt(spread * len(sums) / (len(sums) - 1)) / whole


def mean_interval(clusters: Sequence[Sums]) -> Interval:
    """The interval of an average of any numbers: Student's t over clusters."""
    value, error = average(clusters)
    count = sum(1 for _, bottom in clusters if bottom)
    if count < 2:
        return Interval(value, nan, nan)
    half = t_quantile(count - 1) * error
    return Interval(value, value - half, value + half)


def share_interval(clusters: Sequence[Sums]) -> Interval:
    """The interval of a share, honest at 0 % and 100 % too: Wilson's, with as many observations as clusters allow.

    Observations that agree within clusters count as fewer: their number is what gives the clustered standard error.
    Where all agree there is no telling, and each cluster counts as one.
    """
    value, error = average(clusters)
    count = sum(1 for _, bottom in clusters if bottom)
    if not count:
        return NOTHING
    whole = sum(bottom for _, bottom in clusters)
    unit = value * (1 - value)
    effective = float(count)
    if unit > 1e-12 and error > 0:
        effective = min(whole, unit / error**2)
    z = t_quantile(count - 1) if count > 1 else t_quantile(1)
    shrink = 1 + z * z / effective
    middle = (value + z * z / (2 * effective)) / shrink
    half = z * sqrt(unit / effective + z * z / (4 * effective * effective)) / shrink
    return Interval(value, max(0.0, min(value, middle - half)), min(1.0, max(value, middle + half)))


def cost_interval(costs: Sequence[Sums], errors: Sequence[Sums], typical: float) -> Interval:
    """The interval of the average cost of errors; `errors` has their share, and `typical` is what one costs on average.

    It reaches up to where errors that did not happen to be made could bring it: the upper end of the share of errors,
    times what one typically costs. Of a single cluster no lower end is known but 0.
    """
    mean, share = mean_interval(costs), share_interval(errors)
    if mean.value != mean.value:
        return NOTHING
    low, high = (0.0, mean.value) if mean.low != mean.low else (mean.low, mean.high)
    return Interval(mean.value, max(0.0, low), max(high, share.high * typical))


def difference_interval(plus: Interval, minus: Interval, mean: Interval) -> Interval:
    """The interval of one share less another of the same observations (won beyond what was due, less lost below it).

    From the intervals of both shares, and never narrower than that of the mean.
    """
    if plus.low != plus.low or minus.low != minus.low:
        return mean
    value = plus.value - minus.value
    down = sqrt((plus.value - plus.low) ** 2 + (minus.high - minus.value) ** 2)
    up = sqrt((plus.high - plus.value) ** 2 + (minus.value - minus.low) ** 2)
    low, high = value - down, value + up
    if mean.low == mean.low:
        low, high = min(low, mean.low), max(high, mean.high)
    return Interval(value, max(-1.0, low), min(1.0, high))


def t_quantile(freedom: int, confidence: float = CONFIDENCE) -> float:
    """How many standard errors Student's t allows on either side, by the Cornish–Fisher expansion."""
    upper = (1 + confidence) / 2
    if freedom == 1:
        return tan(3.141592653589793 * (upper - 0.5))
    if freedom == 2:
        return (2 * upper - 1) * sqrt(2 / (4 * upper * (1 - upper)))
    z = NormalDist().inv_cdf(upper)
    n = freedom
    terms = (
        z,
        (z**3 + z) / (4 * n),
        (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2),
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3),
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4),
    )
    return sum(terms)
