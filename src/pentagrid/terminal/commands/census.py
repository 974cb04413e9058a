"""Count how fair a game is: the exact value of all its deals or of a sample, or games of imperfect players on them.

Without --deals or --all 10,000 random deals are looked at. A game without numbers has a single deal; there, random
openings are looked at instead. An interrupted census goes on when the same command is given again, and neither the
number of processes nor a cluster changes a digit of the result.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from pentagrid.errors import OptionError
from pentagrid.handicap import FAIR
from pentagrid.players import usages
from pentagrid.terminal.extras import needs
from pentagrid.terminal.patience import patience
from pentagrid.terminal.savefile import state_folder
from pentagrid.terminal.screen import say
from pentagrid.terminal.setup import add_game, add_variant_options, chosen_game

if TYPE_CHECKING:
    from pentagrid.lab.census import Engine

DEALS = 10_000
PLOTS = (".png", ".svg", ".html")


def add(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    number = parser.add_mutually_exclusive_group()
    number.add_argument("--deals", type=int, metavar="N", help=f"so many random deals (default {DEALS:,})")
    number.add_argument("--all", action="store_true", help="all deals there are")
    add_variant_options(parser)
    parser.add_argument("--opening", type=int, metavar="N", help="moves of random openings, in a game without numbers")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="other deals and other chance (default 0)")
    kinds = usages(people=False)
    parser.add_argument("--p1", metavar="KIND", help=f"who plays as Player 1, instead of exact values: {kinds}")
    parser.add_argument("--p2", metavar="KIND", help="who plays as Player 2 (either alone: the other is perfect)")
    add_places(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print all counts as JSON")
    form.add_argument("--csv", action="store_true", help="print all counts as a table for other programs")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw it: FILE.png, FILE.svg or FILE.html")


def run(args: argparse.Namespace) -> int:
    from pentagrid.lab.census import make_plan
    from pentagrid.lab.census import run as count
    from pentagrid.lab.summary import as_csv, as_json, told

    plan = make_plan(
        chosen_game(args),
        None if args.all else DEALS if args.deals is None else args.deals,
        args.seed,
        args.opening,
        args.komi == FAIR,
        (args.p1, args.p2),
    )
    if args.plot is not None:
        check_plot(args.plot)
    engine = engine_for(args)
    began = perf_counter()
    with patience("Census", plan.total, "deals") as (stop, progress):
        found = count(plan, state_folder("census"), engine, progress, stop)
    if found is None:
        say(["Interrupted. What has been counted is kept: the same command goes on from there."])
        return 130
    spent = perf_counter() - began
    if args.plot is not None:
        from pentagrid.lab.plots import census_figure, save

        save(census_figure(plan, found), args.plot)
    if args.json:
        print(json.dumps(as_json(plan, found), ensure_ascii=False))
    elif args.csv:
        print(as_csv(found), end="")
    else:
        say([*told(plan, found), "", f"  {spent:.1f} s" + (f"; drawn in {args.plot}" if args.plot else "") + "."])
    return 0


def add_places(parser: argparse.ArgumentParser) -> None:
    """The options that say where the work is done."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--workers", type=int, metavar="N", help="processes to use (default: one for each core)")
    where.add_argument("--cluster", metavar="ADDRESS", help="a Dask scheduler, tcp://HOST:PORT")


def engine_for(args: argparse.Namespace) -> Engine:
    """Where the work is done. Raises `OptionError`."""
    if args.cluster is None:
        from pentagrid.lab.census import on_cores

        return on_cores(args.workers)
    with needs("cluster"):
        from pentagrid.lab.cluster import on_cluster
    return on_cluster(args.cluster)


def check_plot(path: Path) -> None:
    """Can a plot be drawn in this file? Raises `OptionError`."""
    if path.suffix.lower() not in PLOTS:
        raise OptionError(f"--plot {path} must end in {', '.join(PLOTS[:-1])} or {PLOTS[-1]}.")
    if not path.absolute().parent.is_dir():
        raise OptionError(f"There is no folder {path.absolute().parent} to draw {path.name} in.")
    with needs("plot"):
        import matplotlib  # noqa: F401
