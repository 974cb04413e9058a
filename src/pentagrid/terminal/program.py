"""How this program was called, for the commands it suggests."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path


def program() -> str:
    """The words that start this program again from the same shell and folder."""
    called = Path(sys.argv[0])
    if called.name == "__main__.py":
        return f"{shlex.quote(_near(Path(sys.executable)))} -m pentagrid"
    from shutil import which

    found = which(called.name)
    if found and os.path.realpath(found) == os.path.realpath(called):
        return called.name
    return shlex.quote(_near(called))


def _near(path: Path) -> str:
    """A path as it is shortest to type: relative when it lies below this folder."""
    try:
        return str(path.absolute().relative_to(Path.cwd()))
    except ValueError:
        return str(path)
