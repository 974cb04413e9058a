"""The command as a program over pipes: good input, bad input, the end of input, a kill, a resume."""

from __future__ import annotations

import errno
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

import pentagrid as pg
from pentagrid.play.match import Match
from pentagrid.play.players import KINDS
from pentagrid.play.record import Record
from pentagrid.terminal.line_game import COMMANDS as TYPED
from pentagrid.terminal.line_game import LeaveError, LineGame
from pentagrid.terminal.main import COMMANDS, main

MATRIX = ("play", "matrix-capture", "--board", "5 3 6 2/4 7 1 8/9 2 5 3/6 4 7 1")
posix = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals: run on Linux or macOS")


class TestOverview:
    def test_version(self, program):
        assert program("--version") == f"pentagrid {pg.__version__}\n"

    def test_help_names_every_command_and_game(self, program):
        told = program("--help")
        assert all(re.search(rf"^  {name} +\S", told, re.M) for name in COMMANDS)
        assert all(name in told for name in pg.game_names())

    @pytest.mark.parametrize("command", COMMANDS)
    def test_help_of_each_command(self, program, command):
        assert f"usage: pentagrid {command}" in program(command, "--help")

    def test_play_help_names_every_option_and_kind(self, program):
        told = program("play", "--help")
        options = "board seed size p1 p2 names first turn-seconds rule moves save no-color"
        for option in options.split():
            assert f"--{option}" in told
        assert all(name in told for kind in KINDS.values() for name in kind.usage.split(" (")[0].split(" … "))

    @pytest.mark.parametrize(
        ("args", "why"),
        [
            (["fly"], "There is no command 'fly'; there are play"),
            (["play", "matrix"], "There is no game 'matrix'. Did you mean matrix-capture?"),
            (["play"], "the following arguments are required: GAME"),
            (["play", "matrix-capture", "--color"], "unrecognized arguments: --color"),
            (["play", "matrix-capture", "--size", "1"], "The size of Matrix Capture must be between 2 and 12, not 1"),
            (["play", "matrix-capture", "--size", "x"], "invalid int value: 'x'"),
            (["play", "matrix-capture", "--seed", "-1"], "a seed is a whole number from 0"),
            (
                ["play", "matrix-capture", "--p1", "wizard"],
                "no player 'wizard'; there are human, random, greedy, level:1 … level:9, perfect",
            ),
            (
                ["play", "matrix-capture", "--names", "Ann"],
                "--names must be two names with a comma between them, not 'Ann'",
            ),
            (["play", "matrix-capture", "--names", "Ann,ann"], "Both players are called 'Ann'"),
            (["play", "matrix-capture", "--names", "Ann,Player 1"], "is what a player without a name is called"),
            (["play", "matrix-capture", "--names", "Ann,"], "'' is not a name"),
            (["play", "matrix-capture", "--first", "3"], "invalid choice: '3'"),
            (
                ["play", "matrix-capture", "--turn-seconds", "0"],
                "A turn must last between 0.001 and 86400 seconds, not 0",
            ),
            (
                ["play", "matrix-capture", "--turn-seconds", "nan"],
                "A turn must last between 0.001 and 86400 seconds, not nan",
            ),
            (["play", "matrix-capture", "--board", "1 2/3 x"], "'x' on the board is not a number"),
            (["play", "matrix-capture", "--board", "1 2/3 4", "--size", "4"], "The board has 2 rows"),
            (["play", "matrix-capture", "--rule", "pie"], "--rule must be NAME=VALUE, not 'pie'"),
            (
                ["play", "matrix-capture", "--rule", "pies=on"],
                "has no rule option 'pies'; it has: order=alternate|snake",
            ),
            (["play", "matrix-capture", "--komi", "4.25"], "Komi must be a whole or half number"),
            (["play", "matrix-capture", "--komi", "1", "--rule", "komi=2"], "The komi must be given once"),
            (
                ["play", "capture-square", "--komi", "1"],
                "komi=1 needs ending=blocks; it makes no sense with sudden-death",
            ),
            (["play", "matrix-capture", "--moves", "R1C1; R1C2"], "Move 2 of --moves, 'R1C2', cannot be made: Sorry"),
            (["play", "matrix-capture", "--board", ""], "A row of the board is empty"),
            (["play", "matrix-capture", "--board", "1 2 3"], "The board has 1 row; Matrix Capture at size 4 has 4"),
            (["play", "matrix-capture", "--save", "no/such/folder/x"], "There is no folder"),
            (["play", "matrix-capture", "--save", ""], "'' is not the name of a file"),
            (["play", "matrix-capture", "--save", "x/"], "'x/' is not the name of a file"),
            (["play", "matrix-capture", "--save", "x" * 300], "cannot be written: File name too long"),
            (["play", "matrix-capture", "--save", "/proc/x"], "/proc/x cannot be written"),
            (["play", "matrix-capture", "--save", "~nobody-here/x"], "there is no such home folder"),
            (["replay", "/dev/zero"], "/dev/zero cannot be read: it is not a regular file"),
            (
                ["play", "capture-square", "--rule", "sudden-death=swap"],
                "sudden-death must be flip or exchange, not 'swap'",
            ),
            (["resume", "nothing.pentagrid"], "nothing.pentagrid cannot be read: No such file"),
            (["resume"], "There is no unfinished game to resume"),
            (["replay", "."], ". cannot be read: it is not a regular file"),
            (["rules", "chess"], "There is no game 'chess'"),
        ],
    )
    def test_wrong_usage_exits_2_and_says_what_would_be_right(self, program, args, why):
        assert why in program(*args, code=2)
        assert program.saved() == []

    def test_options_that_make_no_sense_are_refused_with_those_that_do(self, program):
        told = program("play", "capture-square", "--board", "1 2/3 4", code=2)
        assert "--board makes no sense for capture-square" in told
        assert "--seed" in told and "--rule sudden-death=flip|exchange" in told
        assert "--board" not in told.split("The options of capture-square are")[1]

    def test_every_command_that_can_be_typed_in_a_game_is_there(self):
        assert all(hasattr(LineGame, f"_on_{word.split()[0]}") for word in TYPED)


