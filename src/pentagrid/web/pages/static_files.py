"""Scripts and styles: a browser keeps them for good, since their address holds a digest of what they all contain."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from fastapi.responses import Response
from fastapi.staticfiles import StaticFiles

PLAIN = "/static"
FOLDER = Path(__file__).parent / "static"


def _digest() -> str:
    digest = hashlib.blake2s(digest_size=8)
    for path in sorted(FOLDER.rglob("*")):
        if path.is_file():
            digest.update(path.relative_to(FOLDER).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


HASHED = f"{PLAIN}/{_digest()}"
"""Where the files are: scripts that import each other by their names stay in one version."""


class KeptFiles(StaticFiles):
    """Files that never change at their address."""

    def file_response(self, *args: Any, **more: Any) -> Response:
        response = super().file_response(*args, **more)
        response.headers["cache-control"] = "public, max-age=31536000, immutable"
        return response


def with_digest(page: str) -> str:
    """A page that names its files plainly, with the addresses that can be kept."""
    return page.replace(f'"{PLAIN}/', f'"{HASHED}/')
