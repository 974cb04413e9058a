"""Why an environment differs from our rules: known readings and meanings of rewards are tried, alone and in pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from pentagrid.audit.judgment import ComparedGame, final_position, judge
from pentagrid.core.game import Game
from pentagrid.core.readings import Reading, read_as

SAMPLE = 60
"""Games that differ on which a reading is tried before it is tried on all."""


class Payment(NamedTuple):
    """What the last reward may mean: from the mover's seat and the winner's (0 for nobody)."""

    name: str
    sentence: str
    pay: Callable[[int, int], float]


RIGHT = Payment("right", "the mover is paid 1 for a win and -1 for a loss", lambda mover, winner: _sign(mover, winner))
PAYMENTS = (
    RIGHT,
    Payment("loser-unpaid", "the loser is paid 0, so that a loss cannot be told from a game that goes on",
            lambda mover, winner: max(0, _sign(mover, winner))),
    Payment("other-side", "the reward is seen from the wrong side: the mover is paid -1 for a win",
            lambda mover, winner: -_sign(mover, winner)),
    Payment("first-side", "the reward is always the first player's, whoever moved",
            lambda mover, winner: _sign(1, winner)),
    Payment("always-won", "whoever moves last is paid 1, though the other may have won", lambda mover, winner: 1),
    Payment("nothing", "nobody is ever paid", lambda mover, winner: 0),
    Payment("first-only", "only a win of the first player is paid", lambda mover, winner: max(0, _sign(1, winner))),
)  # fmt: skip


def _sign(seat: int, winner: int) -> int:
    return 0 if not winner else 1 if seat == winner else -1


class Explanation:
    """The readings and the meaning of rewards that explain most, and what they leave unexplained."""

    def __init__(
        self,
        ours: Game,
        readings: Sequence[Reading],
        payment: Payment | None,
        scale: float,
        records: Sequence[ComparedGame],
    ) -> None:
        self.ours, self.payment, self.scale = ours, payment, scale
        self.read = read_as(ours, readings)
        verdicts = [Verdict(record, self.read) for record in records]
        self.unexplained = [place for place, verdict in enumerate(verdicts) if not verdict.fits]
        self.changed_by: dict[str, list[int]] = {}
        """For each reading, the games that are explained with it and not without it."""
        for reading in readings:
            without = read_as(ours, [one for one in readings if one is not reading])
            self.changed_by[reading.name] = [
                place
                for place, (record, verdict) in enumerate(zip(records, verdicts, strict=True))
                if verdict.explained(payment, scale) and not Verdict(record, without).explained(payment, scale)
            ]
        self.readings = tuple(reading for reading in readings if self.changed_by[reading.name])

    def is_paid_otherwise(self, record: ComparedGame) -> bool:
        """Is the last reward of a game not what a mover should be paid, given its winner?"""
        return not Verdict(record, self.read).is_paid(RIGHT, self.scale)


class Verdict:
    """One game judged by some rules: whether they fit, and who moved last and has won by them."""

    def __init__(self, record: ComparedGame, game: Game) -> None:
        self.fits = not judge(record, game)
        self.reward = record.rewards[-1]
        self.ends: tuple[int, int] | None = None
        """The seats of the last mover and of the winner, the one told or else the one of the rules."""
        position = final_position(record, game) if record.over else None
        if position is not None:
            outcome = position.outcome()
            assert outcome is not None
            winner = outcome.winner if record.winner is None else record.winner
            self.ends = record.mover or game.mover_at(len(record.actions) - 1), winner

    def is_paid(self, payment: Payment | None, scale: float) -> bool:
        """Does the last reward mean what is supposed?"""
        return payment is None or self.ends is None or self.reward == scale * payment.pay(*self.ends)

    def explained(self, payment: Payment | None, scale: float) -> bool:
        return self.fits and self.is_paid(payment, scale)


def explain(game: Game, records: Sequence[ComparedGame], readings: Sequence[Reading]) -> Explanation:
    """The simplest explanation of all games; where there is none, the one that leaves the fewest unexplained.

    What is played counts first, then what is paid: a reading may explain winners though nothing explains rewards.
    """
    scale = _scale(records)
    best: tuple[tuple[int, int], tuple[Reading, ...], Payment] | None = None
    plain = len(records), len(records)
    for chosen in _combinations(readings):
        read = read_as(game, chosen)
        verdicts = [Verdict(record, read) for record in records[:SAMPLE]]
        if best is not None and sum(not verdict.fits for verdict in verdicts) > best[0][0]:
            continue
        verdicts += [Verdict(record, read) for record in records[SAMPLE:]]
        counts = [sum(not verdict.explained(payment, scale) for verdict in verdicts) for payment in PAYMENTS]
        count = min(counts)
        payment = PAYMENTS[counts.index(count)]
        if not count:
            same = [one for one, wrong in zip(PAYMENTS, counts, strict=True) if not wrong]
            return Explanation(game, chosen, _joined(same), scale, records)
        wrong = sum(not verdict.fits for verdict in verdicts), count
        if not chosen:
            plain = wrong
        if best is None or wrong < best[0]:
            best = wrong, tuple(chosen), payment
    assert best is not None
    wrong, found, payment = best
    measure = 0 if plain[0] else 1
    found = found if wrong[measure] <= plain[measure] / 2 else ()
    read = read_as(game, found)
    unpaid = any(not Verdict(record, read).is_paid(payment, scale) for record in records)
    return Explanation(game, found, None if unpaid else payment, scale, records)


def _joined(same: Sequence[Payment]) -> Payment:
    """One meaning of rewards that stands for all that explain the same games just as well."""
    if same[0] is RIGHT or len(same) == 1:
        return same[0]
    names, sentences = (" or ".join(getattr(one, part) for one in same) for part in ("name", "sentence"))
    return Payment(names, sentences, same[0].pay)


def _combinations(readings: Sequence[Reading]) -> Iterator[tuple[Reading, ...]]:
    """None, then each reading, then each pair about different things."""
    yield ()
    for reading in readings:
        yield (reading,)
    for one, other in combinations(readings, 2):
        if one.aspect != other.aspect:
            yield one, other


def _scale(records: Sequence[ComparedGame]) -> float:
    """By what rewards are multiplied: the size of all that are paid at the end, where it is one size."""
    sizes = {abs(record.rewards[-1]) for record in records if record.over} - {0.0}
    return sizes.pop() if len(sizes) == 1 else 1.0
