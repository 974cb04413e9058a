"""Games won on points: what the four number games share."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from pentagrid.core.game import Game
from pentagrid.core.heuristics import LeadHeuristics
from pentagrid.core.options import PIE, RuleOption
from pentagrid.core.position import Outcome, Position, bits
from pentagrid.errors import BoardError, OptionError, shown

if TYPE_CHECKING:
    from numpy.typing import NDArray


def read_komi(text: str) -> str:
    """A whole or half number of points, as it is written: '4', '-2.5'. Raises `OptionError`."""
    read = re.fullmatch(r"([+-]?)0*([0-9]{1,3})(?:\.([05])0*)?", text.strip())
    if not read:
        raise OptionError(f"Komi must be a whole or half number of points from -999.5 to 999.5, not {shown(text)}.")
    sign, whole, half = read.groups()
    number = f"{whole}.5" if half == "5" else whole
    return f"-{number}" if sign == "-" and number != "0" else number


KOMI = RuleOption(
    "komi",
    ("0",),
    "points that the second player receives beyond the score, a whole or half number",
    read_komi,
    title="Komi",
)
ORDER = RuleOption(
    "order",
    ("alternate", "snake", "thue-morse"),
    "who moves when: 1 2 1 2 1 2 … (alternate), 1 2 2 1 1 2 … (snake), or 1 2 2 1 2 1 1 2 … (thue-morse)",
    only_turns=True,
    title="Order of turns",
    words=(
        "one after the other (1 2 1 2 1 2 …)",
        "snake: two in a row after the first (1 2 2 1 1 2 2 1 …)",
        "Thue–Morse: the most even (1 2 2 1 2 1 1 2 …)",
    ),
)


def in_order(order: str, turns: int) -> int:
    """Whose turn it is after so many, under a turn order."""
    if order == "snake":
        return 1 + (turns + 1) // 2 % 2
    return 1 + (turns.bit_count() if order == "thue-morse" else turns) % 2


class ScoringGame(Game):
    """A game in which every claim pays points and the higher total, komi counted, wins."""

    heuristics_class = LeadHeuristics
    offered_rules: ClassVar[tuple[RuleOption, ...]] = (KOMI, PIE)
    endings: ClassVar[Mapping[str, str]] = {"tie-break": "by the tie-break"}
    special_rules: tuple[str, ...] = ("tie-break",)
    has_points = True

    def after_on_board(self, position: Position, action: int) -> Position:
        """A claim that pays its points and changes nothing else."""
        _, numbers, one, two, mover, _, scores, _ = position
        assert scores is not None
        points = self.claim_points(numbers, action)
        if mover == 1:
            return position.advance(one | 1 << action, two, (scores[0] + points, scores[1]))
        return position.advance(one, two | 1 << action, (scores[0], scores[1] + points))

    def claim_points(self, numbers: tuple[int, ...], claim: int) -> int:
        """The points of one claim."""
        return numbers[claim]

    def all_points(self, numbers: tuple[int, ...]) -> int:
        return sum(self.claim_points(numbers, claim) for claim in range(self.claim_count))

    def points_of_claims(self, boards: NDArray[Any]) -> NDArray[Any]:
        """The points of every claim in many deals: a row for each claim; `boards` has a row for each cell."""
        return boards

    def count_scores(self, numbers: tuple[int, ...], one: int, two: int) -> tuple[int, int]:
        return (
            sum(self.claim_points(numbers, claim) for claim in bits(one)),
            sum(self.claim_points(numbers, claim) for claim in bits(two)),
        )

    def final_outcome(self, position: Position) -> Outcome:
        return self.outcome_on_points(position)

    def check_reachable(self, position: Position) -> None:
        claims = position.one.bit_count() + position.two.bit_count()
        if position.turns != claims:
            raise BoardError(f"ply={position.ply} does not fit: every turn is a claim, and there are {claims}.")
        self.check_shares(position)

    def check_shares(self, position: Position) -> None:
        """Raise `BoardError` unless each player owns as many claims as they have had turns."""
        first = sum(1 for turn in range(position.turns) if self.side_at(turn) == 1)
        shares = (position.turns - first, first) if position.swapped else (first, position.turns - first)
        owned = position.one.bit_count(), position.two.bit_count()
        if owned != shares:
            raise BoardError(
                f"Seat 1 owns {owned[0]} claims and seat 2 {owned[1]}; "
                f"at ply {position.ply} it must be {shares[0]} and {shares[1]}."
            )

    def came_up(self, played: Sequence[Position]) -> tuple[str, ...]:
        return ("tie-break",) if self.final_outcome(played[-1]).reason == "tie-break" else ()
