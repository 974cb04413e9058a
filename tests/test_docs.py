"""The documents tell the truth: their code runs, their links lead somewhere, their pages have one template."""

from __future__ import annotations

import importlib
import json
import re
import shlex
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import pentagrid as pg
from pentagrid.core.rulebook import rules_of

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(path, language):
    return re.findall(rf"^```{language}\n(.*?)^```", path.read_text(encoding="utf-8"), re.M | re.S)


def headings(text):
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    return re.findall(r"^## (.*)", text, re.M)


@pytest.mark.parametrize("name", pg.game_names())
def test_every_game_has_its_page_made_from_its_rules(name):
    page = (ROOT / "docs" / "games" / f"{name}.md").read_text(encoding="utf-8")
    assert page.split("-->\n\n", 1)[1] == rules_of(name), "run make docs"
    assert headings(page) == headings(rules_of("matrix-capture"))
    assert page.split("-->\n\n")[1].startswith(f"# {pg.load(name).title}\n")


@pytest.mark.parametrize("name", pg.game_names())
def test_rules_fit_a_terminal_and_name_sizes_and_options(name):
    text, kind = rules_of(name), type(pg.load(name))
    assert max(map(len, text.splitlines())) <= 88
    assert f"{kind.sizes.start}x{kind.sizes.start}" in text and f"{kind.sizes.stop - 1}x{kind.sizes.stop - 1}" in text
    assert all(rule.name in text and all(value in text for value in rule.values) for rule in kind.offered_rules)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize(
    "page", ["README.md", "docs/census.md", "docs/json.md", "docs/solutions.md", "docs/puzzles.md"]
)
def test_the_python_of_the_pages_runs(page):
    for code in blocks(ROOT / page, "python"):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        promised = re.findall(r"# → (.*)", code)
        assert promised and all(line in done.stdout for line in promised), done.stdout


@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "reference").glob("*.md")), ids=lambda page: page.stem)
def test_the_examples_of_the_reference_run(page):
    examples = blocks(page, "python")
    assert examples
    for code in examples:
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


ELSEWHERE = "sb3_contrib|import jax|from my_game|load_dataset"
"""Code that test_baselines.py and test_jax.py run, where its packages are; a form to fill in; and the next test's."""


@pytest.mark.parametrize("page", ["agents.md", "audit.md", "policies.md"])
def test_the_python_of_the_pages_for_agents_runs(page, tmp_path):
    examples = [code for code in blocks(ROOT / "docs" / page, "python") if not re.search(ELSEWHERE, code)]
    assert examples
    for code in examples:
        if "pyspiel" in code and not find_spec("pyspiel"):
            continue  # with the extra `spiel` only
        script = tmp_path / "example.py"
        script.write_text(code)
        done = subprocess.run([sys.executable, script], capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == 0, done.stderr


def test_the_datasets_of_the_page_are_loaded_as_written(program):
    """The commands and the code of docs/agents.md, with fewer positions."""
    page = ROOT / "docs" / "agents.md"
    commands = next(code for code in blocks(page, "sh") if "pentagrid dataset" in code).splitlines()
    code = next(code for code in blocks(page, "python") if "load_dataset" in code)
    for command in [*commands, commands[-1].replace("matrix-capture", "number-cross")]:
        program(*shlex.split(command.replace("5000", "60"), comments=True)[1:])
    program.env |= {"HF_HOME": str(program.folder / "cache"), "HF_HUB_OFFLINE": "1"}
    shown = 'print(*(f"{name} {len(rows)}" for name, rows in one_game.items()), sorted(set(both["train"]["game"])))'
    done = subprocess.run(
        [sys.executable, "-c", code + shown], env=program.env, cwd=program.folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    sizes = re.fullmatch(r"train (\d+) validation (\d+) test (\d+) \['matrix-capture', 'number-cross'\]\n", done.stdout)
    assert sizes and sum(map(int, sizes.groups())) == 60


def test_the_transcript_of_a_whole_game_is_real(program):
    console = blocks(ROOT / "docs" / "playing.md", "console")[0]
    first, _, said = console.partition("\n")
    command = shlex.split(first.removeprefix("$ .venv/bin/pentagrid "))
    typed = "".join(line + "\n" for line in re.findall(r"^.* enter .*: (\S+)$", said, re.M))
    told = program(*command, typed=typed)
    assert told == said


def test_the_readme_names_every_game_and_dependency():
    import tomllib

    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert all(f"docs/games/{name}.md" in readme for name in pg.game_names())
    for dependency in tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]:
        name = re.match(r"[a-z-]+", dependency)[0]
        assert re.search(rf"^- \*\*{name}\*\*: ", readme.split("## Development")[1], re.M)


def test_the_sixth_game_of_the_docs(program):
    """The folder that docs/adding-a-game.md describes is added to a copy of the package, and played."""
    page = ROOT / "docs" / "adding-a-game.md"
    package = program.folder / "src" / "pentagrid"
    shutil.copytree(Path(pg.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    folder = package / "games" / "corner_count"
    folder.mkdir()
    (folder / "__init__.py").touch()
    *files, check = blocks(page, "python")
    for code in files:
        (folder / re.match(r"# (\S+)", code)[1]).write_text(code)
    (folder / "rules.md").write_text(blocks(page, "markdown")[0])
    program.env["PYTHONPATH"] = str(program.folder / "src")
    subprocess.run([sys.executable, "-c", check], env=program.env, cwd=program.folder, check=True)
    assert "  corner-count\n" in program("--help")
    told = program("play", "corner-count", "--board", "1 2/3 4", typed="R2C2\nr2c2\nR2C1\nR1C2\nR1C1\n")
    assert "Sorry, R2C2 has already been claimed." in told and told.endswith("Player 1 wins!\n")
    assert "Player 1 (X): 12\nPlayer 2 (O): 8" in told
    assert program("rules", "corner-count").startswith("# Corner Count")
    assert "Corner Count: Player 1 - Player 2" in program("games")
    assert "Player 1 should win by 4" in program("analyze", "corner-count", "--board", "1 2/3 4")
    assert "wins!" in program("play", "corner-count", "--p1", "perfect", "--p2", "level:2", "--seed", "1")
    assert "all 24 deals under perfect play" in program("census", "corner-count", "--size", "2", "--all")
    assert "ways to play it, 10 deals each" in program("balance", "corner-count", "--deals", "10", "--finals", "10")


def test_the_page_on_fairness_is_made_from_its_figures(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs")
    fairness = importlib.import_module("fairness")
    figures = json.loads(fairness.FIGURES.read_text(encoding="utf-8"))
    assert fairness.PAGE.read_text(encoding="utf-8") == fairness.page(figures), "run make fairness ARGS=--page"
    written = next(row for row in figures["number-cross"]["final"]["ranking"] if not row["options"])
    assert written["perfect"] == {
        "share": 0.945437,
        "low": 0.945437,
        "high": 0.945437,
        "exact": True,
    }  # 343,080 / 362,880
    assert all((ROOT / "docs" / "plots" / f"balance-{name}.svg").is_file() for name in figures)
