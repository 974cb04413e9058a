"""Check an environment of any two-player game, and say what is wrong, how bad it is and how to see it.

ENV is a file (my_game.py, my_game.py:MyGame), a class or function (my_package.games:MyGame) or a Gymnasium id
(Name-v0). Gymnasium and PettingZoo's AEC are understood; docs/audit.md says how a file of a few lines explains anything
else. Every environment runs in a process of its own. With --game it is also compared with the rules of one of our
games. The exit code is 1 if something was found that is more than untidy. Needs the extra "envs".
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pentagrid.core.catalog import find
from pentagrid.core.rng import MAX_SEED
from pentagrid.errors import OptionError, shown
from pentagrid.terminal.game_options import add_variant_options, checked_game
from pentagrid.terminal.optional_packages import require_extra
from pentagrid.terminal.output import say, warn
from pentagrid.terminal.progress_bar import progress_bar
from pentagrid.util.files import check_own, check_writable, write_atomically
from pentagrid.util.workers import check_workers

if TYPE_CHECKING:
    from pentagrid.audit import AuditSettings

FOUND, INTERRUPTED = 1, 130
GAMES, GAMES_WITH_RULES, MOST_GAMES = 200, 2000, 10_000_000
READING = "reading"
"""The name in `--rule reading=NAME`: how a game's rule text is read, where it can be read in several ways."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("env", nargs="*", metavar="ENV", help="the environment, such as my_game.py or my_envs:MyGame")
    parser.add_argument("--all", metavar="WHERE", help='a whole folder, or modules by a pattern: "my_envs.*"')
    parser.add_argument("--game", metavar="GAME", help="compare with the rules of this game too")
    add_variant_options(parser, fair=False)
    parser.add_argument(
        "--games", type=int, metavar="N", help=f"random games (default {GAMES}; with --game {GAMES_WITH_RULES})"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="other games (default 0)")
    parser.add_argument(
        "--claim", action="append", default=[], metavar="WORD", help="what must hold: zero-sum, end-reward"
    )
    parser.add_argument("--max-moves", type=int, default=1000, metavar="N", help="of a game that ends (default 1000)")
    parser.add_argument("--timeout", type=float, default=10, metavar="S", help="seconds for one call (default 10)")
    parser.add_argument("--workers", type=int, metavar="N", help="processes at once (default: one for each core)")
    parser.add_argument("--strict", action="store_true", help="the exit code is 1 for untidy findings too")
    parser.add_argument("--out", type=Path, metavar="FILE.html", help="write a report, and FILE.json beside it")
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    parser.set_defaults(
        not_of_a_game=("env", "all", "claim", "max_moves", "timeout", "workers", "strict", "out", "json")
    )


def run(args: argparse.Namespace) -> int:
    with require_extra("envs"):
        from pentagrid.audit.audit_lines import audit_data, count_words, env_lines, is_sound, table_lines, total_line
        from pentagrid.audit.audit_page import MARK, audit_page
        from pentagrid.audit.isolation import audit_environments
    settings = _settings(args)
    out = args.out or (Path("pentagrid-audit.html") if args.all else None)
    files = [out, out.with_suffix(".json")] if out else []
    if out is not None and out.suffix != ".html":
        raise OptionError(f"--out must be a file that ends in .html, not {out}.")
    for file, mark in zip(files, (MARK, '"environments":'), strict=False):
        check_writable(file)
        check_own(file, mark)
    with progress_bar("Finding environments") as (stop, _):
        targets = _targets(args, settings, stop)
    with progress_bar("Auditing", len(targets)) as (stop, progress):
        audits = audit_environments(targets, settings, progress, stop)
        interrupted = stop()
    data = audit_data(audits)
    if out is not None:
        folder = Path(args.all or "")
        title = (folder.resolve().name if folder.is_dir() else args.all) if args.all else ", ".join(args.env)
        write_atomically(files[0], audit_page(audits, title))
        write_atomically(files[1], json.dumps(data, indent=1) + "\n")
    if args.json:
        print(json.dumps(data, indent=1))
    else:
        if args.all:
            say([*table_lines(audits), "", f"{count_words(audits)}. {total_line(audits)}"])
        else:
            for audit in audits:
                say([*env_lines(audit), ""])
            say([total_line(audits)])
        if out is not None:
            say([f"Report: {files[0]}   Data: {files[1]}"])
    if interrupted and len(audits) < len(targets):
        warn(f"Interrupted: {len(audits)} of {len(targets)} environments are done.")
        return INTERRUPTED
    return 0 if is_sound(audits, args.strict) else FOUND


