"""The command on a pseudo-terminal: the menu, colors, the clock, Ctrl-C and Ctrl-D, another game."""

from __future__ import annotations

import os
import re
import signal
import sys

import pytest

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal: run on Linux or macOS", allow_module_level=True)


MATRIX = ("play", "matrix-capture", "--board", "9 1/1 1")
COLOR = re.compile(r"\x1b\[[0-9;]*m")


def test_the_menu_by_keyboard_alone(terminal, program):
    screen = terminal()
    screen.until("What would you like?")
    screen.until("(Enter for 1, q to leave): ")
    screen.type("99\n")
    screen.until("'99' is not one of them.")
    screen.type("Matrix Capture\n")
    screen.until("Who plays as Player 1?")
    screen.type("\n")
    screen.until("Who plays as Player 2?")
    screen.until("the computer: perfect")
    screen.type("3\n")
    screen.until("Options?")
    screen.type("2\n")
    screen.until("Size, 2 to 12 (Enter for 4, b to go back, q to leave): ")
    screen.type("40\n")
    screen.until("2 to 12")
    screen.type("2\n")
    for rule in ("order: ", "komi, ", "pie: ", "Who goes first?"):
        screen.until(rule)
        screen.type("\n")
    screen.until("Seconds for each turn")
    screen.type("soon\n")
    screen.until("'soon' is not a number.")
    screen.type("60\n")
    screen.until("Seed, a whole number")
    screen.type("5\n")
    screen.until("play matrix-capture --p2 greedy --size 2 --turn-seconds 60 --seed 5")
    screen.until("Player 1's turn.")
    screen.type("R1C1\n")
    screen.until("Another game with the seats swapped? (y/n): ")
    screen.type("n\n")
    screen.until("What would you like?")
    screen.type("q\n")
    screen.until("Goodbye.")
    assert screen.end() == 0
    assert len(program.saved()) == 1


def test_the_menu_resumes_and_shows_rules(terminal, program):
    program(*MATRIX, typed="R1C1\n")
    screen = terminal(env={"PAGER": "cat", "MANPAGER": "cat"})
    screen.until("6  Resume the last unfinished game")
    screen.type("7\n")
    screen.until("Which game?")
    screen.type("number cross\n")
    screen.until("Tips\n────")
    screen.until("What would you like?")
    screen.type("6\n")
    screen.until("Moves made so far: R1C1")
    screen.type("R2C2\n")
    screen.until("wins with a higher total sum")
    screen.until("(y/n): ")
    screen.type("n\n")
    screen.until("What would you like?")
    screen.type("\x04")
    assert screen.end() == 0


def test_ctrl_d_leaves_a_game_for_the_menu_and_the_menu(terminal):
    screen = terminal()
    screen.until("q to leave): ")
    screen.type("3\n\n2\n1\n1\n")
    screen.until("(e.g., ")
    screen.until("): ")
    screen.type("\x04")
    screen.until("To go on: ")
    screen.until("What would you like?")
    screen.until("q to leave): ")
    screen.type("\x04")
    screen.until("Goodbye.")
    assert screen.end() == 0


def test_ctrl_c_in_the_menu(terminal):
    screen = terminal()
    screen.until("q to leave): ")
    screen.type("\x03")
    assert screen.end() == 130


def test_color_only_on_a_terminal_that_wants_it(terminal):
    for options, env, colored in (
        ((), {}, True),
        ((), {"NO_COLOR": "1"}, False),
        ((), {"TERM": "dumb"}, False),
        (("--no-color",), {}, False),
    ):
        screen = terminal("play", "capture-square", "--p1", "random", "--p2", "random", *options, env=env)
        assert screen.end() == 0
        assert bool(COLOR.search(screen.told)) == colored, (options, env)


def test_color_adds_no_information(terminal, program):
    for name in ("capture-square", "capture-squares", "matrix-capture", "number-cross", "number-grid-battle"):
        game = ("play", name, "--seed", "3", "--p1", "random", "--p2", "random")
        screen = terminal(*game)
        screen.end()
        assert COLOR.sub("", screen.told) == program(*game)


def test_two_people_are_offered_another_game_with_the_seats_swapped(terminal, program):
    screen = terminal(*MATRIX, "--names", "Ann,Bob", "--save", "club.pentagrid")
    for first, winner, tally in (
        ("Ann", "Ann", "Ann has won 1 game, Bob none."),
        ("Bob", "Bob", "Ann has won 1 game, Bob 1."),
    ):
        screen.until(f"{first} starts the game.")
        screen.type("R1C1\n")
        screen.until("Column 1")
        screen.type("R2C2\n")
        screen.until(f"Winner: {winner} wins")
        screen.until(tally)
        screen.until("(y/n): ")
        screen.type("maybe\n")
        screen.until("Please answer y or n, or type review, analyze or replay.")
        screen.type("y\n")
    screen.until("Ann starts the game.")
    screen.type("quit\n")
    screen.until("resume club-3.pentagrid")
    assert screen.end() == 0
    assert sorted(path.name for path in program.folder.glob("club*")) == [
        "club-2.pentagrid", "club-3.pentagrid", "club.pentagrid",
    ]  # fmt: skip


def test_a_computer_sits_on_the_other_side_in_the_next_game(terminal):
    screen = terminal(*MATRIX, "--p2", "greedy")
    screen.until("Player 2 is played by the computer")
    screen.type("R1C1\n")
    screen.until("(y/n): ")
    screen.type("yes\n")
    screen.until("Player 1 is played by the computer")
    screen.until("Player 1 plays R1C1.")
    screen.type("\x04")
    screen.until("To go on: ")
    assert screen.end() == 0


