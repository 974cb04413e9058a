"""The games as home lists them."""

from __future__ import annotations

from pentagrid.core.catalog import find, game_names
from pentagrid.core.game import Game


def newcomers_first() -> list[type[Game]]:
    """All games, the one to begin with first."""
    games = [find(name) for name in game_names()]
    return sorted(games, key=lambda game: (game.learning_place, game.title))
