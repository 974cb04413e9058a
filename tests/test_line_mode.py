"""The line mode over pipes: near misses, help that fits, saved games by number, legends and headings."""

from __future__ import annotations

import pytest

import pentagrid as pg
from pentagrid.terminal.main import COMMANDS
from pentagrid.terminal.near_misses import full_word, nearest, player_kind

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