class TestMenu:
    """The menu without a terminal: line by line, what is typed shown behind each prompt."""

    def test_the_end_of_input_leaves_politely(self, program):
        told = program()
        assert told.startswith("Welcome to Pentagrid") and "What would you like?" in told
        assert told.endswith("(Enter for 1, q to leave): \nGoodbye.\n")

    def test_a_whole_game(self, program):
        options = "2\n2\n\n\n\n\n\n5\n"  # a small board and a seed
        told = program(typed=f"Matrix Capture\n1\n1\n\n\n{options}R1C1\nnonsense\nR2C2\nq\nmore\n")
        assert "q to leave): Matrix Capture\n" in told and "Who plays as Player 2?" in told
        assert "play matrix-capture --size 2 --seed 5)" in told
        assert "'nonsense' is not a move" in told and "Winner: " in told and "Another game" not in told
        assert told.endswith("(Enter for 1, q to leave): q\nGoodbye.\n") and "more" not in told
        assert len(program.saved()) == 1

    def test_a_game_left_by_the_end_of_input_can_be_resumed_from_the_menu(self, program):
        program(typed="3\n1\n1\n\n\n1\nR1C1\n")
        told = program(typed="6\n")
        assert "Moves made so far: R1C1" in told and "To go on: " in told and told.endswith("Goodbye.\n")

    def test_wrong_answers_are_told_and_asked_again(self, program):
        told = program(typed="99\n-1\nchess\n\x1b[2J\n3\n1\n1\nAnn\n\nAnn\nann\nAnn\nBob\n1\nquit\nq\n")
        assert told.count("is not one of them.") == 4 and "\x1b" not in told
        assert told.count("Please give two different names, or none.") == 2 and "Ann's turn." in told

    def test_endless_nonsense_ends_with_its_input(self, program):
        told = program(typed="nonsense\n" * 5000)
        assert told.count("'nonsense' is not one of them.") == 5000 and told.endswith("Goodbye.\n")

    def test_rules_and_puzzles(self, program):
        told = program(typed="7\n4\n8\n2\n1\nsolution\nq\n")
        assert "# Number Cross" in told and "The answer is " in told and told.endswith("Goodbye.\n")

    def test_resuming_stands_in_a_fixed_place(self, program):
        told = program(typed="6\n10\n")
        assert "   6  Resume the last unfinished game" in told
        assert "There is no unfinished game." in told and "There are no saved games." in told
        assert told.endswith("Goodbye.\n")

    def test_names_may_be_cut_short(self, program):
        told = program(typed="matrx captrue\ncapture\nnumber-c\nb\ncapture square\nb\nbattle\nb\nMATRIX_\nq\n")
        assert "'matrx captrue' is not one of them. Did you mean Matrix Capture?\n" in told
        assert "'capture' could be Capture Square or Capture Squares." in told
        assert told.count("Who plays as Player 1?") == 4 and "Who plays as Player A?" not in told

    def test_there_is_nothing_before_the_first_question(self, program):
        told = program(typed="b\nback\nq\n")
        assert told.count("There is nothing to go back to; q leaves.") == 2 and "Who plays" not in told

    def test_back_asks_the_question_before_again_and_keeps_the_others(self, program):
        steps = "3\n1\n4\n3\nb\nb\nb\n2\n1\nback\n3\n1\nq\n"
        told = program(typed=steps)
        assert "(The same again: " in told and "play matrix-capture --p1 random --p2 greedy --seed " in told
        assert told.count("Who plays as Player 1?") == 2 and told.count("What would you like?") == 2
        assert "b to go back" not in told.split("What would you like?")[1].split("Who plays")[0]
        told = program(typed="3\n1\n1\nAnn\nBob\n2\n\nback\n5\n\n\n\n\n\n7\nquit\nq\n")
        assert "play matrix-capture --names Ann,Bob --size 5 --seed 7)" in told

    def test_chance_may_decide_who_goes_first(self, program):
        told = program(typed="3\n1\n1\nAnn\nBob\n3\nquit\nq\n")
        assert "play matrix-capture --names Ann,Bob --first random --seed " in told
        told = program(typed="3\n1\n1\nAnn\nBob\n2\n\n\n\n\n2\n\n1\nquit\nq\n")
        assert "--names Ann,Bob --first 2 --seed 1)" in told and "Bob starts the game." in told

    def test_streaks_and_saved_games(self, program):
        program(*MATRIX, "--names", "Ann,Bob", typed="R2C2\n")
        told = program(typed="streaks\nsaved\n1\nreplay\nanalyze\n\nb\nb\nsaved games\n\n2\nsaved\n\nresume\nquit\nq\n")
        assert "No puzzle has been answered yet." in told and "Move 1: Ann plays R2C2." in told
        assert "Accuracy of Ann: " in told and "Moves made so far: R2C2" in told and told.endswith("Goodbye.\n")

    def test_lines_that_come_with_a_wait_are_all_read(self, program):
        with program.start() as menu:
            said = b""
            for line in (b"3\n", b"1\n", b"1\n", b"\n", b"\n", b"1\n", b"moves\nquit\n", b"q\n"):
                while not re.search(rb": $", said):
                    said += os.read(menu.stdout.fileno(), 4096)
                menu.stdin.write(line)
                menu.stdin.flush()
                said = b""
            assert b"Goodbye." in menu.stdout.read()
            menu.stdin.close()
            assert menu.wait(10) == 0

    @posix
    @pytest.mark.parametrize("redirection", ["</dev/null", "<&-", "</dev/null >&-", "</dev/null 2>&-"])
    def test_closed_streams(self, program, redirection):
        done = subprocess.run(
            ["sh", "-c", f"{sys.executable} -m pentagrid {redirection}"], env=program.env, capture_output=True,
            text=True, cwd=program.folder, timeout=60,
        )  # fmt: skip
        assert done.returncode == 0 and done.stderr == ""

    @posix
    def test_make_play_without_a_terminal(self, program):
        """The line that `make play` runs, with the program of these tests."""
        folder = program.folder / "venv" / "bin"
        folder.mkdir(parents=True)
        (folder / "pentagrid").write_text(f'#!/bin/sh\nexec {sys.executable} -m pentagrid "$@"\n')
        (folder / "pentagrid").chmod(0o755)
        (folder / "python").touch()
        (folder.parent / ".installed-play").touch()
        makefile = Path(__file__).parent.parent / "Makefile"
        command = ["make", "-C", str(makefile.parent), f"VENV={folder.parent}", "play"]
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, env=program.env, capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 0 and "Goodbye." in done.stdout, done.stderr


