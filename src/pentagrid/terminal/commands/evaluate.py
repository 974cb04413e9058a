"""Ask language models, and print one table of how they do, every figure with its 95 % interval.

The task is duel (whole games), best_move (single positions) or rules (questions about the rules). All models get the
same questions. They are named as Inspect AI names them (openai/gpt-4o), and its logs are kept in --log-dir; without
--models the table is about the logs that are there. Needs the extra "llm" and what the models' providers ask for.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from pentagrid.errors import OptionError
from pentagrid.terminal.optional_packages import require_extra
from pentagrid.terminal.output import say, warn

MOST_EPOCHS = 1000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "task", nargs="?", default="best_move", metavar="TASK", help="duel, best_move (default) or rules"
    )
    parser.add_argument(
        "--models", nargs="+", default=[], metavar="MODEL", help="who is asked, as Inspect AI names them"
    )
    parser.add_argument("--game", nargs="+", default=["all"], metavar="GAME", help="the games (default all)")
    parser.add_argument("--epochs", type=int, default=1, metavar="N", help="how often everything is asked (default 1)")
    parser.add_argument(
        "-T", dest="options", action="append", default=[], metavar="NAME=VALUE",
        help="an option of the task, such as payoff=points or positions=200; may be given more than once",
    )  # fmt: skip
    parser.add_argument("--log-dir", type=Path, default=Path("logs"), metavar="FOLDER", help="the logs (default logs)")


def run(args: argparse.Namespace) -> int:
    if not 1 <= args.epochs <= MOST_EPOCHS:
        raise OptionError(f"--epochs must be between 1 and {MOST_EPOCHS}, not {args.epochs}.")
    with require_extra("llm"):
        from pentagrid.llm.comparison import comparison_lines, read_logs, run_models
    if not args.models:
        say(comparison_lines(read_logs(args.log_dir)))
        return 0
    options = {"game": args.game, **dict(map(_option, args.options))}
    logs = run_models(args.task, args.models, options, args.log_dir, args.epochs)
    say(["", *comparison_lines(logs)])
    unfinished = [log for log in logs if log.status != "success"]
    for log in unfinished:
        warn(f"{log.eval.model} is not in the table: it did not finish ({log.status}). Its log is {log.location}.")
    return 1 if unfinished else 0


def _option(text: str) -> tuple[str, object]:
    """A task's option; numbers and true or false are read as such. Raises `OptionError`."""
    name, equals, value = text.partition("=")
    if not equals:
        raise OptionError(f"-T must be NAME=VALUE, such as positions=200, not {text!r}.")
    if value in ("true", "false"):
        return name, value == "true"
    return name, int(value) if value.isdigit() else value
