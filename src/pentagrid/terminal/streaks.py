"""How well a person solves puzzles: what is counted, and the file that keeps it.

Only the first answer to a puzzle counts, whatever comes later, and only the first puzzle of a day for the days.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from pentagrid.analysis.sentences import counted
from pentagrid.core.catalog import find, game_names
from pentagrid.errors import OptionError, UnreadableError
from pentagrid.terminal.saved_games import state_folder
from pentagrid.util.files import read_regular_file, write_atomically
from pentagrid.util.lockfile import LockFile

FORMAT = 1
LARGEST_FILE = 1 << 24
"""Bytes; several times what the puzzles that are remembered and the days of a lifetime need."""
REMEMBERED = 500
"""How many of the last puzzles are remembered, so that they do not count twice."""
WAIT = 10.0
"""Seconds to wait for another process that uses the file."""
DAY = timedelta(days=1)


class PuzzleCounts(NamedTuple):
    """The counts of one game's puzzles."""

    now: int = 0
    """Solved at the first try, one after the other up to now."""
    best: int = 0
    """The most that `now` ever was."""
    first: int = 0
    """Solved at the first try."""
    solved: int = 0
    """Solved at any try."""
    tried: int = 0

    def after(self, right: bool) -> PuzzleCounts:
        """The counts after one more first answer."""
        now = self.now + 1 if right else 0
        return PuzzleCounts(now, max(self.best, now), self.first + right, self.solved + right, self.tried + 1)


class Streaks(NamedTuple):
    """All counts. Immutable: each answer makes new ones."""

    games: Mapping[str, PuzzleCounts] = {}
    days: Mapping[date, bool] = {}
    """Each day on which a puzzle of the day was answered: right at the first try?"""
    seen: Mapping[str, bool] = {}
    """The last puzzles answered, by the text of the position: right at the first try?"""

    def tally(self, game: str) -> PuzzleCounts:
        return self.games.get(game, PuzzleCounts())

    def answered(self, game: str, position: str, right: bool, day: date | None = None) -> Streaks:
        """After the first answer to a puzzle, perhaps that of a day; one that is known already changes no tally."""
        known = self.seen.get(position)
        games, seen = dict(self.games), dict(self.seen)
        if known is None:
            games[game] = self.tally(game).after(right)
            seen[position] = right
            seen = dict(list(seen.items())[-REMEMBERED:])
        days = dict(self.days)
        if day is not None:
            days.setdefault(day, right if known is None else known)
        return Streaks(games, days, seen)

    def solved_later(self, game: str) -> Streaks:
        """After a puzzle that was answered wrong at first has been solved."""
        tally = self.tally(game)
        return self._replace(games={**self.games, game: tally._replace(solved=tally.solved + 1)})

    def days_now(self, today: date) -> int:
        """Days in a row up to today; one that is not over yet breaks nothing."""
        day, count = today if today in self.days else today - DAY, 0
        while self.days.get(day):
            day, count = day - DAY, count + 1
        return count

    def days_best(self) -> int:
        """The most days there ever were in a row."""
        return max((self.days_now(day) for day in self.days), default=0)


def streak_lines(streaks: Streaks, today: date) -> list[str]:
    """All counts as a table for people."""
    if not streaks.games:
        return ["No puzzle has been answered yet."]
    titles = {name: find(name).title if name in game_names() else name for name in streaks.games}
    width = max(map(len, titles.values()))
    heads = ("in a row", "best", "at first try", "solved", "tried")
    lines = [" ".join([" " * width, *(f"  {head}" for head in heads)])]
    for name, tally in sorted(streaks.games.items()):
        cells = (str(count).rjust(len(head) + 2) for head, count in zip(heads, tally, strict=True))
        lines.append(" ".join([titles[name].ljust(width), *cells]))
    if streaks.days:
        now = counted(streaks.days_now(today), "day")
        share = f"{sum(streaks.days.values())} of {counted(len(streaks.days), 'day')}"
        left = "" if today in streaks.days else " Today's is not answered yet."
        lines += ["", f"Puzzle of the day: {now} in a row, {streaks.days_best()} at best; solved on {share}.{left}"]
    return lines


