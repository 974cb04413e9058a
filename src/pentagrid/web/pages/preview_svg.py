"""The picture of a board that a link to it shows in a message: made as SVG, drawn as PNG."""

from __future__ import annotations

from html import escape
from pathlib import Path
from textwrap import wrap

from pentagrid.core.position import Position
from pentagrid.web.pages.board_svg import drawn

WIDTH, HEIGHT, EDGE = 1200, 630, 60
BOARD = HEIGHT - 2 * EDGE
INK, SOFT = "#1c232e", "#5b6472"
FONT = Path(__file__).parent / "fonts" / "DejaVuSans-Bold.ttf"
STYLE = """
text { font-family: "DejaVu Sans"; font-weight: bold; }
.tile { fill: #fffefb; stroke: #8d8877; stroke-width: 1.5; }
.gone .tile { fill: #e9e5da; stroke: #d9d4c7; }
.owner1 .tile { fill: #2257c9; stroke: #2257c9; }
.owner2 .tile { fill: #c4410a; stroke: #c4410a; }
.number { font-size: 38px; text-anchor: middle; dominant-baseline: central; fill: #1c232e; }
.gone .number { fill: #8c8674; }
.owner1 .number, .owner2 .number, .owner1 .mark, .owner2 .mark { fill: #ffffff; }
.mark { font-size: 17px; text-anchor: middle; dominant-baseline: central; }
.band { fill-opacity: .16; stroke-width: 6; stroke-opacity: .9; }
.band.owner1 { fill: #2257c9; stroke: #2257c9; }
.band.owner2 { fill: #c4410a; stroke: #c4410a; }
"""


def preview_png(position: Position, words: str) -> bytes:
    """The picture of a position, with its game's title and a few words, 1200 by 630."""
    import resvg_py

    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=preview_svg(position, words), style_sheet=STYLE, skip_system_fonts=True, font_files=[str(FONT)]
        )
    )


def preview_svg(position: Position, words: str) -> str:
    """The same as SVG."""
    board = drawn(position).replace(
        "<svg", f'<svg x="{EDGE}" y="{EDGE}" width="{BOARD}" height="{BOARD}" overflow="visible"', 1
    )
    title = wrap(position.game.title, 14)
    lines = [
        ("Pentagrid", 110, 34, SOFT),
        *((line, 250 + 74 * i, 62, INK) for i, line in enumerate(title)),
        *((line, 260 + 74 * len(title) + 46 * i, 32, SOFT) for i, line in enumerate(wrap(words, 27)[:4])),
    ]
    texts = (
        f'<text x="{BOARD + 2 * EDGE}" y="{y}" font-size="{size}" fill="{color}">{escape(line)}</text>'
        for line, y, size, color in lines
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#f6f4ee"/>{board}{"".join(texts)}</svg>'
    )
