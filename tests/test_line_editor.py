"""Editing at the prompt on a real terminal: arrows, history, Tab, the clock, Ctrl-Z."""

from __future__ import annotations

import re
import shlex
import sys

import pytest

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal: run on Linux or macOS", allow_module_level=True)

MATRIX = ("play", "matrix-capture", "--board", "9 1 2/1 1 3/5 4 3")
LEFT, UP, DOWN, HOME = "\x1b[D", "\x1b[A", "\x1b[B", "\x1b[H"
CTRL_A, CTRL_E, CTRL_W, CTRL_U, CTRL_Z = "\x01", "\x05", "\x17", "\x15", "\x1a"


def at_the_prompt(screen, *args, **options):
    one = screen(*MATRIX, *args, **options)
    one.until_line("(e.g., R2C2): ")
    return one


def test_a_line_is_edited_by_arrows_and_control_keys(screen):
    one = at_the_prompt(screen)
    one.type("1C1" + LEFT * 3 + "R")
    one.until_line("R")
    one.type(CTRL_E + " oops")
    one.until_line("R1C1 oops")
    one.type(CTRL_W + "\x7f" + CTRL_A + "x" + "\x7f")
    one.until_line("(e.g., R2C2): ")
    assert "(e.g., R2C2): R1C1" in one.lines[one.drawn.cursor.y]
    one.type("\r")
    one.until("You selected number 9 at R1C1.")
    assert "^[" not in "\n".join(one.lines)


def test_earlier_lines_come_back(screen):
    one = at_the_prompt(screen)
    for line in ("moves", "R1C1"):
        one.type(line + "\r")
        one.until_line("): ")
    one.until("Player 2's turn.")
    one.until_line("): ")
    one.type(UP)
    one.until_line(": R1C1")
    one.type(UP)
    one.until_line(": moves")
    one.type(DOWN)
    one.until_line(": R1C1")
    one.type(CTRL_U + "resign\r")
    one.until_line("(y/n): ")
    one.type(UP + "y\r")  # no move is offered as an answer to a question
    one.until("Player 2 resigns.")


def test_tab_completes_moves_and_commands(screen):
    one = at_the_prompt(screen)
    one.type("un\t")
    one.until_line(": undo")
    one.type(CTRL_U + "R3\t")
    one.until_line(": R3C")
    one.type("1\t\r")
    one.until("You selected number 5 at R3C1.")
    one.until_line("): ")
    one.type("\t")
    one.until("analyze")  # all that is possible, listed
    one.until("R1C2")
    assert not any("R3C1  " in line for line in one.lines[-8:])
    one.type("r1c2\t\r")
    one.until("You selected number 1 at R1C2.")


def test_a_puzzle_is_edited_too(screen):
    one = screen("puzzle", "matrix-capture", "--seed", "1")
    one.until_line("): ")
    one.type("sol\t")
    one.until_line(": solution")
    one.type("\r")
    one.until("The game is over")


def time_left(one):
    return int(re.search(r"Time left: (\d+) s", "\n".join(one.lines))[1])


def test_the_clock_is_shown_warns_and_ends_the_wait(screen):
    one = at_the_prompt(screen, "--turn-seconds", "8")
    one.until("Time left: ")
    first = time_left(one)
    one.type("R1C")  # what is typed stays while the clock is drawn anew
    one.until_line("R1C")
    one.until(f"Time left: {first - 3} s")
    assert one.line.endswith("R1C")
    one.until("Only 2 s left!")
    assert one.line.endswith("R1C")
    one.until("Time is up, Player 1.")
    one.until_line("(y/n): ")
    one.type("n\r")
    assert one.end() == 0


def test_a_long_clock_shows_minutes():
    from pentagrid.terminal.line_editor import time_words

    assert [time_words(seconds) for seconds in (0.2, 59, 59.5, 125)] == ["1 s", "59 s", "1:00", "2:05"]


def test_the_prompt_comes_back_after_ctrl_z(screen):
    one = screen(command=["sh", "-i"], env={"PS1": "shell> "})
    one.until_line("shell> ")
    one.type(shlex.join([sys.executable, "-m", "pentagrid", *MATRIX]) + "\n")
    one.until_line("(e.g., R2C2): ")
    one.type("R1")
    one.until_line("R1")
    one.type(CTRL_Z)
    one.until_line("shell> ")
    one.type("fg\n")
    one.until_line("(e.g., R2C2): R1")
    one.type("C1\r")
    one.until("You selected number 9 at R1C1.")
    one.type("quit\r")
    one.until_line("shell> ")
    one.type("exit\n")
    assert one.end() == 0


@pytest.mark.parametrize(("key", "code"), [("\x03", 130), ("\x04", 0)])
def test_leaving_tells_how_to_come_back(screen, key, code):
    for _ in range(4):
        one = screen(*MATRIX)
        one.until("(e.g., R2C2):")
        one.type(key)
        one.until("To go on: ")
        assert one.end() == code


def test_pasted_lines_are_answered_one_by_one(screen):
    one = at_the_prompt(screen)
    one.type("\x1b[200~R1C1\nR2C2\nR3C3\x1b[201~\r")
    one.until("Winner: Player 1 wins")
    one.until_line("(y/n): ")
    one.type("n\r")
    assert one.end() == 0


def test_lines_typed_ahead_are_not_lost(screen):
    one = screen(*MATRIX)
    one.type("R1C1\nR2C2\nR3C3\nn\n")
    one.until("Winner: Player 1 wins")
    assert one.end() == 0


def test_a_narrow_screen(screen):
    one = at_the_prompt(screen, "--turn-seconds", "60", size=(20, 40))
    one.until("Time left: ")
    one.type("R1C1\r")
    one.until("Player 2's turn.")


def test_a_game_from_the_menu_to_the_end(screen, program):
    one = screen(size=(40, 80))
    for ending, answer in (
        ("q to leave):", "numbre"),
        ("'numbre' is not one of them.", None),
        ("q to leave):", "matrix"),
        ("Who plays as Player 1?", ""),
        ("Who plays as Player 2?", "5"),
        ("Options?", "3"),
        ("(e.g., ", "resign"),
        ("Really resign?", "y"),
        ("Another game", "n"),
        ("What would you like?", None),
    ):
        one.until(ending)
        if answer is not None:
            one.until_line(": ")
            one.type(answer + "\r")
    one.until_line("q to leave): ")
    one.type("\x04")
    one.until("Goodbye.")
    assert one.end() == 0
    assert len(program.saved()) == 1


def test_killed_at_the_prompt_nothing_is_lost(screen, program):
    one = at_the_prompt(screen)
    one.type("R1C1\r")
    one.until("Player 2's turn.")
    one.until_line("): ")
    one.process.kill()
    one.process.wait(10)
    assert "Moves made so far: R1C1" in program("resume")


def test_long_answers_are_broken_between_words(screen):
    one = screen(*MATRIX, "--moves", "R1C1", size=(40, 70))
    one.until_line("): ")
    one.type("R1C2\r")
    one.until("Please choose an\navailable cell.")


def test_a_dumb_terminal_is_asked_line_by_line(screen):
    one = screen(*MATRIX, env={"TERM": "dumb"})
    one.until_line("(e.g., R2C2): ")
    one.type("R1C1\n")
    one.until("You selected number 9 at R1C1.")
    assert "\x1b" not in one.told
