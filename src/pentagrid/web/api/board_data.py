"""A position as plain data for drawing, the same for every game: cells, lines, and what each move touches."""

from __future__ import annotations

from typing import Any

from pentagrid.core.drawing import Cell, Touch
from pentagrid.core.game import Game
from pentagrid.core.position import Position
from pentagrid.core.speech import speech_for


def _komi(position: Position) -> dict[str, float] | None:
    """The komi, and the seat that receives it."""
    komi = position.game.komi
    return {"seat": position.game.side(2, position), "points": komi} if komi else None


def _naming(game: Game, cell: int) -> str | None:
    """The move that names a cell alone, whether or not it is possible; None where moves are of another kind."""
    touches = cell < game.swap_action and game.drawing.touch(cell) == Touch("cell", (cell,))
    return game.texts[cell] if touches else None


def _effects(before: Position | None, after: Position) -> dict[str, list[int]]:
    """The cells that the last move took from the other player, and those that it took out of play."""
    if before is None or before.swapped != after.swapped:
        return {"captured": [], "removed": []}
    cells = [
        (i, old, new)
        for i, (old, new) in enumerate(zip(_cells(before), _cells(after), strict=True))
        if old.owner != new.owner or old.available != new.available
    ]
    return {
        "captured": [i for i, old, new in cells if old.owner and old.owner != new.owner],
        "removed": [i for i, old, new in cells if after.turn and old.available and not new.available and not new.owner],
    }


def _cells(position: Position) -> list[Cell]:
    return [cell for row in position.cells() for cell in row]


def described(position: Position, before: Position | None = None) -> dict[str, Any]:
    """The position's plain data, and everything else that a page needs to draw it and let its moves be chosen.

    With the position before it, also what the move between them captured and removed.
    """
    game, speech = position.game, speech_for(position.game)
    return {
        **position.data(),
        "title": game.title,
        "options": [
            f"{rule.label}: {rule.meant(game.chosen_rules[rule.name])}"
            for rule in game.offered_rules
            if rule.name in game.chosen_rules
        ],
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
        **_effects(before, position),
        "winning": list(game.drawing.winning_cells(position)),
        "lines": [line._asdict() for line in position.lines()],
        "moves": [
            {"move": game.texts[action], "action": action, "touch": game.drawing.touch(action)._asdict()}
            for action in position.actions()
        ],
    }
