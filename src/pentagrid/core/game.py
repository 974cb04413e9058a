"""What a game is: a class with a chosen size and chosen rule options. Standard library only.

Its positions are values of their own (`pentagrid.core.position`).
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from operator import index
from typing import Any, ClassVar, NamedTuple

from pentagrid.core.position import Cell, Line, Outcome, Position, Touch, bits
from pentagrid.core.rng import Dice
from pentagrid.errors import BoardError, OptionError, UnreadableError, shown


class Rule(NamedTuple):
    """A rule option: its name, the values it may take (the first is the default), and what it settles."""

    name: str
    values: tuple[str, ...]
    meaning: str
    normal: Callable[[str], str] | None = None
    """For an option that takes other values too: how one is read. Raises `OptionError`."""
    only_turns: bool = False
    """Does it only say whose turn it is when?"""

    @property
    def usage(self) -> str:
        """How it is asked for: 'pie=off|on'."""
        return f"{self.name}={'|'.join(self.values)}{'|…' if self.normal else ''}"

    def settled(self, value: str) -> str:
        """A value as it is written. Raises `OptionError`."""
        if value in self.values:
            return value
        if self.normal is not None:
            return self.normal(str(value))
        choices = " or ".join(self.values)
        raise OptionError(f"Rule option {self.name} cannot be {shown(str(value))}; it can be {choices}.")


PIE = Rule("pie", ("off", "on"), "after the first move Player 2 may answer swap, and the two exchange sides")
SWAP = "swap"

SWAP_PLY = 1
"""After so many turns the sides may be swapped."""
LONGEST_MOVE = 100
"""Letters; longer texts are not looked at."""


class Game(ABC):
    """One game at a chosen size and with chosen rule options.

    The public methods check everything and raise; the private ones, which each game writes, may assume a
    live game and a legal action, and are what solvers call.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    sizes: ClassVar[range]
    default_size: ClassVar[int]
    offered_rules: ClassVar[tuple[Rule, ...]] = (PIE,)
    has_numbers: ClassVar[bool] = True
    notation: str
    """How a move is written, in words: 'a row and a column'."""
    endings: ClassVar[Mapping[str, str]] = {}
    """How a game ends on the board, by the reason of its outcome: 'has won' and these words; points need none."""
    special_rules: ClassVar[tuple[str, ...]] = ()
    """Rules that are not part of every game played: what `came_up` may name."""
    preferred_examples: ClassVar[tuple[str, ...]] = ()
    """Moves that prompts and errors give as an example while they are possible."""

    size: int
    rules: Mapping[str, str]
    action_count: int

    def __init__(self, size: int | None = None, **rules: str) -> None:
        self.size = self.default_size if size is None else size
        if type(self.size) is not int or self.size not in self.sizes:
            raise OptionError(
                f"{self.title} cannot be played at size {self.size!r}; "
                f"it has sizes {self.sizes.start} to {self.sizes.stop - 1}."
            )
        self.cell_count = self.size * self.size
        self.rules = self._settle(rules)
        self.pie = self.rules["pie"] == "on"
        self.swap_action = self.count_board_actions()
        """The number of the action `swap`, behind all others; only there under the pie rule."""
        self.action_count = self.swap_action + self.pie
        self.sides = tuple(map(self.side_at, range(2 * self.cell_count + 2)))
        if not self.pie:  # the plain game need not ask at every move
            self.__dict__ |= {"legal": self.legal_on_board, "after": self.after_on_board}
        self._key = (type(self), self.size, tuple(self.rules.items()))
        self._hash = hash(self._key)
        self.texts = (*map(self.write_move, range(self.swap_action)), *([SWAP] if self.pie else []))
        """The move of every action."""
        self._actions_of: dict[str | int, int] = {text: action for action, text in enumerate(self.texts)}
        self._actions_of |= {action: action for action in range(self.action_count)}
        self.texts_in = lru_cache(maxsize=1 << 16)(self._write_moves)

    def _settle(self, given: Mapping[str, str]) -> dict[str, str]:
        """Every offered rule with its chosen value, whatever the spelling (`sudden_death`, `sudden-death`)."""
        rules = {rule.name: rule.values[0] for rule in self.offered_rules}
        for spelled, value in given.items():
            name = spelled.replace("_", "-")
            rule = next((rule for rule in self.offered_rules if rule.name == name), None)
            if rule is None:
                offers = ", ".join(rule.usage for rule in self.offered_rules)
                raise OptionError(f"{self.title} has no rule option {shown(spelled)}; it has: {offers}.")
            rules[name] = rule.settled(value)
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
        return self.opening(self.deal_numbers(Dice(seed)) if self.has_numbers else ())

    def read(self, board: str) -> Position:
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
                if not re.fullmatch(r"[0-9]{1,6}", word):
                    raise BoardError(
                        f"{shown(word)} on the board is not a number." if word else "A row of the board is empty."
                    )
        if len(rows) != self.size:
            found = f"{len(rows)} row{'' if len(rows) == 1 else 's'}"
            raise BoardError(f"The board has {found}; {self.title} at size {self.size} has {self.size}.")
        for number, row in enumerate(rows, 1):
            if len(row) != self.size:
                found = f"{len(row)} number{'' if len(row) == 1 else 's'}"
                raise BoardError(f"Row {number} of the board has {found} instead of {self.size}.")
        numbers = tuple(int(word) for row in rows for word in row)
        self.check_numbers(numbers)
        return self.opening(numbers)

    def write_board(self, position: Position, between: str = " ") -> str:
        """The numbers as `read` takes them."""
        return "/".join(between.join(map(str, row)) for row in position.board or ())

    def opening(self, numbers: tuple[int, ...]) -> Position:
        return Position(self, numbers, 0, 0, self.side_at(0), 0, self.count_scores(numbers, 0, 0))

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

    # Positions as text ----------------------------------------------------------------------------------

    def claim_rows(self) -> tuple[int, ...]:
        """How many marks each row of `claims=` has: one for each cell, unless the game says otherwise."""
        return (self.size,) * self.size

    def write_claims(self, position: Position) -> str:
        marks = iter(".12"[position.owner(i)] for i in range(sum(self.claim_rows())))
        return "/".join("".join(next(marks) for _ in range(length)) for length in self.claim_rows())

    def restore(
        self, numbers: tuple[int, ...], claims: str | None, turn: str | None, ply: str | None, swapped: bool = False
    ) -> Position:
        """The position with these claims; raises `BoardError` if this game can have no such position."""
        if swapped and not self.pie:
            raise BoardError("swapped=yes cannot be without pie=on.")
        shape = self.claim_rows()
        rows = claims.split("/") if claims is not None else ["." * length for length in shape]
        if tuple(map(len, rows)) != shape or set("".join(rows)) - set(".12"):
            raise BoardError(
                f"claims={shown(claims or '')} does not fit: {self.title} at size {self.size} has "
                f"{'/'.join('.' * length for length in shape)} with 1 or 2 for what a player owns."
            )
        marks = "".join(rows)
        one = sum(1 << i for i, mark in enumerate(marks) if mark == "1")
        two = sum(1 << i for i, mark in enumerate(marks) if mark == "2")
        turns = (one | two).bit_count() + swapped
        if ply is not None:
            if not re.fullmatch(r"[0-9]{1,6}", ply):
                raise BoardError(f"ply={shown(ply)} is not a count of turns.")
            turns = int(ply)
        if turns >= len(self.sides):
            raise BoardError(f"ply={turns} cannot be: no game of {self.title} lasts so long.")
        if swapped and turns <= SWAP_PLY:
            raise BoardError("swapped=yes cannot be: nobody has made a move yet.")
        mover = self.mover_at(turns, swapped)
        if turn is not None and turn != str(mover):
            raise BoardError(f"turn={shown(turn)} cannot be: after {turns} turns it is Player {mover}'s.")
        scores = self.count_scores(numbers, one, two)
        position = Position(self, numbers, one, two, mover, turns, scores, swapped)
        self.check_reachable(position)
        return position

    # Moves as text --------------------------------------------------------------------------------------

    def action(self, move: str | int, position: Position | None = None, secret: str | None = None) -> int:
        """The action of a move, given as text in whatever case and blanks, or as an action already.

        Raises `UnreadableError` with an example: possible in the position, where one is given, and not the secret one.
        """
        action = None
        if type(move) is str or type(move) is int:
            action = self._actions_of.get(move)
        elif hasattr(move, "__index__") and type(move) is not bool:
            action = self._actions_of.get(index(move))
        if action is None and isinstance(move, str) and len(move) <= LONGEST_MOVE:
            read = " ".join(move.upper().split())
            action = self.swap_action if self.pie and read == SWAP.upper() else self.read_move(read)
        if action is None:
            said = shown(str(move)) if str(move).strip() else "An empty line"
            raise UnreadableError(
                f"{said} is not a move. Enter {self.notation}, such as {self.example(position, secret)}."
            )
        return action

    def example(self, position: Position | None = None, secret: str | None = None) -> str:
        """A move that is possible in a position, or at all; not the secret one, if there is another."""
        possible = position.moves() if position is not None else self.texts
        moves = [move for move in possible if move != secret] or possible
        return next((move for move in self.preferred_examples if move in moves), moves[0])

    def _write_moves(self, mask: int) -> tuple[str, ...]:
        return tuple(self.texts[action] for action in bits(mask))

    def _cell_named(self, row: str, column: str, first: int = 1) -> int:
        """The number of a cell from its row and column, counted from `first`; raises `UnreadableError`."""
        r, c = int(row) - first, int(column) - first
        if not (0 <= r < self.size and 0 <= c < self.size):
            raise UnreadableError(
                f"Row {row}, column {column} is not on the board: both go from {first} to {self.size - 1 + first}."
            )
        return r * self.size + c

    # Moves, with the pie rule ---------------------------------------------------------------------------

    def legal(self, position: Position) -> int:
        """The legal actions as a mask: 0 exactly when the game is over."""
        legal = self.legal_on_board(position)
        if self.pie and position.ply == SWAP_PLY and not position.swapped and legal:
            legal |= 1 << self.swap_action
        return legal

    def after(self, position: Position, action: int) -> Position:
        """The position after a legal action."""
        return self.exchange_sides(position) if action == self.swap_action else self.after_on_board(position, action)

    def exchange_sides(self, position: Position) -> Position:
        """The players exchange sides as they stand, by a swap or, where they have swapped, back again."""
        scores = None if position.scores is None else position.scores[::-1]
        ply, swapped = position.ply + (-1 if position.swapped else 1), not position.swapped
        _, numbers, one, two, mover, *_ = position
        return Position(self, numbers, two, one, 3 - mover, ply, scores, swapped)

    def refusal(self, position: Position, action: int) -> str:
        """Why an action is not allowed here, as a sentence to the player."""
        if action == self.swap_action:
            return "Sorry, sides can be swapped only by Player 2, in answer to the first move."
        return self.refusal_on_board(position, action)

    # What each game says for itself ---------------------------------------------------------------------

    @abstractmethod
    def legal_on_board(self, position: Position) -> int:
        """The legal actions as a mask: 0 exactly when the game is over."""

    @abstractmethod
    def after_on_board(self, position: Position, action: int) -> Position:
        """The position after a legal action."""

    @abstractmethod
    def final_outcome(self, position: Position) -> Outcome:
        """The outcome of a position without legal actions."""

    @abstractmethod
    def count_scores(self, numbers: tuple[int, ...], one: int, two: int) -> tuple[int, int] | None:
        """Both scores, counted anew from what each player owns."""

    @abstractmethod
    def check_reachable(self, position: Position) -> None:
        """Raise `BoardError` if play cannot lead to this position."""

    @abstractmethod
    def refusal_on_board(self, position: Position, action: int) -> str:
        """Why an action is not allowed here, as a sentence to the player."""

    @abstractmethod
    def write_move(self, action: int) -> str:
        """The move of an action."""

    @abstractmethod
    def read_move(self, move: str) -> int | None:
        """The action of a move in capitals with single blanks, or None if it is no move at all."""

    @abstractmethod
    def greed(self, position: Position, action: int) -> int:
        """How good a legal action looks to a greedy player: more is better."""

    def came_up(self, played: Sequence[Position]) -> tuple[str, ...]:
        """Which special rules came up in a finished game, given as all its positions."""
        return ()

    def natural(self, position: Position, action: int) -> int:
        """How much a person would lean to a legal action among equally good ones: more is likelier."""
        return self.greed(position, action)

    def temptations(self, position: Position) -> tuple[int, ...]:
        """The legal actions that a player is drawn to before he looks ahead; those that look best, unless told."""
        looks = {action: self.natural(position, action) for action in position.actions()}
        return tuple(action for action in looks if looks[action] == max(looks.values()))

    def leaves_enough(self, position: Position) -> bool:
        """Is enough of the game left to ask for the best move as a puzzle? Once it is not, it never is again."""
        return True

    def count_board_actions(self) -> int:
        return self.cell_count

    def touch(self, action: int) -> Touch:
        """What an action touches, for a front end to highlight and click; a swap touches nothing."""
        return Touch(SWAP, ()) if action == self.swap_action else self._touch(action)

    def _touch(self, action: int) -> Touch:
        return Touch("cell", (action,))

    def _cells(self, position: Position) -> tuple[tuple[Cell, ...], ...]:
        legal = self.legal_on_board(position)
        cells = tuple(
            Cell(
                str(position.numbers[i]) if position.numbers else "",
                position.owner(i),
                bool(legal >> i & 1),
            )
            for i in range(self.cell_count)
        )
        return tuple(cells[i : i + self.size] for i in range(0, self.cell_count, self.size))

    def _lines(self, position: Position) -> tuple[Line, ...]:
        return ()


def _remake(kind: type[Game], size: int, rules: dict[str, str]) -> Game:
    return kind(size, **rules)
