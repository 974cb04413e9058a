"""The rules of each game as settled: the one text that the terminal, the browser and the documents show."""

from __future__ import annotations

import re
from importlib.resources import files

from pentagrid.core.catalog import find
from pentagrid.core.game import Game

TIPS = "## Tips"


def rules_of(name: str, tips: bool = True) -> str:
    """The rules of a game, in Markdown, with or without its tips. Raises `OptionError` if there is no such game."""
    text = files(find(name).__module__.rpartition(".")[0]).joinpath("rules.md").read_text(encoding="utf-8")
    return text if tips else re.sub(rf"^{TIPS}$.*?(?=^## |\Z)", "", text, flags=re.M | re.S).rstrip() + "\n"


def options_of(game: Game) -> dict[str, str]:
    """The rule options that are chosen beyond those rules, such as 'pie=on', each with what it settles."""
    meanings = {rule.name: rule.meaning for rule in game.offered_rules}
    return {f"{name}={value}": meanings[name] for name, value in game.chosen_rules.items()}
