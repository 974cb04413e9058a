"""Refusals in a game's own words, wherever the server speaks of a game."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pentagrid.core.game import Game
from pentagrid.core.speech import speech_for
from pentagrid.errors import NotAllowedError


@contextmanager
def refusals_of(game: Game, given: tuple[str, str] = ("", "")) -> Iterator[None]:
    """Put a refusal by the rules into the game's words: the `NotAllowedError` raised inside gets another message."""
    try:
        yield
    except NotAllowedError as error:
        raise NotAllowedError(speech_for(game, given).explain(error)) from None
