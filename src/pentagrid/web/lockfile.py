"""A file that says: this is in use. The system lets go of it when its process ends, however it ends."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from pentagrid.errors import OptionError


class LockFile:
    """A lock that one process at a time can hold."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: int | None = None

    def take(self) -> None:
        """Hold the lock until `give`. Raises `OptionError` if another process holds it."""
        file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(file)
        except OSError:
            os.close(file)
            raise OptionError(
                f"Another server is using {self.path.with_suffix('')}; for several processes use PostgreSQL."
            ) from None
        self._file = file

    def give(self) -> None:
        """Let go."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
