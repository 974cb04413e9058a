"""Files that are read and written with care: only regular ones, and written whole or not at all."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from pentagrid.errors import OptionError


def read_regular_file(path: Path, limit: int) -> bytes:
    """The content of a regular file of at most `limit` bytes; pipes and devices are never waited for.

    Raises `OptionError` saying why it cannot be read.
    """
    try:
        with open(path, "rb", opener=_open_without_waiting) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise OptionError(f"{path} cannot be read: it is not a regular file.")
            if status.st_size > limit:
                raise OptionError(f"{path} cannot be read: it has {status.st_size} bytes, more than {limit}.")
            return file.read(limit)
    except IsADirectoryError:
        raise OptionError(f"{path} cannot be read: it is not a regular file.") from None
    except OSError as error:
        raise OptionError(f"{path} cannot be read: {error.strerror}.") from None


def _open_without_waiting(path: str, flags: int) -> int:
    """Open a file; a pipe without a writer opens at once, where Unix has them."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def check_writable(path: Path) -> None:
    """Find out whether `write_atomically` can write a file, by making one beside it for a moment.

    Raises `OptionError` saying why it cannot be written. Nothing that is there changes.
    """
    folder, new = path.absolute().parent, _name_while_written(path)
    try:
        if not folder.is_dir():
            raise OptionError(f"There is no folder {folder} to write {path.name} in.")
        if path.exists() and not path.is_file():
            raise OptionError(f"{path} cannot be written: it is not a regular file.")
        new.touch()
        new.unlink()
    except OSError as error:
        raise OptionError(f"{path} cannot be written: {error.strerror}.") from None


def check_own(path: Path, mark: str) -> None:
    """Raise `OptionError` if a file is there that an earlier run did not write: one without this mark in it.

    For reports and descriptions that go beside a file that the user named.
    """
    if path.is_file() and mark.encode() not in path.read_bytes():
        raise OptionError(f"{path} is there already and is not from an earlier run; move it, or choose another --out.")


def write_atomically(path: Path, content: str | bytes) -> None:
    """Replace a file's content: a crash at any moment leaves the old one or the new one, never a part.

    Raises `OptionError` if it cannot be written; the file is then as it was.
    """
    new = _name_while_written(path)
    try:
        with open(new, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        new.replace(os.path.realpath(path))
    except OSError as error:
        raise OptionError(f"{path} cannot be written: {error.strerror}.") from None
    finally:
        with suppress(OSError):  # where nothing could be written, nothing is left either
            new.unlink(missing_ok=True)


def _name_while_written(path: Path) -> Path:
    """The name under which a file is written before it takes its place; links are followed."""
    path = Path(os.path.realpath(path))
    return path.with_name(f".{path.name}.{os.getpid()}.new")
