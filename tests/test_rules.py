"""Every sentence of the rules and every ruling, worked out by hand."""

from __future__ import annotations

import pytest

import pentagrid as pg
from pentagrid import BoardError, GameOverError, NotAllowedError, OptionError, UnreadableError
from pentagrid.core.speech import speech_for

MATRIX = "5 3 6 2/4 7 1 8/9 2 5 3/6 4 7 1"
SQUARES = "5 12 3 16/10 1 14 6/11 8 2 15/9 13 4 7"
BATTLE = "7 9 2/4 1 5/8 6 3"
CROSS = "4 9 2/3 5 7/8 1 6"


def refused(position, move):
    """What the game's own words say of a move that its rules refuse."""
    with pytest.raises(NotAllowedError) as error:
        position.play(move)
    assert error.value.refusal.move and str(error.value).startswith(f"{error.value.refusal.move} is not allowed here: ")
    return speech_for(position.game).explain(error.value)


def play(position, *moves):
    for move in moves:
        position = position.play(move)
    return position


class TestAllGames:
    @pytest.mark.parametrize("name", pg.game_names())
    def test_player_1_always_moves_first(self, name):
        assert pg.load(name).deal(seed=1).turn == 1

    @pytest.mark.parametrize("name", pg.game_names())
    def test_players_alternate(self, name):
        position, seen = pg.load(name).deal(seed=3), []
        while position.turn and len(seen) < 6:
            seen.append(position.turn)
            position = position.play(position.moves()[0])
        assert seen == [1, 2, 1, 2, 1, 2][: len(seen)]

    @pytest.mark.parametrize("name", pg.game_names())
    def test_a_refused_move_changes_nothing(self, name):
        position = pg.load(name).deal(seed=3)
        after = position.play(0)
        text = after.text
        assert refused(after, 0).startswith("Sorry, ") and after.text == text
        assert NotAllowedError.code == "not-allowed"

    def test_five_names(self):
        assert pg.game_names() == (
            "capture-square", "capture-squares", "matrix-capture", "number-cross", "number-grid-battle",
        )  # fmt: skip

    @pytest.mark.parametrize(
        ("asked", "near"),
        [
            ("matrix", ["matrix-capture"]),
            ("capture-squar", ["capture-square", "capture-squares"]),
            ("number", ["number-cross", "number-grid-battle"]),
            ("numbercross", ["number-cross"]),
            ("chess", ["The games are", "matrix-capture"]),
            ("", ["The games are"]),
        ],
    )
    def test_a_half_typed_name_is_answered_with_those_that_are_close(self, asked, near):
        with pytest.raises(OptionError) as error:
            pg.load(asked)
        assert all(name in str(error.value) for name in near)

    def test_names_are_read_without_regard_to_case_and_blanks(self):
        assert pg.load("Matrix Capture").name == pg.load("matrix_capture").name == "matrix-capture"

    @pytest.mark.parametrize(
        ("name", "low", "default", "high"),
        [
            ("matrix-capture", 2, 4, 12),
            ("number-grid-battle", 2, 3, 6),
            ("number-cross", 2, 3, 8),
            ("capture-squares", 2, 4, 6),
            ("capture-square", 3, 4, 6),
        ],
    )
    def test_sizes(self, name, low, default, high):
        assert pg.load(name).size == default
        for size in range(low, high + 1):
            assert len(pg.load(name, size=size).deal(seed=0).cells()) == size
        for size in (low - 1, high + 1, 0, -3, "4", 4.0, True):
            with pytest.raises(OptionError, match=f"between {low} and {high}"):
                pg.load(name, size=size)

    @pytest.mark.parametrize("name", ["matrix-capture", "capture-squares", "number-grid-battle", "number-cross"])
    def test_unknown_rule_options_are_refused_with_those_there_are(self, name):
        with pytest.raises(OptionError, match=r"has no rule option 'sudden_death'; it has: (order|komi)="):
            pg.load(name, sudden_death="flip")

    def test_the_error_base_is_a_value_error_and_codes_are_stable(self):
        codes = {kind: kind.code for kind in (UnreadableError, NotAllowedError, GameOverError, BoardError, OptionError)}
        assert list(codes.values()) == ["unreadable", "not-allowed", "game-over", "bad-board", "bad-option"]
        assert all(issubclass(kind, pg.PentagridError) and issubclass(kind, ValueError) for kind in codes)

    def test_positions_cannot_be_changed_and_hash_alike_when_equal(self):
        position = pg.load("matrix-capture").read_board(MATRIX)
        with pytest.raises(AttributeError):
            position.mover = 2
        other = pg.load("matrix-capture").read_board(MATRIX.replace(" ", ","))
        assert position == other and hash(position) == hash(other) and len({position, other}) == 1
        assert position != pg.load("matrix-capture").deal(seed=0)

    @pytest.mark.parametrize("name", pg.game_names())
    def test_positions_and_games_survive_pickling_and_repr(self, name):
        import pickle

        position = pg.load(name).deal(seed=5).play(1)
        assert pickle.loads(pickle.dumps(position)) == position
        assert eval(repr(position), {"pentagrid": pg}) == position
        assert eval(repr(position.game), {"pentagrid": pg}) == position.game


