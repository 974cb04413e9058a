"""A game in progress: seats, clock, undo, result."""

from __future__ import annotations

import pytest

import pentagrid as pg
from pentagrid.errors import GameOverError, NotAllowedError, OptionError
from pentagrid.play.match import Match, Seat, check_name
from pentagrid.play.players import KINDS, make_player

PEOPLE = (Seat("Ann"), Seat("Bob"))


def match(name="matrix-capture", seats=PEOPLE, seed=1, **options):
    return Match(pg.load(name).deal(seed=seed), seats, seed=seed, **options)


class Clock:
    """A clock that only the test moves."""

    time = 0.0

    def __call__(self):
        return self.time


def test_a_whole_game():
    game = match()
    for move in ("R1C1", "R2C2", "R3C3"):
        game.play(move)
    assert game.moves == ["R1C1", "R2C2", "R3C3"] and game.mover.name == "Bob" and game.outcome is None
    game.play("r4c4")
    assert game.outcome == game.position.outcome() and game.outcome is not None
    with pytest.raises(GameOverError):
        game.play("R1C1")


def test_a_refused_move_changes_nothing():
    game = match()
    game.play("R1C1")
    with pytest.raises(NotAllowedError):
        game.play("R1C2")
    assert game.moves == ["R1C1"]


def test_undo_takes_back_one_move_between_people():
    game = match()
    game.play("R1C1")
    game.play("R2C2")
    assert game.undo() == ["R2C2"] and game.moves == ["R1C1"] and game.position.turn == 2
    assert game.undo() == ["R1C1"] and game.position == game.start
    with pytest.raises(NotAllowedError, match="no move to take back"):
        game.undo()


def test_undo_against_a_computer_goes_back_to_the_persons_own_turn():
    game = match(seats=(Seat("Ann"), Seat(kind="greedy")))
    game.play("R1C1")
    game.play(game.think())
    assert len(game.undo()) == 2 and game.position == game.start
    second = match(seats=(Seat(kind="random"), Seat("Ann")))
    second.play(second.think())
    with pytest.raises(NotAllowedError, match="no move to take back"):
        second.undo()  # only the computer has moved: there is no own turn to go back to
    assert len(second.actions) == 1


def test_undo_forgets_the_comments_of_what_was_taken_back():
    game = match()
    game.play("R1C1")
    game.notes = {0: "begin", 1: "good"}
    game.undo()
    assert game.notes == {0: "begin"}


def test_resigning():
    game = match()
    game.play("R1C1")
    game.resign(2)
    assert game.outcome == (1, "resign")
    with pytest.raises(GameOverError):
        game.resign(1)


def test_the_clock_ends_the_turn():
    clock = Clock()
    game = match(turn_seconds=10, now=clock)
    clock.time = 9.0
    assert game.time_left() == 1.0 and not game.flag()
    game.play("R1C1")
    assert game.time_left() == 10.0, "the next turn has its full time"
    clock.time = 19.0
    assert game.time_left() == 0.0
    with pytest.raises(GameOverError):
        game.play("R2C2")
    assert game.outcome == (1, "time") and game.moves == ["R1C1"]


def test_without_a_clock_time_does_not_matter():
    clock = Clock()
    game = match(now=clock)
    clock.time = 1e9
    assert game.time_left() is None and not game.flag()


@pytest.mark.parametrize("seconds", [0, -1, 86401, float("nan"), float("inf")])
def test_impossible_clocks(seconds):
    with pytest.raises(OptionError, match="A turn must last"):
        match(turn_seconds=seconds)


@pytest.mark.parametrize("name", ["", "  ", "a\x1b[31m", "two\nlines", "x" * 41])
def test_impossible_names(name):
    with pytest.raises(OptionError, match="is not a name"):
        check_name(name)


@pytest.mark.parametrize("kind", [kind.choices[0] for kind in KINDS.values()])
@pytest.mark.parametrize("name", pg.game_names())
def test_computers_play_whole_games_the_same_for_the_same_seed(kind, name):
    def played(seed):
        game = match(name, (Seat(kind=kind), Seat(kind="random")), seed=4)
        game.seed = seed
        while game.outcome is None:
            game.play(game.think())
        return game.moves

    assert played(1) == played(1)
    assert len({tuple(played(seed)) for seed in range(8)}) > 1


def test_a_resumed_computer_goes_on_as_it_would_have():
    whole = match(seats=(Seat(kind="random"), Seat(kind="random")))
    while whole.outcome is None:
        whole.play(whole.think())
    half = match(seats=(Seat(kind="random"), Seat(kind="random")))
    for move in whole.moves[:2]:
        half.play(move)
    assert half.start.game.texts[half.think()] == whole.moves[2]


def test_unknown_players_are_refused_with_those_there_are():
    with pytest.raises(
        OptionError, match="no player 'genius'; there are human, random, greedy, level:1 … level:9, perfect"
    ):
        make_player("genius")


class TestGreedy:
    def choices(self, position):
        return {position.game.texts[make_player("greedy").choose(position, pg.Dice(seed))] for seed in range(300)}

    def test_takes_the_largest_number(self):
        assert self.choices(pg.load("matrix-capture", size=2).read_board("1 9/9 3")) == {"R1C2", "R2C1"}
        assert self.choices(pg.load("number-cross").read_board("1 2 3/4 5 6/7 8 9")) == {"Row3"}

    def test_counts_captures(self):
        # 5 takes 4 (worth 5 + 2*4); 9 takes nothing.
        position = pg.load("capture-squares", size=3).read_board("4 5 1/2 3 6/7 8 9").play("1,1")
        assert self.choices(position) == {"1,2"}

    def test_capture_square_completes_then_stops_then_anything(self):
        # X to move completes; O to move stops it; with no threat anything goes.
        read = pg.read_position
        assert self.choices(read("capture-square claims=11../1.../2.2./2...")) == {"B2"}
        assert self.choices(read("capture-square claims=11../1.../2.2./....")) == {"B2"}
        assert len(self.choices(read("capture-square claims=1.../..../..../..2."))) == 14

    def test_capture_square_in_sudden_death(self):
        position = pg.read_position("capture-square claims=1122/1211/2122/2121 turn=1 ply=16")
        assert self.choices(position) == {"B2"}

    def test_capture_square_never_hands_over_a_square(self):
        position = pg.read_position("capture-square sudden-death=exchange claims=1121/2212/2112/1122 turn=1 ply=16")
        game = position.game
        assert game.heuristics.greed(position, game.action("C3 C1")) == -1


def test_whatever_can_be_put_right_is_one_of_our_errors():
    start = pg.load("number-cross").deal(seed=1)
    for moves, error in ((["zz"], pg.UnreadableError), ([0, 0], pg.NotAllowedError), ([999], pg.UnreadableError)):
        with pytest.raises(error):
            pg.review(start, moves)
    for wrong in (lambda: pg.review("x", []), lambda: pg.Match("x"), lambda: pg.read_record(None)):
        with pytest.raises(pg.UnreadableError, match=r"is not (a position|the text of a record)"):
            wrong()
    with pytest.raises(pg.OptionError, match="a person's turn"):
        pg.Match(start).think()
    with pytest.raises(pg.OptionError, match="'foo' is not a game"):
        pg.make_puzzle("foo")
    assert pg.review(start, ["Row1"]).choices[0].move == "Row1"
