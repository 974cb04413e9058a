"""Make the pages that have their source elsewhere: python docs/make.py (or make docs)."""

from __future__ import annotations

from pathlib import Path

import pentagrid as pg
from pentagrid.core.rulebook import rules_of

FOLDER = Path(__file__).parent / "games"
NOTE = "<!-- Made by `make docs` from the rules that `pentagrid rules` shows; change them there. -->\n\n"


def page(name: str) -> str:
    """A game's page: its rules as the program shows them."""
    return NOTE + rules_of(name)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in pg.game_names():
        (FOLDER / f"{name}.md").write_text(page(name), encoding="utf-8")
