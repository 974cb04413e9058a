"""What was meant: words that are nearly right, understood or answered with the one that fits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from pentagrid.errors import UnreadableError, shown
from pentagrid.play.players import is_outside

CLOSE = 0.6
"""How alike two words must be, from 0 to 1, for one to be taken for the other."""
SHORT = {"?": "help", "h": "help", "a": "analyze", "m": "moves", "u": "undo", "q": "quit", "exit": "quit"}
"""Short forms of what can be typed instead of a move."""
SPELLINGS = {"analyse": "analyze"}


def spelled(word: str) -> str:
    """A word in small letters, as it is spelled here."""
    return SPELLINGS.get(word.lower(), word.lower())


def full_word(word: str) -> str:
    """What was typed instead of a move: as it is spelled here, a short form written out."""
    return SHORT.get(word.lower(), spelled(word))


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that a mistyped one was most likely meant to be; None if there is none like it."""
    from difflib import get_close_matches

    near = get_close_matches(word.lower(), list(known), n=1, cutoff=CLOSE)
    return near[0] if near else None


@contextmanager
def suggest_command(line: str, commands: Iterable[str]) -> Iterator[None]:
    """Read a move inside: a line that is none, but nearly a command, is answered with that command."""
    try:
        yield
    except UnreadableError:
        near = nearest(line.partition(" ")[0], (command.split()[0] for command in commands))
        if near is None:
            raise
        raise UnreadableError(f"{shown(line)} is not a move. Did you mean {near}?") from None


def player_kind(asked: str) -> str:
    """A kind of player as it is spelled, from what was typed: 'Level:3', 'level3'. Not checked."""
    if is_outside(asked):
        return asked
    return re.sub(r"^level[\s:=-]*(?=\d)", "level:", asked.strip().lower())
