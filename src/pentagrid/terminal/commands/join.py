"""Play on another machine's server: sit down with an invitation, come back to your seat, or watch.

LINK is what the server gives: http://HOST/play/GAME#INVITATION for a seat, http://HOST/play/GAME to come
back to a seat of yours or to watch. Needs the extra tui: pip install "pentagrid[tui]".
"""

from __future__ import annotations

import argparse

from pentagrid.errors import PentagridError
from pentagrid.play.match import check_name
from pentagrid.terminal.app_start import open_app, require_app
from pentagrid.terminal.input import LineInput, standard_input
from pentagrid.terminal.optional_packages import require_extra
from pentagrid.terminal.output import is_terminal, painter, say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("link", metavar="LINK", help="the link to the game")
    parser.add_argument("--name", metavar="NAME", help="your name, when you sit down")
    parser.add_argument("--seat", choices=("1", "2"), help="which seat to come back to, if you hold both")
    parser.add_argument("--app", action="store_true", help="play in the full-screen app")
    parser.add_argument("--no-color", action="store_true", help="no colors")


def run(args: argparse.Namespace) -> int:
    with require_extra("tui"):
        from pentagrid.terminal.line_served_game import play_served
        from pentagrid.terminal.remote.addresses import read_link
        from pentagrid.terminal.remote.served_game import ServedGame

    if args.app:
        require_app()
    typed = standard_input()
    link = read_link(args.link)
    name = "" if args.name is None else check_name(args.name)
    asks = is_terminal() and args.name is None
    seat = None if args.seat is None else int(args.seat)
    game = ServedGame.join(link, (lambda: _ask_name(typed)) if asks else name, seat=seat)
    if args.app:
        from pentagrid.terminal.app.served_screen import ServedScreen

        return open_app(lambda: ServedScreen(game))
    play_served(game, typed, painter(args.no_color))
    return 0


def _ask_name(typed: LineInput) -> str:
    """The player's name, or nothing."""
    while True:
        name = typed.ask("Your name (Enter for none):") or ""
        try:
            return check_name(name) if name else ""
        except PentagridError as error:
            say([str(error)])
