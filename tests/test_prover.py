"""The prover of Capture Square: against the tables of 4x4, brute force on late boards, and a plain search."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

import pentagrid as pg
from pentagrid.analysis.solver import Solver, solver_of
from pentagrid.games.capture_square.openings import answers, entries, images, proven_openings
from pentagrid.games.capture_square.prover import Prover
from pentagrid.games.capture_square.solver import FAR, QUICK, tables
from pentagrid.play.players import Perfect, make_player

BEGINNERS = ("1", "2")


def load(size, beginner="next", **rules):
    return pg.load("capture-square", size=size, sudden_death_first=beginner, **rules)


def wander(game, chance, ply):
    """A position of a random game at this ply, with no square."""
    while True:
        position = game.deal(seed=0)
        while position.turn and position.ply < ply:
            position = game.after(position, chance.choice(position.actions()))
        if position.turn:
            return position


class TestAgainstTables:
    @pytest.mark.parametrize("beginner", BEGINNERS)
    def test_bounds_hold_in_50_000_positions_of_4x4_for_each_beginner(self, beginner):
        """However little work was done, what is proven is true."""
        game, cells = load(4, beginner), 16
        table, prover, chance = tables(game), Prover(game), np.random.default_rng(7)
        exact = count = 0
        while count < 50_000:
            ply = int(chance.integers(5, 16))
            order = chance.permutation(cells)
            one, two = (sum(1 << int(cell) for cell in order[start:ply:2]) for start in (0, 1))
            if game.square(one) or game.square(two):
                continue
            count += 1
            worth = table.worth(game.opening(())._replace(one=one, two=two, ply=ply))
            striker, other, sign = (one, two, 1) if beginner == "1" else (two, one, -1)
            prover.forget()
            striking = (ply % 2 == 0) == (beginner == "1")
            low, high = prover.prove(striker, other, striking, FAR - ply, (4, 12, 36)[count % 3])
            assert low <= sign * worth <= high, (one, two)
            exact += low == high
        assert exact > 0.5 * count

    @pytest.mark.parametrize("rules", [{}, {"sudden_death": "exchange"}])
    def test_much_work_settles_4x4(self, rules):
        for beginner in BEGINNERS:
            game, chance = load(4, beginner, **rules), random.Random(3)
            prover, table = Prover(game), tables(game)
            exact = 0
            for _ in range(60):
                position = wander(game, chance, chance.randrange(2, 14))
                striker = int(beginner)
                own, other = (position.one, position.two) if striker == 1 else (position.two, position.one)
                sign = 1 if striker == 1 else -1
                prover.forget()
                low, high = prover.prove(own, other, position.mover == striker, FAR - position.ply, 4000)
                assert low <= sign * table.worth(position) <= high
                exact += low == high
            assert exact >= 45


def brute(position, striker):
    """Bounds of the striker's fortune by trying everything while cells are free; a full board by its first turn."""
    game = position.game
    cells = game.cell_count

    @cache
    def value(position):
        outcome = position.outcome()
        sign = 1 if position.mover == striker else -1
        if outcome:
            worth = (FAR - position.ply) * (1 if outcome.winner == striker else -1)
            return worth, worth
        if position.ply == cells:
            own = position.one if striker == 1 else position.two
            if any((own & quad).bit_count() == 3 for quad in game.quads):
                return FAR - cells - 1, FAR - cells - 1
            return -(FAR - cells - 2), FAR - cells - 3
        choose = max if sign == 1 else min
        found = [value(game.after(position, action)) for action in position.actions()]
        return choose(low for low, _ in found), choose(high for _, high in found)

    return value(position)


class TestLateBoards:
    @pytest.mark.parametrize("size", [5, 6])
    @pytest.mark.parametrize("rules", [{}, {"sudden_death": "exchange"}])
    def test_the_solver_agrees_with_brute_force(self, size, rules):
        chance, exact = random.Random(size), 0
        for number in range(60):
            game = load(size, BEGINNERS[number % 2], **rules)
            position = wander(game, chance, game.cell_count - chance.randrange(2, 8))
            striker = game.side_at(game.cell_count)
            low, high = brute(position, striker)
            found = Solver(position).bounds(position)
            found = found if striker == 1 else (-found[1], -found[0])
            assert found[0] <= high and low <= found[1], position.text  # neither rules the other out
            assert low != high or (low, high) == found, position.text
            exact += found[0] == found[1]
        assert exact >= 55


class Plain:
    """A search for the striker's win that shares nothing with the prover: no zones, no memory, every answer tried."""

    def __init__(self, size):
        self.all = set(range(size * size))
        corners = [r * size + c for r in range(size - 1) for c in range(size - 1)]
        self.squares = [frozenset((c, c + 1, c + size, c + size + 1)) for c in corners]

    def gaps(self, marks, against):
        """The cells that complete a square."""
        return {cell for s in self.squares if len(s & marks) == 3 and not s & against for cell in s - marks}

    def paired(self, open_squares, used):
        if not open_squares:
            return True
        cells = sorted(open_squares[0] - used)
        return any(
            self.paired([s for s in open_squares if not {a, b} <= s], used | {a, b})
            for i, a in enumerate(cells)
            for b in cells[:i]
        )

    def done(self, own, other):
        """Has the striker a trap, and pairs for the rest?"""
        if not any(len(s & own) == 3 and s & other for s in self.squares):
            return False
        left = sorted((s - other for s in self.squares if not s & own), key=len)
        return all(len(s) > 1 for s in left) and self.paired(left, frozenset())

    def moving(self, own, other, quiet):
        """The striker is to move and may make so many moves that force no answer."""
        if self.gaps(own, other):
            return True
        must = self.gaps(other, own)
        if len(must) > 1:
            return False
        if self.done(own, other):
            return True
        for cell in sorted(must or self.all - own - other):
            cost = 0 if must or self.gaps(own | {cell}, other) else 1
            if cost <= quiet and self.waiting(own | {cell}, other, quiet - cost):
                return True
        return False

    def waiting(self, own, other, quiet):
        if self.gaps(other, own):
            return False
        threats = self.gaps(own, other)
        if len(threats) > 1 or self.done(own, other):
            return True
        return all(self.moving(own, other | {cell}, quiet) for cell in threats or self.all - own - other)


