"""The files that games are kept in: after every move, so that nothing is lost."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

from pentagrid.core import Game
from pentagrid.errors import OptionError, PentagridError, UnreadableError
from pentagrid.files import write_atomically
from pentagrid.record import Record, read_bytes, write

SUFFIX = ".pentagrid"


def state_folder() -> Path:
    """The folder of the user's saved games."""
    from platformdirs import user_state_path

    return user_state_path("pentagrid", appauthor=False) / "games"


class SaveFile:
    """One game's file. Only ever overwrites what it wrote itself."""

    def __init__(self, path: Path, text: str | None = None) -> None:
        self.path = path
        self._text = text

    @classmethod
    def fresh(cls, game: Game, path: Path | None = None) -> SaveFile:
        """A file for a new game: a given one that must not exist, or a new one in the state folder.

        Raises `OptionError`.
        """
        if path is not None:
            if path.exists():
                raise OptionError(f"{path} is there already and stays as it is; give --save another name.")
            if not path.absolute().parent.is_dir():
                raise OptionError(f"There is no folder {path.absolute().parent} to save {path.name} in.")
            return cls(path)
        folder = state_folder()
        stem = f"{time.strftime('%Y-%m-%d-%H%M%S')}-{game.name}"
        for name in (stem, *(f"{stem}-{i}" for i in range(2, 1000))):
            try:
                folder.mkdir(parents=True, exist_ok=True)
                with open(folder / (name + SUFFIX), "x"):
                    return cls(folder / (name + SUFFIX), "")
            except FileExistsError:
                continue
            except OSError as error:
                raise OptionError(f"Games cannot be kept in {folder} ({error.strerror}); give --save FILE.") from None
        raise OptionError(f"{folder} is full of games of this second.")

    @classmethod
    def opened(cls, path: Path) -> tuple[SaveFile, Record]:
        """A file that is there, with the record in it. Raises `UnreadableError` naming file and line."""
        record = read_file(path)
        return cls(path, path.read_text(encoding="utf-8-sig")), record

    def write(self, record: Record) -> None:
        """Put the game as it now stands into the file.

        Raises `OSError`, or `OptionError` if someone else has written there.
        """
        try:
            found = self.path.read_text(encoding="utf-8-sig")
        except FileNotFoundError:
            found = None
        if found is not None and found != self._text:
            raise OptionError(f"{self.path} has been changed by someone else and stays as it is; type save FILE.")
        text = write(record)
        write_atomically(self.path, text)
        self._text = text


def read_file(path: Path) -> Record:
    """The record in a file. Raises `UnreadableError` naming file and line, `OptionError` if there is none."""
    try:
        return read_bytes(path.read_bytes())
    except OSError as error:
        raise OptionError(f"{path} cannot be read: {os.strerror(error.errno or 0)}.") from None
    except PentagridError as error:
        raise UnreadableError(f"{path}, {error}") from None


def saved_games() -> Iterator[Path]:
    """The files of the state folder, last played first."""
    found = state_folder().glob(f"*{SUFFIX}")
    return iter(sorted(found, key=lambda path: (path.stat().st_mtime_ns, path.name), reverse=True))
