"""How moves are written and read: the text of every action, and the action of a text."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from functools import lru_cache
from operator import index
from typing import TYPE_CHECKING, ClassVar

from pentagrid.core.options import SWAP
from pentagrid.core.position import bits
from pentagrid.errors import OffBoardError, UnreadableError, shown

if TYPE_CHECKING:
    from pentagrid.core.game import Game
    from pentagrid.core.position import Position

LONGEST_MOVE = 100
"""Characters; longer texts are not looked at."""


class Notation(ABC):
    """The notation of one game at one size."""

    words: str
    """What a move is, for prompts and errors: 'a row and a column'."""
    preferred_examples: ClassVar[tuple[str, ...]] = ()
    """Moves that prompts and errors give as an example while they are possible."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.texts = (*map(self.write, range(game.swap_action)), *([SWAP] if game.pie else []))
        """The move of every action."""
        self._actions: dict[str | int, int] = {text: action for action, text in enumerate(self.texts)}
        self._actions |= {action: action for action in range(len(self.texts))}
        self.texts_in = lru_cache(maxsize=1 << 16)(self._texts_in)
        """The moves of the actions in a mask, in rising order."""

    @abstractmethod
    def write(self, action: int) -> str:
        """The move of an action on the board."""

    @abstractmethod
    def read(self, move: str) -> int | None:
        """The action of a move in capitals with single blanks, or None if it is no move at all."""

    def _texts_in(self, mask: int) -> tuple[str, ...]:
        return tuple(self.texts[action] for action in bits(mask))

    def action(self, move: str | int, position: Position | None = None, secret: str | None = None) -> int:
        """The action of a move, given as text in whatever case and blanks, or as an action already.

        Raises `UnreadableError` with an example: possible in the position, where one is given, and not the secret one.
        """
        action = None
        if type(move) is str or type(move) is int:
            action = self._actions.get(move)
        elif hasattr(move, "__index__") and type(move) is not bool:
            action = self._actions.get(index(move))
        if action is None and isinstance(move, str) and len(move) <= LONGEST_MOVE:
            text = " ".join(move.upper().split())
            action = self.game.swap_action if self.game.pie and text == SWAP.upper() else self.read(text)
        if action is None:
            given = shown(str(move)) if str(move).strip() else "An empty line"
            example = self.example(position, secret)
            raise UnreadableError(f"{given} is not a move. Enter {self.words}, such as {example}.")
        return action

    def example(self, position: Position | None = None, secret: str | None = None) -> str:
        """A move that is possible in a position, or at all; not the secret one, if there is another."""
        possible = position.moves() if position is not None else self.texts
        moves = [move for move in possible if move != secret] or possible
        return next((move for move in self.preferred_examples if move in moves), moves[0])


class CellNotation(Notation):
    """Moves that name a cell by its row and column. Games say how: the pattern has a group for each."""

    pattern: ClassVar[str]
    template: ClassVar[str]
    """The text of a cell, such as 'R{row}C{column}'."""
    first: ClassVar[int] = 1
    """The number of the first row and column."""

    def write(self, action: int) -> str:
        row, column = divmod(action, self.game.size)
        return self.template.format(row=row + self.first, column=column + self.first)

    def read(self, move: str) -> int | None:
        found = re.fullmatch(self.pattern, move)
        return self.cell(found["row"], found["column"]) if found else None

    def cell(self, row: str, column: str) -> int:
        """The number of a cell from its row and column as they are written. Raises `OffBoardError`."""
        size, first = self.game.size, self.first
        r, c = int(row) - first, int(column) - first
        if not (0 <= r < size and 0 <= c < size):
            raise OffBoardError(
                f"Row {row}, column {column} is not on the board: both go from {first} to {size - 1 + first}."
            )
        return r * size + c
