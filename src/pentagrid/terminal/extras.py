"""Commands that need a package of an extra say which, instead of failing with a traceback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pentagrid.errors import OptionError


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Import inside; what is missing is told with the extra that brings it."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "pentagrid":
            raise
        raise OptionError(
            f'This needs the package {error.name}, which is not installed: pip install "pentagrid[{extra}]".'
        ) from None
