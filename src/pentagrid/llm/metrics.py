"""The measures of the tasks for language models: sums over all samples, one divided by another.

Answers that are illegal or cannot be read have measures of their own and do not count as bad moves.
"""

from __future__ import annotations

from inspect_ai.scorer import Metric, SampleScore, metric


def _ratio(scores: list[SampleScore], top: str, bottom: str) -> float:
    marks = [score.score.metadata or {} for score in scores]
    whole = sum(mark.get(bottom, 0) for mark in marks)
    return sum(mark.get(top, 0) for mark in marks) / whole if whole else float("nan")


@metric
def share(top: str, bottom: str) -> Metric:
    """The sum of one mark divided by that of another."""

    def compute(scores: list[SampleScore]) -> float:
        return _ratio(scores, top, bottom)

    return compute


@metric
def win_rate() -> Metric:
    """Games won."""
    return share("won", "games")


@metric
def seat_score() -> Metric:
    """Games won beyond what the seats were worth under perfect play, per game."""

    def compute(scores: list[SampleScore]) -> float:
        return _ratio(scores, "won", "games") - _ratio(scores, "worth", "games")

    return compute


@metric
def regret_per_move() -> Metric:
    """What a legal move gives away on average."""
    return share("regret", "moves")


@metric
def best_of_real() -> Metric:
    """Best moves where the moves differ."""
    return share("best", "real")


@metric
def best_of_legal() -> Metric:
    """Best moves among the legal answers."""
    return share("best", "moves")


@metric
def best_of_all() -> Metric:
    """Best moves among all answers."""
    return share("best", "asked")


@metric
def wins_thrown_away() -> Metric:
    """Moves in won positions that lose them."""
    return share("thrown", "ahead")


@metric
def forfeited() -> Metric:
    """Games lost by not naming a legal move."""
    return share("forfeited", "games")


@metric
def illegal_per_answer() -> Metric:
    """Answers that name an illegal move."""
    return share("illegal", "answers")


@metric
def unreadable_per_answer() -> Metric:
    """Answers that name no move at all."""
    return share("unreadable", "answers")


@metric
def illegal() -> Metric:
    """Answers that name an illegal move."""
    return share("illegal", "asked")


@metric
def unreadable() -> Metric:
    """Answers that cannot be read."""
    return share("unreadable", "asked")


@metric
def right_of_read() -> Metric:
    """Right answers among those that could be read."""
    return share("right", "read")


@metric
def right_of_all() -> Metric:
    """Right answers."""
    return share("right", "asked")


def duel_metrics() -> list[Metric]:
    return [win_rate(), seat_score(), regret_per_move(), best_of_real(), wins_thrown_away(), forfeited(),
            illegal_per_answer(), unreadable_per_answer()]  # fmt: skip


def move_metrics() -> list[Metric]:
    return [best_of_all(), best_of_legal(), regret_per_move(), illegal(), unreadable()]


def rules_metrics() -> list[Metric]:
    return [right_of_all(), right_of_read(), unreadable()]
