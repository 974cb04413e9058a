"""Count the deals of Matrix Capture 4x4 at each margin, exactly: all 9^16 = 1,853,020,188,851,841 of them.

    .venv/bin/python docs/all_deals.py [--numbers 9] [--threads 2] [--notes FILE]

The counting is in all_deals.c, which says how, and needs gcc. Work is cut into parts; each finished part is a line in
the file of notes, so that a run that was stopped goes on where it was. On a processor with AVX-512 VBMI it takes about
half an hour of one core, on others some thirty times that.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from tqdm import tqdm

SOURCE = Path(__file__).with_suffix(".c")
WIDTH = 27
"""How many second columns make one part."""


class Counter:
    """The compiled program for deals of the numbers 1 to `numbers`."""

    def __init__(self, numbers: int, flags: tuple[str, ...] = ("-march=native",)) -> None:
        if not 2 <= numbers <= 9:
            raise ValueError(f"the numbers of a deal go up to 2 to 9, not {numbers}")
        self.numbers = numbers
        with tempfile.TemporaryDirectory() as folder:
            library = Path(folder) / "all_deals.so"
            command = ["gcc", "-O3", *flags, "-fPIC", "-shared", f"-DK={numbers}", str(SOURCE), "-o", str(library)]
            subprocess.run(command, check=True)
            self._library = ctypes.CDLL(str(library))
        if self._library.prepare():
            raise MemoryError("the table of 3x3 boards needs 400 MB")

    def parts(self) -> list[tuple[int, int]]:
        """Every part: a first column, and the least of the second columns that belong to it."""
        columns = self.numbers**3
        return [(first, second) for first in range(columns) for second in range(first, columns, WIDTH)]

    def count(self, part: tuple[int, int]) -> list[int]:
        """How many deals of this part have margin 0, 1, 2, …"""
        first, start = part
        totals = [0] * self.numbers
        found = (ctypes.c_int64 * self.numbers)()
        for second in range(start, min(start + WIDTH, self.numbers**3)):
            if self._library.count(first, second, found):
                raise MemoryError("the tables of a part need a megabyte")
            totals = [total + more for total, more in zip(totals, found, strict=True)]
        return totals


def noted(path: Path) -> Iterator[tuple[tuple[int, int], list[int]]]:
    """The parts in a file of notes. A last line that was cut off is taken out of it."""
    path.touch()
    whole = path.read_bytes().rfind(b"\n") + 1
    os.truncate(path, whole)
    for line in path.read_text().splitlines():
        note = json.loads(line)
        yield (note["first"], note["second"]), note["deals"]


def count_all(counter: Counter, threads: int, notes: Path) -> list[int]:
    """Count every part that is not in the notes yet, note it, and return the sums.

    Raises:
        ArithmeticError: if the sums are not all deals.
    """
    done = dict(noted(notes))
    left = [part for part in counter.parts() if part not in done]
    with notes.open("a") as file, ThreadPoolExecutor(threads) as pool:
        waiting = {pool.submit(counter.count, part): part for part in left}
        for future in tqdm(as_completed(waiting), total=len(left), smoothing=0, disable=None):
            part = waiting[future]
            done[part] = future.result()
            file.write(json.dumps({"first": part[0], "second": part[1], "deals": done[part]}) + "\n")
            file.flush()
            os.fsync(file.fileno())
    sums = [sum(column) for column in zip(*done.values(), strict=True)]
    if sum(sums) != counter.numbers**16:
        raise ArithmeticError(
            f"{sum(sums):,} deals were counted, there are {counter.numbers**16:,}; is {notes} damaged?"
        )
    return sums


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--numbers", type=int, default=9, help="deals of the numbers 1 to this one (9)")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--notes", type=Path, help="where finished parts are noted (build/all_deals-NUMBERS.jsonl)")
    args = parser.parse_args()
    notes = args.notes or Path("build") / f"all_deals-{args.numbers}.jsonl"
    notes.parent.mkdir(parents=True, exist_ok=True)
    sums = count_all(Counter(args.numbers), args.threads, notes)
    print(f"{'margin':>6} {'deals':>25}")
    for margin, deals in enumerate(sums):
        print(f"{margin:6} {deals:25,}")
    mean = sum(margin * deals for margin, deals in enumerate(sums)) / sum(sums)
    print(f"mean margin {mean:.9f}; ties {1e6 * sums[0] / sum(sums):.6f} in a million")
    return 0


if __name__ == "__main__":
    sys.exit(main())
