"""Lists to choose from, whose bar is seen without color too."""

from __future__ import annotations

from typing import Any

from rich.cells import cell_len
from textual.style import Style
from textual.widgets import OptionList


def hanging(letter: str, text: str, width: int) -> str:
    """An entry of a list: its letter, and its text in lines that begin below each other."""
    lines = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split(" "):
            if line and cell_len(line) + 1 + cell_len(word) > width - 3:
                lines.append(line)
                line = word
            else:
                line = f"{line} {word}" if line else word
        lines.append(line)
    return "\n".join(f"{letter if number == 0 else ' '}  {line}" for number, line in enumerate(lines))


class ChoiceList(OptionList):
    """A list of plain texts, each a choice."""

    def __init__(self, *choices: Any, id: str | None = None) -> None:
        super().__init__(*choices, markup=False, compact=True, id=id)

    def get_visual_style(self, *names: str, partial: bool = False) -> Style:
        """Without color, the bar is drawn in reverse."""
        style = super().get_visual_style(*names, partial=partial)
        bar = self.app.no_color and "option-list--option-highlighted" in names
        return style + Style(reverse=True) if bar else style