class TestMatrixCapture:
    game = pg.load("matrix-capture")

    def test_the_texts_example_ends_10_to_12(self):
        end = play(self.game.read_board(MATRIX), "R2C2", "R1C3", "R3C4", "R4C1")
        assert end.scores == (10, 12)
        assert end.outcome() == (2, "score") and end.turn is None

    def test_a_capture_removes_its_row_and_column(self):
        after = self.game.read_board(MATRIX).play("R2C2")
        assert after.moves() == ("R1C1", "R1C3", "R1C4", "R3C1", "R3C3", "R3C4", "R4C1", "R4C3", "R4C4")
        assert after.scores == (7, 0)

    @pytest.mark.parametrize(
        ("move", "why"),
        [
            ("R2C2", "R2C2 has already been captured"),
            ("R2C4", "R2C4 is not available: Row 2 has been removed"),
            ("R4C2", "R4C2 is not available: Column 2 has been removed"),
            ("R1C2", "Row 1 and Column 2 have been removed"),
        ],
    )
    def test_refusals_name_what_was_removed(self, move, why):
        after = play(self.game.read_board(MATRIX), "R2C2", "R1C3")
        assert why in refused(after, move)

    def test_the_second_player_wins_a_tie(self):
        end = play(self.game.read_board("5 5 5 5/5 5 5 5/5 5 5 5/5 5 5 5"), "R1C1", "R2C2", "R3C3", "R4C4")
        assert end.scores == (10, 10) and end.outcome() == (2, "tie-break")

    def test_odd_sizes_give_player_1_the_last_turn(self):
        end = play(pg.load("matrix-capture", size=3).read_board("1 1 1/1 1 1/1 1 1"), "R1C1", "R2C2", "R3C3")
        assert end.scores == (2, 1) and end.outcome() == (1, "score")

    @pytest.mark.parametrize("text", ["R2C2", "r2c2", " R2C2 ", "R2 C2", "r 2 c 2", "R2,C2", "R02C02"])
    def test_notation(self, text):
        assert self.game.action(text) == 5

    @pytest.mark.parametrize("text", ["", "  ", "2,2", "C2R2", "R2", "R2C2C2", "R-1C2", "RC", "R٢C٢", "R2C2\x00"])
    def test_what_is_not_notation(self, text):
        with pytest.raises(UnreadableError, match="such as R2C2"):
            self.game.action(text)

    @pytest.mark.parametrize("text", ["R5C1", "R0C1", "R1C0", "R1C99"])
    def test_off_the_board(self, text):
        with pytest.raises(UnreadableError, match="not on the board: both go from 1 to 4"):
            self.game.action(text)

    def test_numbers_are_1_to_9_at_any_size(self):
        numbers = {n for seed in range(20) for n in pg.load("matrix-capture", size=12).deal(seed=seed).numbers}
        assert numbers == set(range(1, 10))