# As a file ------------------------------------------------------------------------------------------------


def write_streaks(streaks: Streaks) -> str:
    """The streaks as the text of their file."""
    content = {
        "pentagrid-streaks": FORMAT,
        "games": {name: tally._asdict() for name, tally in streaks.games.items()},
        "days": {day.isoformat(): right for day, right in streaks.days.items()},
        "seen": dict(streaks.seen),
    }
    return json.dumps(content, indent=1) + "\n"


def read_streaks(text: str) -> Streaks:
    """The streaks that `write_streaks` wrote. Raises `UnreadableError` saying what is wrong."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        raise UnreadableError("it is not JSON") from None
    if not isinstance(content, dict) or content.get("pentagrid-streaks") != FORMAT:
        raise UnreadableError(f"it is not a file of streaks of format {FORMAT}")
    games = {name: _tally(name, counts) for name, counts in _entries(content, "games").items()}
    days, seen = _entries(content, "days"), _entries(content, "seen")
    for key, right in (*days.items(), *seen.items()):
        if type(right) is not bool:
            raise UnreadableError(f"{key!r} is neither true nor false")
    return Streaks(games, {_day(text): right for text, right in days.items()}, seen)


def _entries(content: dict[str, Any], name: str) -> dict[str, Any]:
    entries = content.get(name)
    if not isinstance(entries, dict):
        raise UnreadableError(f"{name!r} is missing")
    return entries


def _tally(name: str, counts: object) -> PuzzleCounts:
    if not isinstance(counts, dict) or set(counts) != set(PuzzleCounts._fields):
        raise UnreadableError(f"the counts of {name!r} are not {', '.join(PuzzleCounts._fields)}")
    if any(type(count) is not int or count < 0 for count in counts.values()):
        raise UnreadableError(f"a count of {name!r} is not a number from 0 up")
    return PuzzleCounts(**counts)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise UnreadableError(f"{text!r} is not a day") from None


class StreakFile:
    """The file in the state folder; several processes may use it at once."""

    def __init__(self, folder: Path | None = None) -> None:
        folder = folder or state_folder("puzzles")
        self.path = folder / "streaks.json"
        self._lock = LockFile(folder / "streaks.lock", f"{self.path} is being used by another process.")

    def read(self) -> Streaks:
        """What is counted so far. Raises `UnreadableError` if it is damaged, `OptionError` if it is out of reach."""
        if not os.path.lexists(self.path):
            return Streaks()
        try:
            return read_streaks(read_regular_file(self.path, LARGEST_FILE).decode("utf-8"))
        except UnreadableError as error:
            raise UnreadableError(f"{self.path} cannot be read: {error}.") from None
        except UnicodeDecodeError:
            raise UnreadableError(f"{self.path} cannot be read: it is not text.") from None

    def look(self) -> tuple[Streaks, str | None]:
        """What is counted so far, and a sentence if a damaged file had to be set aside for that.

        Raises `OptionError` if it is out of reach.
        """
        try:
            return self.read(), None
        except UnreadableError:
            _, after, trouble = self.change(lambda streaks: streaks)
            return after, trouble

    def change(self, change: Callable[[Streaks], Streaks]) -> tuple[Streaks, Streaks, str | None]:
        """What was counted, what is counted now, and a sentence if a damaged file had to be set aside.

        Raises `OptionError` if the file cannot be written; it is then as it was.
        """
        with self._held():
            trouble = None
            try:
                before = self.read()
            except UnreadableError as error:
                trouble = f"{error} It is kept as {self._set_aside()}, and counting begins anew."
                before = Streaks()
            after = change(before)
            if after != before:
                write_atomically(self.path, write_streaks(after))
        return before, after, trouble

    @contextmanager
    def _held(self) -> Iterator[None]:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._lock.take(WAIT)
            yield
        except OSError as error:
            raise OptionError(f"{self.path} cannot be written: {error.strerror}.") from None
        finally:
            self._lock.give()

    def _set_aside(self) -> Path:
        number = 1
        while (aside := self.path.with_name(f"streaks.damaged-{number}.json")).exists():
            number += 1
        return self.path.rename(aside)