class TestPlay:
    def test_the_same_seed_is_the_same_game(self, program):
        game = ("play", "capture-squares", "--seed", "42", "--p1", "random", "--p2", "greedy")
        assert program(*game) == program(*game)
        assert program(*game) != program(*game[:-5], "43", *game[-4:])

    def test_who_sits_first(self, program):
        told = program("play", "number-cross", "--names", "Ann,Bob", "--first", "2", "--p1", "greedy", typed="quit\n")
        assert "Bob, you will go first." in told and "Ann is played by the computer (greedy)" in told
        seats = {
            re.search(r"(\w+), you will go first", program(
                "play", "number-cross", "--names", "Ann,Bob", "--first", "random", "--seed", str(seed), typed="quit\n"
            ))[1]
            for seed in range(8)
        }  # fmt: skip
        assert seats == {"Ann", "Bob"}

    def test_moves_made_first(self, program):
        told = program(*MATRIX, "--moves", "r2c2; R1C3;", typed="R3C4\nR4C1\n")
        assert "Moves made so far: R2C2; R1C3" in told and "Player 2's Total Sum: 12" in told

    def test_the_size_of_a_board_is_its_own(self, program):
        assert "Player 1 wins" in program("play", "matrix-capture", "--board", "9 1/1 1", typed="R1C1\nR2C2\n")

    @pytest.mark.parametrize(
        ("typed", "why"),
        [
            ("r2d2", "'r2d2' is not a move. Enter a row and a column, such as R2C2."),
            ("R2C2 R3C3", "is not a move"),
            ("", "An empty line is not a move."),
            ("   ", "An empty line is not a move."),
            ("R5C1", "Row 5, column 1 is not on the board: both go from 1 to 4."),
            ("R1C1", "Sorry, R1C1 has already been captured."),
            ("R1C2", "Sorry, R1C2 is not available: Row 1 has been removed."),
            ("\x1b[2J\x07", r"'\x1b[2J\x07' is not a move."),
            ("moves please", "'moves please' is not a move."),
            ("ＲＣ２", "is not a move"),
        ],
    )
    def test_bad_input_says_what_is_wrong_with_it_and_asks_again(self, program, typed, why):
        told = program(*MATRIX, "--moves", "R1C1", typed=f"{typed}\nR2C2\nquit\n")
        assert why in told and told.count("Enter the row and column") == 3
        assert "You selected number 7 at R2C2." in told
        assert "\x1b" not in told and "\x07" not in told

    def test_a_typed_move_is_read_once(self, tmp_path, monkeypatch, capsys):
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
        match = Match(pg.load("matrix-capture").deal(seed=1))
        notation = match.start.game.notation
        read, texts = notation.read, []
        monkeypatch.setattr(notation, "read", lambda text: texts.append(text) or read(text))  # type: ignore[func-returns-value]
        typed = iter(["r1c1", "R 2 C 2", None])
        with pytest.raises(LeaveError):
            LineGame(Record(match), SimpleNamespace(ask=lambda prompt, seconds, **_: next(typed)), None).play()
        assert texts == ["R1C1", "R 2 C 2"] and match.moves == ["R1C1", "R2C2"]

    def test_bytes_that_are_not_utf8(self, program):
        told = program(*MATRIX, typed=b"\xff\xfe\nR2C2\nquit\n")
        assert r"\xff\xfe" in told and "You selected number 7" in told

    def test_a_line_of_ten_megabytes(self, program):
        told = program(*MATRIX, typed=b"R" * 10_000_000 + b"\nR2C2\nquit\n")
        assert "is not a move" in told and "You selected number 7" in told and len(told) < 4000

    def test_a_zero_byte_and_windows_line_ends(self, program):
        told = program(*MATRIX, typed=b"R2\x00C2\r\nR2C2\r\nquit\r\n")
        assert r"'R2\x00C2' is not a move" in told and "You selected number 7" in told

    def test_the_last_line_may_lack_its_end(self, program):
        assert "You selected number 7" in program(*MATRIX, typed="R2C2")

    def test_help_moves_undo_resign(self, program):
        told = program(*MATRIX, typed="HELP\nundo\nR2C2\nUndo\nR2C2\nmoves\nresign\n")
        assert all(word in told for word in TYPED)
        assert "There is no move to take back." in told and "Taken back: R2C2" in told
        assert "Possible moves: R1C1; R1C3" in told
        assert told.endswith("Player 2 resigns.\n\nPlayer 1 wins!\n")
        record = program.saved()[0].read_text()
        assert record.count("R2C2") == 1 and '[Result "1-0"]\n[Reason "resign"]' in record

    def test_undo_against_a_computer(self, program):
        told = program(*MATRIX, "--p2", "greedy", typed="R2C2\nundo\nquit\n")
        assert re.search("Taken back: R2C2, R.C.", told)

    def test_a_program_can_play_over_pipes(self, program):
        """Reads each prompt before it answers: everything must be flushed."""
        with program.start("play", "number-grid-battle", "--board", "7 9 2/4 1 5/8 6 3") as game:
            for cell in ("0 0", "0 1", "0 2", "1 0", "1 1", "1 2", "2 0", "2 1", "2 2"):
                said = b""
                while not re.search(rb"claim[^:]*: $", said):
                    said += os.read(game.stdout.fileno(), 4096)
                game.stdin.write(cell.encode() + b"\n")
                game.stdin.flush()
            assert b"Final Scores" in game.stdout.read()
            game.stdin.close()
            assert game.wait(10) == 0

    def test_a_closed_output_is_no_drama(self, program):
        shell = f"{sys.executable} -m pentagrid play capture-squares --p1 random --p2 random | head -n 1"
        done = subprocess.run(
            ["sh", "-c", shell], env=program.env, capture_output=True, text=True, cwd=program.folder, timeout=60
        )
        assert done.stdout == "Welcome to Capture Squares!\n" and "Traceback" not in done.stderr

    @posix
    @pytest.mark.parametrize(
        ("redirection", "code"),
        [("<&-", 0), ("</dev/null >&-", 0), ("</dev/null >/dev/full", 2), ("</dev/null 2>&-", 0)],
    )
    def test_closed_and_full_streams(self, program, redirection, code):
        shell = f"{sys.executable} -m pentagrid play capture-square --p1 random --p2 human {redirection}"
        done = subprocess.run(
            ["sh", "-c", shell], env=program.env, capture_output=True, text=True, cwd=program.folder, timeout=60
        )
        assert done.returncode == code and "Traceback" not in done.stderr, done.stderr

    def test_the_short_ways_to_ask(self, program):
        assert "You can also type:" in program(*MATRIX, typed="?\nq\n")
        assert "To go on: " in program(*MATRIX, typed="exit\n")

    def test_a_person_who_moves_second_is_told_how_moves_are_written(self, program):
        told = program("play", "number-grid-battle", "--p1", "greedy", "--seed", "1", typed="quit\n")
        assert re.search(r"cell you want to claim \(e\.g\., 0 1", told)

    def test_no_color_on_a_pipe(self, program):
        assert "\x1b" not in program("play", "capture-square", "--p1", "random", "--p2", "random")


