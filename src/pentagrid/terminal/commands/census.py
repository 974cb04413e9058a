"""Count how fair a game is: the exact value of all its deals or of a sample, or games of imperfect players on them.

Without --deals or --all 10,000 random deals are looked at. A game without numbers has a single deal; there, random
openings are looked at instead. An interrupted census goes on when the same command is given again, and neither the
number of processes nor a cluster changes a digit of the result.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from pentagrid.errors import OptionError
from pentagrid.handicap import FAIR
from pentagrid.players import usages
from pentagrid.terminal.extras import needs
from pentagrid.terminal.patience import patience
from pentagrid.terminal.savefile import state_folder
from pentagrid.terminal.screen import can_show, say, warn
from pentagrid.terminal.setup import add_game, add_variant_options, chosen_game

if TYPE_CHECKING:
    from pentagrid.lab.census import Engine

DEALS = 10_000
PLOTS = (".png", ".svg", ".html")
PAUSED = "Paused. What has been counted is kept: the same command goes on from there."


def add(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    number = parser.add_mutually_exclusive_group()
    number.add_argument("--deals", type=int, metavar="N", help=f"so many random deals (default {DEALS:,})")
    number.add_argument("--all", action="store_true", help="all deals there are")
    add_variant_options(parser)
    parser.add_argument(
        "--opening",
        type=int,
        metavar="N",
        help="moves of random openings, 0 to 6, in a game without numbers (default 6)",
    )
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
    from pentagrid.lab.summary import BLOCKS, PLAIN, as_csv, as_json, told

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
    with patience("Census", plan.total, "deals", then="pause") as (stop, progress):
        found = count(plan, notes_folder(), engine, progress, stop)
    if found is None:
        say([PAUSED])
        return 130
    spent = perf_counter() - began
    if args.json:
        print(json.dumps(as_json(plan, found), ensure_ascii=False))
    elif args.csv:
        print(as_csv(found), end="")
    else:
        say([*told(plan, found, BLOCKS if can_show(BLOCKS) else PLAIN), "", f"  {spent:.1f} s."])
    if args.plot is not None:
        from pentagrid.lab.plots import census_figure, save

        save(census_figure(plan, found), args.plot)
    return 0


def notes_folder() -> Path | None:
    """Where work that is not finished is noted; None, with a word about it, where nothing can be written."""
    folder = state_folder("census")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
        reason = "no permission"
    except OSError as error:
        reason = str(error.strerror)
    warn(f"Nothing can be kept in {folder} ({reason}): an interrupted run will begin anew.")
    return None


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
    for name in list(logging.root.manager.loggerDict):
        if name.startswith(("distributed", "tornado", "asyncio")):  # what matters is told in a sentence
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    return on_cluster(args.cluster, warn)


def check_plot(path: Path) -> None:
    """Can a plot be drawn in this file? Raises `OptionError`."""
    if path.suffix.lower() not in PLOTS:
        raise OptionError(f"--plot {path} must end in {', '.join(PLOTS[:-1])} or {PLOTS[-1]}.")
    folder = path.absolute().parent
    if not folder.is_dir():
        raise OptionError(f"There is no folder {folder} to draw {path.name} in.")
    if path.is_dir() or not os.access(folder, os.W_OK):
        raise OptionError(f"--plot {path} cannot be written: it is a folder, or in one that is not to be written in.")
    with needs("plot"):
        import matplotlib  # noqa: F401
