"""The metrics of the tasks for language models: counts summed over all answers, one divided by another.

Every epoch of every sample counts. Each metric has a standard error, `NAME_stderr`, in which all answers on one deal
are one cluster. Answers that are illegal or cannot be read have metrics of their own and do not count as bad moves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

from inspect_ai.scorer import Metric, SampleScore, metric

from pentagrid.util.intervals import Interval, Sums, average, cost_interval, mean_interval, share_interval

CLUSTER = "cluster"
"""Where the counts of a sample name its deal."""
HAS_POINTS = "has_points"
"""Where they say whether its game has points."""
Counts = Mapping[str, Any]


class Rate(NamedTuple):
    """One metric: a count divided by another."""

    name: str
    top: str
    bottom: str
    share: bool = True
    """Is it a share, from 0 to 1?"""
    meaning: str = ""
    errors: str = ""
    """Where the errors are counted whose cost it is, in points or, in a game without points, in games given away."""

    def sums(self, counts: Sequence[Counts]) -> list[Sums]:
        """Both counts for each deal; none for costs in games with and without points, which have no common average."""
        if self.errors and len({count.get(HAS_POINTS) for count in counts}) > 1:
            return []
        clusters: dict[object, Sums] = {}
        for number, count in enumerate(counts):
            top, bottom = clusters.get(count.get(CLUSTER, number), (0.0, 0.0))
            both = top + count.get(self.top, 0), bottom + count.get(self.bottom, 0)
            clusters[count.get(CLUSTER, number)] = both
        return list(clusters.values())

    def interval(self, counts: Sequence[Counts], typical: float = 1.0) -> Interval:
        """The metric with its 95 % interval; `typical` is what an error costs on average."""
        sums = self.sums(counts)
        if self.errors:
            return cost_interval(sums, self._replace(top=self.errors).sums(counts), typical)
        return share_interval(sums) if self.share else mean_interval(sums)


ANSWERS = (
    Rate("illegal", "illegal", "answers", meaning="answers that name a move that is not legal"),
    Rate("unreadable", "unreadable", "answers", meaning="answers that name no move at all"),
)
MOVES = (
    Rate("result_kept", "kept", "decisive", meaning="moves that keep the win, where some move loses it"),
    Rate("best", "best", "differing", meaning="best moves, where moves differ"),
    Rate("regret_per_move", "regret", "moves", False, "points given away by a legal move", "errors"),
    Rate("win_regret_per_move", "win_regret", "moves", meaning="legal moves that give a won game away"),
    Rate("mattered", "mattered", "moves", meaning="decisions in which moves differ under the payoff"),
)
DUEL = (
    Rate("payoff", "paid", "games", False, "what a game pays: 1 or -1, or points"),
    Rate("win_rate", "won", "games", meaning="games won"),
    Rate("seat_score", "beyond", "games", False, "what a game pays beyond what the seat is worth"),
    *MOVES,
    Rate("wins_thrown_away", "win_regret", "ahead", meaning="moves in won positions that lose the win"),
    Rate("forfeited", "forfeited", "games", meaning="games lost by not naming a legal move"),
    *ANSWERS,
)  # fmt: skip
BEST_MOVE = (
    Rate("right", "right", "answers", meaning="answers that lose nothing under the payoff, of all answers"),
    Rate("right_of_legal", "right", "moves", meaning="the same, of the answers that are legal moves"),
    *MOVES,
    *ANSWERS,
)
RULES = (
    Rate("right", "right", "answers", meaning="right answers, of all"),
    Rate("right_of_read", "right", "read", meaning="right answers, of those that can be read"),
    Rate("unreadable", "unreadable", "answers", meaning="answers that cannot be read"),
)
RATES = {"duel": DUEL, "best_move": BEST_MOVE, "rules": RULES}
"""The metrics of each task, the most telling first."""


@metric(scores="unreduced")
def task_metrics(task: str) -> Metric:
    """All metrics of a task (`RATES`), each with its standard error."""
    rates = RATES[task]

    def compute(scores: list[SampleScore]) -> dict[str, float]:
        counts = [score.score.metadata or {} for score in scores]
        values: dict[str, float] = {}
        for rate in rates:
            value, error = average(rate.sums(counts))
            values[rate.name] = value
            values[f"{rate.name}_stderr"] = error
        values["stderr"] = values[f"{rates[0].name}_stderr"]  # where Inspect looks for it
        return values

    return cast("Metric", compute)