class TestClock:
    @posix
    @pytest.mark.parametrize("opponent", ["human", "greedy"])
    def test_on_a_pipe_the_turn_ends_while_the_prompt_waits(self, program, opponent):
        with program.start(*MATRIX, "--p2", opponent, "--turn-seconds", "0.4") as game:
            began = time.monotonic()
            game.stdin.write(b"R1")  # half a line does not count
            game.stdin.flush()
            told = game.stdout.read().decode()
            assert time.monotonic() - began < 10
            assert game.wait(10) == 0
            game.stdin.close()
        assert "Each turn may last 0.4 seconds." in told
        assert told.endswith("Time is up, Player 1.\n\nPlayer 2 wins!\n")
        assert '[Reason "time"]' in program.saved()[0].read_text()

    @posix
    def test_wrong_input_does_not_buy_time(self, program):
        with program.start(*MATRIX, "--turn-seconds", "0.6") as game:
            os.set_blocking(game.stdout.fileno(), False)
            began = time.monotonic()
            while game.poll() is None and time.monotonic() - began < 10:
                try:
                    game.stdin.write(b"nonsense\n")
                    game.stdin.flush()
                except BrokenPipeError:
                    break
                time.sleep(0.05)
            assert game.wait(10) == 0 and time.monotonic() - began < 5

    def test_a_turn_in_time_goes_on(self, program):
        told = program(*MATRIX, "--turn-seconds", "30", typed="R2C2\nR1C3\nR3C4\nR4C1\n")
        assert "Player 2 wins with a higher total sum." in told


