"""Where long work is done: on this machine's cores, or on a Dask cluster."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Iterable

from pentagrid.errors import OptionError, shown
from pentagrid.play.players import is_outside
from pentagrid.terminal.optional_packages import require_extra
from pentagrid.terminal.output import warn
from pentagrid.util.workers import Mapper, on_cores

DEFAULT = "default: one for each core"


def add_worker_options(parser: argparse.ArgumentParser, default: str = DEFAULT) -> None:
    """The options that say where the work is done."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--workers", type=int, metavar="N", help=f"processes to use ({default})")
    where.add_argument("--cluster", metavar="ADDRESS", help="a Dask scheduler, tcp://HOST:PORT")


def chosen_mapper(args: argparse.Namespace, kept: bool = False) -> Mapper:
    """Where the work is done, with results in order; `kept` says whether a broken run goes on. Raises `OptionError`."""
    return on_cores(args.workers) if args.cluster is None else cluster_mapper(args.cluster, kept=kept)


def cluster_mapper(address: str, ordered: bool = True, kept: bool = True) -> Mapper:
    """Work on a Dask cluster. Raises `OptionError` without the packages for it."""
    with require_extra("cluster"):
        from pentagrid.util.dask_cluster import on_cluster
    for name in list(logging.root.manager.loggerDict):
        if name.startswith(("distributed", "tornado", "asyncio")):  # what matters is said in a sentence
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    return on_cluster(address, warn, ordered, kept)


def refuse_outside(args: argparse.Namespace, kinds: Iterable[str]) -> None:
    """Raise `OptionError` if players that the user has named would be started on a cluster."""
    outside = [kind for kind in kinds if is_outside(kind)]
    if args.cluster is not None and outside:
        raise OptionError(f"{shown(outside[0])} cannot play on a cluster: it would be started on other machines.")
