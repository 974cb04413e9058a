"""What servers told last of the games in which a seat is held: a file beside that of the keys."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple

from pentagrid.errors import PentagridError
from pentagrid.terminal.saved_games import state_folder
from pentagrid.util.files import read_regular_file, write_atomically

LARGEST_FILE = 1 << 20
REMEMBERED = 500
"""Games that are kept, those told last."""


class Glimpse(NamedTuple):
    """What stays true of a game, or nearly so: which it is, against whom, whether it is over."""

    title: str = ""
    rival: str = ""
    over: bool = False


class LastSeenFile:
    """The file, by links. It only saves asking: what cannot be read or written counts as not known."""

    def __init__(self) -> None:
        self.path = state_folder("servers") / "games.json"

    def read(self) -> dict[str, Glimpse]:
        """All that is known."""
        try:
            data = json.loads(read_regular_file(self.path, LARGEST_FILE))
            return {link: _glimpse(**fields) for link, fields in data.items()}
        except (PentagridError, ValueError, TypeError, AttributeError, RecursionError):
            return {}

    def keep(self, news: Mapping[str, Glimpse]) -> None:
        """Keep what was told, beside what is known of other games."""
        before = self.read()
        after = before | {link: glimpse for link, glimpse in news.items() if glimpse != Glimpse()}
        if after != before:
            lines = {link: glimpse._asdict() for link, glimpse in list(after.items())[-REMEMBERED:]}
            try:
                write_atomically(self.path, json.dumps(lines, indent=1) + "\n", private=True)
            except PentagridError:
                return  # they are asked again next time


def _glimpse(title: object, rival: object, over: object) -> Glimpse:
    if not (isinstance(title, str) and isinstance(rival, str) and isinstance(over, bool)):
        raise TypeError("a field of another type than was written")
    return Glimpse(title, rival, over)
