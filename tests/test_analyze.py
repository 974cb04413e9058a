"""`pentagrid analyze`, `pentagrid solve`, and the truth at the prompt, as a user sees them."""

from __future__ import annotations

import json
import re

import pytest

import pentagrid as pg
from pentagrid.analysis.sentences import best_words

BOARD = "5 3 6 2/4 7 1 8/9 2 5 3/6 4 7 1"


class TestAnalyze:
    def test_every_move_a_line_and_a_sentence(self, program):
        told = program("analyze", "matrix-capture", "--board", BOARD)
        assert " * R3C1  Player 1 wins by 5\n" in told
        assert "   R2C2  Player 1 wins by 3, gives away 2\n" in told
        assert "   R3C3  Player 2 wins on the tie-break, gives away 5 and the win\n" in told
        assert "One best line: R3C1; R2C4; R4C3; R1C2\n" in told
        assert told.endswith("Player 1 should win by 5; 9 of 16 moves throw it away.\n")

    @pytest.mark.parametrize("name", pg.game_names())
    def test_json(self, program, name):
        game = pg.load(name)
        start = game.deal(seed=4)
        moves = [start.moves()[0]]
        board = ["--board", game.write_board(start)] if game.has_numbers else []
        found = json.loads(program("analyze", name, *board, "--moves", "; ".join(moves), "--json"))
        position = start.play(moves[0])
        expected = pg.analyze(position)
        assert (found["game"], found["size"], found["rules"]) == (name, game.size, dict(game.rules))
        assert found["board"] == ([list(row) for row in start.board] if start.board else None)
        assert found["moves"] == moves and found["turn"] == 2 and found["outcome"] is None and found["exact"] is True
        assert found["scores"] == (list(position.scores) if position.scores else None)
        assert found["value"] == expected.value._asdict()
        assert found["line"] == list(expected.line)
        for told, option in zip(found["options"], expected.options, strict=True):
            assert told | {"regret": 0, "win_regret": 0, "action": 0, "bounds": None} == {
                "move": option.move, "winner": option.winner, "margin": option.margin, "plies": option.plies,
                "best": option.best, "regret": 0, "win_regret": 0, "action": 0, "bounds": None,
            }  # fmt: skip
        assert ("margin" in found["value"]) and (found["value"]["plies"] is None) == game.has_numbers

    def test_a_finished_game(self, program):
        found = json.loads(program("analyze", "matrix-capture", "--board", "9 1/1 1", "--moves", "R1C1;R2C2", "--json"))
        assert found["outcome"] == {"winner": 1, "reason": "score"} and found["options"] == [] and found["turn"] is None
        assert found["value"] == {"winner": 1, "margin": 8, "plies": None} and found["line"] == []

    def test_what_is_not_exact_says_so(self, program):
        game = (
            "analyze",
            "capture-squares",
            "--size",
            "6",
            "--seed",
            "1",
            "--moves",
            "1,1;1,2;3,3",
            "--seconds",
            "0.5",
        )
        found = json.loads(program(*game, "--json"))
        assert found["exact"] is False and found["bounds"][0] < found["bounds"][1]
        assert found["value"]["margin"] is None
        assert any("bounds" in option for option in found["options"])
        assert "margin between" in program(*game)

    def test_a_record_file_move_by_move(self, program):
        moves = "R2C2\nR1C3\nR3C4\nR4C1\n"
        program("play", "matrix-capture", "--board", BOARD, "--names", "Ann,Bob", "--save", "g.pentagrid", typed=moves)
        told = program("analyze", "g.pentagrid")
        assert "  1. Ann: R2C2  <- costs 2 points; best was R3C1\n" in told
        assert "  3. Ann: R3C4  <- throws the win away (costs 11 points); best was R3C1\n" in told
        assert "Accuracy of Ann: 0% (2 real choices), 13 points given away\n" in told
        assert told.endswith("The game is over: Bob has won by 2.\n")
        assert program("analyze", "matrix-capture", "g.pentagrid") == told
        found = json.loads(program("analyze", "g.pentagrid", "--json"))
        assert [choice["regret"] for choice in found["review"]] == [2, 6, 11, 0] and found["accuracy"] == [0.0, 0.0]
        assert "is a game of matrix-capture, not of number-cross" in program(
            "analyze", "number-cross", "g.pentagrid", code=2
        )
        assert "--board makes no sense with a record file" in program("analyze", "g.pentagrid", "--board", "1", code=2)

    def test_a_record_of_capture_square_and_of_a_resigned_game(self, program):
        program("play", "capture-square", "--save", "a.pentagrid", typed="B2\nA1\nB1\nresign\n")
        told = program("analyze", "a.pentagrid")
        assert "Player 2 resigns.\n\nPlayer 1 wins!\n" in told and "Accuracy of Player 1: no real choice" in told

    @pytest.mark.parametrize(
        ("args", "why"),
        [
            (["chess"], "There is no game 'chess'"),
            (["nothing.pentagrid"], "nothing.pentagrid cannot be read"),
            (["matrix-capture", "--board", "1 2/3 x"], "'x' on the board is not a number"),
            (["matrix-capture", "--board", BOARD, "--moves", "R1C1;R1C2"], "Move 2 of --moves, 'R1C2', cannot be made"),
            (["matrix-capture", "--board", "9 1/1 1", "--moves", "R1C1;R2C2;R1C1"], "The game is over"),
            (["capture-square", "--board", "1"], "--board makes no sense for capture-square"),
            (["capture-square", "--seconds", "0"], "--seconds must be more than 0 and at most 86400, not 0"),
            (["capture-square", "--seconds", "nan"], "--seconds must be more than 0 and at most 86400, not nan"),
            (["matrix-capture", "--rule", "x=y"], "has no rule option 'x'"),
        ],
    )
    def test_wrong_usage(self, program, args, why):
        assert why in program("analyze", *args, code=2)


