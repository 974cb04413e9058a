"""The architecture, held by reading the imports: who may know whom, and what must stay light."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import pentagrid as pg

ROOT = Path(pg.__file__).parent
# From the ground up; a module may import from its own floor and those below it.
FLOORS = (
    {
        "errors",
        "dice",
        "position",
        "core",
        "scoring",
        "solving",
        "arrays",
        "symmetry",
        "speech",
        "files",
        "lockfile",
        "crew",
    },
    {"games"},
    {"catalog", "conformance", "rulebook"},
    {"analysis", "words", "handicap"},
    {"players", "outside"},
    {"match", "record", "review"},
    {"envs", "arena", "lab"},
    {"web"},
    {"terminal"},
)
APART = {"envs", "arena", "lab"}
HEAVY = ("numpy", "numba", "fastapi", "starlette", "uvicorn", "sqlalchemy", "gymnasium", "matplotlib", "rich", "click")


def floor(name):
    return next((number for number, floor in enumerate(FLOORS) if name in floor), None)


def modules():
    for path in sorted(ROOT.rglob("*.py")):
        yield path, path.relative_to(ROOT).with_suffix("").parts


def imports(path):
    """The modules of this package that a file imports, as tuples of names below `pentagrid`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (tuple(name.split(".")[1:]) for name in names if name.split(".")[0] == "pentagrid")


@pytest.mark.parametrize(
    ("path", "parts"), list(modules()), ids=lambda value: "/".join(value) if isinstance(value, tuple) else ""
)
def test_nobody_imports_from_a_floor_above(path, parts):
    if parts[0] in ("__init__", "__main__"):
        return
    here = floor(parts[0])
    assert here is not None, f"{path} stands on no floor: add it to FLOORS and to docs/architecture.md"
    for target in imports(path):
        if not target or target[0] == "__version__":
            continue
        there = floor(target[0])
        assert there is not None and there <= here, f"{'.'.join(parts)} must not import {'.'.join(target)}"
        if parts[0] in APART and target[0] in APART:
            assert target[0] == parts[0] or (parts[0], target[0]) != ("envs", "arena")


@pytest.mark.parametrize("path", sorted(ROOT.glob("games/*/*.py")), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_game_knows_no_other_game(path):
    for target in imports(path):
        assert target[:1] != ("games",) or target[1] == path.parent.name


def test_no_line_outside_its_folder_names_a_game():
    named = re.compile(
        "|".join(f"{n}|{n.replace('-', '_')}|{pg.load(n).title.replace(' ', '')}" for n in pg.game_names())
    )
    for path, parts in modules():
        if parts[0] == "games":
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        examples = {
            id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)
        }  # docstrings may give examples
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in examples:
                assert not named.search(node.value) or "such as" in node.value, f"{path}: {node.value!r}"
            if isinstance(node, ast.Name):
                assert not named.search(node.id), f"{path}: {node.id}"


@pytest.mark.parametrize("command", ["--version", "--help", "play matrix-capture"])
def test_start_up_loads_nothing_heavy(command, tmp_path):
    script = (
        "import sys; from pentagrid.terminal.main import main; code = main(sys.argv[1:]);"
        "print('LOADED', *sorted({name.split('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *command.split()], input="quit\n", capture_output=True, text=True,
        env={"HOME": str(tmp_path), "PATH": "", "XDG_STATE_HOME": str(tmp_path)},
    )  # fmt: skip
    loaded = done.stdout.split("LOADED")[1].split()
    assert not set(HEAVY) & set(loaded)


def test_the_library_itself_is_pure():
    done = subprocess.run(
        [sys.executable, "-c", "import sys, pentagrid; print(*sys.modules)"], capture_output=True, text=True, check=True
    )
    assert not {"argparse", "asyncio", "dataclasses", "inspect", *HEAVY} & set(done.stdout.split())
