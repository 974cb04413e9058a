"""Capture Square made fair: who begins Sudden Death by the toss of the deal, and an ending by blocks of three."""

from __future__ import annotations

import itertools
import random
from functools import cache

import numpy as np
import pytest

import pentagrid as pg
from pentagrid.analysis.komi import deal, load_fair
from pentagrid.analysis.solver import solver_of
from pentagrid.core.batch import Batch
from pentagrid.core.catalog import part
from pentagrid.core.conformance import check
from pentagrid.core.speech import speech_for
from pentagrid.errors import BoardError, OptionError
from pentagrid.play.levels import Level

BLOCKS = {"ending": "blocks"}
TOSS = {"sudden_death_first": "toss"}


def threes(size, marks):
    """The blocks with exactly three of these cells, counted cell by cell."""
    blocks = ([(r + a, c + b) for a in (0, 1) for b in (0, 1)] for r in range(size - 1) for c in range(size - 1))
    return sum(sum((r * size + c) in marks for r, c in block) == 3 for block in blocks)


def squares(size, marks):
    return any(
        all((r + a) * size + c + b in marks for a in (0, 1) for b in (0, 1))
        for r in range(size - 1)
        for c in range(size - 1)
    )


@cache
def plain_value(size, komi, one, two):
    """By plain recursion on sets of cells: (winner of a square or 0, then Player 1's margin), as pairs that compare.

    The first number is 1 where Player 1 gets a square and -1 where Player 2 does, and then the second is how late.
    """
    last = two if len(one) == len(two) else one
    plies = len(one) + len(two)
    if squares(size, last):
        return (1, -plies) if last is one else (-1, plies)
    if plies == size * size:
        return 0, threes(size, one) - threes(size, two) - komi
    free = set(range(size * size)) - one - two
    if len(one) == len(two):
        return max(plain_value(size, komi, one | {cell}, two) for cell in free)
    return min(plain_value(size, komi, one, two | {cell}) for cell in free)


def expected(position):
    """What a position is worth: winner, margin, plies."""
    size, komi = position.game.size, position.game.komi
    one, two = (frozenset(i for i in range(size * size) if mask >> i & 1) for mask in (position.one, position.two))
    square, points = plain_value(size, komi, one, two)
    if square:
        return (1 if square > 0 else 2), None, abs(points) - position.ply
    return (1 if points > 0 else 2), points, None


def wander(game, seed, free):
    chance = random.Random(seed)
    while True:
        position = game.deal(seed=chance.randrange(10**6))
        while position.turn and game.cell_count - position.ply > free:
            position = position.play(chance.choice(position.actions()))
        if position.turn:
            return position


