"""One position of a game: an immutable, hashable, complete value.

An *action* is a small integer, a *move* is its text. Sets of actions and of claimed cells are bit masks: bit `a` stands
for action (or cell, or line) `a`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pentagrid.errors import GameOverError, NotAllowedError, shown

if TYPE_CHECKING:
    from pentagrid.core.drawing import Cell, Line
    from pentagrid.core.game import Game

Reason = Literal["score", "tie-break", "square", "limit", "time", "resign", "illegal"]
"""Why a game ended: on the board (the first four) or away from it."""


class Outcome(NamedTuple):
    """How a game ended: the winner (1 or 2) and why."""

    winner: int
    reason: Reason

    def data(self) -> dict[str, Any]:
        """The outcome as plain data."""
        return self._asdict()


_new = tuple.__new__


@lru_cache(maxsize=1 << 16)
def bits(mask: int) -> tuple[int, ...]:
    """The numbers of the bits set in a mask, in rising order."""
    return tuple(i for i in range(mask.bit_length()) if mask >> i & 1)


class Position(NamedTuple):
    """One position of one game. Immutable, hashable, complete: nothing about the past matters beyond it.

    Made by `Game.deal`, `Game.read_board`, `play` and `pentagrid.read_position`, not by hand.
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
        return self.game.notation.texts_in(self.game.legal(self))

    def play(self, move: str | int) -> Position:
        """The position after a move, given as text or as an action.

        Raises `GameOverError`, `UnreadableError` or `NotAllowedError`; this position never changes.
        """
        game = self.game
        legal = game.legal(self)
        if not legal:
            raise GameOverError(f"The game is over: {shown(str(move))} cannot be played.")
        action = game.notation.action(move, self)
        if not legal >> action & 1:
            raise NotAllowedError(game.refusal(self, action))
        return game.after(self, action)

    def advance(self, one: int, two: int, scores: tuple[int, int] | None) -> Position:
        """The position one turn later, with what each player then owns and the scores. Games call it."""
        game, numbers, _, _, _, ply, _, swapped = self
        ply += 1
        mover = game.mover_at(ply, True) if swapped else game.sides[ply]
        return _new(Position, (game, numbers, one, two, mover, ply, scores, swapped))  # quicker than by keyword

    def exchange_sides(self) -> Position:
        """The position with sides exchanged: by a swap or, where the players have swapped, back again."""
        game, numbers, one, two, mover, ply, scores, swapped = self
        ply += -1 if swapped else 1
        scores = scores and (scores[1], scores[0])
        return Position(game, numbers, two, one, 3 - mover, ply, scores, not swapped)

    def with_numbers(self, numbers: tuple[int, ...]) -> Position:
        """The same position on other numbers: for openings, where nobody owns anything yet."""
        return _new(Position, (self.game, numbers, *self[2:]))

    def seen_from(self, seat: int) -> tuple[tuple[int, ...], int, int, int, tuple[int, int] | None]:
        """The position from one seat: the numbers, own and other claims as masks, the ply, own and other score."""
        _, numbers, one, two, _, ply, scores, _ = self
        if seat == 1:
            return numbers, one, two, ply, scores
        return numbers, two, one, ply, scores and (scores[1], scores[0])

    def outcome(self) -> Outcome | None:
        """Who won and why, or None while the game goes on."""
        return None if self.game.legal(self) else self.game.final_outcome(self)

    def owner(self, index: int) -> int:
        """Who owns the cell (or line) of this number: 1, 2, or 0 for nobody."""
        return (self.one >> index & 1) + 2 * (self.two >> index & 1)

    def cells(self) -> tuple[tuple[Cell, ...], ...]:
        """The board as rows of cells, for any front end to draw."""
        return self.game.drawing.cells(self)

    def lines(self) -> tuple[Line, ...]:
        """The lines that can be owned, rows before columns; none in games of cells."""
        return self.game.drawing.lines(self)

    @property
    def text(self) -> str:
        """The whole position on one line; `pentagrid.read_position` reads it back."""
        game = self.game
        fields = [game.name, f"size={game.size}", *(f"{k}={v}" for k, v in game.chosen_rules.items())]
        if self.numbers:
            fields.append("board=" + game.write_board(self, ","))
        marks = iter(".12"[owner] for owner in self.claims())
        rows = ("".join(next(marks) for _ in range(length)) for length in game.claim_rows())
        fields.append("claims=" + "/".join(rows))
        fields.append(f"turn={self.mover}")
        if self.turns != (self.one | self.two).bit_count():
            fields.append(f"ply={self.ply}")
        if self.swapped:
            fields.append("swapped=yes")
        return " ".join(fields)

    def claims(self) -> list[int]:
        """The owner of every cell (or line) that can be claimed: 1, 2, or 0 for nobody."""
        return [self.owner(i) for i in range(self.game.claim_count)]

    def data(self) -> dict[str, Any]:
        """The position as plain data, the same in every front end; docs/json.md describes the fields."""
        game, outcome = self.game, self.outcome()
        return {
            "game": game.name,
            "size": game.size,
            "rules": dict(game.rules),
            "position": self.text,
            "board": self.board and [list(row) for row in self.board],
            "claims": self.claims(),
            "turn": self.turn,
            "mover": self.mover,
            "ply": self.ply,
            "swapped": self.swapped,
            "scores": self.scores and list(self.scores),
            "legal": list(self.moves()),
            "outcome": outcome and outcome.data(),
        }

    def __repr__(self) -> str:
        return f"pentagrid.read_position({self.text!r})"
