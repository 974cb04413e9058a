"""A position as plain data for drawing, the same for every game: cells, lines, and what each move touches."""

from __future__ import annotations

from typing import Any

from pentagrid.core.drawing import Touch
from pentagrid.core.game import Game
from pentagrid.core.position import Position
from pentagrid.core.speech import speech_for


def _komi(position: Position) -> dict[str, float] | None:
    """The komi, and the seat that receives it."""
    komi = getattr(position.game, "komi", 0)
    return {"seat": position.game.side(2, position), "points": komi} if komi else None


def _naming(game: Game, cell: int) -> str | None:
    """The move that names a cell alone, whether or not it is possible; None where moves are of another kind."""
    touches = cell < game.swap_action and game.drawing.touch(cell) == Touch("cell", (cell,))
    return game.texts[cell] if touches else None


def described(position: Position) -> dict[str, Any]:
    """The position's plain data, and everything else that a page needs to draw it and let its moves be chosen."""
    game, speech = position.game, speech_for(position.game)
    return {
        **position.data(),
        "title": game.title,
        "options": [f"{name.replace('-', ' ')}: {value}" for name, value in game.chosen_rules.items()],
        "komi": _komi(position),
        "phase": speech.phase(position),
        "marks": speech.marks,
        "players": speech.both_names(),
        "notation": game.notation.words,
        "edges": dict(zip(("rows", "columns"), speech.edges(), strict=True)),
        "cells": [
            [cell._asdict() | {"move": _naming(game, r * game.size + c)} for c, cell in enumerate(row)]
            for r, row in enumerate(position.cells())
        ],
        "lines": [line._asdict() for line in position.lines()],
        "moves": [
            {"move": game.texts[action], "action": action, "touch": game.drawing.touch(action)._asdict()}
            for action in position.actions()
        ],
    }