class TestBlocks:
    def test_the_options_that_make_no_sense_with_it_are_refused(self):
        for rules in ({"sudden_death": "exchange"}, {"sudden_death_first": "2"}, TOSS):
            with pytest.raises(OptionError, match=r"sudden-death.* needs ending=sudden-death; .* blocks"):
                pg.load("capture-square", **BLOCKS, **rules)
        with pytest.raises(OptionError, match=r"komi=1.5 needs ending=blocks"):
            pg.load("capture-square", komi="1.5")
        with pytest.raises(OptionError, match=r"komi=0.5 needs ending=blocks"):
            load_fair("capture-square", None, {"komi": "fair"})
        assert pg.load("capture-square", **BLOCKS, komi="-2.5").komi == -2.5

    @pytest.mark.parametrize("size", [3, 4, 5, 6])
    def test_it_conforms(self, size):
        assert check(pg.load("capture-square", size=size, **BLOCKS, komi="0.5", pie="on"), plays=3) > 20

    def test_a_full_board_is_won_by_blocks_and_a_tie_by_player_2(self):
        reasons = set()
        for size, komi, seed in itertools.product((3, 4), ("0", "0.5", "-1"), range(60)):
            game, chance = pg.load("capture-square", size=size, **BLOCKS, komi=komi), random.Random(seed)
            position = game.deal()
            while position.turn:
                position = position.play(chance.choice(position.actions()))
            cells = range(size * size)
            one, two = ({i for i in cells if mask >> i & 1} for mask in (position.one, position.two))
            assert position.scores == (threes(size, one), threes(size, two))
            outcome = position.outcome()
            reasons.add(outcome.reason)
            if squares(size, one) or squares(size, two):
                assert outcome == ((1 if squares(size, one) else 2), "square")
            else:
                margin = threes(size, one) - threes(size, two) - float(komi)
                assert outcome == ((1 if margin > 0 else 2), "score" if margin else "tie-break")
        assert reasons == {"square", "score", "tie-break"}

    @pytest.mark.parametrize("komi", ["0", "0.5", "-1"])
    def test_every_position_of_3x3_by_brute_force(self, komi):
        game = pg.load("capture-square", size=3, **BLOCKS, komi=komi)
        solver = solver_of(game.deal())
        seen = layer = {game.deal()}
        while layer:
            layer = {position.play(action) for position in layer for action in position.actions()} - seen
            seen = seen | layer
        assert len(seen) > 5000
        for position in seen:
            assert solver.value(position) == expected(position), position.text
        plain_value.cache_clear()

    @pytest.mark.parametrize(("komi", "seeds"), [("0", 20), ("1.5", 12), ("-40", 4)])
    def test_4x4_by_brute_force_from_seven_free_cells_on(self, komi, seeds):
        game = pg.load("capture-square", **BLOCKS, komi=komi)
        solver = solver_of(game.deal())
        for seed in range(seeds):
            start = wander(game, seed, 7)
            for position in (start, *(start.play(action) for action in start.actions())):
                assert solver.value(position) == expected(position), position.text
            plain_value.cache_clear()

    def test_4x4_values_follow_from_those_after_each_move(self):
        """What holds at the end holds all the way up if every step of it is right."""
        game, chance = pg.load("capture-square", **BLOCKS), random.Random(3)
        solver = solver_of(game.deal())
        for _ in range(120):
            position = game.deal()
            while position.turn:
                worths = [solver.bounds(position.play(action)) for action in position.actions()]
                assert solver.bounds(position) == (max if position.turn == 1 else min)(worths)
                quiet = [a for a in position.actions() if position.play(a).turn] or position.actions()
                position = position.play(chance.choice(quiet))

    def test_what_4x4_is_worth(self):
        analysis = pg.analyze(pg.load("capture-square", **BLOCKS).deal())
        assert (analysis.value.winner, analysis.value.margin, analysis.value.plies) == (1, 1, None)
        margins = {option.move: option.margin for option in analysis.options}
        for move, margin in margins.items():
            edge = (move[0] in "AD") + (move[1] in "14")
            assert margin == {0: 1, 1: 0, 2: -1}[edge], move

    def test_the_best_moves_and_what_others_give_away(self):
        game = pg.load("capture-square", **BLOCKS)
        for seed in range(12):
            position = wander(game, seed, 6)
            analysis = pg.analyze(position)
            worth = {}
            for option in analysis.options:
                winner, margin, _ = expected(position.play(option.action))
                worth[option.action] = margin if margin is not None else 9 * (3 - 2 * winner)
                assert (option.winner, option.margin) == (winner, margin)
            best = (max if position.turn == 1 else min)(worth.values())
            for option in analysis.options:
                assert option.regret == abs(best - worth[option.action])
                assert option.best <= (option.regret == 0)
            plain_value.cache_clear()

    def test_the_pie_rule_takes_the_better_side(self):
        plain = pg.analyze(pg.load("capture-square", **BLOCKS).deal())
        pie = pg.analyze(pg.load("capture-square", **BLOCKS, pie="on").deal())
        for option, other in zip(pie.options, plain.options, strict=True):
            assert option.margin == -abs(other.margin)
            assert option.winner == 2

    def test_a_komi_that_is_fair_leaves_half_a_point(self):
        game, fair = load_fair("capture-square", None, {**BLOCKS, "komi": "fair"})
        komis = {deal(game, seed, fair).game.komi for seed in range(20)}
        assert komis == {0.5, 1.5}
        winners = {pg.analyze(deal(game, seed, fair)).value.winner for seed in range(20)}
        assert winners == {1, 2}

    def test_larger_boards_have_proven_bounds_and_exact_values_late(self):
        game = pg.load("capture-square", size=5, **BLOCKS)
        for seed in range(6):
            position = wander(game, seed, 6)
            low, high = solver_of(position).bounds(position)
            analysis = pg.analyze(position, seconds=20)
            assert analysis.exact and tuple(analysis.value) == expected(position)
            assert low <= solver_of(position).search(position)[0][0] <= high
            plain_value.cache_clear()

    def test_what_is_said(self):
        game = pg.load("capture-square", **BLOCKS, komi="0.5")
        speech = speech_for(game)
        start = game.deal()
        assert any("no Sudden Death" in line for line in speech.terms(start))
        position = start
        for move in ("A1", "D4", "B1", "C4", "A2"):
            position = position.play(move)
        assert "Blocks of three: Player 1 (X) 1, Player 2 (O) 0" in speech.updated(position)
        assert position.text.startswith("capture-square size=4 ending=blocks komi=0.5 claims=")
        assert pg.read_position(position.text) == position

    def test_stronger_levels_win_more(self):
        game = pg.load("capture-square", **BLOCKS)
        wins = 0
        for seed in range(60):
            chance, seats = pg.Dice(seed), (Level(8), Level(2)) if seed % 2 else (Level(2), Level(8))
            position = game.deal()
            while position.turn:
                position = position.play(seats[position.turn - 1].choose(position, chance))
            wins += position.outcome().winner == (1 if seed % 2 else 2)
        assert wins > 42


