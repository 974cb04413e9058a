"""A lock file: it says that something is in use. The system releases it when its process ends, however it ends."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

from pentagrid.errors import OptionError

RETRY_SECONDS = 0.01
"""The time between two tries to take a lock that another process holds."""


class LockFile:
    """A lock that one process at a time can hold. `held` is the message for everybody else."""

    def __init__(self, path: Path, held: str) -> None:
        self.path, self._held = path, held
        self._file: int | None = None

    def take(self, seconds: float = 0.0) -> None:
        """Hold the lock until `give`. Raises `OptionError` if another process still holds it after `seconds`."""
        deadline = monotonic() + seconds
        while self._file is None:
            file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                _lock(file)
            except OSError:
                os.close(file)
                if monotonic() >= deadline:
                    raise OptionError(self._held) from None
                sleep(RETRY_SECONDS)
                continue
            if self._is_at_its_path(file):
                self._file = file
            else:  # its last holder has just removed it
                os.close(file)

    def _is_at_its_path(self, file: int) -> bool:
        """True if others who open the path find this file there."""
        try:
            return os.path.samestat(os.fstat(file), self.path.stat())
        except FileNotFoundError:
            return False

    def give(self, remove: bool = False) -> None:
        """Release the lock; with `remove`, leave no file behind."""
        if self._file is not None:
            if remove:
                with suppress(PermissionError):  # some systems keep files that are open
                    self.path.unlink(missing_ok=True)
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
