"""Play an environment of one of the games against our rules, and report every difference.

The environment is a class with the interface of gg-bench: reset, step, valid_moves, render. It is looked for in the
current folder too. The exit code is 1 if there was a difference. Needs the extra "envs".
"""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from pathlib import Path

from pentagrid.core.catalog import load
from pentagrid.errors import OptionError
from pentagrid.terminal.optional_packages import require_extra
from pentagrid.terminal.output import say
from pentagrid.terminal.progress_bar import progress_bar

DIFFERS = 1
"""The exit code where there was a difference."""
MOST_GAMES = 10_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--env", required=True, metavar="MODULE:CLASS", help="the environment, such as my_envs:MyGame")
    parser.add_argument("--game", required=True, metavar="GAME", help="the game it should be")
    parser.add_argument("--games", type=int, default=2000, metavar="N", help="random games to play (default 2000)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="other games (default 0)")
    parser.add_argument("--json", action="store_true", help="the findings as JSON")


def run(args: argparse.Namespace) -> int:
    if not 1 <= args.games <= MOST_GAMES:
        raise OptionError(f"--games must be between 1 and {MOST_GAMES}, not {args.games}.")
    game = load(args.game)
    with require_extra("envs"):
        from pentagrid.audit import KINDS, audit_environment, load_environment
    sys.path.insert(0, str(Path.cwd()))
    make_env = load_environment(args.env)
    with progress_bar("Playing") as (stop, progress):
        report = audit_environment(make_env, game, args.games, args.seed, progress, stop)
    if args.json:
        rows = [
            {**row._asdict(), "meaning": KINDS[row.kind], "reproduce": row.reproduce()} for row in report.differences
        ]
        print(json.dumps({"env": args.env, "game": game.name, "games": report.games, "differences": rows}, indent=2))
        return DIFFERS if report.differences else 0
    say([f"{args.env} against the rules of {game.title}: {report.games} games, {report.steps} moves."])
    for difference in report.differences:
        say(["", f"{difference.kind}: {KINDS[difference.kind]} ({difference.games} games)"])
        say(textwrap.wrap(f"First seen: {difference.detail}.", 100, initial_indent="  ", subsequent_indent="  "))
        if difference.board:
            say([f"  Board: {difference.board}"])
        moves = "; ".join(difference.moves) or "none"
        say(textwrap.wrap(f"Moves: {moves}", 100, initial_indent="  ", subsequent_indent="  "))
        say([f"  To see it: {difference.reproduce()}"])
    say(["", f"{len(report.differences)} kinds of difference." if report.differences else "No difference found."])
    return DIFFERS if report.differences else 0
