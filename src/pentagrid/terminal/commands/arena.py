"""Let players meet in a tournament, and measure how well they play: skill, not seat.

Every pair meets on the same deals with the seats swapped, and every move is compared with its exact value. Results go
into a file that is only appended to; the same command goes on where an interrupted one stopped. At the end there is a
table here, and beside the results a report as HTML and its figures as JSON.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from pentagrid.errors import OptionError
from pentagrid.files import write_atomically
from pentagrid.players import usages
from pentagrid.terminal.patience import patience
from pentagrid.terminal.program import program
from pentagrid.terminal.screen import say


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--players", nargs="+", required=True, metavar="KIND", help=f"who plays: {usages(people=False)}, exec:COMMAND"
    )
    parser.add_argument("--game", nargs="+", default=["all"], metavar="GAME", help="the games (default all)")
    parser.add_argument("--games", type=int, default=400, metavar="N", help="of each pair in each game (default 400)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="other deals and other chance (default 0)")
    parser.add_argument("--turn-seconds", type=float, metavar="S", help="a time limit for each turn")
    parser.add_argument("--workers", type=int, metavar="N", help="processes to use (default: one for each core)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="the results (default: arena-….jsonl, by the options)")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON instead of a table")


def run(args: argparse.Namespace) -> int:
    from pentagrid.arena.measures import as_json
    from pentagrid.arena.page import page
    from pentagrid.arena.plan import make_plan
    from pentagrid.arena.report import told
    from pentagrid.arena.running import run as play

    plan = make_plan(args.players, args.game, args.games, args.seed, args.turn_seconds)
    if args.workers is not None and not 1 <= args.workers <= 1024:
        raise OptionError(f"--workers {args.workers} cannot be; it is 1 to 1024.")
    path = args.out or Path(f"{plan.name()}.jsonl")
    with patience(f"{plan.total} games") as (stop, progress):
        results = play(plan, path, args.workers, progress, stop)
    if len(results.rows) < plan.total:
        say([f"{len(results.rows)} of {plan.total} games are in {path}.", f"To go on: {_again(args, path)}"])
        return 130
    figures = as_json(plan, results.rows)
    html, numbers = path.with_suffix(".html"), path.with_suffix(".json")
    if {html, numbers} & {path}:
        raise OptionError(f"{path} cannot hold the results: its name is that of the report. Call it *.jsonl.")
    write_atomically(html, page(plan, results.rows))
    write_atomically(numbers, json.dumps(figures, indent=1, ensure_ascii=False) + "\n")
    if args.json:
        print(json.dumps(figures, ensure_ascii=False))
        return 0
    say([*told(plan, results.rows), "", f"Results: {path}   Report: {html}   Figures: {numbers}"])
    return 0


def _again(args: argparse.Namespace, path: Path) -> str:
    """The command that goes on."""
    from shlex import join

    words = ["arena", "--players", *args.players, "--game", *args.game, "--games", str(args.games)]
    words += ["--seed", str(args.seed)] + (["--turn-seconds", f"{args.turn_seconds:g}"] if args.turn_seconds else [])
    return f"{program()} {join([*words, '--out', str(path)])}"