@pytest.mark.parametrize("name", pg.game_names())
def test_forms_offer_every_choice_in_words(name):
    for rule in pg.load(name).offered_rules:
        if rule.reader is None:
            assert rule.title and len(rule.words) == len(rule.values), rule.name


class TestToss:
    def test_the_deal_settles_it_and_positions_say_how(self):
        game = pg.load("capture-square", **TOSS)
        firsts = [game.deal(seed=seed).game.rules["sudden-death-first"] for seed in range(400)]
        assert set(firsts) == {"1", "2"} and 160 < firsts.count("1") < 240
        assert firsts == [game.deal(seed=seed).game.rules["sudden-death-first"] for seed in range(400)]
        position = game.deal(seed=0)
        assert f"sudden-death-first={firsts[0]}" in position.text
        assert pg.read_position(position.text) == position

    def test_what_is_not_settled_is_no_position_and_no_record(self):
        with pytest.raises(OptionError, match=r"sudden-death-first=toss is settled when a game is dealt; .* 1 or 2"):
            pg.read_position("capture-square sudden-death-first=toss")
        with pytest.raises(OptionError, match="settled when a game is dealt"):
            pg.load("capture-square", **TOSS).opening(())
        with pytest.raises(pg.UnreadableError, match="settled when a game is dealt"):
            pg.read_record('[Game "capture-square"]\n[Rules "sudden-death-first=toss"]\n\n*\n')

    def test_a_record_holds_who_begins(self):
        start = pg.load("capture-square", **TOSS).deal(seed=4)
        record = pg.write_record(pg.Record(pg.Match(start, seed=4)))
        first = start.game.rules["sudden-death-first"]
        assert f"sudden-death-first={first}" in record
        assert pg.read_record(record).match.start == start

    def test_it_is_said_at_the_start(self):
        for seed in range(6):
            start = pg.load("capture-square", **TOSS, pie="on").deal(seed=seed)
            first = int(start.game.rules["sudden-death-first"])
            mark = "XO"[first - 1]
            assert speech_for(start.game).terms(start) == [f"Player {first} ({mark}) begins Sudden Death."]
            swapped = start.play("A1").play("swap")
            assert speech_for(start.game).terms(swapped)[0].startswith(f"Player {3 - first} ")

    @pytest.mark.parametrize("rules", [TOSS, {**TOSS, "pie": "on"}, {**TOSS, "sudden_death": "exchange"}])
    @pytest.mark.parametrize("size", [3, 4])
    def test_many_games_at_once_are_the_same_games(self, rules, size):
        same_games(pg.load("capture-square", size=size, **rules))


def same_games(game):
    """Random games as arrays, each move also made by the rules."""
    count, chance = 60, np.random.default_rng(7)
    batch: Batch = part(game.name, "batch").BATCH(game, count)
    batch.deal(slice(None), np.arange(count, dtype=np.uint64))
    positions = [game.deal(seed=seed) for seed in range(count)]
    live, reasons = set(range(count)), set()
    for _ in range(2 * game.cell_count + 1):
        actions = np.zeros(count, np.int64)
        for number in range(count):
            legal = np.flatnonzero(batch.legal[:, number])
            if number in live:
                assert tuple(legal) == positions[number].actions()
            actions[number] = chance.choice(legal) if len(legal) else 0
        over, won = batch.play(actions)
        for number in sorted(live):
            mover = positions[number].mover
            positions[number] = positions[number].play(int(actions[number]))
            assert batch.position(number) == positions[number]
            outcome = positions[number].outcome()
            assert bool(over[number]) == (outcome is not None)
            if outcome is not None:
                assert bool(won[number]) == (outcome.winner == mover)
                reasons.add(outcome.reason)
                live.discard(number)
    assert not live and "square" in reasons


@pytest.mark.parametrize("komi", ["0", "1", "-0.5"])
@pytest.mark.parametrize("pie", ["off", "on"])
@pytest.mark.parametrize("size", [3, 4, 5])
def test_blocks_in_many_games_at_once(size, pie, komi):
    same_games(pg.load("capture-square", size=size, **BLOCKS, komi=komi, pie=pie))


def test_positions_that_cannot_be():
    with pytest.raises(BoardError, match=r"too large|does not fit"):
        pg.read_position("capture-square size=3 ending=blocks claims=121/212/121 ply=12")
