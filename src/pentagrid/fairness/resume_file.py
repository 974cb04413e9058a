"""The notes of a census that is not finished: a line for each chunk, so that an interrupted one goes on.

The first line says what is counted and how many deals make a chunk, the others what a chunk counted:
`{"pentagrid-census": 1, "version": "0.2.0", "plan": {…}, "chunk": 50}`, then `[3, {"winner": {"1": 41, …}, …}, SUM]`,
with a check sum of what stands before it. Notes from before there were check sums have none.
Notes that another version wrote are not mixed with those of this one, unless they are from before versions were noted.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Any
from zlib import crc32

from pentagrid import __version__
from pentagrid.errors import OptionError
from pentagrid.fairness.tally import WINNER, Tally, is_value
from pentagrid.util.files import read_regular_file, write_atomically
from pentagrid.util.lockfile import LockFile

FORMAT = "pentagrid-census"
EXACT, CHANCE = 1, 2
"""The format of notes that depend on exact values alone, and of notes with players or tosses.

Both were 1 before the players and the tosses moved to streams of their own (`core.streams`).
"""

LARGEST_FILE = 1 << 32
"""Bytes that notes may have."""


class CensusNotes:
    """One census under way, in one file: first what it is, then what each chunk counted.

    The file is locked while the notes are open. Lines are appended; damaged ones are taken out when it is opened.
    """

    size: int
    """Deals in a chunk."""

    def __init__(
        self,
        folder: Path | None,
        plan: Mapping[str, object],
        total: int,
        chance: bool,
        size: Callable[[], int],
        tell: Callable[[str], None] = lambda message: None,
    ) -> None:
        """Notes in a file of the folder that may be there already; without a folder nothing is written down.

        `plan` is what is counted, `total` the number of deals, `chance` whether players or tosses are part of it.
        `size` is only asked for in fresh notes, and `tell` hears of notes that cannot be used.
        """
        self._plan, self._total, self._ask_size, self._tell = dict(plan), total, size, tell
        self._format = CHANCE if chance else EXACT
        self._file: IO[bytes] | None = None
        self._folder = folder
        self.tally = Tally()
        self.done: set[int] = set()
        if folder is not None:
            name = f"{plan['game']}-{crc32(json.dumps(self._plan).encode()):08x}"
            self.path = folder / f"{name}.jsonl"
            self._lock = LockFile(folder / f"{name}.lock", "The same census is running in another process.")

    def __enter__(self) -> CensusNotes:
        """Raises `OptionError` if the file cannot be used, or is being used."""
        if self._folder is None:
            self.size = self._ask_size()
            return self
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._lock.take()
            if not self._read():
                self.size = self._ask_size()
                header = {FORMAT: self._format, "version": __version__, "plan": self._plan, "chunk": self.size}
                self.path.write_bytes(json.dumps(header).encode() + b"\n")
            self._file = open(self.path, "ab")
        except OSError as error:
            self._lock.give(remove=True)
            raise OptionError(f"{self.path} cannot be written: {os.strerror(error.errno or 0)}.") from None
        except OptionError:
            self._lock.give(remove=True)
            raise
        return self

    # Reading --------------------------------------------------------------------------------------------

    def _read(self) -> bool:
        """Take up what is there; False to begin anew."""
        data = read_regular_file(self.path, LARGEST_FILE) if self.path.exists() else b""
        if b"\n" not in data:  # not even the first line was finished
            return False
        header, *lines = data.removesuffix(b"\n").split(b"\n")
        if not self._read_header(_parsed(header)):
            return False
        good = [header]
        for number, line in enumerate(lines, 2):
            entry = _parsed(line)
            if self._is_entry(entry):
                self._take(*entry[:2])
                good.append(line)
            else:
                self._tell(f"{self.path}, line {number} is damaged and not used; what is missing is counted again.")
        kept = b"\n".join(good) + b"\n"
        if kept != data:
            write_atomically(self.path, kept)
        return True

    def _read_header(self, header: Any) -> bool:
        """Take up the size of a chunk. Notes of something else are set aside, and that is False."""
        known = isinstance(header, dict) and header.get("plan") == self._plan and _is_count(header.get("chunk"), 1)
        version = header.get("version", __version__) if known else None
        if known and header.get(FORMAT) == self._format and version == __version__:
            self.size = header["chunk"]
            return True
        if known and version != __version__:
            reason = f"was written by version {version}, and this is {__version__}"
        elif known and header.get(FORMAT) == EXACT:
            reason = "was written by an earlier version, whose players and tosses had other chance"
        else:
            reason = "does not hold notes of this census"
        self._tell(f"{self.path} {reason}. It is now {self._set_aside().name}; the count begins anew.")
        return False

    def _set_aside(self) -> Path:
        """Give the file a name that no census looks for."""
        aside, number = self.path.with_name(f"{self.path.name}.old"), 1
        while aside.exists():
            number += 1
            aside = self.path.with_name(f"{self.path.name}.old-{number}")
        return self.path.rename(aside)

    def _is_entry(self, entry: Any) -> bool:
        """True for what a chunk counted: not counted yet, all of its deals, only values that can be."""
        if not isinstance(entry, list) or len(entry) not in (2, 3):
            return False
        chunk, counts, *check = entry
        if check and check != [_check_sum(chunk, counts)]:
            return False
        if not _is_count(chunk) or chunk in self.done or not isinstance(counts, dict):
            return False
        for measure, values in counts.items():
            if not isinstance(values, dict) or not all(map(_is_count, values.values())):
                return False
            if not all(is_value(measure, value) for value in values):
                return False
        winners = sum(sum(values.values()) for measure, values in counts.items() if measure.endswith(WINNER))
        expected = min(self.size, self._total - chunk * self.size)
        return bool(winners == expected > 0)

    # Writing --------------------------------------------------------------------------------------------

    def add(self, chunk: int, counts: Mapping[str, Mapping[str, int]]) -> None:
        """Write down a chunk; one that is there already does not count twice."""
        if chunk not in self.done:
            self._take(chunk, counts)
            if self._file is not None:
                self._file.write(_compact([chunk, counts, _check_sum(chunk, counts)]) + b"\n")
                self._file.flush()

    def _take(self, chunk: int, counts: Mapping[str, Mapping[str, int]]) -> None:
        self.done.add(chunk)
        self.tally.add(Tally(counts))

    def remove(self) -> None:
        """Remove the file: all is done."""
        if self._folder is not None:
            self.path.unlink(missing_ok=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()
            self._lock.give(remove=True)


def _parsed(line: bytes) -> Any:
    """The JSON of a line; None if it is none."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _compact(data: object) -> bytes:
    """Data as JSON without blanks."""
    return json.dumps(data, separators=(",", ":")).encode()


def _check_sum(chunk: object, counts: object) -> int:
    """Tells whether a digit of what a chunk counted has changed."""
    return crc32(_compact([chunk, counts]))


def _is_count(value: object, least: int = 0) -> bool:
    return type(value) is int and value >= least
