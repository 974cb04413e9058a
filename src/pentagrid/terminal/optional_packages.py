"""Optional packages: a command that needs one says which extra brings it, instead of failing with a traceback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pentagrid.errors import OptionError


@contextmanager
def require_extra(extra: str, made_by: str = "") -> Iterator[None]:
    """Import inside: a package that is missing becomes an `OptionError` that names the extra.

    `made_by` is the command that brings it in a clone of the project, where there is one.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "pentagrid":
            raise
        ways = f'pip install "pentagrid[{extra}]"' + (f", or {made_by} in a clone" if made_by else "")
        raise OptionError(f"This needs the package {error.name}, which is not installed: {ways}.") from None
