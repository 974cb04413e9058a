"""What a game is: a class with a chosen size and chosen rule options. Standard library only.

Its positions are values of their own (`core/position.py`). Three things have files of their own: how moves are written
(`core/notation.py`), how a position is drawn (`core/drawing.py`) and what looks good in it (`core/heuristics.py`).
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

from pentagrid.core.drawing import Drawing
from pentagrid.core.heuristics import Heuristics
from pentagrid.core.notation import Notation
from pentagrid.core.options import PIE, SWAP, SWAP_PLY, RuleOption
from pentagrid.core.position import Outcome, Position
from pentagrid.core.rng import Dice
from pentagrid.core.streams import Stream
from pentagrid.errors import BoardError, OptionError, Refusal, shown


class Game(ABC):
    """One game at a chosen size and with chosen rule options.

    There are two doors. The methods of `Position` check everything and raise. Those of `Game` that take a position
    (`legal`, `after`) assume a live game and a legal action, and are what solvers call. What a game itself writes is
    abstract here, and named `..._on_board` where the pie rule is left aside.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    sentence: ClassVar[str] = ""
    """What is done in it, in a sentence, for a list of games."""
    learning_place: ClassVar[int] = 100
    """Its place in a list for newcomers: the game to begin with has the lowest number."""
    sizes: ClassVar[range]
    default_size: ClassVar[int]
    quick_size: ClassVar[int] = 0
    """The largest size, if not the default one, at which every position's value is there in a moment (0.1 s)."""
    offered_rules: ClassVar[tuple[RuleOption, ...]] = (PIE,)
    has_numbers: ClassVar[bool] = True
    has_points: bool = False
    """Is it won on points, where nothing else decides it before?"""
    notation_class: ClassVar[type[Notation]]
    drawing_class: ClassVar[type[Drawing]] = Drawing
    heuristics_class: ClassVar[type[Heuristics]]
    endings: ClassVar[Mapping[str, str]] = {}
    """How a game ends on the board, by the reason of its outcome: 'has won' and these words; points need none."""
    special_rules: tuple[str, ...] = ()
    """Rules that are not part of every game played: what `came_up` may name."""

    def __init__(self, size: int | None = None, **rules: str) -> None:
        self.size: int = self.default_size if size is None else size
        if type(self.size) is not int or self.size not in self.sizes:
            raise OptionError(
                f"The size of {self.title} must be between {self.sizes.start} and {self.sizes.stop - 1}, "
                f"not {self.size!r}."
            )
        self.cell_count = self.size * self.size
        self.rules: Mapping[str, str] = self._checked_rules(rules)
        """The value of every rule option."""
        self.pie = self.rules["pie"] == "on"
        komi = float(self.rules.get("komi", "0"))
        self.komi: float = int(komi) if komi.is_integer() else komi
        """What Player 2 (whoever plays the second side) receives beyond the score."""
        self.swap_action = self.count_board_actions()
        """The number of the action `swap`, after all others; only there under the pie rule."""
        self.action_count = self.swap_action + self.pie
        self.claim_count = sum(self.claim_rows())
        self.sides = tuple(map(self.side_at, range(2 * self.cell_count + 2)))
        """Whose turn it is after each number of moves on the board, as long as nobody has swapped."""
        if not self.pie:  # the plain game need not ask at every move
            self.__dict__ |= {"legal": self.legal_on_board, "after": self.after_on_board}
        self._key = (type(self), self.size, tuple(self.rules.items()))
        self._hash = hash(self._key)
        self.notation = self.notation_class(self)
        self.texts = self.notation.texts
        """The move of every action."""

    @cached_property
    def drawing(self) -> Drawing:
        """How a front end draws positions of this game."""
        return self.drawing_class(self)

    @cached_property
    def heuristics(self) -> Heuristics:
        """What looks good in positions of this game."""
        return self.heuristics_class(self)

    def _checked_rules(self, given: Mapping[str, str]) -> dict[str, str]:
        """Every offered rule with its chosen value, whatever the spelling (`sudden_death`, `sudden-death`)."""
        rules = {rule.name: rule.values[0] for rule in self.offered_rules}
        for spelled, value in given.items():
            name = spelled.replace("_", "-")
            rule = next((rule for rule in self.offered_rules if rule.name == name), None)
            if rule is None:
                offers = ", ".join(rule.usage for rule in self.offered_rules)
                raise OptionError(f"{self.title} has no rule option {shown(spelled)}; it has: {offers}.")
            rules[name] = rule.checked(value)
        return rules

    @property
    def chosen_rules(self) -> dict[str, str]:
        """The rule options that are not at their default."""
        return {
            rule.name: self.rules[rule.name] for rule in self.offered_rules if self.rules[rule.name] != rule.values[0]
        }

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Game) and self._key == other._key)

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        return _remake, (type(self), self.size, dict(self.rules))

    def __repr__(self) -> str:
        rules = "".join(f", {name.replace('-', '_')}={value!r}" for name, value in self.chosen_rules.items())
        return f"pentagrid.load({self.name!r}, size={self.size}{rules})"

    # Boards ---------------------------------------------------------------------------------------------

    def deal(self, seed: int | None = None) -> Position:
        """The opening position of a fresh deal: the same for the same seed, everywhere and for ever.

        Without a seed the deal is random. A game without numbers deals its empty board.
        """
        dice = Dice(seed)
        return self.settled(dice.seed).opening(self.deal_numbers(dice) if self.has_numbers else ())

    def tossed(self) -> tuple[Game, ...]:
        """The two games between which the toss of a deal decides; this one alone where nothing is left to a toss."""
        return (self,)

    def settled(self, seed: int) -> Game:
        """The game as a seed's toss settles it: what its deal, and every position after it, is played by."""
        games = self.tossed()
        return games[Dice(seed, Stream.RULE_TOSS).below(2)] if len(games) > 1 else self

    def check_settled(self) -> None:
        """Raise `OptionError` if a toss must still decide what is played: no position can have such a game."""
        games = self.tossed()
        for name, value in self.rules.items() if len(games) > 1 else ():
            if value != games[0].rules[name]:
                raise OptionError(
                    f"{name}={value} is settled when a game is dealt; here it must be "
                    f"{' or '.join(game.rules[name] for game in games)}."
                )

    def read_board(self, board: str) -> Position:
        """The opening position on a given board: rows divided by `/`, numbers by blanks or commas.

        Raises `BoardError`.
        """
        if not self.has_numbers:
            raise BoardError(f"{self.title} has no numbers, so no board can be given.")
        if not isinstance(board, str):
            raise BoardError(f"{shown(str(board))} is not a board; a board is text such as '1 2/3 4'.")
        rows = [re.split(r"[\s,]+", row.strip(" \t\r\n,")) for row in board.strip().strip("/").split("/")]
        for row in rows:
            for word in row:
                if not word:
                    raise BoardError("A row of the board is empty.")
                if not re.fullmatch("[0-9]+", word):
                    raise BoardError(f"{shown(word)} on the board is not a number.")
                if len(word) > 12:
                    raise BoardError(f"{shown(word)} on the board is too large.")
        if len(rows) != self.size:
            count = f"{len(rows)} row{'' if len(rows) == 1 else 's'}"
            raise BoardError(f"The board has {count}; {self.title} at size {self.size} has {self.size}.")
        for number, row in enumerate(rows, 1):
            if len(row) != self.size:
                count = f"{len(row)} number{'' if len(row) == 1 else 's'}"
                raise BoardError(f"Row {number} of the board has {count} instead of {self.size}.")
        numbers = tuple(int(word) for row in rows for word in row)
        self.check_numbers(numbers)
        return self.opening(numbers)

    def write_board(self, position: Position, between: str = " ") -> str:
        """The numbers as `read_board` takes them."""
        return "/".join(between.join(map(str, row)) for row in position.board or ())

    def opening(self, numbers: tuple[int, ...]) -> Position:
        """The position before the first move on a board of these numbers. Raises `OptionError` before a toss."""
        self.check_settled()
        return Position(self, numbers, 0, 0, self.side_at(0), 0, self.count_scores(numbers, 0, 0))

    def deal_numbers(self, dice: Dice) -> tuple[int, ...]:
        """Fresh numbers: each of 1..N² once, unless the game says otherwise."""
        return tuple(dice.shuffled(range(1, self.cell_count + 1)))

    def check_numbers(self, numbers: tuple[int, ...]) -> None:
        """Raise `BoardError` unless a deal could have these numbers."""
        for number in numbers:
            if not 1 <= number <= self.cell_count:
                raise BoardError(f"{number} is not on a {self.title} board: the numbers are 1 to {self.cell_count}.")
            if numbers.count(number) > 1:
                raise BoardError(f"{number} is on the board twice: each of 1 to {self.cell_count} comes once.")

    def claim_rows(self) -> tuple[int, ...]:
        """How many marks each row of `claims=` has: one for each cell, unless the game says otherwise."""
        return (self.size,) * self.size

    # Turns ----------------------------------------------------------------------------------------------

    def side_at(self, turns: int) -> int:
        """Whose turn it is after so many moves on the board, as long as nobody has swapped."""
        return 1 + turns % 2

    @property
    def most_turns(self) -> int:
        """The moves on the board that the longest game has: a claim for each cell, unless the game says otherwise."""
        return self.cell_count

    def mover_at(self, ply: int, swapped: bool = False) -> int:
        """Whose turn it is after so many turns."""
        return 3 - self.sides[ply - 1] if swapped else self.sides[ply]

    def side(self, seat: int, position: Position) -> int:
        """The side that a seat now plays, or the seat that now plays a side: they differ after a swap."""
        return 3 - seat if position.swapped else seat

    # Moves, with the pie rule ---------------------------------------------------------------------------

    def action(self, move: str | int, position: Position | None = None, secret: str | None = None) -> int:
        """The action of a move; see `Notation.action`."""
        return self.notation.action(move, position, secret)

    def legal(self, position: Position) -> int:
        """The legal actions as a mask: 0 exactly when the game is over."""
        legal = self.legal_on_board(position)
        if self.pie and position.ply == SWAP_PLY and not position.swapped and legal:
            legal |= 1 << self.swap_action
        return legal

    def after(self, position: Position, action: int) -> Position:
        """The position after a legal action."""
        return position.exchange_sides() if action == self.swap_action else self.after_on_board(position, action)

    def refusal(self, position: Position, action: int) -> Refusal:
        """Why an action is not allowed here."""
        if action == self.swap_action:
            return Refusal("no-swap", SWAP)
        return self.refusal_on_board(position, action)

    # What each game says for itself ---------------------------------------------------------------------

    def count_board_actions(self) -> int:
        """How many actions there are, a swap aside: one for each cell, unless the game says otherwise."""
        return self.cell_count

    @abstractmethod
    def legal_on_board(self, position: Position) -> int:
        """The legal actions as a mask: 0 exactly when the game is over."""

    @abstractmethod
    def after_on_board(self, position: Position, action: int) -> Position:
        """The position after a legal action; made by `Position.advance`."""

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

    def outcome_on_points(self, position: Position) -> Outcome:
        """The outcome of a position that the points decide."""
        margin = self.margin(position)
        return Outcome(self.winner_by(margin, position.swapped), "score" if margin else "tie-break")

    def margin(self, position: Position) -> float:
        """Player 1's margin as the scores stand, komi counted; only in a game won on points."""
        assert position.scores is not None
        return self.with_komi(position.scores[0] - position.scores[1], position.swapped)

    def all_points(self, numbers: tuple[int, ...]) -> int:
        """All points that there are on a board; none in a game without points."""
        return 0

    @abstractmethod
    def final_outcome(self, position: Position) -> Outcome:
        """The outcome of a position without legal actions."""

    @abstractmethod
    def count_scores(self, numbers: tuple[int, ...], one: int, two: int) -> tuple[int, int] | None:
        """Both scores, counted from what each player owns; None in a game without points."""

    @abstractmethod
    def check_reachable(self, position: Position) -> None:
        """Raise `BoardError` if play cannot lead to this position."""

    @abstractmethod
    def refusal_on_board(self, position: Position, action: int) -> Refusal:
        """Why an action is not allowed here: a code and the facts. The game's `text.py` has the words."""

    def came_up(self, played: Sequence[Position]) -> tuple[str, ...]:
        """Which special rules came up in a finished game, given as all its positions."""
        return ()


def _remake(kind: type[Game], size: int, rules: dict[str, str]) -> Game:
    return kind(size, **rules)
