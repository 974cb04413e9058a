"""A picture of a position as SVG, for pages that must be readable without scripts."""

from __future__ import annotations

from functools import lru_cache
from html import escape

from pentagrid.core.catalog import load
from pentagrid.core.drawing import Cell
from pentagrid.core.position import Position
from pentagrid.core.rng import Dice
from pentagrid.core.speech import speech_for
from pentagrid.play.players import Greedy

UNIT, GAP = 100, 8
SAMPLE_SEED = 11


EDGE = 36


def drawn(position: Position, edges: bool = False) -> str:
    """The board as SVG, in the classes of the style sheet; with edges, its rows and columns named."""
    n, speech = position.game.size, speech_for(position.game)
    marks = speech.marks
    side, margin = n * UNIT, EDGE if edges else 0
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
    if edges:
        lines = [line.label for line in position.lines()]
        rows, columns = speech.edges() if not lines else (tuple(lines[:n]), tuple(lines[n:]))
        for i, (left, above) in enumerate(zip(rows, columns, strict=True)):
            middle = (i + 0.5) * UNIT
            shapes.append(f'<text class="edge" font-size="20" x="{-margin / 2}" y="{middle}">{escape(left)}</text>')
            shapes.append(f'<text class="edge" font-size="20" x="{middle}" y="{-margin / 2}">{escape(above)}</text>')
    return (
        f'<svg class="picture" viewBox="{-margin} {-margin} {side + margin} {side + margin}" role="img" '
        f'aria-label="{escape(_words(position, edges))}">{"".join(shapes)}</svg>'
    )


def _words(position: Position, told: bool) -> str:
    """A board for those who listen; all its rows, if it is to be told."""
    marks, title = speech_for(position.game).marks, f"A board of {position.game.title}"
    if not told:
        return title

    def cell_words(cell: Cell) -> str:
        owner = f" of {marks[cell.owner - 1]}" if cell.owner else ""
        return f"{cell.label or 'a marker' if cell.owner else cell.label or 'empty'}{owner}"

    rows = [", ".join(map(cell_words, row)) for row in position.cells()]
    owned = [f"{line.label} of {marks[line.owner - 1]}" for line in position.lines() if line.owner]
    return f"{title}: {'; '.join([*rows, *owned])}"


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
