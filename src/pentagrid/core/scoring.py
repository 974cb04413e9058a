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
    "komi", ("0",), "points that the second player receives beyond the score, a whole or half number", read_komi
)
ORDER = RuleOption(
    "order",
    ("alternate", "snake", "thue-morse"),
    "who moves when: 1 2 1 2 1 2 … (alternate), 1 2 2 1 1 2 … (snake), or 1 2 2 1 2 1 1 2 … (thue-morse)",
    only_turns=True,
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
    special_rules: ClassVar[tuple[str, ...]] = ("tie-break",)

    def __init__(self, size: int | None = None, **rules: str) -> None:
        super().__init__(size, **rules)
        komi = float(self.rules["komi"])
        self.komi: float = int(komi) if komi.is_integer() else komi
        """What Player 2 (whoever plays the second side) receives beyond the score."""

    def after_on_board(self, position: Position, action: int) -> Position:
        """A claim that pays its points and changes nothing else."""
        one, two, scores = position.one, position.two, position.scores
        assert scores is not None
        points = self.claim_points(position.numbers, action)
        if position.mover == 1:
            return position.advance(one | 1 << action, two, (scores[0] + points, scores[1]))
        return position.advance(one, two | 1 << action, (scores[0], scores[1] + points))

    def claim_points(self, numbers: tuple[int, ...], claim: int) -> int:
        """The points of one claim."""
        return numbers[claim]

    def points_of_claims(self, boards: NDArray[Any]) -> NDArray[Any]:
        """The points of every claim in many deals: a row for each claim; `boards` has a row for each cell."""
        return boards

    def count_scores(self, numbers: tuple[int, ...], one: int, two: int) -> tuple[int, int]:
        return (
            sum(self.claim_points(numbers, claim) for claim in bits(one)),
            sum(self.claim_points(numbers, claim) for claim in bits(two)),
        )

    def final_outcome(self, position: Position) -> Outcome:
        assert position.scores is not None
        margin = self.with_komi(position.scores[0] - position.scores[1], position.swapped)
        return Outcome(self.winner_by(margin, position.swapped), "score" if margin else "tie-break")

    def with_komi(self, lead: int, swapped: bool = False) -> float:
        """Player 1's lead in points with the komi counted."""
        return lead + self.komi if swapped else lead - self.komi

    def winner_by(self, margin: float, swapped: bool = False) -> int:
        """Who wins with this final margin (Player 1's score minus Player 2's, komi counted)."""
        if margin == 0:
            return 3 - self.tie_winner() if swapped else self.tie_winner()
        return 1 if margin > 0 else 2

    def tie_winner(self) -> int:
        """Which side wins at equal totals: the second."""
        return 2

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
