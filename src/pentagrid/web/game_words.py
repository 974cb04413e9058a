"""A game's own words for its players and its refusals, wherever the server speaks of a game."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pentagrid.core.game import Game
from pentagrid.core.speech import speech_for
from pentagrid.errors import NotAllowedError


def names_of(game: Game, given: tuple[str, str] = ("", "")) -> tuple[str, str]:
    """What the two players are called: by the names they gave, else as the game calls its players."""
    return speech_for(game, given).both_names()


@contextmanager
def refusals_of(game: Game, given: tuple[str, str] = ("", "")) -> Iterator[None]:
    """Put a refusal by the rules into the game's words: the `NotAllowedError` raised inside gets another message."""
    try:
        yield
    except NotAllowedError as error:
        raise NotAllowedError(speech_for(game, given).explain(error)) from None
