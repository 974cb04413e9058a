"""The real program on a real pseudo-terminal: start, mouse, resize, Ctrl-Z, kill -9 and resume, plain mode."""

from __future__ import annotations

import os
import signal
import sys

import pytest

from pentagrid.terminal.saved_games import read_file

if sys.platform == "win32":
    pytest.skip("there are no pseudo-terminals", allow_module_level=True)

from real_terminal import PENTAGRID, RealTerminal

pytestmark = pytest.mark.alone  # time limits on a real terminal or network

MATRIX = ("play", "matrix-capture", "--board", "5 3 6 2/4 7 1 8/9 2 5 3/6 4 7 1")


@pytest.fixture
def open_terminal(program):
    opened = []

    def start(*args, size=(80, 24), command=None, **env):
        given = program.env | {"PENTAGRID_PLAIN": "", "TERM": "xterm-256color", "COLORTERM": ""} | env
        opened.append(RealTerminal(command or [*PENTAGRID, *args], program.folder, given, size))
        return opened[-1]

    yield start
    for each in opened:
        each.close()


def test_start_play_by_mouse_and_leave(program, open_terminal):
    screen = open_terminal()
    screen.until("Number Grid Battle")
    screen.type("4")
    screen.until("Seconds a turn")
    screen.type("\r")
    screen.until("R1")
    screen.settle()
    screen.click("C2", column=0)  # beside the board: nothing
    row = next(line for line in screen.screen.display if line.lstrip().startswith("R1 "))
    number = row.split("│")[1].strip()
    screen.click("R1 │", column=8)
    screen.until(f"X{number}")
    screen.until(" 2 O R")
    screen.type("\x11")  # Ctrl-Q
    assert screen.end() == 0
    assert b"To go on: " in screen.written
    assert len(read_file(program.saved()[0]).match.moves) == 2


@pytest.mark.parametrize("env", [{}, {"COLUMNS": "80", "LINES": "24"}])
def test_resize_in_mid_game(open_terminal, env):
    screen = open_terminal(*MATRIX, "--app", **env)
    screen.until("Player 1 to move")
    screen.type("\r")
    screen.until("(X7)")
    for size in ((120, 40), (60, 20), (80, 24)):
        screen.resize(*size)
        screen.settle()
        screen.until("(X7)")
        screen.until("> O Player 2")
        screen.until("? Keys", row=-1)


def test_kill_at_any_moment_and_resume_in_line_mode(program, open_terminal):
    screen = open_terminal(*MATRIX, "--app", "--names", "Ann,Bob")
    screen.until("Ann to move")
    screen.type("\r")
    screen.until("Bob to move")
    os.killpg(screen.process.pid, signal.SIGKILL)
    screen.process.wait()
    told = program("resume", typed="R1C1\nquit\n")
    assert "Moves made so far: R2C2" in told
    again = open_terminal()
    again.until("Go on: Matrix Capture, Ann to move against Bob, move 3")
    again.type("c")
    again.until("(O5)")
    again.type("u")
    again.until("Taken back: R1C1.")
    again.type("\x03")  # Ctrl-C leaves too
    assert again.end() == 0
    assert read_file(program.saved()[0]).match.moves == ["R2C2"]


@pytest.mark.parametrize("start", ["{}", 'sh -c "{}; true"'], ids=["by itself", "by another program"])
def test_ctrl_z_and_back(open_terminal, start):
    screen = open_terminal(command=["bash", "--norc", "--noprofile", "-i"], PS1="shell> ")
    screen.until("shell>")
    screen.type(start.format(f"'{sys.executable}' -m pentagrid {' '.join(MATRIX[:2])} --seed 7 --app") + "\r")
    screen.until("Player 1 to move")
    screen.type("\r")
    screen.until("(X4)")
    screen.type("\x1a")
    screen.until("Stopped")
    screen.type("clear; fg\r")
    screen.until("(X4)")
    screen.until("Player 2 to move")
    screen.type("u")
    screen.until("Taken back: R2C2.")
    screen.type("\x11")
    screen.until("shell>")


def test_only_what_changed_is_written(open_terminal):
    screen = open_terminal(*MATRIX, "--app")
    screen.until("Player 1 to move")
    screen.settle()
    before = len(screen.written)
    screen.type("l")
    screen.until("[   1   ]")
    screen.settle()
    assert len(screen.written) - before < 1500, "a cursor that moves draws its rows again, not the screen"


def test_sixteen_colors_and_none(open_terminal):
    for env, many in (({"TERM": "xterm"}, False), ({"NO_COLOR": "1"}, False), ({"COLORTERM": "truecolor"}, True)):
        screen = open_terminal(*MATRIX, "--app", **env)
        screen.until("Player 1 to move")
        screen.settle()
        assert (b"38;2;" in screen.written) == many
        assert b"38;5;" not in screen.written or "NO_COLOR" not in env
        if "NO_COLOR" in env:
            colored = [c for line in screen.screen.buffer.values() for c in line.values() if c.fg != "default"]
            assert not colored
        screen.type("\x11")
        assert screen.end() == 0


def test_replay_opens_the_review(program, open_terminal):
    program("play", "number-cross", "--seed", "7", "--save", "game.pentagrid", typed="Row1\nCol2\nresign\n")
    screen = open_terminal("replay", "game.pentagrid")
    screen.until("Review: Number Cross")
    screen.type("l")
    screen.until("Move 1: Player 1 played Row1")
    screen.type("\x11")
    assert screen.end() == 0
    plain = open_terminal("replay", "game.pentagrid", "--plain")
    plain.until("Player 1 resigns.")
    assert plain.end() == 0


@pytest.mark.parametrize(
    ("args", "env", "told"),
    [
        (["--plain"], {}, "What would you like?"),
        ([], {"PENTAGRID_PLAIN": "1"}, "What would you like?"),
        ([], {"TERM": "dumb"}, "For the full-screen app, use a terminal that can move its cursor (TERM is dumb)."),
    ],
)
def test_the_menu_where_the_app_is_not_wanted_or_cannot_be(open_terminal, args, env, told):
    screen = open_terminal(*args, size=(100, 40), **env)
    screen.until(told)
    screen.until("What would you like?")
    assert b"\x1b[?1049h" not in screen.written


def test_without_textual_the_menu_says_how_to_get_it(open_terminal, tmp_path):
    code = (
        "import sys, importlib.util as u; found = u.find_spec;"
        "u.find_spec = lambda name, *rest: None if name == 'textual' else found(name, *rest);"
        "from pentagrid.terminal.main import main; sys.exit(main([]))"
    )
    screen = open_terminal(command=[sys.executable, "-c", code], size=(100, 40))
    screen.until('For the full-screen app: pip install "pentagrid[tui]".')
    screen.until("What would you like?")


def test_the_app_needs_a_terminal(program):
    assert "The full-screen app needs a terminal." in program(*MATRIX, "--app", code=2)
