"""Make a data set of positions labeled with the exact value of every move.

As many of each phase and difficulty as there can be, no symmetric copies, split by position and board. --out names a
file, or a folder that gets a file for each split; a description with what other tools need to load it goes with them.
With --komi fair each deal has the komi that its exact value asks for. Parquet needs the extra "dataset".
"""

from __future__ import annotations

import argparse
from pathlib import Path

from pentagrid.analysis.komi import FAIR
from pentagrid.core.rng import Dice
from pentagrid.errors import OptionError
from pentagrid.terminal.game_options import add_game, add_variant_options, chosen_game
from pentagrid.terminal.optional_packages import require_extra
from pentagrid.terminal.output import say
from pentagrid.terminal.progress_bar import progress_bar
from pentagrid.terminal.worker_options import add_worker_options, chosen_mapper

MOST_POSITIONS = 10_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add_variant_options(parser)
    parser.add_argument("--positions", type=int, default=1000, metavar="N", help="how many (default 1000)")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help="a name that ends in .jsonl or .parquet, or a folder"
    )
    parser.add_argument("--format", choices=("parquet", "jsonl"), help="of the files in a folder (default parquet)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="other positions (default 0)")
    add_worker_options(parser)


def run(args: argparse.Namespace) -> int:
    from pentagrid.llm.dataset import make_dataset
    from pentagrid.llm.dataset_files import Files

    game = chosen_game(args)
    if not 1 <= args.positions <= MOST_POSITIONS:
        raise OptionError(f"--positions must be between 1 and {MOST_POSITIONS}, not {args.positions}.")
    files, mapper = Files(args.out, args.format), chosen_mapper(args)
    if files.kind == "parquet":
        with require_extra("dataset"):
            import pyarrow  # noqa: F401
    with progress_bar("Positions") as (stop, progress):
        seed, fair = Dice(args.seed).seed, args.komi == FAIR
        dataset = make_dataset(game, args.positions, seed, progress, stop, fair, mapper=mapper)
        if stop():
            say(["Interrupted; nothing was written."])
            return 130
    files.write(dataset)
    say([f"{len(dataset.rows)} positions are in {args.out}, described in {files.card}."])
    if len(dataset.rows) < args.positions:
        say([f"There are no more than that of {game.title} that differ by more than symmetry."])
    return 0
