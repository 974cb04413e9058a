"""The metrics of the tasks for language models: counts summed over all samples, one divided by another.

Answers that are illegal or cannot be read have metrics of their own and do not count as bad moves.
"""

from __future__ import annotations

from inspect_ai.scorer import Metric, SampleScore, metric


def _ratio(scores: list[SampleScore], numerator: str, denominator: str) -> float:
    counts = [score.score.metadata or {} for score in scores]
    whole = sum(count.get(denominator, 0) for count in counts)
    return sum(count.get(numerator, 0) for count in counts) / whole if whole else float("nan")


@metric
def share(numerator: str, denominator: str) -> Metric:
    """The sum of one count divided by the sum of another, over all samples."""

    def compute(scores: list[SampleScore]) -> float:
        return _ratio(scores, numerator, denominator)

    return compute


@metric
def win_rate() -> Metric:
    """The share of games won."""
    return share("won", "games")


@metric
def seat_score() -> Metric:
    """Games won, less those that the seats win under perfect play, per game."""

    def compute(scores: list[SampleScore]) -> float:
        return _ratio(scores, "won", "games") - _ratio(scores, "perfect_wins", "games")

    return compute


@metric
def regret_per_move() -> Metric:
    """What a legal move gives away, on average."""
    return share("regret", "moves")


@metric
def best_of_real() -> Metric:
    """The share of best moves, of those where the moves differ."""
    return share("best", "real")


@metric
def best_of_legal() -> Metric:
    """The share of best moves, of the legal answers."""
    return share("best", "moves")


@metric
def best_of_all() -> Metric:
    """The share of best moves, of all answers."""
    return share("best", "asked")


@metric
def wins_thrown_away() -> Metric:
    """The share of moves in won positions that lose the win."""
    return share("thrown", "ahead")


@metric
def forfeited() -> Metric:
    """The share of games lost by not naming a legal move."""
    return share("forfeited", "games")


@metric
def illegal_per_answer() -> Metric:
    """The share of answers in a game that name an illegal move."""
    return share("illegal", "answers")


@metric
def unreadable_per_answer() -> Metric:
    """The share of answers in a game that name no move at all."""
    return share("unreadable", "answers")


@metric
def illegal() -> Metric:
    """The share of questions whose answer is an illegal move."""
    return share("illegal", "asked")


@metric
def unreadable() -> Metric:
    """The share of questions whose answer cannot be read."""
    return share("unreadable", "asked")


@metric
def right_of_read() -> Metric:
    """The share of right answers, of those that can be read."""
    return share("right", "read")


@metric
def right_of_all() -> Metric:
    """The share of right answers, of all questions."""
    return share("right", "asked")


def duel_metrics() -> list[Metric]:
    """The metrics of whole games."""
    return [win_rate(), seat_score(), regret_per_move(), best_of_real(), wins_thrown_away(), forfeited(),
            illegal_per_answer(), unreadable_per_answer()]  # fmt: skip


def move_metrics() -> list[Metric]:
    """The metrics of single moves."""
    return [best_of_all(), best_of_legal(), regret_per_move(), illegal(), unreadable()]


def rules_metrics() -> list[Metric]:
    """The metrics of questions about the rules."""
    return [right_of_all(), right_of_read(), unreadable()]
