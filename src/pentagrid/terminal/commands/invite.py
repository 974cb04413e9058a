"""Make a game on a server, print the link for the other player, and sit down.

The other player opens the link in a browser, or at a terminal with pentagrid join LINK. The server is one
of pentagrid serve. Needs the extra tui: pip install "pentagrid[tui]".
"""

from __future__ import annotations

import argparse

from pentagrid.core.rng import Dice
from pentagrid.play.match import check_name, check_turn_seconds
from pentagrid.terminal.app_start import open_app, require_app
from pentagrid.terminal.game_options import add_deal_options, add_game, chosen_game, chosen_rules
from pentagrid.terminal.input import standard_input
from pentagrid.terminal.optional_packages import require_extra
from pentagrid.terminal.output import painter, say
from pentagrid.terminal.suggested_commands import program_words


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument("--server", required=True, metavar="URL", help="the server, such as http://127.0.0.1:8000")
    add_deal_options(parser)
    parser.add_argument("--seed", type=int, metavar="N", help="the same deal every time")
    parser.add_argument("--seat", choices=("1", "2"), default="1", help="your seat; seat 1 moves first (default 1)")
    parser.add_argument("--name", metavar="NAME", help="your name")
    parser.add_argument("--turn-seconds", type=float, metavar="S", help="a time limit for each turn")
    parser.add_argument("--app", action="store_true", help="play in the full-screen app")
    parser.add_argument("--no-color", action="store_true", help="no colors")
    parser.set_defaults(not_of_a_game=("server", "app", "no_color"))


def run(args: argparse.Namespace) -> int:
    with require_extra("tui"):
        from pentagrid.terminal.line_served_game import play_served
        from pentagrid.terminal.remote.addresses import read_server
        from pentagrid.terminal.remote.served_game import ServedGame

    if args.app:
        require_app()
    server = read_server(args.server)
    name = "" if args.name is None else check_name(args.name)
    you = int(args.seat)
    game = chosen_game(args)
    if args.board is not None:
        game.read_board(args.board)
    asked = {
        "game": game.name,
        "size": game.size,
        "rules": chosen_rules(args, type(game)),
        "board": args.board,
        "seed": None if args.seed is None else Dice(args.seed).seed,
        "seats": [{"name": name if seat == you else ""} for seat in (1, 2)],
        "you": you,
        "turn_seconds": None if args.turn_seconds is None else check_turn_seconds(args.turn_seconds),
    }
    served, invitation = ServedGame.create(server, asked)
    say(
        [
            "For the other player, once (in a browser or at a terminal):",
            f"  {invitation}",
            f"  {program_words()} join {invitation}",
            "For those who watch:",
            f"  {served.link}",
            "",
        ]
    )
    if args.app:
        from pentagrid.terminal.app.served_screen import ServedScreen

        return open_app(lambda: ServedScreen(served, invitation))
    play_served(served, standard_input(), painter(args.no_color))
    return 0
