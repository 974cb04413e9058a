"""Optional packages: a command that needs one says which extra brings it, instead of failing with a traceback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pentagrid.errors import OptionError


@contextmanager
def require_extra(extra: str) -> Iterator[None]:
    """Import inside: a package that is missing becomes an `OptionError` that names the extra."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "pentagrid":
            raise
        raise OptionError(
            f'This needs the package {error.name}, which is not installed: pip install "pentagrid[{extra}]".'
        ) from None
