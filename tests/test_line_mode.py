"""The line mode over pipes: near misses, help that fits, saved games by number, legends and headings."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import pentagrid as pg
from pentagrid.terminal.game_list import line_in
from pentagrid.terminal.main import COMMANDS
from pentagrid.terminal.near_misses import full_word, nearest, player_kind
from pentagrid.terminal.output import clip
from pentagrid.terminal.remote.seat_keys import SeatKey, SeatKeyFile
from pentagrid.terminal.saved_games import SavedGame

MATRIX = ("play", "matrix-capture", "--board", "9 1/1 1")


class TestNearMisses:
    def test_at_the_prompt(self, program):
        told = program(*MATRIX, typed="h\nhepl\nundp\nu\nanalyse\nrezign\nnonsense\nsave me now\nquit\n")
        assert told.count("leave; the game can be resumed later") == 1  # h
        assert "'hepl' is not a move. Did you mean help?\n" in told
        assert "'undp' is not a move. Did you mean undo?\n" in told
        assert "There is no move to take back." in told  # u
        assert "Player 1 to move; * marks the best." in told  # analyse
        assert "'rezign' is not a move. Did you mean resign?\n" in told and "resigns" not in told
        assert "'nonsense' is not a move. Enter a row and a column, such as R2C2.\n" in told

    def test_in_a_puzzle(self, program):
        told = program("puzzle", "matrix-capture", "--seed", "1", typed="h\nsolutoin\nu\nquit\n")
        assert "give up, and see the answer" in told
        assert "'solutoin' is not a move. Did you mean solution?" in told and "'u' is not a move. Enter" in told

    @pytest.mark.parametrize("kind", ["Level:3", "level3", "LEVEL 3", "level:3"])
    def test_players(self, program, kind):
        assert player_kind(kind) == "level:3"
        told = program(*MATRIX, "--p2", kind, typed="quit\n")
        assert "Player 2 is played by the computer (level:3)." in told and "--p2 level:3" in told

    def test_what_a_program_is_called_stays_as_it_is(self):
        assert player_kind("exec:./Level3 --Fast") == "exec:./Level3 --Fast"

    @pytest.mark.parametrize(
        ("args", "why"),
        [
            (["ply"], "There is no command 'ply'. Did you mean pentagrid play?\n"),
            (["replya"], "There is no command 'replya'. Did you mean pentagrid replay?\n"),
            (["help", "ply"], "There is no command 'ply'. Did you mean pentagrid play?\n"),
            (["number-cross"], "There is no command 'number-cross'. Did you mean pentagrid play number-cross?\n"),
            (["hepl"], "There is no command 'hepl'. Did you mean pentagrid help?\n"),
            (["--hepl"], "There is no command '--hepl'. Did you mean pentagrid --help?\n"),
            (["--plain", "play"], "--plain stands alone; options of a command follow it"),
            (["qwerty"], "There is no command 'qwerty'; there are play, "),
        ],
    )
    def test_commands(self, program, args, why):
        assert why in program(*args, code=2)

    def test_understood_commands(self, program):
        play = program("play", "--help")
        assert program("help", "play") == program("Play", "-h") == play
        assert program("analyse", "--help") == program("help", "analyze")
        assert program("help") == program("h") == program("--help")

    def test_one_suggestion_or_none(self):
        assert nearest("moev", ("moves", "undo")) == "moves" and nearest("chess", ("moves", "undo")) is None
        assert [full_word(word) for word in ("H", "U", "Analyse", "other")] == ["help", "undo", "analyze", "other"]

    @pytest.mark.parametrize("name", pg.game_names())
    def test_no_short_form_is_a_move(self, name):
        for word in ("h", "u", "a", "m", "q", "?", "exit", "analyse"):
            with pytest.raises(pg.UnreadableError):
                pg.load(name).action(word)


class TestHelp:
    @pytest.mark.parametrize("command", [None, *COMMANDS])
    @pytest.mark.parametrize("columns", ["40", "80", "200"])
    def test_help_fits_80_columns(self, program, command, columns):
        program.env["COLUMNS"] = columns
        told = program(*([command] if command else []), "--help")
        assert max(map(len, told.splitlines())) <= 79 and told.count("\n") > 5

    @pytest.mark.parametrize("size", ["99", "0", "-3"])
    def test_a_size_there_is_not_is_answered_in_one_sentence(self, program, size):
        told = program("play", "matrix-capture", "--size", size, code=2)
        assert told == f"pentagrid: The size of Matrix Capture must be between 2 and 12, not {size}.\n"


class TestWhatIsSaid:
    BOARD = ("--board", "5 3 6 2/4 7 1 8/9 2 5 3/6 4 7 1")

    def test_values_have_a_legend(self, program):
        told = program("play", "matrix-capture", *self.BOARD, "--values", "--names", "Ann,Bob", typed="R2C2\nquit\n")
        assert told.count("Values: +2 means that Ann wins by 2 in the end, -2 that Bob does; * marks the best.") == 1
        told = program("play", "capture-square", "--values", typed="quit\n")
        assert "Values: P1 in 5 means that Player 1 wins in 5 moves, P2 Player 2; * marks the best." in told
        assert "Values:" not in program("play", "capture-square", typed="quit\n")

    @pytest.mark.parametrize(
        ("name", "board", "move", "heading"),
        [
            ("matrix-capture", "9 1/1 1", "R1C1", "Matrix:"),
            ("number-grid-battle", "4 1 2/3 5 6/7 8 9", "0 0", "Grid:"),
        ],
    )
    def test_an_untouched_board_is_not_called_updated(self, program, name, board, move, heading):
        told = program("play", name, "--board", board, typed=f"{move}\nundo\n")
        before, after = told.split("Taken back")
        assert f"\nUpdated {heading}\n" in before
        assert f"\n{heading}\n" in after and "Updated" not in after

    def test_the_board_of_a_puzzle_is_not_called_updated(self, program):
        assert "Updated" not in program("puzzle", "matrix-capture", "--seed", "1", typed="board\nhint\nquit\n")

    @pytest.mark.parametrize(("size", "listed"), [("4", True), ("6", True), ("7", False), ("12", False)])
    def test_on_large_boards_the_list_of_cells_gives_way(self, program, size, listed):
        told = program("play", "matrix-capture", "--size", size, "--seed", "1", typed="quit\n")
        assert ("R1C1: " in told) == listed
        assert ("Available cells: those whose number you see." in told) != listed
        assert told.split("Enter the row")[0].count("\n") < 24

    FULL = "A1; B1; C1; D1; A2; B2; C2; D2; B3; A3; D3; C3; B4; A4; D4; C4"

    @pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal: run on Linux or macOS")
    def test_what_a_game_says_breaks_between_words(self, screen):
        moves = ("--moves", "A1; C1; B1; C2; A2; C3", "--names", "Alexandra,Bob")
        one = screen("play", "capture-square", *moves, size=(30, 56))
        one.until("enter your move")
        one.type("B2\r")
        one.until("Another game")
        assert "Congratulations, Alexandra! You've formed a square and" in one.lines
        assert "won the game!" in one.lines

    def test_sudden_death_begins_with_its_limit_and_who_wins_then(self, program):
        limit = "If nobody has a square after turn 16, the second player, Bob (O), wins.\n"
        for kind in ("human", "random"):
            told = program(
                "play", "capture-square", "--moves", self.FULL, "--names", "Ann,Bob", "--p1", kind, typed="B1\n"
            )
            assert told.count(limit) == 1 and f"Sudden Death, turn 1 of 16.\n{limit}" in told
            assert "Sudden Death, turn 2 of 16.\nBob" in told
        told = program("play", "capture-square", "--moves", "A1; swap; " + self.FULL[4:], "--rule", "pie=on")
        assert "the second player, Player 1 (X), wins." in told


def test_serve_without_its_packages_names_both_ways_to_them():
    code = (
        "import sys; sys.modules['uvicorn'] = None;from pentagrid.terminal.main import main; sys.exit(main(['serve']))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert told.stderr == (
        "pentagrid: This needs the package uvicorn, which is not installed: "
        'pip install "pentagrid[web]", or make serve in a clone.\n'
    )
    assert told.returncode == 2


class TestSavedGames:
    """The list of saved games, and the numbers in it."""

    def games(self, program):
        """Three games: number 3 is won, number 2 unfinished, number 1 cannot be read."""
        program(*MATRIX, "--names", "Ann,Bob", typed="R1C1\nR2C2\n")
        oldest = program.saved()[0]
        os.utime(oldest, (1000, 1000))
        program(*MATRIX, "--names", "Li 北京大學,Max", typed="R2C2\n")
        for path in set(program.saved()) - {oldest}:
            os.utime(path, (2000, 2000))
        (oldest.parent / "broken.pentagrid").write_text("nonsense")

    def test_one_line_each_with_a_number(self, program):
        self.games(program)
        lines = program("games").splitlines()
        assert len(lines) == 3
        assert re.fullmatch(r"1  \d{4}-\d\d-\d\d \d\d:\d\d  Cannot be read: .*broken.pentagrid, line 1.*", lines[0])
        assert re.match(r"2\* .*Matrix Capture: Li 北京大學 - Max, 1 move, unfinished, Max to move$", lines[1])
        assert re.match(r"3  .*Matrix Capture: Ann - Bob, 2 moves, Ann won \(score\)$", lines[2])
        paths = program("games", "--paths").splitlines()
        assert [path.endswith("broken.pentagrid") for path in paths] == [True, False, False]

    def test_the_numbers_stand_for_the_games(self, program):
        self.games(program)
        assert "Move 2: Bob plays R2C2." in program("replay", "3")
        assert "Accuracy of Ann: " in program("analyze", "3")
        assert "Moves made so far: R2C2" in program("resume", "2")
        assert "is over; look at it with pentagrid replay" in program("resume", "3", code=2)
        assert "makes no sense with a record file" in program("analyze", "3", "--seed", "1", code=2)

    @pytest.mark.parametrize("command", ["resume", "replay", "analyze"])
    def test_a_number_there_is_not(self, program, command):
        assert "There is no saved game 3: there are none (pentagrid games)." in program(command, "3", code=2)
        self.games(program)
        for number in ("0", "4", "9" * 30):
            assert f"There is no saved game {number}: there are 1 to 3" in program(command, number, code=2)

    def test_a_file_whose_name_is_a_number(self, program):
        program(*MATRIX, "--save", "3", typed="R1C1\n")
        assert "Move 1: Player 1 plays R1C1." in program("replay", "./3")

    def test_a_line_is_cut_to_columns_not_to_letters(self):
        assert clip("Ann - Bob", 9) == "Ann - Bob" and clip("Ann - Bob", 8) == "Ann - B…"
        assert clip("北京大學", 8) == "北京大學" and clip("北京大學", 7) == "北京大…" and clip("北京大學", 6) == "北京…"
        assert clip("e\u0301e\u0301e\u0301", 3) == "e\u0301e\u0301e\u0301"

    @pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal: run on Linux or macOS")
    def test_names_are_cut_before_the_result_is(self, program, screen):
        program(*MATRIX, "--names", "Alexandra the Great,Bartholomew Smith", typed="R1C1\nR2C2\n")
        one = screen("games", size=(24, 80))
        assert one.end() == 0
        assert re.search(r"Alex.*… - Bart.*…, 2 moves, Alex.*… won \(score\)$", one.lines[0])

    @pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal: run on Linux or macOS")
    def test_nothing_is_said_of_stars_where_there_are_none(self, program, screen):
        program(*MATRIX, typed="R1C1\nR2C2\n")
        one = screen("games")
        assert one.end() == 0
        assert "1  " in one.lines[0] and "resume" not in "".join(one.lines)

    @pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal: run on Linux or macOS")
    @pytest.mark.parametrize("width", [22, 40, 60, 80])
    def test_at_any_width(self, program, screen, width):
        self.games(program)
        one = screen("games", size=(24, width))
        one.until("too.")
        assert [line[:2] for line in one.lines[:4]] == ["1 ", "2*", "3 ", ""]
        assert "Cannot be read" in one.lines[0] and one.lines[0].endswith("…")
        assert width < 80 or one.lines[1].endswith(" - Max, 1 move, unfinished, Max to move")
        for line, end in ((one.lines[1], "Max to move"), (one.lines[2], "Ann won")):
            assert re.search(rf"Matr.*{end}( \(score\))?$", line), line
        assert one.end() == 0

    def test_names_then_dates_then_moves_give_way(self, program):
        self.games(program)
        _, second, third = (SavedGame(Path(path), 0) for path in program("games", "--paths").splitlines())
        for room in range(16, 100):
            line = line_in(third, room)
            assert clip(line, room) == line and line.endswith(("Ann won", "Ann won (score)")), line
            assert re.match(r"  (.*  )?Matr(ix Capture|…|i…|ix…|ix .*…): ", line), line
        assert line_in(third, 60) == "  01-01  Matrix Capture: Ann - Bob, 2 moves, Ann won (score)"
        assert line_in(third, 43) == "  01-01  Matrix Capture: Ann - Bob, Ann won"
        assert line_in(third, 30) == "  Matrix Capture: Ann won" and line_in(third, 16) == "  Matr…: Ann won"
        assert line_in(second, 20) == "* Matr…: Max to move"

    @pytest.mark.skipif(sys.platform == "win32", reason="the folder of the keys is elsewhere: run on Linux or macOS")
    def test_games_on_servers_follow(self, program):
        folder = program.folder / "home/.local/state/pentagrid/servers"
        SeatKeyFile(folder).add(SeatKey("http://127.0.0.1:1", "g" * 16, "t" * 43))
        game = "A game on 127.0.0.1:1; the server does not answer\n"
        listed = program("games")
        assert f"\nOn servers:\n  {game}    " in listed and listed.endswith(
            f"join http://127.0.0.1:1/play/{'g' * 16}\n"
        )
        told = program(typed="10\n1\n")
        assert f"  1  * {game}" in told and "http://127.0.0.1:1 cannot be reached" in told
        (folder / "seats.json").write_text("nonsense")
        assert "seats.json cannot be read" in program("games") and "seats.json cannot be read" in program(typed="10\n")

    @pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal: run on Linux or macOS")
    def test_the_menu_cuts_no_result_either(self, program, screen):
        self.games(program)
        one = screen(size=(30, 44))
        one.until("What would you like")
        one.type("10\r")
        one.until("Which game?")
        one.until("Ann won")
        assert any(re.search("Matrix Capture.*Max to move$", line) for line in one.lines)
