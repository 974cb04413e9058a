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
from pentagrid.terminal.extras import needs
from pentagrid.terminal.output import say
from pentagrid.terminal.progress_bar import patience

DIFFERS = 1


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--env", required=True, metavar="MODULE:CLASS", help="the environment, such as my_envs:MyGame")
    parser.add_argument("--game", required=True, metavar="GAME", help="the game it should be")
    parser.add_argument("--games", type=int, default=2000, metavar="N", help="random games to play (default 2000)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="other games (default 0)")
    parser.add_argument("--json", action="store_true", help="the findings as JSON")


def run(args: argparse.Namespace) -> int:
    if not 1 <= args.games <= 10_000_000:
        raise OptionError(f"--games {args.games} cannot be; it is 1 to 10000000.")
    game = load(args.game)
    with needs("envs"):
        from pentagrid.audit import KINDS, audit_environment, load_environment
    sys.path.insert(0, str(Path.cwd()))
    make_env = load_environment(args.env)
    with patience("Playing") as (stop, progress):
        found = audit_environment(make_env, game, args.games, args.seed, progress, stop)
    if args.json:
        rows = [
            {**one._asdict(), "meaning": KINDS[one.kind], "reproduce": one.reproduce()} for one in found.differences
        ]
        print(json.dumps({"env": args.env, "game": game.name, "games": found.games, "differences": rows}, indent=2))
        return DIFFERS if found.differences else 0
    say([f"{args.env} against the rules of {game.title}: {found.games} games, {found.steps} moves."])
    for one in found.differences:
        say(["", f"{one.kind}: {KINDS[one.kind]} ({one.games} games)"])
        say(textwrap.wrap(f"First seen: {one.detail}.", 100, initial_indent="  ", subsequent_indent="  "))
        if one.board:
            say([f"  Board: {one.board}"])
        say(textwrap.wrap(f"Moves: {'; '.join(one.moves) or 'none'}", 100, initial_indent="  ", subsequent_indent="  "))
        say([f"  To see it: {one.reproduce()}"])
    say(["", f"{len(found.differences)} kinds of difference." if found.differences else "No difference found."])
    return DIFFERS if found.differences else 0
