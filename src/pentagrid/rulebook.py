"""The rules of each game as settled: the one text that the terminal, the browser and the documents show."""

from __future__ import annotations

from importlib.resources import files

from pentagrid.catalogue import find


def rules_of(name: str) -> str:
    """The rules of a game, in Markdown. Raises `OptionError` if there is no such game."""
    return files(find(name).__module__.rpartition(".")[0]).joinpath("rules.md").read_text(encoding="utf-8")