class TestKeeping:
    def resume_command(self, told):
        return re.search(r"To go on: .* resume (\S+)", told)[1]

    @pytest.mark.parametrize("end", ["quit\n", ""])
    def test_leaving_prints_the_command_that_resumes(self, program, end):
        told = program(*MATRIX, "--names", "Ann,Bob", typed="R2C2\nR1C3\n" + end)
        file = self.resume_command(told)
        assert [str(path) for path in program.saved()] == [file]
        told = program("resume", file, typed="R3C4\nR4C1\n")
        assert "Moves made so far: R2C2; R1C3" in told and "Winner: Bob wins" in told
        assert "is over; look at it with pentagrid replay" in program("resume", file, code=2)

    def test_resume_without_a_file_takes_the_last_unfinished(self, program):
        program(*MATRIX, typed="R2C2\n")
        program("play", "number-cross", "--seed", "1", typed="Row1\n")
        program("play", "capture-square", "--p1", "random", "--p2", "random")
        assert "Welcome to Number Cross!" in program("resume", typed="Row2\n")

    def test_a_kill_loses_nothing(self, program):
        for sign in (signal.SIGKILL, signal.SIGTERM) if sys.platform != "win32" else (signal.SIGTERM,):
            with program.start(*MATRIX) as game:
                game.stdin.write(b"R2C2\nR1C3\n")
                game.stdin.flush()
                said = b""
                while said.count(b"Enter the row") < 3:
                    said += os.read(game.stdout.fileno(), 4096)
                game.send_signal(sign)
                game.wait(10)
            told = program("resume", typed="R3C4\nR4C1\n")
            assert "Moves made so far: R2C2; R1C3" in told and "Winner: Player 2" in told
        leftovers = [path for path in program.saved()[0].parent.iterdir() if path.suffix != ".pentagrid"]
        assert leftovers == []

    @posix
    def test_ctrl_c(self, program):
        with program.start(*MATRIX) as game:
            said = b""
            while b"Enter the row" not in said:
                said += os.read(game.stdout.fileno(), 4096)
            game.stdin.write(b"R2C2\n")
            game.stdin.flush()
            while b"Player 2's turn." not in said:
                said += os.read(game.stdout.fileno(), 4096)
            game.send_signal(signal.SIGINT)
            told = game.stdout.read().decode()
            assert game.wait(10) == 130
            game.stdin.close()
        assert "To go on: " in told and "Traceback" not in told
        assert "Player 2's turn." in program("resume")

    def test_save_file_of_ones_own(self, program):
        told = program(*MATRIX, "--save", "my game.pentagrid", typed="R2C2\n")
        assert "resume 'my game.pentagrid'" in told and program.saved() == []
        before = (program.folder / "my game.pentagrid").read_bytes()
        assert "is there already and stays as it is" in program(*MATRIX, "--save", "my game.pentagrid", code=2)
        assert (program.folder / "my game.pentagrid").read_bytes() == before
        assert "Updated Matrix" in program("resume", "my game.pentagrid")

    def test_save_in_mid_game(self, program):
        told = program(*MATRIX, typed="save\nR2C2\nsave copy.pentagrid\nsave copy.pentagrid\nsave no/where\nR1C3\n")
        assert "The game is saved in " in told and "Saved a copy in copy.pentagrid." in told
        assert told.count("Saved a copy in copy.pentagrid.") == 2 and "There is no folder" in told
        assert (program.folder / "copy.pentagrid").read_text().endswith("\n1. R2C2\n*\n")

    def test_a_damaged_file_is_named_by_line_and_never_overwritten(self, program):
        program(*MATRIX, "--save", "game", typed="R2C2\nR1C3\n")
        path = program.folder / "game"
        for old, new in (("2. R1C3", "2. R2C3"), ("\n*\n", "\n"), ("[Game", "[Gam")):
            damaged = path.read_text().replace(old, new)
            (program.folder / "bad").write_text(damaged)
            for command in ("resume", "replay"):
                assert re.search(r"bad, line \d+: ", program(command, "bad", code=2))
            assert (program.folder / "bad").read_text() == damaged

    def test_a_file_changed_by_another_hand_in_mid_game_is_left_alone(self, program):
        with program.start(*MATRIX, "--save", "game") as game:
            said = b""
            while b"Enter the row" not in said:
                said += os.read(game.stdout.fileno(), 4096)
            (program.folder / "game").write_text("mine")
            game.stdin.write(b"R2C2\n")
            game.stdin.close()
            told = game.stdout.read().decode()
            game.wait(10)
        assert "has been changed by someone else and stays as it is. The game goes on in " in told
        assert (program.folder / "game").read_text() == "mine"
        assert f"The game is saved in {program.saved()[0]}." in told
        assert program.saved()[0].read_text().endswith("\n1. R2C2\n*\n")

    def test_a_state_folder_that_cannot_be_written_does_not_stop_play(self, program):
        blocker = program.folder / "home" / "blocked"
        blocker.write_text("a file where a folder should be")
        program.env |= {"XDG_STATE_HOME": str(blocker), "HOME": str(blocker)}
        told = program("play", "matrix-capture", "--board", "9 1/1 1", typed="R1C1\nR2C2\n")
        assert told.count("The game is not being saved. Games cannot be kept in ") == 1 and "Player 1 wins" in told

    def test_a_file_in_place_of_the_folder_of_games(self, program):
        program(*MATRIX, typed="R2C2\n")
        folder = program.saved()[0].parent
        program.saved()[0].unlink()
        folder.rmdir()
        folder.touch()
        told = program(*MATRIX, typed="R2C2\nsave\nquit\n")
        assert told.count(f"The game is not being saved. Games cannot be kept in {folder}: File exists.") == 2
        assert "There are no saved games" in program("games")

    def test_without_a_file_leaving_prints_a_command_that_makes_the_game_again(self, program):
        blocker = program.folder / "home" / "blocked"
        blocker.write_text("a file where a folder should be")
        program.env |= {"XDG_STATE_HOME": str(blocker), "HOME": str(blocker)}
        told = program(*MATRIX, "--names", "Ann,Bob O'Hara", "--p2", "greedy", typed="R2C2\nsave\n")
        assert "The game is saved" not in told
        command = shlex.split(re.search(r"To go on: \S+ -m pentagrid (.*)", told)[1])
        again = program(*command)
        assert re.search("Moves made so far: R2C2; R.C.", again) and "Bob O'Hara is played by the computer" in again

    def test_a_game_without_moves_leaves_no_file_but_a_command(self, program):
        told = program("play", "capture-square", "--size", "5", "--rule", "sudden-death=exchange", typed="quit\n")
        assert program.saved() == []
        command = shlex.split(re.search(r"To go on: \S+ -m pentagrid (.*)", told)[1])
        assert "5 . | . | . | . | . " in program(*command)

    def test_odd_names_in_mid_game_are_refused_and_the_game_goes_on(self, program):
        typed = b"R2C2\nsave x\0y\nsave " + b"a" * 300 + b"\nsave x\x1b[31my\nsave -copy\nR1C3\nsave -copy\n"
        told = program(*MATRIX, typed=typed)
        assert told.count("is not the name of a file") == 2 and told.count("Saved a copy in -copy.") == 2
        assert "cannot be written: File name too long" in told
        assert "\x1b" not in told
        assert (program.folder / "-copy").read_text().endswith("\n2. R1C3\n*\n")

    def test_a_file_name_that_looks_like_an_option_can_be_resumed(self, program):
        told = program(*MATRIX, "--save=-x", typed="R2C2\n")
        assert "To go on: " in told and "resume ./-x" in told
        assert "Moves made so far: R2C2" in program("resume", "./-x")

    def test_the_list_of_games(self, program):
        assert "There are no saved games" in program("games")
        program(*MATRIX, "--names", "Ann,Bob", typed="R2C2\n")
        program("play", "number-cross", "--seed", "1", "--p1", "greedy", "--p2", "random")
        (program.saved()[0].parent / "broken.pentagrid").write_text("nonsense")
        told = program("games")
        assert "Matrix Capture: Ann - Bob, 1 move, unfinished, Bob to move" in told
        assert re.search(
            r"Number Cross: Player 1 \[greedy\] - Player 2 \[random\], 6 moves, Player . \[\w+\] won", told
        )
        assert "Cannot be read: /" in told and "broken.pentagrid, line 1" in told
        assert "Passed over: " in program("resume", typed="")

    @posix
    def test_what_is_no_file_among_the_saved_games_is_named_and_never_waited_for(self, program):
        program(*MATRIX, "--names", "Ann,Bob", typed="R2C2\n")
        folder = program.saved()[0].parent
        os.mkfifo(folder / "pipe.pentagrid")
        (folder / "dangling.pentagrid").symlink_to(folder / "nothing")
        (folder / "loop.pentagrid").symlink_to(folder / "loop.pentagrid")
        (folder / "folder.pentagrid").mkdir()
        told = program("games", timeout=20)
        assert "Matrix Capture: Ann - Bob, 1 move, unfinished, Bob to move" in told
        for name in ("pipe", "dangling", "loop", "folder"):
            assert f"{name}.pentagrid cannot be read: " in told
        told = program("resume", typed="", timeout=20)
        assert told.count("Passed over: ") == 4 and "Moves made so far: R2C2" in told

    @posix
    @pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root can read everything: run as a user")
    def test_a_saved_game_that_may_not_be_read_is_named(self, program):
        program(*MATRIX, typed="R2C2\n")
        program.saved()[0].chmod(0)
        assert "cannot be read: Permission denied" in program("games")

    @posix
    @pytest.mark.parametrize("command", ["analyze", "replay", "resume"])
    def test_only_regular_files_are_opened(self, program, command):
        os.mkfifo(program.folder / "pipe")
        assert "pipe cannot be read: it is not a regular file" in program(command, "./pipe", code=2, timeout=20)

    def test_the_size_of_a_file_too_large_is_told_as_it_is(self, program):
        with (program.folder / "large").open("wb") as file:
            file.truncate(50_000_000)
        told = program("replay", "large", code=2)
        assert "large cannot be read: it has 50000000 bytes, more than 1048576." in told

    @posix
    def test_a_full_disk_leaves_nothing_empty_behind_and_is_told_once(self, program):
        """A process that may write no byte to files: each write fails as on a full disk."""
        shell = f"ulimit -f 0; exec {sys.executable} -m pentagrid {shlex.join(MATRIX)}"
        done = subprocess.run(
            ["sh", "-c", shell], input="R2C2\nR1C3\nR3C4\nR4C1\n", env=program.env, capture_output=True, text=True,
            cwd=program.folder, timeout=60,
        )  # fmt: skip
        assert done.returncode == 0 and "Winner: Player 2 wins" in done.stdout, done.stderr
        assert done.stdout.count("The game is not being saved.") == 1
        assert program.saved() == []

    @posix
    def test_a_game_is_saved_as_soon_as_there_is_space_again(self, tmp_path, monkeypatch, capsys):
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
        monkeypatch.setenv("HOME", str(tmp_path))
        seconds = iter(range(100))
        monkeypatch.setattr("time.strftime", lambda form: f"{next(seconds):02}")  # each name is another
        real, full = os.fsync, [True]

        def fsync(fd):
            if full[0]:
                raise OSError(errno.ENOSPC, "No space left on device")
            real(fd)

        moves = ["R2C2", "R1C3", "R3C4"]

        def ask(prompt, seconds, **_):
            if len(moves) == 1:
                assert list(tmp_path.rglob("*.*")) == []
                full[0] = False  # there is space again
            return moves.pop(0) if moves else None

        monkeypatch.setattr(os, "fsync", fsync)
        match = Match(pg.load("matrix-capture").deal(seed=1))
        with pytest.raises(LeaveError):
            LineGame(Record(match), SimpleNamespace(ask=ask), None).play()
        assert capsys.readouterr().out.count("The game is not being saved.") == 1
        [saved] = tmp_path.rglob("*.*")
        assert saved.suffix == ".pentagrid" and saved.read_text().endswith("\n3. R3C4\n*\n")

    def test_replay(self, program):
        program(*MATRIX, "--save", "game", typed="R2C2\nR1C3\nR3C4\nR4C1\n")
        text = (program.folder / "game").read_text().replace("1. R2C2", "1. R2C2 {bold}")
        (program.folder / "game").write_text(text)
        told = program("replay", "game")
        assert "Move 1: Player 1 plays R2C2.\n  (bold)\n" in told and told.endswith("wins with a higher total sum.\n")
        stepped = program("replay", "game", "--step", typed="\n\nq\n")
        assert "Move 2:" in stepped and "Move 3:" not in stepped
        program(*MATRIX, "--save", "half", typed="R2C2\nresign\n")
        assert "Player 2 resigns." in program("replay", "half")
        assert (program.folder / "game").read_text() == text

    def test_a_resumed_turn_has_its_full_time(self, program):
        program(*MATRIX, "--turn-seconds", "2", "--save", "game", typed="R2C2\n")
        path = program.folder / "game"
        assert '[TurnSeconds "2.000"]' in path.read_text()
        os.utime(path, (0, 0))
        assert "Moves made so far" in program("resume", "game", typed="R1C3\nR3C4\nR4C1\n")