class TestSolve:
    def test_the_proof_in_a_sentence(self, program):
        for name, proof in (
            ("capture-squares", "always claims the largest free number can never lose a cell again"),
            ("number-grid-battle", "Taking the largest number left is best from any position"),
            ("number-cross", "Only line sums count"),
        ):
            told = program("solve", name, "--seed", "3")
            assert f"Why: {proof}" in told.replace("A player who ", "") and re.search(r"Solved in \d+\.\d+ s\.", told)

    def test_without_a_proof_the_result_and_the_time(self, program):
        told = program("solve", "matrix-capture", "--board", BOARD)
        assert "Player 1 wins by 5 under best play." in told and "Why" not in told
        assert "1 of 16 first moves are best: R3C1\n" in told
        assert "Player 1 wins in 17 moves under best play." in program("solve", "capture-square")


class TestAtThePrompt:
    def test_hint_and_analyze(self, program):
        told = program("play", "matrix-capture", "--board", BOARD, typed="R2C2\nhint\nanalyze\nquit\n")
        assert "R3C1: with best play Player 1 wins by 3, 1 better than after R4C1." in told
        assert " * R3C1  Player 1 wins by 3\n" in told

    def test_values_beside_the_board(self, program):
        told = program("play", "matrix-capture", "--board", BOARD, "--values", typed="R2C2\nquit\n")
        assert "     C1  C2  C3  C4    R1C1 +2   R2C2 +3   R3C3 +0   R4C4 -6\n" in told
        assert re.search(r"^R3:  9   X   5   3    \*R3C1 \+3", told, re.M)
        square = program("play", "capture-square", "--values", typed="quit\n")
        assert "*A1 P1 in 17" in square

    @pytest.mark.parametrize("kind", ["perfect", "level:1", "level:9"])
    def test_seats(self, program, kind):
        told = program("play", "number-cross", "--seed", "1", "--p1", kind, "--p2", kind)
        assert f"Player 1 is played by the computer ({kind})." in told and "Congratulations" in told

    def test_levels_there_are(self, program):
        for wrong in ("level:0", "level:10", "level:x", "level", "perfect:2"):
            assert f"There is no player '{wrong}'; there are human, " in program(
                "play", "number-cross", "--p1", wrong, code=2
            )


def test_a_line_makes_no_tables_of_its_own():
    """On a board beyond the tables a line ends where it is not known; only the position itself gets a table."""
    game = pg.load("capture-squares", 6)
    position = game.deal(1)
    solver = pg.Solver(position)
    for _ in range(9):  # 27 cells are free: one more than a table holds, and its line goes where one could be made
        position = position.play(position.moves()[0])
    found = solver.analyze(position, 0.05)
    assert vars(solver.deal_solver)["_table"] is None
    assert not found.exact and len(found.line) == 1


def test_one_best_move_was_and_two_were():
    assert best_words(["B1"]) == "best was B1" and best_words(["B1", "B3"]) == "best were B1 and B3"
    assert best_words(["B1", "B2", "B3", "C1"]) == "best was B1 among others"
