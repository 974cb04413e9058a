"""Everything drawn, in letters that every terminal has; what people have written is left as it is."""

from __future__ import annotations

import unicodedata

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

BOXES = {code: unicodedata.name(chr(code)) for code in range(0x2500, 0x2580)}
LETTERS = {
    **{code: "+" if " AND " in name else "-" if "HORIZONTAL" in name else "|" for code, name in BOXES.items()},
    **dict.fromkeys(range(0x2580, 0x25A0), "_"),
    **str.maketrans({"█": "#", "·": ".", "×": "x", "…": ".", "▼": "v", "▲": "^", "🔎": "> "}),
}
"""Letters for signs of the same width."""


class LettersOnly(LineFilter):
    """Rewrites each line before it is shown."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [segment if segment.text.isascii() else self._rewritten(segment) for segment in segments]

    def _rewritten(self, segment: Segment) -> Segment:
        return Segment(segment.text.translate(LETTERS), segment.style, segment.control)