@pytest.mark.parametrize("opponent", ["human", "random"])
def test_the_clock_on_a_terminal(terminal, opponent):
    screen = terminal(*MATRIX, "--p2", opponent, "--turn-seconds", "0.5")
    screen.until("Enter the row and column")
    screen.type("R1C1")  # never finished by Enter
    screen.until("Time is up, Player 1.", seconds=10)
    screen.until("Player 2 wins!")
    screen.until("(y/n): ")
    screen.type("n\n")
    assert screen.end() == 0


def test_ctrl_c_and_ctrl_d_tell_how_to_come_back(terminal, program):
    for key, code in (("\x03", 130), ("\x04", 0)):
        screen = terminal(*MATRIX)
        screen.until("Enter the row and column")
        screen.type("R1C1\n")
        screen.until("Player 2's turn.")
        screen.until("Enter the row and column")
        screen.type(key)
        screen.until("To go on: ")
        assert screen.end() == code
    assert "Player 2's turn." in program("resume")


def test_ctrl_c_at_the_very_moment_of_the_prompt_is_never_slept_over(terminal):
    for _ in range(12):
        screen = terminal(*MATRIX)
        screen.until("(e.g., R2C2): ")
        screen.type("\x03")
        assert screen.end() == 130


def test_a_resumed_game_can_be_followed_by_another(terminal, program):
    program(*MATRIX, "--p2", "greedy", typed="")
    program(*MATRIX, typed="R1C1\n")
    screen = terminal("resume")
    screen.until("Player 2's turn.")
    screen.type("R2C2\n")
    screen.until("Whoever began the first game has won 1 game, the other none.")
    screen.type("n\n")
    assert screen.end() == 0


def test_resigning_is_asked_and_the_tally_is_in_plain_words(terminal):
    screen = terminal("play", "capture-squares", "--board", "4 1/2 3", "--p1", "greedy")
    screen.until("Player B, enter the position")
    screen.type("resign\n")
    screen.until("Really resign? (y/n): ")
    screen.type("why\n")
    screen.until("Please answer y or n.")
    screen.type("n\n")
    screen.until("Player B, enter the position")
    screen.type("resign\n")
    screen.until("Really resign? (y/n): ")
    screen.type("y\n")
    screen.until("Player B resigns.")
    screen.until("The computer has won 1 game, you none.")
    screen.until("(y/n): ")
    screen.type("y\n")
    screen.until("Player A, enter the position")
    screen.type("resign\n")
    screen.until("Really resign? (y/n): ")
    screen.type("y\n")
    screen.until("The computer has won 2 games, you none.")
    screen.type("n\n")
    assert screen.end() == 0


def test_the_clock_ends_the_wait_for_an_answer_too(terminal):
    screen = terminal(*MATRIX, "--turn-seconds", "1")
    screen.until("Enter the row and column")
    screen.type("resign\n")
    screen.until("Really resign? (y/n): ")
    screen.until("Time is up, Player 1.", seconds=10)


def test_a_game_can_be_looked_at_again_when_it_is_over(terminal, program):
    screen = terminal("play", "matrix-capture", "--board", "1 2/3 4", "--names", "Ann,Bob")
    screen.until("Enter the row and column")
    screen.type("R1C1\n")
    screen.until("Enter the row and column")
    screen.type("R2C2\n")
    screen.until("Winner: Bob wins")
    screen.until(f"The game is saved in {program.saved()[0]}.")
    screen.until("Type review (where it turned), analyze (every move) or replay to see it again.")
    screen.until("Ann has won no game, Bob 1.")
    screen.until("(y/n): ")
    screen.type("review\n")
    screen.until("Where the game turned:\n  1. Ann: R1C1  <- throws the win away")
    screen.until("Accuracy of Bob: no real choice")
    screen.until("(y/n): ")
    screen.type("analyse\n")
    screen.until("  2. Bob: R2C2\n")
    screen.until("The game is over: Bob has won")
    screen.until("(y/n): ")
    screen.type("replay\n")
    screen.until("Enter for the next move, q to leave: ")
    screen.type("\n")
    screen.until("Move 1: Ann plays R1C1.")
    screen.until("q to leave: ")
    screen.type("q\n")
    screen.until("(y/n): ")
    screen.type("n\n")
    assert screen.end() == 0


def test_a_closed_terminal_loses_nothing(terminal, program):
    screen = terminal(*MATRIX)
    screen.until("Enter the row and column")
    screen.type("R1C1\n")
    screen.until("Player 2's turn.")
    screen.until("Enter the row")
    os.killpg(screen.process.pid, signal.SIGHUP)
    screen.process.wait(10)
    assert "Moves made so far: R1C1" in program("resume")


def test_long_rules_are_paged_and_a_typed_line_is_not_echoed_twice(terminal):
    screen = terminal("rules", "number-cross", env={"PAGER": "sed s/^/PAGED:/", "MANPAGER": "sed s/^/PAGED:/"})
    screen.until("PAGED:Number Cross\nPAGED:════════════")
    screen.until("PAGED:Writing moves")
    assert "`" not in screen.told and "#" not in screen.told
    assert screen.end() == 0
    screen = terminal(*MATRIX)
    screen.until("(e.g., R2C2): ")
    screen.type("R1C1\n")
    screen.until("Player 2's turn.")
    assert screen.told.count("(e.g., R2C2): R1C1\n\nYou selected") == 1


def test_a_long_search_shows_a_bar_and_ctrl_c_gives_the_best_answer_so_far(terminal):
    blocks = ("--rule", "ending=blocks")  # as written it is proven at once
    screen = terminal("analyze", "capture-square", "--size", "6", *blocks, "--moves", "A1", "--seconds", "60")
    screen.until("Searching:")
    screen.type("\x03")
    screen.until("the best move found for Player 2 is ")
    assert screen.end() == 0
