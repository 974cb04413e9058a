"""The streams of chance: all in one register, none used for two things, and their numbers for ever."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pentagrid as pg
from pentagrid.analysis.komi import fair_komi
from pentagrid.core.rng import MAX_SEED, Dice
from pentagrid.core.streams import Stream
from pentagrid.fairness.deals import Deals

ROOT = Path(pg.__file__).parent
NUMBERS = {
    "ARENA_DEAL": 1, "ARENA_OPENING": 2, "ARENA_MATCH": 3, "DATASET_DEAL": 11, "DATASET_PLAY": 12,
    "DATASET_CHOICE": 13, "PUZZLE": 21, "PUZZLE_SET": 22, "PUZZLE_GAME": 23, "FIRST_SEAT": 1 << 32,
    "LATER_DEALS": 1 << 33, "ENV_SEAT": 1 << 34, "ENV_OPPONENT": 1 << 35, "KOMI_TOSS": 1 << 36,
    "CENSUS_PLAYERS": 1 << 37, "RULE_TOSS": 1 << 38, "ENV_ACTIONS": 1 << 40,
}  # fmt: skip
RUNNING = {
    "audit/rules_comparison.py", "audit/referee.py", "core/conformance.py", "fairness/deals.py", "llm/tasks.py",
    "play/match.py",
    "terminal/commands/puzzle.py", "terminal/series.py", "web/pages/board_svg.py",
}  # fmt: skip
"""The files in which the first number of a path is a running number, in a variable."""
GIVEN = {("analysis/komi.py", "toss"): "KOMI_TOSS"}
"""Registered streams that are an argument, with their default."""
PASSED_ON = {("core/batch.py", "*path")}
"""Paths that a caller gives, who is looked at where they are given."""


def first_steps():
    """For each use of a stream in the package: the file and the first number of its path, as it is written."""
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in ("Dice", "Streams"):
                assert not node.keywords, f"{path}: a seed and a path are given by place"
                for step in node.args[1:2]:
                    yield path.relative_to(ROOT).as_posix(), ast.unparse(step)


def test_numbers_never_change_and_no_two_are_equal():
    assert {stream.name: stream.value for stream in Stream} == NUMBERS
    assert len(set(NUMBERS.values())) == len(NUMBERS) == len(Stream.__members__)


def test_every_stream_is_registered_or_a_running_number():
    running, used = set(), set()
    for path, step in first_steps():
        if (path, step) in PASSED_ON:
            continue
        if (path, step) in GIVEN:
            used.add(GIVEN[path, step])
        elif step.startswith("Stream."):
            used.add(step.removeprefix("Stream."))
        else:
            assert re.fullmatch("[a-z_.]+", step), f"{path}: {step} is neither registered nor a running number"
            running.add(path)
    assert running == RUNNING
    assert used == set(NUMBERS)


def test_every_stream_says_what_it_decides():
    source = (ROOT / "core" / "streams.py").read_text(encoding="utf-8")
    members = next(node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)).body[1:]
    for member, docstring in zip(members[::2], members[1::2], strict=True):
        assert isinstance(member, ast.Assign)
        assert isinstance(docstring, ast.Expr) and docstring.value.value.endswith(".")  # type: ignore[attr-defined]


def test_the_toss_of_a_fair_komi_does_not_tell_the_next_episode():
    """Both came from one stream: the toss was the last bit of the next seed."""
    start = pg.load("number-cross").deal(1)
    value = pg.analyze(start).value.margin
    above = {seed: float(fair_komi(start, seed)) > value for seed in range(200)}
    later = {seed: Dice(seed, Stream.LATER_DEALS).next() & MAX_SEED for seed in range(200)}
    agree = sum(above[seed] == later[seed] % 2 for seed in range(200))
    assert 70 < agree < 130 and 70 < sum(above.values()) < 130


def test_many_tosses_are_those_of_the_single_seeds():
    deals = Deals(pg.load("number-cross"), 3)
    tosses = [Dice(deals.seed_of(number), Stream.KOMI_TOSS).below(2) for number in range(100)]
    assert deals.tosses(0, 100).tolist() == tosses
