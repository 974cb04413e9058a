"""Play and analyze in the browser: a server for this machine, or for a club.

Games are kept in a file in your data folder unless --database names another place. Only this machine can connect
unless --host says otherwise. Behind a name of your own, put a server that speaks HTTPS in front, and say the name with
--name.
"""

from __future__ import annotations

import argparse
import os
import re
import sys

from pentagrid.errors import OptionError, shown
from pentagrid.terminal.optional_packages import require_extra

PORT = 8000
MOST_REQUESTS = 1_000_000
"""A second, from one address."""
MOST_SOCKETS = 100
"""Live connections from one address."""
MOST_DAYS = 36_500
HOST_NAME = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9_.-]{0,252}[A-Za-z0-9_])?")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default 127.0.0.1)")
    parser.add_argument("--port", type=int, default=PORT, metavar="N", help=f"the port (default {PORT}; 0: any free)")
    parser.add_argument(
        "--database", metavar="URL", help="sqlite:///PATH or postgresql://USER@HOST/NAME (default: a file of yours)"
    )
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="server processes; more need PostgreSQL")
    parser.add_argument(
        "--rate", type=float, default=30, metavar="N", help="requests a second from one address (default 30; 0: any)"
    )
    parser.add_argument(
        "--name", action="append", default=[], metavar="HOST", help="a name this server has, such as games.example.org"
    )
    parser.add_argument(
        "--keep-days",
        type=float,
        metavar="N",
        help="remove games that nobody has touched for N days (default: keep all)",
    )
    parser.add_argument(
        "--policy", action="append", default=[], metavar="FILE", help="a policy that visitors may play against"
    )
    parser.add_argument(
        "--log", choices=("debug", "info", "warning"), help="what to log (default info; warning on a terminal)"
    )


def run(args: argparse.Namespace) -> int:
    with require_extra("web", "make serve"):
        from pentagrid.web.rooms.hosted_policies import HostedPolicies
        from pentagrid.web.server import serve
        from pentagrid.web.settings import Settings

    if not 0 <= args.rate <= MOST_REQUESTS:
        raise OptionError(f"--rate must be between 0 and {MOST_REQUESTS}, not {args.rate:g}.")
    if args.keep_days is not None and not 0 < args.keep_days <= MOST_DAYS:
        raise OptionError(f"--keep-days must be more than 0 and at most {MOST_DAYS}, not {args.keep_days:g}.")
    for name in args.name:
        if not HOST_NAME.fullmatch(name):
            raise OptionError(
                f"--name must be a host name without a port, such as games.example.org, not {shown(name)}."
            )
    HostedPolicies(args.policy)  # those that cannot be read are refused before anything starts
    settings = Settings(
        database=args.database or _own_database(),
        rate=args.rate,
        burst=max(1, round(10 * args.rate)),
        analysts=max(1, (os.cpu_count() or 1) // 2),
        sockets=MOST_SOCKETS if args.rate else 0,
        names=tuple(name.lower() for name in args.name),
        keep_days=args.keep_days,
        policies=tuple(args.policy),
        log_level=(args.log or ("warning" if sys.stderr.isatty() else "info")).upper(),
    )
    return serve(args.host, args.port, args.workers, settings)


def _own_database() -> str:
    from platformdirs import user_data_path

    return f"sqlite:///{user_data_path('pentagrid', appauthor=False) / 'games.sqlite'}"
