"""The notes of a census that is not finished: a line for each chunk, so that an interrupted one goes on."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Any
from zlib import crc32

from pentagrid.errors import OptionError
from pentagrid.fairness.tally import Tally
from pentagrid.util.lockfile import LockFile

FORMAT = 1


class CensusNotes:
    """One census under way, in one file: first what it is, then what each chunk counted. Only ever appended to."""

    size: int
    """Deals in a chunk."""

    def __init__(self, folder: Path | None, plan: Mapping[str, object], size: Callable[[], int]) -> None:
        """Notes in a file of the folder that may be there already; `size` is only asked for in a fresh one.

        Without a folder nothing is written down.
        """
        self._plan, self._size = dict(plan), size
        name = f"{plan['game']}-{crc32(json.dumps(self._plan).encode()):08x}"
        self._file: IO[bytes] | None = None
        self.tally = Tally()
        self.done: set[int] = set()
        if folder is not None:
            self.path = folder / f"{name}.jsonl"
            self._lock = LockFile(folder / f"{name}.lock", "The same census is running in another process.")
        self._kept = folder is not None

    def __enter__(self) -> CensusNotes:
        """Raises `OptionError` if the file cannot be used, or is being used."""
        if not self._kept:
            self.size = self._size()
            return self
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._lock.take()
            whole = self._read()
            if not whole:
                self.size = self._size()
                header = {"pentagrid-census": FORMAT, "plan": self._plan, "chunk": self.size}
                self.path.write_bytes(json.dumps(header).encode() + b"\n")
                whole = self.path.stat().st_size
            self._file = file = open(self.path, "r+b")
            file.truncate(whole)
            file.seek(whole)
        except OSError as error:
            self._lock.give()
            raise OptionError(f"{self.path} cannot be written: {os.strerror(error.errno or 0)}.") from None
        return self

    def _read(self) -> int:
        """Take up what is there, and return how many bytes of it are whole lines; 0 to begin anew."""
        data = self.path.read_bytes() if self.path.exists() else b""
        whole = data.rfind(b"\n") + 1
        first, *lines = data[:whole].splitlines() or [b"null"]
        header: Any = _parsed(first)
        if not isinstance(header, dict) or header.get("pentagrid-census") != FORMAT or header["plan"] != self._plan:
            return 0
        self.size = header["chunk"]
        for line in lines:
            chunk, counts = json.loads(line)
            self._take(chunk, counts)
        return whole

    def add(self, chunk: int, counts: Mapping[str, Mapping[str, int]]) -> None:
        """Write down a chunk; one that is there already does not count twice."""
        if chunk not in self.done:
            self._take(chunk, counts)
            if self._file is not None:
                self._file.write(json.dumps([chunk, counts], separators=(",", ":")).encode() + b"\n")
                self._file.flush()

    def _take(self, chunk: int, counts: Mapping[str, Mapping[str, int]]) -> None:
        self.done.add(chunk)
        self.tally.add(Tally(counts))

    def forget(self) -> None:
        """Throw the notes away: all is done."""
        if self._kept:
            self.path.unlink(missing_ok=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()
            self._lock.give(remove=True)


def _parsed(line: bytes) -> object:
    try:
        return json.loads(line)
    except ValueError:
        return None
