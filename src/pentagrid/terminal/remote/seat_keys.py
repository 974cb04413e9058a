"""The keys to seats on servers: a file in the state folder that only its user can read."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from pentagrid.errors import OptionError, UnreadableError
from pentagrid.terminal.remote.addresses import SECRET, GameLink
from pentagrid.terminal.saved_games import state_folder
from pentagrid.util.files import read_regular_file, write_atomically
from pentagrid.util.lockfile import LockFile

FORMAT = 1
LARGEST_FILE = 1 << 20
REMEMBERED = 500
"""Keys that are kept, the newest."""
WAIT = 5.0
"""How long another process may hold the file."""


class SeatKey(NamedTuple):
    """What opens a seat again."""

    server: str
    game: str
    token: str
    invitation: str = ""
    """The invitation that the seat was taken with; empty for a game of one's own making and for a rematch."""


Keys = tuple[SeatKey, ...]


class SeatKeyFile:
    """The file; several processes may use it at once."""

    def __init__(self, folder: Path | None = None) -> None:
        folder = folder or state_folder("servers")
        self.path = folder / "seats.json"
        self._lock = LockFile(folder / "seats.lock", f"{self.path} is being used by another process.")

    def find(self, link: GameLink) -> Keys:
        """The keys to a game, the newest first; with an invitation the one it was taken with. Raises as `read`."""
        keys = [key for key in self.read() if (key.server, key.game) == (str(link.server), link.game)]
        return tuple(key for key in reversed(keys) if link.invitation in (None, key.invitation))

    def add(self, key: SeatKey) -> None:
        """Keep a key. Raises `OptionError` if the file cannot be written, and as `read`."""
        self._change(lambda keys: (*(each for each in keys if each != key), key))

    def remove(self, key: SeatKey) -> None:
        """Forget a key that opens nothing. Raises as `add`."""
        self._change(lambda keys: tuple(each for each in keys if each != key))

    def read(self) -> Keys:
        """All keys, the newest last. Raises `UnreadableError` if the file is damaged, `OptionError` if out of reach."""
        if not os.path.lexists(self.path):
            return ()
        try:
            return read_keys(read_regular_file(self.path, LARGEST_FILE))
        except UnreadableError as error:
            raise UnreadableError(f"{self.path} cannot be read: {error}. Mend it, or move it away.") from None

    def _change(self, change: Callable[[Keys], Keys]) -> None:
        with self._held():
            before = self.read()
            after = change(before)[-REMEMBERED:]
            if after != before:
                write_atomically(self.path, write_keys(after), private=True)

    @contextmanager
    def _held(self) -> Iterator[None]:
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock.take(WAIT)
            yield
        except OSError as error:
            raise OptionError(f"{self.path} cannot be written: {error.strerror}.") from None
        finally:
            self._lock.give()


def write_keys(keys: Keys) -> str:
    """The keys as the text of their file."""
    return json.dumps({"pentagrid-seats": FORMAT, "seats": [key._asdict() for key in keys]}, indent=1) + "\n"


def read_keys(content: bytes) -> Keys:
    """The keys that `write_keys` wrote. Raises `UnreadableError` saying what is wrong."""
    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        raise UnreadableError("it is not JSON") from None
    if not isinstance(data, dict) or data.get("pentagrid-seats") != FORMAT or not isinstance(data.get("seats"), list):
        raise UnreadableError(f"it is not a file of seats of format {FORMAT}")
    return tuple(map(_key, data["seats"]))


def _key(data: object) -> SeatKey:
    if not isinstance(data, dict) or set(data) != set(SeatKey._fields):
        raise UnreadableError(f"a seat in it does not have {', '.join(SeatKey._fields)}")
    if not all(isinstance(value, str) for value in data.values()) or not SECRET.fullmatch(data["token"]):
        raise UnreadableError("a seat in it has no token")
    return SeatKey(**data)
