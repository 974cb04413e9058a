"""Work on several processes that is left before its end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

LEAVES_EARLY = """
from pentagrid.util.workers import map_on_workers

if __name__ == "__main__":
    for _ in range(20):
        results = map_on_workers(len, ("x" * 2000 for _ in range(10**4)), 4)
        assert [next(results) for _ in range(20)] == [2000] * 20
        results.close()
"""

UNWINDS = """
import sys, time
from pathlib import Path
from pentagrid.util.workers import map_on_workers

def work(piece):
    if piece == "first":
        return piece
    try:
        Path("begun").touch()
        time.sleep(60)
    finally:
        Path("put away").touch()

if __name__ == "__main__":
    results = map_on_workers(work, ["first", "long"], 2)
    assert next(results) == "first"
    while not Path("begun").exists():
        time.sleep(0.01)
    results.close()
"""


def run(folder: Path, code: str) -> None:
    script = folder / "script.py"
    script.write_text(code, encoding="utf-8")
    done = subprocess.run([sys.executable, script], cwd=folder, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_left_between_pieces_nothing_is_said_and_nobody_hangs(tmp_path):
    run(tmp_path, LEAVES_EARLY)


def test_left_within_a_piece_the_work_puts_its_things_away(tmp_path):
    run(tmp_path, UNWINDS)
    assert (tmp_path / "put away").exists()
