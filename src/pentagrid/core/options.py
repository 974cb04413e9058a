"""Rule options: how a game may be played other than its rules say, such as `pie=on` or `komi=4.5`."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pentagrid.errors import OptionError, shown


class RuleOption(NamedTuple):
    """One rule option: its name, the values it takes (the first is the default), and what it settles."""

    name: str
    values: tuple[str, ...]
    meaning: str
    reader: Callable[[str], str] | None = None
    """Reads values beyond the listed ones and returns them as they are written. Raises `OptionError`."""
    only_turns: bool = False
    """True if the option only changes whose turn it is when."""
    title: str = ""
    """What a form calls it."""
    words: tuple[str, ...] = ()
    """What each of the values means, where its name does not say it."""

    @property
    def label(self) -> str:
        """What a form calls it, or its name."""
        return self.title or self.name.replace("-", " ").capitalize()

    def meant(self, value: str) -> str:
        """A value in words, or as it is written."""
        return dict(zip(self.values, self.words, strict=False)).get(value, value)

    @property
    def usage(self) -> str:
        """How a user asks for it: 'pie=off|on'."""
        return f"{self.name}={'|'.join(self.values)}{'|…' if self.reader else ''}"

    def checked(self, value: str) -> str:
        """A value as it is written. Raises `OptionError`."""
        if value in self.values:
            return value
        if self.reader is not None:
            return self.reader(str(value))
        choices = " or ".join(self.values)
        raise OptionError(f"Rule option {self.name} must be {choices}, not {shown(str(value))}.")


PIE = RuleOption(
    "pie",
    ("off", "on"),
    "after the first move the second player may answer swap, and the two exchange sides",
    title="Pie rule",
    words=("no", "yes, the second player may swap sides"),
)
SWAP = "swap"
"""The move that exchanges sides under the pie rule."""
SWAP_PLY = 1
"""The number of turns after which the sides may be swapped."""