class TestCaptureSquares:
    game = pg.load("capture-squares")

    def test_the_texts_turns(self):
        after = play(self.game.read_board(SQUARES), "1,4", "3,4", "2,3", "4,2")
        assert after.scores == (30, 28)
        assert [after.owner(cell) for cell in (3, 11, 6, 13)] == [1, 2, 1, 2]

    def test_only_strictly_lower_neighbors_are_captured(self):
        after = play(self.game.read_board(SQUARES), "1,4", "3,4", "2,3", "4,2", "2,1", "2,2")
        assert after.owner(4) == 1, "1 does not capture 10"
        assert after.scores == (40, 29)

    def test_a_claim_captures_every_lower_neighbor_at_once(self):
        # 2, 3 and 6 beside 14 are Player 2's; Player 1 claims 14.
        after = play(self.game.read_board(SQUARES), "1,1", "1,3", "4,4", "3,3", "4,3", "2,4", "2,3")
        assert [after.owner(cell) for cell in (2, 10, 7, 6)] == [1, 1, 1, 1]
        assert after.scores == (5 + 7 + 4 + 14 + 3 + 2 + 6, 0)

    def test_diagonals_and_edges_are_not_adjacent(self):
        after = play(self.game.read_board(SQUARES), "2,2", "3,3", "4,1", "1,4")
        assert after.owner(5) == 1 and after.owner(10) == 2  # 1 and 2 are diagonal to each other
        row_end = play(
            self.game.read_board(SQUARES), "2,4", "3,1"
        )  # 6 at the end of a row, 11 at the start of the next
        assert row_end.owner(7) == 1

    def test_own_cells_are_not_captured_and_captured_cells_do_not_capture(self):
        # Player 2 claims 1 (2,2); Player 1 claims 8 (3,2) and takes it; 1's other neighbors stay.
        after = play(self.game.read_board(SQUARES), "1,1", "2,2", "3,2")
        assert after.owner(5) == 1
        chain = self.game.read_board("1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 16")
        chain = play(chain, "1,1", "2,1", "4,4", "3,1", "1,2")
        # 5 took 1; 9 has nothing of Player 1 beside it; 2 does not take 1 back by way of a captured cell.
        assert [chain.owner(cell) for cell in (0, 4, 8, 1)] == [1, 2, 2, 1]

    def test_cells_can_be_captured_back(self):
        ladder = self.game.read_board("1 2 9 10/3 11 12 13/4 5 6 7/8 14 15 16")
        after = play(ladder, "1,1", "1,2")
        assert after.owner(0) == 2
        after = after.play("2,1")
        assert after.owner(0) == 1

    def test_a_tie_goes_to_player_2(self):
        # Player 1 ends with 68 of 136: found by play, checked by its own scores here.
        dealt = self.game.read_board("1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 16")
        ties = []
        for seed in range(400):
            dice, position = pg.Dice(seed), dealt
            while position.turn:
                position = position.play(dice.choice(position.actions()))
            if position.scores == (68, 68):
                ties.append(position.outcome())
        assert ties and set(ties) == {(2, "tie-break")}

    @pytest.mark.parametrize("text", ["2,1", "(2,1)", " 2 , 1 ", "( 2,1 )", "2 1"])
    def test_notation(self, text):
        assert self.game.action(text) == 4

    @pytest.mark.parametrize("text", ["2", "2,", ",1", "2;1", "(2,1", "2,1)", "a,b", "2,1,3"])
    def test_what_is_not_notation(self, text):
        with pytest.raises(UnreadableError, match="such as 2,1"):
            self.game.action(text)

    def test_the_refusal_names_the_owner_by_letter(self):
        after = self.game.read_board(SQUARES).play("1,4")
        assert refused(after, "1,4").startswith("Sorry, cell (1,4) has already been claimed by Player A.")

    def test_the_refusal_names_the_owner_by_the_given_name(self):
        error = NotAllowedError(self.game.refusal(self.game.read_board(SQUARES).play("1,4"), 3))
        assert "claimed by Ann." in speech_for(self.game, ("Ann", "Bob")).explain(error)


