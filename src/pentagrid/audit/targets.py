"""From words to environments: `my_game.py`, `my_game.py:MyGame`, `my_package.games:MyGame`, `Name-v0`, whole folders.

What is here imports other people's code, so it is only called in a process of its own (`audit/isolation.py`), but for
`list_files`, which only reads.
"""

from __future__ import annotations

import inspect
import json
import pkgutil
import re
import sys
from collections.abc import Iterator
from fnmatch import fnmatchcase
from importlib import import_module
from keyword import iskeyword
from pathlib import Path
from types import ModuleType
from typing import Any

from pentagrid.audit.adapters import Factory, one_line
from pentagrid.audit.sources import needed_arguments
from pentagrid.errors import OptionError, shown

GYMNASIUM_ID = re.compile(r"(?:[\w.]+:)?(?:[\w-]+/)?[\w.-]+-v\d+")
HAS_ENVIRONMENT = re.compile(r"^\s*def (?:step|reset|make|env)\b|^class \w+\(.*(?:env|game)\b", re.M | re.I)
"""What a file that holds an environment has somewhere."""
SKIPPED_FOLDERS = {"__pycache__", "node_modules", "build", "dist", "site-packages"}
PROTOCOL = "make"
"""The function that a protocol file has."""
PETTINGZOO = "env"
"""The function that a module of PettingZoo has."""


class CannotLoadError(Exception):
    """Another's code cannot be loaded; the message says why, in a sentence without its period."""

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message)
        self.code = code
        """The Python statement that shows it, where one does."""


def list_files(folder: Path) -> list[str]:
    """The files of a folder, and of folders in it, that may hold an environment."""
    found = []
    for path in sorted(folder.rglob("*.py")):
        inside = path.relative_to(folder)
        hidden = any(part.startswith((".", "__")) or part in SKIPPED_FOLDERS for part in inside.parts)
        if not hidden and HAS_ENVIRONMENT.search(path.read_text(encoding="utf-8", errors="replace")):
            found.append(str(path))
    return found


def list_modules(pattern: str) -> list[str]:
    """The modules whose dotted names match a pattern such as `my_envs.game_*`. Raises `CannotLoadError`."""
    fixed = pattern.split("*")[0].split("?")[0].split("[")[0]
    package = fixed.rpartition(".")[0]
    if not package:
        return [found.name for found in pkgutil.iter_modules() if fnmatchcase(found.name, pattern)]
    paths = getattr(_import(package), "__path__", None)
    if paths is None:
        raise CannotLoadError(f"{package} is a module, not a package, so nothing in it can match {pattern}")
    names = (found.name for found in pkgutil.iter_modules(paths, f"{package}."))
    return [name for name in names if fnmatchcase(name, pattern)]


def split_target(target: str) -> tuple[str, str]:
    """The module or file of a target, and the name in it, which may be empty."""
    if target.endswith(".py"):
        return target, ""
    file, py, name = target.rpartition(".py:")
    if py:
        return f"{file}.py", name
    module, _, name = target.partition(":")
    return module, name


def is_complete(target: str) -> bool:
    """Does it name one environment, so that nothing need be looked for?"""
    return bool(GYMNASIUM_ID.fullmatch(target) or split_target(target)[1])


def check_target(target: str) -> None:
    """Raise `OptionError` for words that cannot name an environment."""
    where, _ = split_target(target)
    if where.endswith(".py"):
        if not Path(where).is_file():
            raise OptionError(f"There is no file {shown(where)}.")
    elif not GYMNASIUM_ID.fullmatch(target) and not re.fullmatch(r"[^\W\d]\w*(\.[^\W\d]\w*)*", where):
        raise OptionError(
            "The environment must be FILE.py, FILE.py:CLASS, MODULE:CLASS or a Gymnasium id such as Name-v0, "
            f"not {shown(target)}."
        )


