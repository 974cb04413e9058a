"""The architecture, held by reading the sources: who may import whom, what is public, what stays light."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from fnmatch import fnmatch
from pathlib import Path

import pytest

import pentagrid as pg

ROOT = Path(pg.__file__).parent
# From the ground up; a module may import from its own package and from those on floors below it.
FLOORS = (
    {"errors"},
    {"util"},
    {"core"},
    {"games"},
    {"analysis"},
    {"play"},
    {"envs", "audit", "arena", "llm", "fairness", "puzzles", "train"},
    {"web"},
    {"terminal"},
)
# Packages on one floor do not know each other, but for these.
NEIGHBORS = {
    ("llm", "arena"): "duels of language models are planned like tournaments, and measured like them",
    ("train", "envs"): "agents learn in the environments of JAX",
}
# Every import inside a function, with its reason: (the importing module, what is imported).
LAZY = {
    ("core.catalog", "importlib.metadata"): "entry points cost a look at every installed package",
    ("core.catalog", "difflib"): "only for a name that is unknown",
    ("core.deal_solver", "numpy"): "a hot-seat game loads no arrays",
    ("games.number_cross.rules", "numpy"): "a hot-seat game loads no arrays",
    ("llm.dataset_files", "pyarrow*"): "an extra, and only for Parquet",
    ("envs.__init__", "pentagrid.envs.aec"): "all but the environments of PettingZoo do without it",
    ("play.players", "pentagrid.play.*"): "only where what a user has named sits at a seat",
    (
        "terminal.commands.*",
        "*",
    ): "`pentagrid --help` loads every command for its first line",
    ("terminal.census_options", "*"): "shared by the commands census and balance, which load their work when they run",
    ("terminal.worker_options", "pentagrid.util.dask_cluster"): "an extra, and slow to load",
    ("terminal.app_start", "pentagrid.terminal.app.*"): "Textual is an extra, and slow to load",
    ("terminal.app.*", "pentagrid.terminal.app.*"): "first paint is quick: a screen is loaded when it is opened",
    ("terminal.app.*", "pentagrid.terminal.*"): "first paint is quick: what only some screens need waits",
    ("terminal.main", "pentagrid.terminal.app_start"): "only without a command",
    ("terminal.main", "argparse"): "`pentagrid --version` and the menu do without",
    ("terminal.main", "pentagrid.core.catalog"): "only to list the games",
    ("terminal.main", "pentagrid.terminal.help_layout"): "only with argparse, or for help",
    ("terminal.main", "pentagrid.terminal.menu"): "only without a command",
    ("terminal.menu", "*"): "the menu runs commands, and commands may not load before they are chosen",
    ("terminal.input", "*"): "what only one system has, or only a clock needs",
    ("terminal.near_misses", "difflib"): "only for a word that is unknown",
    ("terminal.progress_bar", "tqdm"): "only for long work on a terminal",
    ("terminal.saved_games", "platformdirs"): "only where a file is kept",
    ("terminal.suggested_commands", "shutil"): "only where a command is suggested",
    ("web.pages.preview_svg", "resvg_py"): "only the processes that draw pictures need it",
    ("web.store.interface", "pentagrid.web.store.*"): "PostgreSQL's driver is an extra",
}
# Private names that are somebody else's public interface.
NOT_OURS = {"_asdict", "_replace", "_fields", "_make", "_exit", "_processes"}
NOT_OURS |= {"_driver"}  # what Textual itself calls to give the terminal back
NOT_OURS |= {
    "_clear_rewards",
    "_accumulate_rewards",
    "_get_indices",
    "_was_dead_step",
}  # what PettingZoo's environments call
HEAVY = (
    "numpy", "numba", "fastapi", "starlette", "uvicorn", "sqlalchemy", "gymnasium", "matplotlib", "rich", "click",
    "textual", "prompt_toolkit", "websockets",
)  # fmt: skip


def floor(package):
    return next((number for number, floor in enumerate(FLOORS) if package in floor), None)


def sources():
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        yield ".".join(parts), parts, ast.parse(path.read_text(encoding="utf-8"))


SOURCES = list(sources())
INSIDE = [source for source in SOURCES if source[1][0] not in ("__init__", "__main__")]
each_module = pytest.mark.parametrize(("module", "parts", "tree"), INSIDE, ids=[source[0] for source in INSIDE])


def imported(tree):
    """The modules that a tree imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "a relative import"
            if node.module == "pentagrid":
                yield from (f"pentagrid.{alias.name}" for alias in node.names)
            else:
                yield str(node.module)


def our_packages(tree):
    for name in imported(tree):
        head, *rest = name.split(".")
        if head == "pentagrid" and rest and rest[0] != "__version__":
            yield rest


