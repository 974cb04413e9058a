"""The results file: a line for the plan, then a line for each game, only ever appended to."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import IO

from pentagrid.arena.plan import Round, TournamentPlan, all_rounds, meetings, read_header
from pentagrid.arena.rounds import PlayedGame
from pentagrid.errors import OptionError, UnreadableError, shown
from pentagrid.util.lockfile import LockFile

Key = tuple[str, int, str, str]


class Results:
    """The results of one plan in one file, which is locked until `close`. What is there is kept, the rest is added."""

    def __init__(self, path: Path, plan: TournamentPlan) -> None:
        """Open or begin a file; `plan` is then the one in the file.

        Raises `OptionError` if the file is in use, holds another tournament or cannot be written.
        """
        self.path, self.plan = path, plan
        self.rows: list[PlayedGame] = []
        self._lock = LockFile(path.with_name(f"{path.name}.lock"), f"{path} is in use by another arena.")
        try:
            self._lock.take()
            self._file = self._open()
        except OSError as error:
            self._lock.give(remove=True)
            raise OptionError(f"{path} cannot be written: {os.strerror(error.errno or 0)}.") from None
        except OptionError:
            self._lock.give(remove=True)
            raise
        self._done: set[Key] = {(row.game, row.deal, row.one, row.two) for row in self.rows}

    def _open(self) -> IO[bytes]:
        """The file, with all rows read that are there; a last line cut short by a crash does not count."""
        if not self.path.exists() or not self.path.stat().st_size:
            file: IO[bytes] = open(self.path, "wb")  # noqa: SIM115 - `close` closes it
            file.write(self.plan.header().encode() + b"\n")
            file.flush()
            return file
        old_plan, self.rows, whole = read_results(self.path)
        if old_plan._replace(toss=self.plan.toss) == self.plan:
            self.plan = old_plan  # it goes on with the tosses it began with
        else:
            both = zip(TournamentPlan._fields, old_plan, self.plan, strict=True)
            differences = [f"{name} {_listed(old)}" for name, old, new in both if old != new and name != "toss"]
            raise OptionError(
                f"{self.path} holds another tournament, with {', '.join(differences)}; give --out another name."
            )
        file = open(self.path, "r+b")  # noqa: SIM115 - `close` closes it
        file.truncate(whole)
        file.seek(whole)
        return file

    def missing(self) -> list[Round]:
        """The rounds in which a game is missing."""
        pairs = list(meetings(self.plan))
        return [
            round_
            for round_ in all_rounds(self.plan)
            if any((round_.game, round_.deal, *pair) not in self._done for pair in pairs)
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
        """Make sure that everything is on the disk, and let others use the file."""
        try:
            os.fsync(self._file.fileno())
            self._file.close()
        finally:
            self._lock.give(remove=True)


def read_results(path: Path) -> tuple[TournamentPlan, list[PlayedGame], int]:
    """The plan and the games in a file, and how many of its bytes are whole lines. Raises `OptionError`."""
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    try:
        first, *lines = data[:whole].decode("utf-8").splitlines() or [""]
        plan = read_header(first)
    except UnicodeDecodeError:
        raise OptionError(f"{path} stays as it is: it is not a results file of the arena (not UTF-8 text).") from None
    except UnreadableError as error:
        raise OptionError(f"{path} stays as it is: {error}") from None
    rows = []
    for number, line in enumerate(lines, 2):
        try:
            rows.append(PlayedGame(**json.loads(line)))
        except (ValueError, TypeError):
            raise OptionError(f"{path}, line {number}: {shown(line)} is not a game.") from None
    return plan, rows, whole


def _listed(value: object) -> str:
    """A field of a plan as a sentence names it."""
    return shown(", ".join(map(str, value)) if isinstance(value, tuple) else str(value), 60)
