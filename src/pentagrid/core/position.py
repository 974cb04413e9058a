"""One position of a game: an immutable, hashable, complete value, and how any front end may draw it.

An *action* is a small integer, a *move* is its text. Sets of actions and of claimed cells are bit masks: bit `a` stands
for action (or cell, or line) `a`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from pentagrid.errors import GameOverError, NotAllowedError, shown

if TYPE_CHECKING:
    from pentagrid.core.game import Game


class Outcome(NamedTuple):
    """How a game ended: the winner (1 or 2) and why."""

    winner: int
    reason: str


class Cell(NamedTuple):
    """One cell as any front end draws it: what it says, who owns it (0: nobody), can it be chosen now."""

    label: str
    owner: int
    available: bool


class Line(NamedTuple):
    """A whole row or column that can be owned, with the numbers of its cells."""

    label: str
    owner: int
    available: bool
    cells: tuple[int, ...]


class Touch(NamedTuple):
    """What an action touches: a `cell`, a `line` or a `pair` of cells, by number; or nothing (`swap`)."""

    kind: str
    at: tuple[int, ...]


@lru_cache(maxsize=1 << 16)
def bits(mask: int) -> tuple[int, ...]:
    """The numbers of the bits set in a mask, in rising order."""
    return tuple(i for i in range(mask.bit_length()) if mask >> i & 1)


class Position(NamedTuple):
    """One position of one game. Immutable, hashable, complete: nothing about the past matters beyond it.

    Made by `Game.deal`, `Game.read`, `play` and `pentagrid.read`, not by hand.
    """

    game: Game
    numbers: tuple[int, ...]
    """The numbers of the cells row by row; empty in a game without numbers."""
    one: int
    """What Player 1 owns, as a mask."""
    two: int
    """What Player 2 owns, as a mask."""
    mover: int
    """The player whose turn it is, or would be if the game were not over."""
    ply: int
    """How many turns have been made."""
    scores: tuple[int, int] | None
    """Points of Player 1 and Player 2; None in a game without points."""
    swapped: bool = False
    """Have the players exchanged sides by the pie rule? That was a turn too."""

    @property
    def turn(self) -> int | None:
        """The player to move, or None when the game is over."""
        return self.mover if self.game.legal(self) else None

    @property
    def turns(self) -> int:
        """How many turns were moves on the board: all but a swap."""
        return self.ply - self.swapped

    @property
    def board(self) -> tuple[tuple[int, ...], ...] | None:
        """The numbers as rows, or None in a game without numbers."""
        n = self.game.size
        return tuple(self.numbers[i : i + n] for i in range(0, n * n, n)) if self.numbers else None

    def actions(self) -> tuple[int, ...]:
        """The legal actions; none exactly when the game is over."""
        return bits(self.game.legal(self))

    def moves(self) -> tuple[str, ...]:
        """The legal moves as text, in the order of their actions."""
        return self.game.texts_in(self.game.legal(self))

    def play(self, move: str | int) -> Position:
        """The position after a move, given as text or as an action.

        Raises `GameOverError`, `UnreadableError` or `NotAllowedError`; this position never changes.
        """
        game = self.game
        legal = game.legal(self)
        if not legal:
            raise GameOverError(f"The game is over: {shown(str(move))} cannot be played.")
        action = game.action(move, self)
        if not legal >> action & 1:
            raise NotAllowedError(game.refusal(self, action))
        return game.after(self, action)

    def outcome(self) -> Outcome | None:
        """Who won and why, or None while the game goes on."""
        return None if self.game.legal(self) else self.game.final_outcome(self)

    def owner(self, index: int) -> int:
        """Who owns the cell (or line) of this number: 1, 2, or 0 for nobody."""
        return (self.one >> index & 1) + 2 * (self.two >> index & 1)

    def cells(self) -> tuple[tuple[Cell, ...], ...]:
        """The board as rows of cells, for any front end to draw."""
        return self.game._cells(self)

    def lines(self) -> tuple[Line, ...]:
        """The lines that can be owned, rows before columns; none in games of cells."""
        return self.game._lines(self)

    @property
    def text(self) -> str:
        """The whole position on one line; `pentagrid.read` reads it back."""
        game = self.game
        fields = [game.name, f"size={game.size}", *(f"{k}={v}" for k, v in game.chosen_rules.items())]
        if self.numbers:
            fields.append("board=" + game.write_board(self, ","))
        fields.append("claims=" + game.write_claims(self))
        fields.append(f"turn={self.mover}")
        if self.turns != (self.one | self.two).bit_count():
            fields.append(f"ply={self.ply}")
        if self.swapped:
            fields.append("swapped=yes")
        return " ".join(fields)

    def __repr__(self) -> str:
        return f"pentagrid.read({self.text!r})"
