"""What the process of an environment is doing, for the process that watches it, even when it hangs or dies.

The trail is a small file in memory that both map: a counter that grows with every call, whether a call is running, and
the calls since the environment was made.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Sequence
from pathlib import Path

HEAD = struct.Struct("<QBI")
"""The number of calls so far, whether one is running, and how many bytes of text follow."""
SIZE = 1 << 16


class Trail:
    """The trail of one process; it makes the file where there is none."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            path.write_bytes(bytes(SIZE))
        with open(path, "r+b") as file:
            self._map = mmap.mmap(file.fileno(), SIZE)
        self._count, _, self._length = HEAD.unpack_from(self._map)
        self._owner: object = None

    def begin(self, owner: object, calls: Sequence[str], passing: str = "") -> None:
        """A call begins: the last of these, which are all that its owner has made, or one that leaves no trace."""
        if owner is self._owner and not passing:
            self._write("\n" + calls[-1])
        elif owner is not self._owner:
            self._owner, self._length = owner, 0
            self._write("\n".join(calls))
        length = self._length
        if passing:
            self._write("\n" + passing)
        length, self._length = self._length, length
        self._count += 1
        HEAD.pack_into(self._map, 0, self._count, 1, length)

    def _write(self, text: str) -> None:
        data = text.encode()
        start = HEAD.size + self._length
        if start + len(data) <= SIZE:
            self._map[start : start + len(data)] = data
            self._length += len(data)

    def end(self) -> None:
        """The call has ended."""
        self._map[8] = 0

    def read(self) -> tuple[int, bool, list[str]]:
        """The number of calls so far, whether one is running, and the calls that led to it."""
        count, running, length = HEAD.unpack_from(self._map)
        return count, bool(running), self._map[HEAD.size : HEAD.size + length].decode(errors="replace").split("\n")

    def state(self) -> tuple[int, bool]:
        """The number of calls so far and whether one is running."""
        count, running, _ = HEAD.unpack_from(self._map)
        return count, bool(running)

    def close(self) -> None:
        self._map.close()