def cells_of(mask):
    return frozenset(cell for cell in range(36) if mask >> cell & 1)


class TestOpenings:
    @pytest.mark.parametrize("size", [5, 6])
    def test_whoever_begins_sudden_death_wins_with_its_first_turn(self, size):
        for rules in ({}, {"sudden_death": "exchange"}):
            for beginner in BEGINNERS:
                start = load(size, beginner, **rules).deal()
                assert Solver(start).value(start) == (int(beginner), None, size * size + 1)
        start = pg.load("capture-square", size=size).deal()
        assert Solver(start).value(start).winner == (2 if size == 5 else 1)

    @pytest.mark.parametrize("size", [5, 6])
    def test_every_answer_to_every_kept_move_is_kept_or_easy(self, size):
        game, kept = load(size), proven_openings(size)
        prover = Prover(game)
        beginnings = [(0, 0), *((0, first) for first in answers(game, 0, 0))]
        after = [
            (striker | 1 << cell, more)
            for striker, other, cell in entries(size)
            for more in answers(game, striker | 1 << cell, other)
        ]
        for striker, other in beginnings + after:
            prover.forget()
            assert (striker, other, True) in kept or prover.wins(striker, other, True, QUICK), (striker, other)
        assert len(after) > 500

    @pytest.mark.parametrize("size", [5, 6])
    def test_a_striker_who_places_first_wins_with_any_first_move(self, size):
        """A marker more never hurts, so what wins when placing second is kept with one more."""
        start = load(size, "1").deal()
        analysis = pg.analyze(start, seconds=1)
        assert analysis.exact and all(option.best for option in analysis.options)
        assert len(analysis.line) == size * size + 1
        chance = random.Random(size)
        for number in range(4):
            other, position = make_player(("random", "greedy", "level:8", "perfect")[number]), start
            position = position.play(chance.choice(position.actions()))
            while position.turn:
                player = Perfect() if position.mover == 1 else other
                position = position.play(player.choose(position, pg.Dice(number, position.ply)))
            assert position.outcome().winner == 1

    def test_a_plain_search_agrees(self):
        chance, plain, game = random.Random(2), Plain(5), load(5)
        prover, checked = Prover(game), 0
        after = [
            (striker | 1 << cell, more)
            for striker, other, cell in entries(5)
            for more in answers(game, striker | 1 << cell, other)
        ]
        while checked < 12:
            striker, other = chance.choice(after)
            if prover.wins(striker, other, True, 60):
                assert plain.moving(cells_of(striker), cells_of(other), 1)
                checked += 1
        assert not plain.moving(frozenset(), cells_of(0b11), 0)

    def test_images_are_the_eight_turns(self):
        assert {one for one, _ in images(5, 1, 0)} == {1, 1 << 4, 1 << 20, 1 << 24}
        assert len(set(images(5, 1 << 1, 1 << 7))) == 8


class TestWhatIsKnown:
    @pytest.mark.parametrize("size", [5, 6])
    def test_most_positions_are_settled(self, size):
        game, chance = load(size), random.Random(8)
        exact = 0
        for number in range(40):
            half = game.cell_count // 2
            ply = chance.randrange(half) if number % 2 else chance.randrange(half + 1, game.cell_count)
            position = wander(game, chance, ply)
            low, high = Solver(position).bounds(position)
            exact += low == high
        assert exact >= 30

    @pytest.mark.parametrize("size", [5, 6])
    def test_perfect_never_loses_a_win_that_is_known(self, size):
        chance, games = random.Random(4), 0
        while games < 8:
            game = load(size, BEGINNERS[games % 2], sudden_death=("flip", "exchange")[games // 4])
            start = wander(game, chance, chance.randrange(4, game.cell_count - 4))
            winner = Solver(start).value(start).winner
            if winner is None:
                continue
            games += 1
            other = make_player(("random", "greedy", "level:8", "perfect")[games % 4])
            position = start
            while position.turn:
                player = Perfect() if position.mover == winner else other
                position = position.play(player.choose(position, pg.Dice(games, position.ply)))
            assert position.outcome().winner == winner, start.text

    def test_what_is_known_does_not_depend_on_what_was_asked_before(self):
        game, chance = load(5), random.Random(6)
        asked = [wander(game, chance, 6) for _ in range(6)]
        together = Solver(asked[0])
        assert [together.bounds(one) for one in asked] == [Solver(one).bounds(one) for one in asked]

    def test_analysis_of_the_opening_names_winner_moves_and_a_whole_line(self):
        analysis = pg.analyze(load(5).deal(), seconds=3)
        assert analysis.exact and analysis.value == (2, None, 26) and len(analysis.line) == 26
        assert solver_of(analysis.position).deal_solver.instant is False
