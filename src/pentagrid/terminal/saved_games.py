"""The files that games are kept in: after every move, so that nothing is lost."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from pentagrid.core.game import Game
from pentagrid.errors import OptionError, PentagridError, UnreadableError, shown
from pentagrid.play.record import LARGEST_FILE, Record, read_record_bytes, write_record
from pentagrid.util.files import write_atomically

SUFFIX = ".pentagrid"


def state_folder(part: str = "games") -> Path:
    """The folder in which things of this user are kept: by itself, his saved games."""
    from platformdirs import user_state_path

    return user_state_path("pentagrid", appauthor=False) / part


def check_folder(path: Path, to: str) -> None:
    """Raise `OptionError` unless there is a folder to write (or draw, or save) a file in."""
    folder = path.absolute().parent
    if not folder.is_dir():
        raise OptionError(f"There is no folder {folder} to {to} {path.name} in.")


class SaveFile:
    """One game's file. Only ever overwrites what it wrote itself."""

    def __init__(self, path: Path, content: bytes | None = None) -> None:
        self.path = path
        self._content = content

    @classmethod
    def named(cls, name: str) -> SaveFile:
        """A new file that the user names. Raises `OptionError` if there is one already, or if there can be none."""
        path = Path(name).expanduser()
        if not name.isprintable() or not path.name or name.endswith(("/", "\\")):
            raise OptionError(f"{shown(name)} is not the name of a file.")
        try:
            if path.exists():
                raise OptionError(f"{path} is there already and stays as it is; give another name.")
            check_folder(path, "save")
        except OSError as error:
            raise OptionError(f"{shown(name)} is not the name of a file: {error.strerror}.") from None
        return cls(path)

    @classmethod
    def fresh(cls, game: Game) -> SaveFile:
        """A new file in the state folder. Raises `OptionError`."""
        folder = state_folder()
        stem = f"{time.strftime('%Y-%m-%d-%H%M%S')}-{game.name}"
        for name in (stem, *(f"{stem}-{i}" for i in range(2, 1000))):
            path = folder / (name + SUFFIX)
            try:
                folder.mkdir(parents=True, exist_ok=True)
                path.touch(exist_ok=False)
            except FileExistsError:
                continue
            except OSError as error:
                raise OptionError(f"Games cannot be kept in {folder}: {error.strerror}.") from None
            return cls(path, b"")
        raise OptionError(f"{folder} is full of games of this second.")

    @classmethod
    def opened(cls, path: Path) -> tuple[SaveFile, Record]:
        """A file that is there, with the record in it. Raises as `read_file`."""
        content = _content(path)
        return cls(path, content), _record(path, content)

    def write(self, record: Record) -> None:
        """Put the game as it now stands into the file. Raises `OptionError`; the file is then as it was."""
        try:
            found = self.path.read_bytes() if self.path.exists() else None
            if found is not None and found != self._content:
                raise OptionError(f"{self.path} has been changed by someone else and stays as it is.")
            text = write_record(record)
            write_atomically(self.path, text)
        except OSError as error:
            raise OptionError(f"{self.path} cannot be written: {error.strerror}.") from None
        self._content = text.encode()


def read_file(path: Path) -> Record:
    """The record in a file. Raises `UnreadableError` naming file and line, `OptionError` if there is none."""
    return _record(path, _content(path))


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise OptionError(f"{path} cannot be read: {error.strerror}.") from None


def _record(path: Path, content: bytes) -> Record:
    try:
        return read_record_bytes(content)
    except PentagridError as error:
        raise UnreadableError(f"{path}, {error}") from None


def saved_games() -> Iterator[Path]:
    """The files of the state folder, last played first."""
    found = state_folder().glob(f"*{SUFFIX}")
    return iter(sorted(found, key=lambda path: (path.stat().st_mtime_ns, path.name), reverse=True))
