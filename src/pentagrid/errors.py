"""The errors: few, named, each with a stable code that every front end passes on."""

from __future__ import annotations

from typing import ClassVar


class PentagridError(ValueError):
    """Anything a user can put right. `code` is stable: every front end passes it on."""

    code: ClassVar[str] = "error"


class UnreadableError(PentagridError):
    """The input cannot be read: it is not in the notation at all."""

    code = "unreadable"


class NotAllowedError(PentagridError):
    """The move can be read, but the rules do not allow it in this position."""

    code = "not-allowed"


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
    """A user's input as an error quotes it: on one line, never longer than a line."""
    return repr(text if len(text) <= limit else text[:limit] + "…")
