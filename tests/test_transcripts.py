"""What the terminal says: each rule text's own sample, line by line, and whole games kept as golden transcripts.

To make the golden transcripts again after a wanted change: python tests/test_transcripts.py
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import pentagrid as pg

HERE = Path(__file__).parent
SAMPLES = sorted((HERE / "samples").glob("*.txt"))
GOLDEN = sorted((HERE / "golden").glob("*.transcript"))
DIVIDER = "====\n"


def parts(path):
    """A file's command line, its typed lines and what must be said."""
    asked, said = path.read_text(encoding="utf-8").split(DIVIDER)
    command, _, typed = asked.partition("\n")
    return shlex.split(command), typed, said


@pytest.mark.parametrize("name", pg.game_names())
def test_every_game_has_its_sample_and_golden_games(name):
    assert (HERE / "samples" / f"{name}.txt").exists()
    assert sum(path.name.startswith(f"{name}.") for path in GOLDEN) >= 2


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_the_samples_lines_are_said_in_that_order(path, program):
    command, typed, said = parts(path)
    told = program(*command, typed=typed).splitlines()
    here = 0
    for line in said.splitlines():
        assert line in told[here:], f"not said behind line {here}: {line!r}"
        here = told.index(line, here) + 1


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden(path, program):
    command, typed, said = parts(path)
    assert program(*command, typed=typed) == said


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_games_are_complete(path):
    assert "To go on:" not in path.read_text(encoding="utf-8")


if __name__ == "__main__":
    for path in GOLDEN:
        command, typed, _ = parts(path)
        done = subprocess.run(
            [sys.executable, "-m", "pentagrid", *command], input=typed, capture_output=True, text=True, check=True
        )
        path.write_text(path.read_text(encoding="utf-8").split(DIVIDER)[0] + DIVIDER + done.stdout, encoding="utf-8")