class TestNumberGridBattle:
    game = pg.load("number-grid-battle")

    def test_the_texts_turns(self):
        after = play(self.game.read_board(BATTLE), "0 1", "1 2", "2 1", "0 0", "2 0", "1 0")
        assert after.scores == (23, 16) and after.outcome() is None
        end = play(after, "0 2", "2 2", "1 1")
        assert end.scores == (26, 19) and end.outcome() == (1, "score")

    def test_nine_turns_each_cell_once(self):
        position = self.game.read_board(BATTLE)
        for left in range(9, 0, -1):
            assert len(position.moves()) == left
            position = position.play(position.moves()[-1])
        assert not position.moves() and sum(position.scores) == 45

    def test_at_equal_sums_the_player_of_the_last_turn_loses(self):
        end = play(pg.load("number-grid-battle", size=2).read_board("1 2/3 4"), "0 0", "0 1", "1 1", "1 0")
        assert end.scores == (5, 5) and end.outcome() == (1, "tie-break")  # Player 2 took the last turn

    @pytest.mark.parametrize("text", ["0 1", "0,1", "(0,1)", "( 0 , 1 )", " 0  1 ", "(0 1)"])
    def test_notation(self, text):
        assert self.game.action(text) == 1

    def test_counted_from_0(self):
        with pytest.raises(UnreadableError, match="both go from 0 to 2"):
            self.game.action("3 0")


class TestNumberCross:
    game = pg.load("number-cross")

    def test_the_texts_game_is_a_tie_that_player_2_wins(self):
        end = play(self.game.read_board(CROSS), "Row2", "Col3", "Col2", "Row1", "Row3", "Col1")
        assert end.scores == (45, 45) and end.outcome() == (2, "tie-break")

    def test_a_cell_in_two_lines_counts_twice(self):
        after = play(self.game.read_board("1 2 3/4 5 6/7 8 9"), "Row3", "Row1", "Col3")
        assert after.scores == (24 + 18, 6)

    @pytest.mark.parametrize(
        ("text", "action"),
        [("Row2", 1), ("row 2", 1), ("R2", 1), ("ROW2", 1), ("Col3", 5), ("c3", 5), ("column 3", 5), ("C 3", 5)],
    )
    def test_notation(self, text, action):
        assert self.game.action(text) == action

    @pytest.mark.parametrize("text", ["Diagonal", "D1", "Row", "2", "Row2Col3", "Ro2"])
    def test_only_rows_and_columns(self, text):
        with pytest.raises(UnreadableError, match="Enter a row or a column, such as Row2"):
            self.game.action(text)

    def test_off_the_board(self):
        with pytest.raises(UnreadableError, match="from 1 to 3"):
            self.game.action("Row4")

    def test_six_turns_three_lines_each(self):
        end = play(self.game.read_board(CROSS), *self.game.texts)
        assert (end.one.bit_count(), end.two.bit_count()) == (3, 3) and sum(end.scores) == 90


