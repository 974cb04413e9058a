"""The wheel is built and installed into an empty environment, and works there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pentagrid as pg

ROOT = Path(__file__).parent.parent


def test_the_wheel_works_in_an_empty_environment(tmp_path):
    def run(*command):
        env = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | {"HOME": str(tmp_path)}
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=env)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    sources = tmp_path / "sources"
    shutil.copytree(ROOT / "src", sources / "src", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, sources)
    run(
        sys.executable,
        "-c",
        f"""
import os
from hatchling.build import build_wheel
os.chdir({str(sources)!r})
build_wheel({str(tmp_path)!r})
""",
    )
    wheel = next(tmp_path.glob("*.whl"))
    names = zipfile.ZipFile(wheel).namelist()
    assert "pentagrid/py.typed" in names and "pentagrid/games/number_cross/rules.md" in names
    assert {"pentagrid/web/pages/static/board.js", "pentagrid/web/pages/templates/base.html"} <= set(names)
    assert not [name for name in names if name.startswith(("tests", "docs", "benchmarks"))]
    environment = tmp_path / "empty"
    uv = shutil.which("uv")
    venv.create(environment, with_pip=uv is None)
    python = environment / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    if uv:
        run(uv, "pip", "install", "-q", "--python", str(python), str(wheel))
    else:
        run(str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", str(wheel))
    command = str(python.parent / "pentagrid")
    assert run(command, "--version") == f"pentagrid {pg.__version__}\n"
    assert run(str(python), "-m", "pentagrid", "--version") == f"pentagrid {pg.__version__}\n"
    for name in pg.game_names():
        assert "Welcome to " in run(command, "play", name, "--p1", "random", "--p2", "greedy")
        assert run(command, "rules", name).startswith("# ")