def _settings(args: argparse.Namespace) -> AuditSettings:
    """What the options ask for. Raises `OptionError`."""
    from pentagrid.audit import CLAIMS, AuditSettings, Limits

    if bool(args.env) == bool(args.all):
        raise OptionError("Name an environment, such as pentagrid audit my_game.py, or a folder by --all, not both.")
    games = (GAMES_WITH_RULES if args.game else GAMES) if args.games is None else args.games
    for name, value, low, high in (
        ("--games", games, 1, MOST_GAMES), ("--max-moves", args.max_moves, 2, 1_000_000),
        ("--timeout", args.timeout, 0.05, 3600), ("--seed", args.seed, 0, MAX_SEED),
    ):  # fmt: skip
        if not low <= value <= high:
            raise OptionError(f"{name} must be between {low} and {high}, not {value}.")
    for claim in args.claim:
        if claim not in CLAIMS:
            meanings = "; ".join(f"{word}: {meaning}" for word, meaning in CLAIMS.items())
            raise OptionError(f"--claim must be one of these, not {shown(claim)}: {meanings}.")
    limits = Limits(min(games, GAMES) if args.game else games, games, args.seed, args.max_moves, tuple(args.claim))
    return AuditSettings(limits, args.timeout, workers=check_workers(args.workers), rules=_rules(args))


def _rules(args: argparse.Namespace) -> tuple[str, int | None, dict[str, str], tuple[str, ...]] | None:
    """The game to compare with, its size, rule options and readings. Raises `OptionError`."""
    if args.game is None:
        if args.rule or args.size is not None or args.komi is not None:
            raise OptionError("--size, --komi and --rule say how a game is played: say which by --game GAME.")
        return None
    from pentagrid.audit.rules_comparison import check_readings

    split = [rule.partition("=") for rule in args.rule]
    readings = tuple(value for name, _, value in split if name == READING)
    args.rule = [rule for rule in args.rule if rule.partition("=")[0] != READING]
    game = checked_game(args, find(args.game), args.size)
    check_readings(game, readings)
    return game.name, args.size, dict(game.chosen_rules), readings


def _targets(args: argparse.Namespace, settings: AuditSettings, stop: Callable[[], bool]) -> list[str]:
    """The environments that are asked for, each as a complete target. Raises `OptionError`."""
    from pentagrid.audit.isolation import find_all
    from pentagrid.audit.targets import check_target, is_complete

    if args.all:
        modules = _found(find_all([("expand", args.all)], settings, stop))
        if not modules:
            raise OptionError(f"--all: nothing in {shown(args.all)} looks like an environment.")
    else:
        modules = args.env
        for target in modules:
            check_target(target)
    found: dict[str, list[str]] = {target: [target] for target in modules if is_complete(target)}
    for subject in find_all([("find", target) for target in modules if target not in found], settings, stop):
        # a module that cannot be loaded is audited all the same: the audit says what is wrong
        found[subject.job.target] = subject.targets or ([subject.job.target] if subject.findings else [])
    targets = [target for module in modules for target in found.get(module, [])]
    for target in args.env if targets else ():
        if not found.get(target):
            warn(f"There is no environment in {shown(target)}.")
    if not targets and not stop():
        raise OptionError(
            f"There is no environment in {', '.join(map(shown, modules[:3]))}: no class with reset and step that can "
            "be made without arguments, and no function make or env. A protocol file can explain one: docs/audit.md."
        )
    return targets


def _found(subjects: Sequence[Any]) -> list[str]:
    """What a pattern stands for. Raises `OptionError`."""
    for subject in subjects:
        for finding in subject.findings.values():
            raise OptionError(f"--all {shown(subject.job.target)} cannot be read: {finding.evidence}.")
    return [target for subject in subjects for target in subject.targets]
