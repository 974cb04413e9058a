"""Saved games: one file for each game, written after every move so that nothing is lost."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from pentagrid.errors import OptionError, PentagridError, UnreadableError, shown
from pentagrid.play.record import LARGEST_FILE, Record, read_record_bytes, write_record
from pentagrid.util.files import check_writable, read_regular_file, write_atomically

SUFFIX = ".pentagrid"
FILE_HELP = "a record file, or the number that pentagrid games gives a saved game"


def state_folder(part: str = "games") -> Path:
    """The folder for what the program keeps for this user; without a part named, that of the saved games."""
    from platformdirs import user_state_path

    return user_state_path("pentagrid", appauthor=False) / part


class SaveFile:
    """The file of one game. It only ever overwrites what it wrote itself."""

    def __init__(self, path: Path, content: bytes | None = None) -> None:
        self.path = path
        self._content = content

    @classmethod
    def named(cls, name: str) -> SaveFile:
        """A new file that the user names. Raises `OptionError` if there is one already, or if there can be none."""
        try:
            path = Path(name).expanduser()
        except RuntimeError:  # "~" before a name that nobody has
            raise OptionError(f"{shown(name)} is not the name of a file: there is no such home folder.") from None
        if not name.isprintable() or not path.name or name.endswith(("/", "\\")):
            raise OptionError(f"{shown(name)} is not the name of a file.")
        if os.path.lexists(path):
            raise OptionError(f"{path} is there already and stays as it is; give another name.")
        check_writable(path)
        return cls(path)

    @classmethod
    def fresh(cls, record: Record) -> SaveFile:
        """A new file in the state folder with the game in it. Raises `OptionError`, and then leaves no file."""
        folder = state_folder()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path = cls._claimed(folder, record.match.start.game.name)
        except OSError as error:
            raise OptionError(f"Games cannot be kept in {folder}: {error.strerror}.") from None
        file = cls(path, b"")
        try:
            file.write(record)
        finally:
            if not file._content:
                with suppress(OSError):  # a disk that does not even forget
                    path.unlink()
        return file

    @staticmethod
    def _claimed(folder: Path, game: str) -> Path:
        """An empty file that no other process has: its name is the time and the game. Raises `OSError`."""
        stem, number = f"{time.strftime('%Y-%m-%d-%H%M%S')}-{game}", 1
        while True:
            path = folder / f"{stem}{f'-{number}' if number > 1 else ''}{SUFFIX}"
            try:
                path.touch(exist_ok=False)
                return path
            except FileExistsError:
                number += 1

    @classmethod
    def opened(cls, path: Path) -> tuple[SaveFile, Record]:
        """A file that is there, with the record in it. Raises as `read_file`."""
        content = read_regular_file(path, LARGEST_FILE)
        return cls(path, content), _record(path, content)

    def write(self, record: Record) -> None:
        """Put the game as it now stands into the file. Raises `OptionError`; the file is then as it was."""
        if os.path.lexists(self.path) and read_regular_file(self.path, LARGEST_FILE) != self._content:
            raise OptionError(f"{self.path} has been changed by someone else and stays as it is.")
        text = write_record(record)
        write_atomically(self.path, text)
        self._content = text.encode()


def read_file(path: Path) -> Record:
    """The record in a file. Raises `UnreadableError` naming file and line, `OptionError` if there is none."""
    return _record(path, read_regular_file(path, LARGEST_FILE))


def _record(path: Path, content: bytes) -> Record:
    try:
        return read_record_bytes(content)
    except PentagridError as error:
        raise UnreadableError(f"{path}, {error}") from None


class SavedGame(NamedTuple):
    """An entry of the state folder that is called like a saved game, whatever it holds."""

    path: Path
    modified: float
    """When it was last written, in seconds since 1970."""


def saved_games() -> list[SavedGame]:
    """The entries of the state folder, last played first."""
    entries = [SavedGame(path, _modified(path)) for path in state_folder().glob(f"*{SUFFIX}")]
    return sorted(entries, key=lambda entry: (entry.modified, entry.path.name), reverse=True)


def is_number(text: str) -> bool:
    """Is this the number of a saved game, rather than a file's name?"""
    return text.isascii() and text.isdecimal()


def named_file(text: str) -> Path:
    """The file of a saved game by its number in the list, or else by its name. Raises `OptionError`.

    A file whose name is a number needs its folder: ./3.
    """
    if not is_number(text):
        return Path(text)
    entries = saved_games()
    if not 1 <= int(text) <= len(entries):
        numbers = {0: "there are none", 1: "there is only 1"}.get(len(entries), f"there are 1 to {len(entries)}")
        raise OptionError(f"There is no saved game {text}: {numbers} (pentagrid games).")
    return entries[int(text) - 1].path


def _modified(path: Path) -> float:
    """When a file was last written; of a link that leads nowhere, the link."""
    for follow in (True, False):
        with suppress(OSError):
            return path.stat(follow_symlinks=follow).st_mtime
    return 0.0  # it has just been removed
