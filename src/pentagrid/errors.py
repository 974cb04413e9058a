"""The errors: few, named, each with a stable code that every front end passes on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple


class PentagridError(ValueError):
    """Anything a user can put right. `code` is stable: every front end passes it on."""

    code: ClassVar[str] = "error"


class UnreadableError(PentagridError):
    """The input cannot be read: it is not in the notation at all."""

    code = "unreadable"


class OffBoardError(UnreadableError):
    """A move in the right notation that names a cell or line which the board does not have."""


class Refusal(NamedTuple):
    """Why the rules do not allow a move: a stable code and the facts. The game's `text.py` has the words for it."""

    code: str
    move: str
    facts: Mapping[str, Any] = {}

    def __str__(self) -> str:
        facts = ", ".join(f"{name} {value}" for name, value in self.facts.items())
        return f"{self.move} is not allowed here: {self.code}{f' ({facts})' if facts else ''}."


class NotAllowedError(PentagridError):
    """The move can be read, but the rules do not allow it in this position."""

    code = "not-allowed"

    def __init__(self, why: Refusal | str) -> None:
        super().__init__(str(why))
        self.refusal = why if isinstance(why, Refusal) else None
        """The code and the facts, where the rules of the game refused a move."""

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.refusal or str(self),)


class GameOverError(PentagridError):
    """The game is over: no move can be made."""

    code = "game-over"


class BoardError(PentagridError):
    """A board or position that this game cannot have."""

    code = "bad-board"


class OptionError(PentagridError):
    """An unknown game, size, rule option, seat or setting."""

    code = "bad-option"


def shown(text: str, limit: int = 40) -> str:
    """A user's input as an error quotes it: on one line and cut to a length."""
    return repr(text if len(text) <= limit else text[:limit] + "…")