class TestOutputs:
    """Files that commands write: what cannot be written is told before the work begins."""

    COMMANDS = (
        ("dataset", "matrix-capture", "--positions", "10000000", "--out", "x.jsonl"),
        ("puzzle", "matrix-capture", "--generate", "1000000", "--out", "x.jsonl"),
        ("arena", "--players", "perfect", "random", "--games", "1000000", "--out", "x.jsonl"),
        ("census", "matrix-capture", "--deals", "100000000", "--plot", "x.svg"),
        ("balance", "matrix-capture", "--deals", "1000000", "--plot", "x.svg"),
    )
    BESIDE = (("dataset", ".md"), ("arena", ".html"), ("arena", ".json"))

    @pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
    def test_a_folder_of_that_name(self, program, words):
        (program.folder / words[-1]).mkdir()
        told = program(*words, code=2, timeout=20)
        refused = (
            "is a folder; choose another --out"
            if words[0] == "dataset"
            else "cannot be written: it is not a regular file"
        )
        assert f"{words[-1]} {refused}" in told

    @pytest.mark.parametrize(("command", "suffix"), BESIDE)
    def test_a_folder_where_a_report_goes(self, program, command, suffix):
        words = next(words for words in self.COMMANDS if words[0] == command)
        (program.folder / f"x{suffix}").mkdir()
        assert f"x{suffix} cannot be written: it is not a regular file" in program(*words, code=2, timeout=20)
        assert not (program.folder / "x.jsonl").exists()

    @posix
    @pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
    def test_a_pipe_of_that_name(self, program, words):
        os.mkfifo(program.folder / words[-1])
        assert f"{words[-1]} cannot be written: it is not a regular file" in program(*words, code=2, timeout=20)

    @pytest.mark.skipif(sys.platform != "linux", reason="needs /proc: run on Linux")
    @pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
    def test_a_place_where_nothing_can_be_written(self, program, words):
        path = f"/proc/{words[-1]}"
        assert f"{path} cannot be written: " in program(*words[:-1], path, code=2, timeout=20)

    def test_results_that_would_be_overwritten_by_their_report(self, program):
        words = next(words for words in self.COMMANDS if words[0] == "arena")
        told = program(*words[:-1], "x.html", code=2, timeout=20)
        assert "--out must have a name that is not that of the report, such as x.jsonl, not x.html" in told

    @posix
    def test_a_disk_that_fills_up_is_told(self, program):
        words = ("dataset", "matrix-capture", "--positions", "5", "--workers", "1", "--out", "x.jsonl")
        shell = f"ulimit -f 0; exec {sys.executable} -m pentagrid {shlex.join(words)}"
        done = subprocess.run(
            ["sh", "-c", shell], env=program.env, capture_output=True, text=True, cwd=program.folder, timeout=60
        )
        assert done.returncode == 2 and done.stderr == "pentagrid: x.jsonl cannot be written: File too large.\n"
        assert list(program.folder.glob("*x*")) == []


