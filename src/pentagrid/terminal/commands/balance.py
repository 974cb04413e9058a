"""Compare all ways to play a game: which options make it fair, and does skill still decide?

Every combination of the game's options and of sizes up to --largest is solved and played over the same deals: by
perfect players, by two equal players of level 5, and by level 7 against level 3 from both seats. The most even come
first; among those that are about as even, the ones in which the stronger player wins most.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from pentagrid.catalogue import find
from pentagrid.terminal.commands.census import add_places, check_plot, engine_for
from pentagrid.terminal.patience import patience
from pentagrid.terminal.savefile import state_folder
from pentagrid.terminal.screen import say, wrapped
from pentagrid.terminal.setup import add_game

DEALS = 1000


def add(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument("--deals", type=int, default=DEALS, metavar="N", help=f"for each way to play (default {DEALS})")
    parser.add_argument("--largest", type=int, metavar="N", help="the largest size (default: the game's own)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="other deals and other chance (default 0)")
    add_places(parser)
    parser.add_argument("--all", action="store_true", help="show the whole ranking")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw it: FILE.png, FILE.svg or FILE.html")


def run(args: argparse.Namespace) -> int:
    from pentagrid.lab.advice import as_json, recommendation, table
    from pentagrid.lab.balance import make_balance, standings
    from pentagrid.lab.census import run as count

    if args.plot is not None:
        check_plot(args.plot)
    engine = engine_for(args)
    balance = make_balance(find(args.game), args.largest, args.deals, args.seed)
    with patience("Balance", balance.total, "games") as (stop, progress):
        found = count(balance, state_folder("census"), engine, progress, stop)
    if found is None:
        say(["Interrupted. What has been counted is kept: the same command goes on from there."])
        return 130
    rows = standings(balance, found)
    if args.plot is not None:
        from pentagrid.lab.plots import balance_figure, save

        save(balance_figure(balance, rows), args.plot)
    if args.json:
        print(json.dumps(as_json(balance, rows), ensure_ascii=False))
        return 0
    game = rows[0].variant.game
    say([f"{game.title}: {len(rows)} ways to play it, {balance.deals:,} deals each", ""])
    say([*table(balance, rows, None if args.all else 12), "", *wrapped(recommendation(rows))])
    return 0
