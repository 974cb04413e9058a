"""Capture Square: be the first to own a 2x2 square; on a full board, Sudden Death or blocks of three decide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from pentagrid.core.game import Game
from pentagrid.core.options import PIE, RuleOption
from pentagrid.core.position import Outcome, Position, bits
from pentagrid.core.scoring import KOMI
from pentagrid.errors import BoardError, OptionError, Refusal
from pentagrid.games.capture_square.drawing import CaptureSquareDrawing
from pentagrid.games.capture_square.heuristics import CaptureSquareHeuristics
from pentagrid.games.capture_square.notation import CaptureSquareNotation

ENDING, FIRST = "ending", "sudden-death-first"
SUDDEN_DEATH, BLOCKS = "sudden-death", "blocks"
FLIP, EXCHANGE = "flip", "exchange"
TOSS = "toss"


class CaptureSquare(Game):
    """Actions 0..N²-1 name a cell: to mark it, or in Sudden Death (`flip`) to turn it into one's own.

    Under `exchange` action N² + own·N² + opposing trades two markers. Sudden Death lasts at most N² turns;
    then Player 2 wins. Under `blocks` there is none: a full board is won by more blocks of three.
    """

    name = "capture-square"
    title = "Capture Square"
    sentence = "Be the first with a 2x2 square; on a full board Sudden Death decides."
    learning_place = 3
    sizes = range(3, 7)
    default_size = 4
    offered_rules = (
        RuleOption(
            ENDING,
            (SUDDEN_DEATH, BLOCKS),
            "what decides a full board: Sudden Death, or more 2x2 blocks with exactly three own markers (blocks)",
            title="Full board",
            words=("Sudden Death decides", "more 2x2 blocks of three win"),
        ),
        RuleOption(
            SUDDEN_DEATH,
            (FLIP, EXCHANGE),
            "a Sudden Death turn turns an opposing marker into one's own (flip), "
            "or an own and an opposing marker trade places (exchange)",
            title="Sudden Death",
            words=("an opposing marker becomes yours", "one of yours and an opposing marker trade places"),
        ),
        RuleOption(
            FIRST,
            ("next", "1", "2", TOSS),
            "who begins Sudden Death: whose turn it is next, a player, or whom the toss of the deal names",
            only_turns=True,
            title="Who begins Sudden Death",
            words=("whoever's turn it is", "Player 1", "Player 2", "whom the toss names"),
        ),
        KOMI,
        PIE,
    )
    has_numbers = False
    notation_class = CaptureSquareNotation
    drawing_class = CaptureSquareDrawing
    heuristics_class = CaptureSquareHeuristics
    endings: ClassVar[Mapping[str, str]] = {
        "square": "with a square", "limit": "by the limit of Sudden Death", "tie-break": "by the tie-break",
    }  # fmt: skip

    def __init__(self, size: int | None = None, **rules: str) -> None:
        super().__init__(size, **rules)
        n = self.size
        self.has_points = self.rules[ENDING] == BLOCKS
        self.special_rules = ("tie-break",) if self.has_points else ("Sudden Death", "Sudden Death limit")
        self._check_ending()
        self._all = (1 << self.cell_count) - 1
        self.corners = sum(1 << r * n + c for r in range(n - 1) for c in range(n - 1))
        """The cells that can be the top left corner of a square, as a mask."""
        self.quads = tuple(1 << c | 2 << c | 1 << c + n | 2 << c + n for c in bits(self.corners))
        """All squares, each as a mask of its four cells."""
        self.limit = self.cell_count if self.has_points else 2 * self.cell_count
        """The number of turns after which the second player wins, or under `blocks` the board decides."""

    def _check_ending(self) -> None:
        """Raise `OptionError` if an option has no meaning with the chosen ending."""
        ending, chosen = self.rules[ENDING], self.chosen_rules
        for name in (SUDDEN_DEATH, FIRST) if self.has_points else (KOMI.name,):
            if name in chosen:
                other = SUDDEN_DEATH if self.has_points else BLOCKS
                raise OptionError(f"{name}={chosen[name]} needs {ENDING}={other}; it makes no sense with {ending}.")

    def tossed(self) -> tuple[Game, ...]:
        if self.rules[FIRST] != TOSS:
            return (self,)
        return tuple(type(self)(self.size, **{**self.rules, FIRST: first}) for first in "12")

    @property
    def most_turns(self) -> int:
        return self.limit

    def count_board_actions(self) -> int:
        cells = self.cell_count
        return cells + cells * cells if self.exchanges else cells

    @property
    def exchanges(self) -> bool:
        """Is Sudden Death played by trading markers?"""
        return self.rules["sudden-death"] == EXCHANGE

    def square(self, marks: int) -> int:
        """The top left corners of all squares among the marks, as a mask."""
        pairs = marks & marks >> 1
        return pairs & pairs >> self.size & self.corners

    def blocks(self, marks: int) -> int:
        """How many 2x2 blocks have exactly three of these marks."""
        beside, n = marks >> 1, self.size
        both, one = marks & beside, marks ^ beside
        return ((both & one >> n | one & both >> n) & self.corners).bit_count()

    def legal_on_board(self, position: Position) -> int:
        one, two = position.one, position.two
        if self.square(one) or self.square(two) or position.turns >= self.limit:
            return 0
        free = self._all & ~(one | two)
        if free:
            return free
        own, opposing = (one, two) if position.mover == 1 else (two, one)
        if not self.exchanges:
            return opposing
        cells = self.cell_count
        return sum(opposing << cells + cell * cells for cell in bits(own))

    def after_on_board(self, position: Position, action: int) -> Position:
        one, two = position.one, position.two
        if action >= self.cell_count:
            own, opposing = divmod(action - self.cell_count, self.cell_count)
            trade = 1 << own | 1 << opposing
            one, two = one ^ trade, two ^ trade
        elif position.mover == 1:
            one, two = one | 1 << action, two & ~(1 << action)
        else:
            one, two = one & ~(1 << action), two | 1 << action
        return position.advance(one, two, self.count_scores((), one, two))

    def side_at(self, turns: int) -> int:
        first = self.rules[FIRST]
        if turns < self.cell_count or first not in ("1", "2"):
            return 1 + turns % 2
        return 1 + (turns - self.cell_count + int(first) - 1) % 2

    def final_outcome(self, position: Position) -> Outcome:
        squares = self.square(position.one), self.square(position.two)
        last = self.side(self.side_at(position.turns - 1), position)
        if squares[last - 1]:
            return Outcome(last, "square")
        if squares[2 - last]:
            return Outcome(3 - last, "square")
        return self.outcome_on_points(position) if self.has_points else Outcome(self.side(2, position), "limit")

    def margin(self, position: Position) -> float:
        """As the blocks stand; a square counts as all blocks, whatever the komi."""
        squares = self.square(position.one), self.square(position.two)
        if not any(squares):
            return super().margin(position)
        return len(self.quads) if squares[0] else -len(self.quads)

    def all_points(self, numbers: tuple[int, ...]) -> int:
        return len(self.quads) if self.has_points else 0

    def came_up(self, played: Sequence[Position]) -> tuple[str, ...]:
        final = played[-1]
        if self.has_points:
            return ("tie-break",) if self.final_outcome(final).reason == "tie-break" else ()
        reached = ("Sudden Death",) if final.turns > self.cell_count else ()
        return (*reached, *(("Sudden Death limit",) if self.final_outcome(final).reason == "limit" else ()))

    def sudden_death_turns(self, position: Position) -> int | None:
        """How many Sudden Death turns have been made; None while cells are free."""
        full = position.one | position.two == self._all
        return position.turns - self.cell_count if full and not self.has_points else None

    def count_scores(self, numbers: tuple[int, ...], one: int, two: int) -> tuple[int, int] | None:
        """The blocks of three, where they decide."""
        return (self.blocks(one), self.blocks(two)) if self.has_points else None

    def check_reachable(self, position: Position) -> None:
        ones, marked, turns = position.one.bit_count(), (position.one | position.two).bit_count(), position.turns
        if turns > self.limit or (turns != marked and marked < self.cell_count):
            raise BoardError(f"ply={position.ply} does not fit: {marked} of {self.cell_count} cells are marked.")
        expected = (marked + 1) // 2
        if not self.exchanges and (turns - marked) % 2:
            expected += 1 if self.side_at(marked) == 1 else -1
        if position.swapped:
            expected = marked - expected
        if ones != expected:
            raise BoardError(
                f"X has {ones} markers and O {marked - ones}; after {position.ply} turns it must be "
                f"{expected} and {marked - expected}."
            )
        squares = self.square(position.one), self.square(position.two)
        last = self.side(self.side_at(turns - 1), position)
        if squares[2 - last] and not (self.exchanges and turns > self.cell_count):
            raise BoardError(f"Seat {3 - last} has a square, but seat {last} has moved after it.")

    def refusal_on_board(self, position: Position, action: int) -> Refusal:
        sudden_death = self.sudden_death_turns(position) is not None
        move, mover = self.texts[action], {"mover": position.mover}
        if action < self.cell_count:
            if not sudden_death:
                return Refusal("occupied", move)
            return Refusal("needs-pair" if self.exchanges else "already-yours", move, mover)
        if not sudden_death:
            return Refusal("not-sudden-death", move)
        own, opposing = divmod(action - self.cell_count, self.cell_count)
        owned = position.one if position.mover == 1 else position.two
        if not owned >> own & 1:
            return Refusal("not-yours", move, {"cell": self.texts[own], **mover})
        return Refusal("both-yours", move, {"cell": self.texts[opposing], **mover})

    def completions(self, position: Position, seat: int) -> int:
        """The cells whose taking would complete a player's square if they were to move, as a mask."""
        own, other = (position.one, position.two) if seat == 1 else (position.two, position.one)
        open_cells = self._all & ~(own | other) or other
        cells = 0
        for quad in self.quads:
            if (own & quad).bit_count() == 3:
                cells |= quad & open_cells
        return cells


GAME = CaptureSquare
