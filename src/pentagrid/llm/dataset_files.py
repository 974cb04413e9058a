"""Data sets as files, JSON Lines or Parquet: one schema for all games, one file or a folder with a file a split."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pentagrid.errors import OptionError
from pentagrid.llm.dataset import Dataset
from pentagrid.llm.dataset_card import dataset_card
from pentagrid.llm.splits import CANARY, DATA_SPLITS, GENERATOR
from pentagrid.util.files import check_own, check_writable, write_atomically

Type = str | list[Any]
"""A type's name, or a list with the type of its items."""
SCHEMA: Mapping[str, Type] = {
    "id": "string", "split": "string", "game": "string", "size": "int16", "rules": ["string"], "position": "string",
    "board": [["int16"]], "claims": ["int8"], "turn": "int8", "ply": "int16", "swapped": "bool", "scores": ["int16"],
    "legal": ["string"], "deal_seed": "int64", "moves": ["string"], "winner": "int8", "margin": "float64",
    "winners": ["int8"], "margins": ["float64"], "plies": ["int16"], "regrets": ["float64"], "win_regrets": ["int8"],
    "best": ["string"], "keeps_result": ["string"], "result_at_stake": "bool", "greedy": ["string"], "phase": "string",
    "difficulty": "string", "generator": "int16", "canary": "string",
}  # fmt: skip
"""Every column and its type, the same in every game."""
FORMATS = ("parquet", "jsonl")
MARKS = {"jsonl": '"deal_seed":', "parquet": "PAR1", "md": "pentagrid dataset"}
"""What our files of each kind hold."""


class Files:
    """Where a data set goes: `NAME.jsonl`, `NAME.parquet`, or a folder; a description goes with it."""

    def __init__(self, out: Path, kind: str | None = None) -> None:
        """Check the name and that everything can be written. Raises `OptionError`."""
        self.folder = not out.suffix
        if not self.folder and (out.suffix.removeprefix(".") not in FORMATS or kind not in (None, out.suffix[1:])):
            raise OptionError(
                f"--out must end in .{kind or '.jsonl or .parquet'.strip('.')}, or be a folder, not {out}."
            )
        if out.is_file() if self.folder else out.is_dir():
            raise OptionError(f"{out} is a {'file' if self.folder else 'folder'}; choose another --out.")
        self.out, self.kind = out, kind or (FORMATS[0] if self.folder else out.suffix.removeprefix("."))
        self.data = [out / f"{split}.{self.kind}" for split in DATA_SPLITS] if self.folder else [out]
        self.card = out / "README.md" if self.folder else out.with_suffix(".md")
        if self.folder and not out.exists():
            check_writable(out)
            return
        for path in (*self.data, self.card):
            check_writable(path)
            check_own(path, MARKS[path.suffix.removeprefix(".")])

    def write(self, dataset: Dataset) -> None:
        """Write the data and the description. Raises `OptionError`."""
        if self.folder:
            self.out.mkdir(exist_ok=True)
        for path in self.data:
            rows = [row for row in dataset.rows if not self.folder or row["split"] == path.stem]
            write_atomically(path, _jsonl(rows) if self.kind == "jsonl" else _parquet(rows))
        write_atomically(self.card, dataset_card(dataset, SCHEMA, [path.name for path in self.data]))


def _jsonl(rows: Iterable[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def _parquet(rows: Sequence[Mapping[str, Any]]) -> bytes:
    import pyarrow
    import pyarrow.parquet

    def arrow(kind: Type) -> Any:
        return pyarrow.list_(arrow(kind[0])) if isinstance(kind, list) else pyarrow.type_for_alias(kind)

    fields = [(name, arrow(kind)) for name, kind in SCHEMA.items()]
    schema = pyarrow.schema(fields, {"canary": CANARY, "generator": str(GENERATOR)})
    written = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(list(rows), schema), written)
    data: bytes = written.getvalue().to_pybytes()
    return data
