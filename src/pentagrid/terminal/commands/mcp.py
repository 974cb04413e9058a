"""Serve the games to agents over the Model Context Protocol, on standard input and output.

An agent's program starts this command and calls its tools: list_games, rules, start_game, see, move, resign, and with
--analysis also analyze. Needs the extra "mcp".
"""

from __future__ import annotations

import argparse

from pentagrid.terminal.optional_packages import require_extra


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--analysis", action="store_true", help="agents may ask for the exact value of every move")


def run(args: argparse.Namespace) -> int:
    with require_extra("mcp"):
        from pentagrid.llm.mcp import serve_stdio
    serve_stdio(args.analysis)
    return 0
