"""Running the program as its users do: over pipes, or on a pseudo-terminal, with a home of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

# A job in the background ignores these, and so would the programs that are started here.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

PROGRAM = [sys.executable, "-m", "pentagrid"]


class Program:
    """The command, run in an empty folder with an empty home."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        home = folder / "home"
        home.mkdir()
        left_out = ("NO_COLOR", "XDG_STATE_HOME", "PYTHONPATH", "COLUMNS", "LINES")
        keep = {k: v for k, v in os.environ.items() if k not in left_out}
        self.env = keep | {"HOME": str(home), "USERPROFILE": str(home), "LOCALAPPDATA": str(home), "TERM": "xterm"}
        self.env["PENTAGRID_PLAIN"] = "1"  # the full-screen app is tested in tests/app

    def __call__(self, *args: str, typed: str | bytes = "", code: int = 0, timeout: float = 60) -> str:
        """Run it to the end; its exit code must be as expected. Standard output, then standard error."""
        data = typed.encode() if isinstance(typed, str) else typed
        done = subprocess.run(
            [*PROGRAM, *args], input=data, capture_output=True, env=self.env, cwd=self.folder, timeout=timeout
        )
        told = done.stdout.decode() + done.stderr.decode()
        assert done.returncode == code, told
        assert "Traceback" not in told, told
        return told

    def start(self, *args: str, **options: object) -> subprocess.Popen[bytes]:
        """Start it and leave it running."""
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT} | options
        return subprocess.Popen([*PROGRAM, *args], env=self.env, cwd=self.folder, **pipes)  # type: ignore[call-overload]

    def saved(self) -> list[Path]:
        """The files in the state folder."""
        return sorted((self.folder / "home").rglob("*.pentagrid"))


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path)


WITHOUT_TUI = Path(__file__).parent / "fixtures" / "without_tui"
"""A folder for PYTHONPATH: in it the packages of the extra `tui` cannot be imported."""


@pytest.fixture
def terminal(program: Program):
    """Opens the command on pseudo-terminals of its own, without the extra `tui`: `terminal("play", "number-cross")`."""
    from pseudo_terminal import Terminal

    yield from _opener(program, Terminal, {"PYTHONPATH": str(WITHOUT_TUI)})


@pytest.fixture
def screen(program: Program):
    """Opens the command on pseudo-terminals with the extra `tui`, and reads what stands on their screens."""
    from pseudo_terminal import Screen

    yield from _opener(program, Screen, {})


def _opener(program, kind, always):
    opened = []

    def open_terminal(*args, env=None, **options):
        env = {"PENTAGRID_PLAIN": "1"} | always | (env or {})
        opened.append(kind(program, *args, env=env, **options))
        return opened[-1]

    yield open_terminal
    for one in opened:
        if one.process.poll() is None:
            one.process.kill()
            one.process.wait()
