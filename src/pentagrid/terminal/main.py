"""The command `pentagrid`."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

from pentagrid import __version__
from pentagrid.errors import OptionError, PentagridError, shown
from pentagrid.terminal.near_misses import full_word, nearest, spelled
from pentagrid.terminal.output import prepare_output

COMMANDS = (
    "play", "invite", "join", "resume", "replay", "games", "rules", "analyze", "solve", "puzzle", "serve", "census",
    "balance", "arena", "audit", "dataset", "evaluate", "train", "mcp",
)  # fmt: skip
OPTIONS = ("--help", "--plain", "--version")
DONE, WRONG_USAGE, INTERRUPTED = 0, 2, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code: 0 done, 2 wrong usage, 130 interrupted."""
    prepare_output()
    try:
        return _run(list(sys.argv[1:] if argv is None else argv))
    except PentagridError as error:
        print(f"pentagrid: {error}", file=sys.stderr)
        return WRONG_USAGE
    except KeyboardInterrupt:
        print()
        return INTERRUPTED
    except BrokenPipeError:
        _abandon_output()  # the reader has left: end without a word
        return DONE
    except OSError as error:
        if error.filename is None and error.errno in (errno.ENOSPC, errno.EIO):
            _abandon_output()
            print(f"pentagrid: The output cannot be written: {error.strerror}.", file=sys.stderr)
        else:
            print(f"pentagrid: {_system_error(error)}.", file=sys.stderr)
        return WRONG_USAGE


def _system_error(error: OSError) -> str:
    """An error of the system in a line: the file, if there is one, and what is wrong."""
    return ": ".join(str(part) for part in (error.filename, error.strerror or error) if part is not None)


def _abandon_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _run(argv: list[str]) -> int:
    if not argv or argv == ["--plain"]:
        return _open(plain=bool(argv))
    name, *rest = argv
    if name in ("-V", "--version"):
        print(f"pentagrid {__version__}")
        return DONE
    if name in ("-h", "--help") or full_word(name) == "help":
        if rest:
            return run_command(rest[0], ["--help"])
        print(overview())
        return DONE
    return run_command(name, rest)


def _open(plain: bool) -> int:
    """The app where there is a person at a terminal that it can drive, or else the menu."""
    from pentagrid.terminal.app_start import open_app, wants_plain, why_no_app

    if not plain and not wants_plain():
        reason = why_no_app()
        if reason is None:
            return open_app()
        print(reason)
    from pentagrid.terminal.menu import Menu

    return Menu().run()


def run_command(name: str, argv: list[str]) -> int:
    """Run one command with its arguments. Raises `OptionError` if there is none of that name."""
    word = spelled(name)
    if word in OPTIONS:
        raise OptionError(f"{word} stands alone; options of a command follow it, such as in pentagrid play --help.")
    if word not in COMMANDS:
        raise OptionError(f"There is no command {shown(name)}{_meant(word)}")
    import argparse

    from pentagrid.terminal.help_layout import HelpLayout

    command = _command(word)
    parser = argparse.ArgumentParser(
        prog=f"pentagrid {word}", description=command.__doc__, allow_abbrev=False, formatter_class=HelpLayout
    )
    command.add_arguments(parser)
    code: int = command.run(parser.parse_args(argv))
    return code


def _meant(word: str) -> str:
    """The end of a sentence about an unknown command: what was most likely meant, or all there are."""
    from pentagrid.core.catalog import game_names

    near = nearest(word, (*COMMANDS, "help", *OPTIONS))
    game = None if near else nearest(word, game_names())
    if near or game:
        return f". Did you mean pentagrid {near or f'play {game}'}?"
    return f"; there are {', '.join(COMMANDS)}."


def _command(name: str) -> ModuleType:
    return import_module(f"pentagrid.terminal.commands.{name}")


def overview() -> str:
    """The help of the whole program."""
    from pentagrid.core.catalog import game_names
    from pentagrid.terminal.help_layout import table

    return "\n".join(
        [
            "Usage: pentagrid [COMMAND] [OPTIONS]",
            "",
            "Five small two-player grid games. Without a command: the full-screen app on a",
            "terminal, or a menu (--plain, PENTAGRID_PLAIN=1, or where the app cannot be).",
            "",
            "Commands:",
            *table({name: (_command(name).__doc__ or "").splitlines()[0] for name in COMMANDS}),
            "",
            "Games:",
            *(f"  {name}" for name in game_names()),
            "",
            "Options: --plain, --version, --help; of a command: pentagrid help COMMAND.",
        ]
    )
