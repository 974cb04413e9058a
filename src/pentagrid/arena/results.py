"""The results file: a line for the plan, then a line for each game, only ever appended to."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import IO

from pentagrid.arena.plan import Round, TournamentPlan, meetings, read_header, rounds
from pentagrid.arena.rounds import PlayedGame
from pentagrid.errors import OptionError, UnreadableError, shown

Key = tuple[str, int, str, str]


class Results:
    """The results of one plan in one file. What is there is kept, and the rest is added."""

    def __init__(self, path: Path, plan: TournamentPlan) -> None:
        """Open or begin a file. Raises `OptionError` if it holds another tournament or cannot be written."""
        self.path, self.plan = path, plan
        self.rows: list[PlayedGame] = []
        try:
            if path.exists() and path.stat().st_size:
                self._read(path)
                self._file: IO[bytes] = open(path, "r+b")  # noqa: SIM115 - `close` closes it
                self._file.truncate(self._whole)
                self._file.seek(self._whole)
            else:
                self._file = open(path, "wb")  # noqa: SIM115
                self._file.write(plan.header().encode() + b"\n")
                self._file.flush()
        except OSError as error:
            raise OptionError(f"{path} cannot be written: {os.strerror(error.errno or 0)}.") from None
        self._done: set[Key] = {(row.game, row.deal, row.one, row.two) for row in self.rows}

    def _read(self, path: Path) -> None:
        """All rows that are there; a last line cut short by a crash does not count."""
        found, self.rows, self._whole = read_results(path)
        if found != self.plan:
            both = zip(TournamentPlan._fields, found, self.plan, strict=True)
            wrong = [f"{name} {shown(str(old), 60)}" for name, old, new in both if old != new]
            raise OptionError(f"{path} holds another tournament, with {', '.join(wrong)}; give --out another name.")

    def missing(self) -> list[Round]:
        """The rounds of which a game has not been played."""
        pairs = list(meetings(self.plan))
        return [
            which
            for which in rounds(self.plan)
            if any((which.game, which.deal, *pair) not in self._done for pair in pairs)
        ]

    def add(self, rows: list[PlayedGame]) -> None:
        """Write down games; those that are there already are not written twice."""
        for row in rows:
            key = row.game, row.deal, row.one, row.two
            if key not in self._done:
                self._done.add(key)
                self.rows.append(row)
                self._file.write(json.dumps(row._asdict(), ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
        self._file.flush()

    def close(self) -> None:
        """Make sure that everything is on the disk."""
        os.fsync(self._file.fileno())
        self._file.close()


def read_results(path: Path) -> tuple[TournamentPlan, list[PlayedGame], int]:
    """The plan and the rows of a file, and how many of its bytes are whole lines. Raises `OptionError`."""
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    try:
        first, *lines = data[:whole].decode("utf-8").splitlines() or [""]
        plan = read_header(first)
    except (UnicodeDecodeError, UnreadableError) as error:
        raise OptionError(f"{path} stays as it is: {error}") from None
    rows = []
    for number, line in enumerate(lines, 2):
        try:
            rows.append(PlayedGame(**json.loads(line)))
        except (ValueError, TypeError):
            raise OptionError(f"{path}, line {number}: {shown(line)} is not a game.") from None
    return plan, rows, whole