@each_module
def test_nobody_imports_from_a_floor_above(module, parts, tree):
    here = floor(parts[0])
    assert here is not None, f"{module} stands on no floor: add it to FLOORS and to docs/architecture.md"
    for package, *rest in our_packages(tree):
        there = floor(package)
        assert there is not None and there <= here, f"{module} must not import {'.'.join([package, *rest])}"
        if there == here and package != parts[0]:
            assert (parts[0], package) in NEIGHBORS, f"{module} must not import its neighbor {package}"


def test_every_listed_neighbor_is_needed():
    pairs = {(parts[0], package) for _, parts, tree in INSIDE for package, *_ in our_packages(tree)}
    assert set(NEIGHBORS) <= pairs


@pytest.mark.parametrize("source", [s for s in SOURCES if s[1][0] == "games" and len(s[1]) == 3], ids=lambda s: s[0])
def test_a_game_knows_no_other_game(source):
    _, parts, tree = source
    for package, *rest in our_packages(tree):
        assert package != "games" or rest[0] == parts[1]


@each_module
def test_imports_inside_functions_are_listed(module, parts, tree):
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for name in imported(function):
                listed = any(fnmatch(module, a) and fnmatch(name, b) for a, b in LAZY)
                assert listed, f"{module} imports {name} inside {function.name}: say why in LAZY"


def test_every_listed_lazy_import_is_there():
    inside = [
        (module, name)
        for module, _, tree in INSIDE
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for name in imported(function)
    ]
    for pattern in LAZY:
        assert any(fnmatch(module, pattern[0]) and fnmatch(name, pattern[1]) for module, name in inside), pattern


def private_names(tree):
    """The private names that a module defines: functions, classes, variables, attributes of self."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


def test_nobody_reaches_for_private_names_of_another_package():
    own: dict[str, set[str]] = {}
    for _, parts, tree in SOURCES:
        own.setdefault(parts[0], set()).update(private_names(tree))
    for module, parts, tree in SOURCES:
        for node in ast.walk(tree):
            names = [node.attr] if isinstance(node, ast.Attribute) else []
            if isinstance(node, ast.ImportFrom):
                names = [alias.name for alias in node.names]
            for name in names:
                private = name.startswith("_") and not name.startswith("__")
                assert not private or name in own[parts[0]] | NOT_OURS, f"{module} uses {name}"


def test_no_two_modules_share_a_name():
    names = Counter(parts[-1] for _, parts, _ in INSIDE if parts[0] != "games" and parts[-1] != "__init__")
    commands = {parts[-1] for _, parts, _ in INSIDE if parts[:2] == ("terminal", "commands")}
    assert [name for name, count in names.items() if count > 1 + (name in commands)] == []


def test_no_two_classes_share_a_name():
    names = Counter(
        node.name
        for _, parts, tree in INSIDE
        if parts[0] != "games"
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    )
    assert [name for name, count in names.items() if count > 1] == []


def test_no_line_outside_its_folder_names_a_game():
    named = re.compile(
        "|".join(f"{n}|{n.replace('-', '_')}|{pg.load(n).title.replace(' ', '')}" for n in pg.game_names())
    )
    for module, parts, tree in SOURCES:
        if parts[0] == "games":
            continue
        examples = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings may give some
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in examples:
                assert not named.search(node.value) or "such as" in node.value, f"{module}: {node.value!r}"
            if isinstance(node, ast.Name):
                assert not named.search(node.id), f"{module}: {node.id}"


def test_the_front_door_exports_what_it_says():
    homes = [name for names in pg._HOMES.values() for name in names]
    assert sorted(homes) == pg.__all__ and not [name for name, count in Counter(homes).items() if count > 1]
    assert all(getattr(pg, name) is not None for name in pg.__all__)
    _, _, tree = next(source for source in SOURCES if source[0] == "__init__")
    typed = [alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names]
    assert set(homes) <= set(typed), "what the type checker sees"
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        pg.nothing  # noqa: B018


@pytest.mark.parametrize("command", ["", "--version", "--help", "play matrix-capture"])
def test_start_up_loads_nothing_heavy(command, tmp_path):
    script = (
        "import sys; from pentagrid.terminal.main import main; code = main(sys.argv[1:]);"
        "print('LOADED', *sorted({name.split('.')[0] for name in sys.modules} | {*sys.modules}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *command.split()], input="quit\n", capture_output=True, text=True,
        env={"HOME": str(tmp_path), "PATH": "", "XDG_STATE_HOME": str(tmp_path)},
    )  # fmt: skip
    loaded = done.stdout.split("LOADED")[1].split()
    assert not set(HEAVY) & set(loaded)
    if "play" in command:
        assert "importlib.metadata" not in loaded, "entry points are looked up only when games are listed"


def test_the_library_itself_is_pure():
    script = "import sys, pentagrid as pg; [getattr(pg, name) for name in pg.__all__]; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert not {"argparse", "asyncio", "dataclasses", "inspect", "importlib.metadata", *HEAVY} & set(
        done.stdout.split()
    )