def find_environments(target: str) -> list[str]:
    """The environments in a file or module, each as a complete target. Raises `CannotLoadError`."""
    where, _ = split_target(target)
    module = _load_module(where)
    for function in (PROTOCOL, PETTINGZOO):
        found = getattr(module, function, None)
        if inspect.isfunction(found) and not needed_arguments(found):
            return [f"{where}:{function}"]
    names = [name for name, value in vars(module).items() if _is_environment(value, module)]
    return [f"{where}:{name}" for name in names]


def _is_environment(value: Any, module: ModuleType) -> bool:
    """Is it a class of this module that makes environments without arguments?"""
    if not inspect.isclass(value) or value.__module__ != module.__name__ or value.__name__.startswith("_"):
        return False
    if inspect.isabstract(value) or any(base.__name__.endswith("Wrapper") for base in value.__mro__):
        return False
    return all(callable(getattr(value, name, None)) for name in ("reset", "step")) and not needed_arguments(value)


def load_factory(target: str, **options: Any) -> Factory:
    """How the environment of a complete target is made. Raises `CannotLoadError`."""
    keywords = "".join(f", {name}={json.dumps(value)}" for name, value in options.items())
    if GYMNASIUM_ID.fullmatch(target):
        gymnasium = _import("gymnasium")
        options["disable_env_checker"] = True
        code = f"import gymnasium; env = gymnasium.make({json.dumps(target)}{keywords})"
        return Factory(lambda: gymnasium.make(target, **options), code)
    where, name = split_target(target)
    module = _load_module(where)
    make: Any = module
    for part in name.split("."):
        make = getattr(make, part, None)
    if make is None:
        code = import_code(module.__name__, name.partition(".")[0])
        raise CannotLoadError(f"{where} has no {shown(name)}", code)
    if not callable(make):
        raise CannotLoadError(f"{target} is not a class or function that makes an environment")
    if name == PROTOCOL and inspect.isfunction(make):
        return Factory(make, f"{import_code(module.__name__, '*')}; env = make()", module)
    first = name.partition(".")[0]
    code = f"{import_code(module.__name__, first)}; env = {name}({keywords.removeprefix(', ')})"
    return Factory(lambda: make(**options), code)


def import_code(module: str, name: str) -> str:
    """The statement that imports a name, or `*`, from a module, also where the file's name is not one of Python's."""
    if all(part.isidentifier() and not iskeyword(part) for part in module.split(".")):
        return f"from {module} import {name}"
    found = f"__import__('importlib').import_module({module!r})".replace("'", '"')
    return f"globals().update(vars({found}))" if name == "*" else f"{name} = {found}.{name}"


def _load_module(where: str) -> ModuleType:
    """The module of a dotted name, or of a file: one in a package is loaded as part of it."""
    if not where.endswith(".py"):
        return _import(where)
    root, name = module_of_file(Path(where))
    sys.path.insert(0, str(root))
    module = _import(name)
    if Path(getattr(module, "__file__", "") or "").resolve() != Path(where).resolve():
        raise CannotLoadError(f"the name of {where} is taken: {name} is another module; rename the file")
    return module


def module_of_file(path: Path) -> tuple[Path, str]:
    """The folder from which a file can be imported, and its dotted name there."""
    path = path.resolve()
    root, parts = path.parent, [path.stem]
    while (root / "__init__.py").exists() and root.parent != root:
        parts.insert(0, root.name)
        root = root.parent
    return root, ".".join(parts)


def import_folder(target: str) -> Path:
    """The folder in which the commands that show a finding again must run."""
    where, _ = split_target(target)
    return module_of_file(Path(where))[0] if where.endswith(".py") else Path.cwd()


def _import(name: str) -> ModuleType:
    try:
        return import_module(name)
    except BaseException as error:  # another's code may raise anything, and try to end the program
        raise CannotLoadError(f"importing {name} raised {one_line(error)}", import_code(name, "*")) from None


def expand(pattern: str) -> Iterator[str]:
    """The files or modules of a folder or of a pattern of modules. Raises `CannotLoadError`."""
    if Path(pattern).is_dir():
        yield from list_files(Path(pattern))
    elif pattern.endswith(".py"):
        yield pattern
    else:
        yield from list_modules(pattern)
