"""Make a data set of positions labeled with the exact value of every move.

As many of each phase and difficulty as there can be, no symmetric copies, split by deal. Beside the file goes a short
description of it (*.md). With --komi fair each deal has the komi that its exact value asks for. Parquet needs the extra
"dataset".
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from pentagrid.analysis.komi import FAIR
from pentagrid.core.rng import Dice
from pentagrid.errors import OptionError
from pentagrid.terminal.game_options import add_game, add_variant_options, chosen_game
from pentagrid.terminal.optional_packages import require_extra
from pentagrid.terminal.output import say
from pentagrid.terminal.progress_bar import progress_bar
from pentagrid.util.files import check_own, check_writable, write_atomically

MOST_POSITIONS = 10_000_000

MARK = "pentagrid dataset"
"""What every description of a dataset holds."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add_variant_options(parser)
    parser.add_argument("--positions", type=int, default=1000, metavar="N", help="how many (default 1000)")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help="a name that ends in .jsonl or .parquet"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="other positions (default 0)")


def run(args: argparse.Namespace) -> int:
    game, path = chosen_game(args), args.out
    if not 1 <= args.positions <= MOST_POSITIONS:
        raise OptionError(f"--positions must be between 1 and {MOST_POSITIONS}, not {args.positions}.")
    if path.suffix not in (".jsonl", ".parquet"):
        raise OptionError(f"--out must end in .jsonl or .parquet, not be {path}.")
    card_path = path.with_suffix(".md")
    check_writable(path)
    check_writable(card_path)
    check_own(card_path, MARK)
    check_own(path, "PAR1" if path.suffix == ".parquet" else '"deal_seed":')
    if path.suffix == ".parquet":
        with require_extra("dataset"):
            import pyarrow  # noqa: F401
    from pentagrid.llm.dataset import dataset_card, make_dataset

    with progress_bar("Positions") as (stop, progress):
        dataset = make_dataset(game, args.positions, Dice(args.seed).seed, progress, stop, args.komi == FAIR)
        if stop():
            say(["Interrupted; nothing was written."])
            return 130
    if path.suffix == ".jsonl":
        write_atomically(path, "".join(json.dumps(row) + "\n" for row in dataset.rows))
    else:
        _write_parquet(path, dataset.rows)
    write_atomically(card_path, dataset_card(dataset))
    say([f"{len(dataset.rows)} positions are in {path}, described in {card_path}."])
    if len(dataset.rows) < args.positions:
        say([f"There are no more than that of {game.title} that differ by more than symmetry."])
    return 0


def _write_parquet(path: Path, rows: list[dict[str, object]]) -> None:
    import pyarrow
    import pyarrow.parquet

    written = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), written)
    write_atomically(path, written.getvalue().to_pybytes())