class TestCaptureSquare:
    flip = pg.load("capture-square")
    exchange = pg.load("capture-square", sudden_death="exchange")
    # A full board without a square, Player 1 to begin Sudden Death.
    FULL = "claims=1212/1212/2121/2121 turn=1 ply=16"

    def full(self, rule, claims=FULL):
        return pg.read_position(f"capture-square sudden-death={rule} {claims}")

    def test_the_texts_example_is_not_won(self):
        after = play(self.flip.deal(), "B2", "A1", "B1", "C3", "A2")
        assert after.outcome() is None

    def test_the_texts_winning_square(self):
        after = play(self.flip.deal(), "B2", "A1", "B3", "D4", "C2", "A4", "C3")
        assert after.outcome() == (1, "square") and after.turn is None and after.moves() == ()
        with pytest.raises(GameOverError):
            after.play("D1")

    def test_a_square_does_not_wrap_around_the_edge(self):
        after = play(self.flip.deal(), "D1", "B1", "A2", "B2", "D2", "C4", "A3")
        assert after.outcome() is None

    def test_player_2_can_win(self):
        after = play(self.flip.deal(), "A1", "C3", "B1", "C4", "A4", "D3", "D1", "D4")
        assert after.outcome() == (2, "square")

    def test_occupied(self):
        after = self.flip.deal().play("B2")
        assert refused(after, "b2") == "Sorry, B2 is already occupied. Please choose another cell."

    def test_no_scores_and_no_board(self):
        assert self.flip.deal().scores is None and self.flip.deal().board is None
        with pytest.raises(BoardError, match="has no numbers"):
            self.flip.read_board("1 2/3 4")

    def test_flip_turns_one_opposing_marker(self):
        start = self.full("flip")
        assert start.turn == 1 and set(start.moves()) == {"B1", "D1", "B2", "D2", "A3", "C3", "A4", "C4"}
        after = start.play("B1")
        assert after.owner(1) == 1 and after.one.bit_count() == 9 and after.turn == 2
        assert "A1 is already yours" in refused(start, "A1")

    def test_exchange_trades_two_markers(self):
        start = self.full("exchange")
        assert len(start.moves()) == 64
        after = start.play("A1 B1")
        assert (after.owner(0), after.owner(1)) == (2, 1) and after.one.bit_count() == 8 and after.turn == 2
        assert start.play("a1,b1") == start.play("A1B1") == after
        for move, why in (
            ("B1", "name your own X and the O"),
            ("B1 A1", "B1 is not yours"),
            ("A1 C1", "C1 is already yours"),
        ):
            assert why in refused(start, move)

    def test_markers_trade_only_in_sudden_death(self):
        assert "only in Sudden Death" in refused(play(self.exchange.deal(), "A1", "B2"), "A1 B2")
        with pytest.raises(UnreadableError):
            self.flip.action("A1 B2")

    def test_a_square_wins_in_sudden_death(self):
        start = self.full("flip", "claims=1122/1211/2122/2121 turn=1 ply=16")
        assert start.play("B2").outcome() == (1, "square")

    def test_under_exchange_ones_own_square_wins_even_if_the_opponents_appears_too(self):
        # Trading B2 (O) and C3 (X) completes A1-B2 for X and C3-D4 for O at once.
        start = self.full("exchange", "claims=1121/1212/2112/1222 turn=1 ply=16")
        assert start.play("C3 B2").outcome() == (1, "square")

    def test_under_exchange_only_the_opponents_square_loses(self):
        # X moves its C3 away into C1: O now owns C3, D3, C4 and D4.
        start = self.full("exchange", "claims=1121/2212/2112/1122 turn=1 ply=16")
        assert start.play("C3 C1").outcome() == (2, "square")

    def test_the_limit_is_as_many_turns_as_cells_and_then_player_2_wins(self):
        position = self.full("flip")
        turns = 0
        while position.outcome() is None:
            # Player 1 flips A1's neighbor B1, Player 2 flips it back.
            position = position.play("B1")
            turns += 1
        assert turns == 16 and position.outcome() == (2, "limit")
        assert position.game.sudden_death_turns(position) == 16

    def test_a_square_on_the_very_last_turn_still_wins(self):
        last = self.full("flip", "claims=2122/1212/1121/2111 turn=2 ply=31")
        assert last.play("A2").outcome() == (2, "limit")
        assert last.play("C2").outcome() == (2, "square")

    def test_the_count_of_sudden_death_turns_is_part_of_the_position(self):
        early, late = self.full("flip"), self.full("flip", self.FULL.replace("16", "18"))
        assert early != late and early.game.sudden_death_turns(late) == 2
        assert pg.read_position(late.text) == late

    @pytest.mark.parametrize(("size", "beginner"), [(3, 2), (4, 1), (5, 2), (6, 1)])
    def test_who_begins_sudden_death(self, size, beginner):
        stripes = [[1 + (r + c // 2) % 2 for c in range(size)] for r in range(size)]
        position = pg.load("capture-square", size=size).deal()
        cells = {
            who: [r * size + c for r in range(size) for c in range(size) if stripes[r][c] == who] for who in (1, 2)
        }
        order = [cell for pair in zip(cells[1], cells[2], strict=False) for cell in pair]
        order += [c for who in (1, 2) for c in cells[who] if c not in order]
        for cell in order:
            position = position.play(cell)
        assert position.outcome() is None and position.turn == beginner

    def test_sudden_death_readings(self):
        expected = {
            "ending": "sudden-death",
            "sudden-death": "flip",
            "sudden-death-first": "next",
            "komi": "0",
            "pie": "off",
        }
        assert self.flip.rules == expected
        with pytest.raises(OptionError, match="must be flip or exchange, not 'swap'"):
            pg.load("capture-square", sudden_death="swap")

    @pytest.mark.parametrize("text", ["B2", "b2", " B2", "B 2", "b02"])
    def test_notation(self, text):
        assert self.flip.action(text) == 5

    @pytest.mark.parametrize("text", ["E1", "A5", "A0", "Z9"])
    def test_off_the_board(self, text):
        with pytest.raises(UnreadableError, match="columns go from A to D, rows from 1 to 4"):
            self.flip.action(text)
