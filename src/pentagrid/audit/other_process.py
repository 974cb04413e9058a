"""The same game in other processes: Python orders sets of text, and hashes text, differently in each."""

from __future__ import annotations

import ast
import inspect
import os
import subprocess
import sys
import textwrap
from typing import Any

from pentagrid.audit.moment import ADDRESS
from pentagrid.audit.referee import Episode, Referee
from pentagrid.audit.sources import unwrapped
from pentagrid.audit.targets import import_folder

HASHES = {"hash", "set", "frozenset"}
LIBRARIES = {*sys.stdlib_module_names, "gymnasium", "pettingzoo"}
HASH_SEEDS = ("1", "2", "3", "4")
MARKER = "pentagrid audit observed"
SECONDS = 30.0
"""Within which a game must be played in another process."""


def uses_hashes(env: Any) -> bool:
    """Does the code of an environment make sets or hashes? Only then another process is worth its time."""
    kinds = type(unwrapped(env)).__mro__
    return any(_has_hashes(kind) for kind in kinds if kind.__module__.partition(".")[0] not in LIBRARIES)


def _has_hashes(kind: type) -> bool:
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(kind)))
    except (OSError, TypeError, SyntaxError):  # there is no source, or not one of its own
        return False
    return any(
        isinstance(node, ast.Set | ast.SetComp)
        or (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in HASHES)
        for node in ast.walk(tree)
    )


def differs_elsewhere(referee: Referee, game: Episode) -> bool:
    """Does a game show something else in processes that differ in how they hash text?"""
    adapter, (first, *moves) = game.adapter, game.log[1:]
    shows = f"first = {adapter.observation_code(first)}"
    last = f"last = {adapter.observation_code(moves[-1])}" if moves else "last = 0"
    code = "; ".join((referee.factory.code, shows, *moves[:-1], last, f"print({MARKER!r}, [first, last])"))
    shown = set()
    for seed in HASH_SEEDS:
        variables = os.environ | {"PYTHONHASHSEED": seed}
        try:
            done = subprocess.run(
                [sys.executable, "-c", code], cwd=import_folder(referee.target), env=variables,
                capture_output=True, text=True, errors="replace", timeout=SECONDS, check=True,
            )  # fmt: skip
        except (subprocess.SubprocessError, OSError):
            return False
        shown.add(ADDRESS.sub("", done.stdout.rpartition(MARKER)[2]))  # what it prints itself is left out
        if len(shown) > 1:
            return True
    return False