class TestErrors:
    @pytest.mark.parametrize("code", ["ENOENT", "EACCES", "EISDIR", "ENOTDIR", "EROFS", "ELOOP", "EMFILE"])
    def test_no_error_of_the_system_is_a_traceback(self, monkeypatch, capsys, code):
        number = getattr(errno, code)

        def fail(*_):
            raise OSError(number, os.strerror(number), "some/file")

        monkeypatch.setattr("pentagrid.terminal.commands.games.run", fail)
        assert main(["games"]) == 2
        assert capsys.readouterr().err == f"pentagrid: some/file: {os.strerror(number)}.\n"


class TestNames:
    """Players are called as their game calls them, wherever a sentence names one."""

    BOARD = ("--board", "4 1/2 3")
    GAME = ("play", "capture-squares", *BOARD)

    def test_solve(self, program):
        told = program("solve", "capture-squares", *self.BOARD)
        assert re.search(r"^Player [AB] wins .*under best play\.$", told, re.M)

    def test_puzzle(self, program):
        puzzle = ("puzzle", "capture-squares", "--seed", "1")
        asked = json.loads(program(*puzzle, "--json"))
        assert re.match("Player [AB] is to move", asked["question"])
        assert asked["question"] in " ".join(program(*puzzle).split())

    def test_saved_games(self, program):
        program(*self.GAME, "--p2", "greedy", typed="1,1\n")
        told = program("games")
        assert "Capture Squares: Player A - Player B [greedy], 2 moves, unfinished, Player A to move" in told

    def test_analyze(self, program):
        found = json.loads(program("analyze", "capture-squares", *self.BOARD, "--json"))
        assert re.match("Player [AB] should win", found["sentence"])
        program(*self.GAME, "--save", "g", typed="1,1\nresign\n")
        assert json.loads(program("analyze", "./g", "--json"))["sentence"].startswith("The game is over: Player A")
        program(*self.GAME, "--names", "Ann,Bob", "--save", "h", typed="1,1\nresign\n")
        assert json.loads(program("analyze", "./h", "--json"))["sentence"].startswith("The game is over: Ann has won")
        for told in (program("analyze", "./g"), program("replay", "g")):
            assert "Player A" in told and "Player 1" not in told

    def test_the_menu(self, program):
        told = program(typed="Capture Squares\n1\n1\n\n\n")
        for question in (
            "Who plays as Player A?",
            "Who plays as Player B?",
            "Name of Player B (Enter for none, b to go back, q to leave):",
        ):
            assert question in told
        assert "Player 1" not in told and "Player 2" not in told


