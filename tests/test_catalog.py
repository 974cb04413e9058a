"""Games are found by looking: those in the package, and those of other packages by their entry points."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import pentagrid as pg

PAGE = Path(__file__).parent.parent / "docs" / "adding-a-game.md"
PROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "corner-count-game"
version = "1.0"

[project.entry-points."pentagrid.games"]
corner-count = "corner_games.corner_count"
misnamed = "corner_games.corner_count"
broken = "corner_games.nowhere"

[tool.hatch.build.targets.wheel]
packages = ["corner_games"]
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder into which a real package with a sixth game has been installed, as pip installs a wheel."""
    root = tmp_path_factory.mktemp("package")
    folder = root / "corner_games" / "corner_count"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").touch()
    (folder / "__init__.py").touch()
    (root / "pyproject.toml").write_text(PROJECT)
    text = PAGE.read_text(encoding="utf-8")
    for code in re.findall(r"^```python\n(# \w+\.py\n.*?)^```", text, re.M | re.S):
        (folder / re.match(r"# (\S+)", code)[1]).write_text(code)
    (folder / "rules.md").write_text(re.search(r"^```markdown\n(.*?)^```", text, re.M | re.S)[1])
    target = root / "installed"
    wheel = f"import os; from hatchling.build import build_wheel; os.chdir({str(root)!r}); build_wheel({str(root)!r})"
    subprocess.run([sys.executable, "-c", wheel], check=True, capture_output=True)
    zipfile.ZipFile(next(root.glob("*.whl"))).extractall(target)
    return target


def test_a_game_of_another_package_is_played_like_ours(installed, program):
    program.env["PYTHONPATH"] = str(installed)
    assert "  corner-count\n" in program("--help")
    assert program("rules", "corner-count").startswith("# Corner Count")
    typed = "R2C2\nr2c2\nR2C1\nR1C2\nR1C1\n"
    told = program("play", "corner-count", "--board", "1 2/3 4", typed=typed)
    assert "Sorry, R2C2 has already been claimed." in told and told.endswith("Player 1 wins!\n")
    assert "Corner Count: Player 1 - Player 2" in program("games")
    assert "Player 1 should win by 4" in program("analyze", "corner-count", "--board", "1 2/3 4")
    assert "all 24 deals" in program("census", "corner-count", "--size", "2", "--all", "--workers", "2")


def test_entry_points_that_lead_nowhere_are_told(installed, program):
    program.env["PYTHONPATH"] = str(installed)
    assert "its entry point must have that name" in program("rules", "misnamed", code=2)
    assert "broken has no module corner_games.nowhere.rules" in program("rules", "broken", code=2)
    assert "There is no game 'corner-cont'. Did you mean corner-count?" in program("rules", "corner-cont", code=2)


def test_entry_points_are_not_looked_up_for_our_own_games():
    script = (
        "import sys, pentagrid as pg; pg.load('matrix-capture').deal(1).play(0);"
        "assert 'importlib.metadata' not in sys.modules; pg.game_names(); assert 'importlib.metadata' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_an_unknown_name_is_answered_with_the_names_there_are():
    with pytest.raises(pg.OptionError, match="The games are capture-square, "):
        pg.load("xyzzy")
