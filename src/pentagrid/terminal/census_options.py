"""What `census` and `balance` share: where the work is done, where it is noted, where it is drawn."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from pentagrid.errors import OptionError
from pentagrid.terminal.optional_packages import require_extra
from pentagrid.terminal.output import warn
from pentagrid.terminal.saved_games import state_folder
from pentagrid.terminal.worker_options import cluster_mapper
from pentagrid.util.files import check_writable

if TYPE_CHECKING:
    from pentagrid.fairness.census import Engine

PLOTS = (".png", ".svg", ".html")
PAUSED = "Paused. What has been counted is kept: the same command goes on from there."


def notes_folder() -> Path | None:
    """The folder where unfinished work is noted; None, with a warning, where nothing can be written."""
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


def engine_for(args: argparse.Namespace) -> Engine:
    """Where the work is done; chunks may be counted in any order. Raises `OptionError`."""
    if args.cluster is None:
        from pentagrid.fairness.census import on_cores

        return on_cores(args.workers)
    return cluster_mapper(args.cluster, ordered=False)


def check_plot(path: Path) -> None:
    """Raise `OptionError` unless a plot can be drawn in this file."""
    if path.suffix.lower() not in PLOTS:
        raise OptionError(f"--plot must end in {', '.join(PLOTS[:-1])} or {PLOTS[-1]}, not be {path}.")
    check_writable(path)
    with require_extra("plot"):
        import matplotlib  # noqa: F401