class TestRules:
    @pytest.mark.parametrize("name", pg.game_names())
    def test_rules(self, program, name):
        told = program("rules", name)
        assert told.startswith(f"# {pg.load(name).title}\n") and "## Tips" in told


class TestFairness:
    """The options that make a game fairer, at the terminal."""

    def test_komi_is_shown_beside_the_scores_and_decides(self, program):
        told = program(
            "play", "matrix-capture", "--board", "9 1/1 1", "--komi", "8.5", "--save", "g", typed="R1C1\nR2C2\n"
        )
        assert "Komi for Player 2: 8.5 (with it: Player 1 9, Player 2 9.5)" in told
        assert "- Winner: Player 2 wins with a higher total sum, komi counted." in told
        assert '[Rules "komi=8.5"]' in (program.folder / "g").read_text()
        assert "The game is over: Player 2 has won by 0.5." in program("analyze", "./g")
        assert "Komi for Player 2: 8.5" in program("replay", "g")

    def test_a_fair_komi_is_the_same_for_the_same_seed(self, program):
        game = ("play", "capture-squares", "--seed", "4", "--komi", "fair", "--p1", "greedy", "--p2", "greedy")
        told = program(*game)
        assert re.search(r"Komi for Player B: (7|8)\.5 ", told) and told == program(*game)

    def test_swapping_sides(self, program):
        told = program(
            "play", "number-cross", "--board", "4 9 2/3 5 7/8 1 6", "--rule", "pie=on", typed="Row1\nswap\nquit\n"
        )
        assert told.count("You may also answer swap, and exchange sides.") == 1
        assert "Player 2 swaps: what Player 1 has is now Player 2's, and Player 1 plays the other side." in told
        assert "Row 1 (P2)" in told.split("Player 2 swaps")[1] and "Player 1's Turn:" in told.split("Player 2 swaps")[1]
        assert "Moves made so far: Row1; swap" in program("resume")

    def test_turn_orders_and_who_begins_sudden_death(self, program):
        told = program("play", "number-cross", "--seed", "1", "--rule", "order=snake", typed="Row1\nRow2\nRow3\nquit\n")
        assert re.findall(r"(Player \d)'s Turn:", told) == ["Player 1", "Player 2", "Player 2", "Player 1"]
        moves = "A1;B1;C1;D1;A2;B2;C2;D2;B3;A3;D3;C3;B4;A4;D4;C4"
        told = program("play", "capture-square", "--rule", "sudden-death-first=2", "--moves", moves, typed="quit\n")
        assert "Player 2 (O), enter the X to turn into O" in told

    def test_analysis_counts_them(self, program):
        told = program("analyze", "matrix-capture", "--board", "9 1/1 1", "--komi", "8.5")
        assert "Player 2 should win by 0.5" in told
        told = program("analyze", "matrix-capture", "--board", "9 1/1 1", "--rule", "pie=on", "--moves", "R1C1")
        assert " * swap  Player 2 wins by 8\n" in told
