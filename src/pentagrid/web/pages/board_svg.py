"""A picture of a position as SVG, for pages that must be readable without scripts."""

from __future__ import annotations

from functools import lru_cache
from html import escape

from pentagrid.core.catalog import load
from pentagrid.core.position import Position
from pentagrid.core.rng import Dice
from pentagrid.core.speech import speech_for
from pentagrid.play.players import Greedy

UNIT, GAP = 100, 8
SAMPLE_SEED = 11


def drawn(position: Position) -> str:
    """The board as SVG, in the classes of the style sheet."""
    n, marks = position.game.size, type(speech_for(position.game)).marks
    side = n * UNIT
    shapes = []
    for r, row in enumerate(position.cells()):
        for c, cell in enumerate(row):
            x, y = c * UNIT + GAP / 2, r * UNIT + GAP / 2
            gone = not cell.owner and not cell.available and not position.lines()
            look = f"owner{cell.owner}" if cell.owner else "gone" if gone else "free"
            shapes.append(f'<g class="spot {look}"><rect class="tile" x="{x}" y="{y}" width="92" height="92" rx="14"/>')
            text = cell.label or (marks[cell.owner - 1] if cell.owner else "")
            if text:
                shapes.append(f'<text class="number" x="{x + 46}" y="{y + 48}">{escape(text)}</text>')
            if cell.label and cell.owner:
                shapes.append(f'<text class="mark" x="{x + 14}" y="{y + 20}">{escape(marks[cell.owner - 1])}</text>')
            shapes.append("</g>")
    for line in position.lines():
        if line.owner:
            first, last = min(line.cells), max(line.cells)
            x, y = first % n * UNIT + 2, first // n * UNIT + 2
            width, height = (last % n - first % n + 1) * UNIT - 4, (last // n - first // n + 1) * UNIT - 4
            shapes.append(
                f'<rect class="band owner{line.owner}" x="{x}" y="{y}" width="{width}" height="{height}" rx="18"/>'
            )
    return (
        f'<svg class="picture" viewBox="0 0 {side} {side}" role="img" '
        f'aria-label="A board of {escape(position.game.title)}">{"".join(shapes)}</svg>'
    )


@lru_cache(maxsize=32)
def sample(name: str) -> str:
    """A picture of a game under way."""
    position = load(name).deal(SAMPLE_SEED)
    length = _length(position)
    for ply in range(max(2, round(length * 0.55))):
        position = position.play(Greedy().choose(position, Dice(SAMPLE_SEED, ply)))
    return drawn(position)


def _length(position: Position) -> int:
    plies = 0
    while position.turn:
        position = position.play(Greedy().choose(position, Dice(SAMPLE_SEED, plies)))
        plies += 1
    return plies
