"""Exact values against an independent brute force, and against what is known about the games."""

from __future__ import annotations

import itertools
import random
import subprocess
import sys
from collections import Counter
from functools import cache, partial
from typing import ClassVar

import numpy as np
import pytest

import pentagrid as pg
from pentagrid.analysis.komi import with_fair_komi
from pentagrid.analysis.sentences import hint, sentence
from pentagrid.analysis.solver import Solver, solver_of
from pentagrid.core.catalog import find, part
from pentagrid.core.conformance import check
from pentagrid.core.deal_solver import Loss
from pentagrid.core.speech import speech_for
from pentagrid.games.capture_square.solver import FAR, tables
from pentagrid.games.capture_squares.solver import CaptureSquaresSolver, every_position
from pentagrid.play.levels import Level
from pentagrid.play.match import Match, Seat
from pentagrid.play.players import Perfect, make_player
from pentagrid.terminal.analysis_text import review_lines

SCORING = ("matrix-capture", "capture-squares", "number-grid-battle", "number-cross")


def margin_of(position):
    """Player 1's score minus Player 2's, with the komi of whoever plays the second side."""
    if position.scores is None:
        return None
    komi = float(position.game.rules["komi"])
    return position.scores[0] - position.scores[1] + (komi if position.swapped else -komi)


@cache
def brute(position):
    """The value by plain recursion over the public rules: (winner, margin or None, plies until the end)."""
    outcome = position.outcome()
    if outcome:
        return outcome.winner, margin_of(position), 0
    values = [brute(position.play(action)) for action in position.actions()]
    mover = position.turn
    if position.scores is not None:
        best = (max if mover == 1 else min)(values, key=lambda value: (value[0] == 1, value[1]))
        return best[0], best[1], best[2] + 1
    wins = [plies for winner, _, plies in values if winner == mover]
    if wins:
        return mover, None, min(wins) + 1
    return 3 - mover, None, max(plies for _, _, plies in values) + 1


def agrees(position):
    """Does the analysis of a position say of it and of every move what brute force says?"""
    analysis = pg.analyze(position)
    assert analysis.exact and analysis.bounds is None

    def same(value, expected, more=0):
        winner, margin, plies = expected
        assert value.winner == winner
        assert value.margin == margin
        assert value.plies == (plies + more if position.scores is None else None)

    same(analysis.value, brute(position))
    assert [option.action for option in analysis.options] == list(position.actions())
    found = {}
    for option in analysis.options:
        same(option, brute(position.play(option.action)), 1)
        assert option.move == position.game.texts[option.action]
        found[option.action] = brute(position.play(option.action))
    if found:
        best = brute(position)
        keeps = {
            a for a, v in found.items() if v[:2] == best[:2] and (position.scores is not None or v[2] + 1 == best[2])
        }
        assert {option.action for option in analysis.best} == keeps
        for option in analysis.options:
            winner, margin, _ = found[option.action]
            lost = abs(margin - best[1]) if margin is not None else int(winner != best[0])
            assert option.regret == lost and option.win_regret == int(winner != best[0])
            assert not (option.best and option.loss)
        line = position
        for move in analysis.line:
            line = line.play(move)
        outcome = line.outcome()
        assert outcome and outcome.winner == best[0]
        assert margin_of(line) == best[1]
        assert line.scores is not None or len(analysis.line) == best[2]


def reachable(position):
    """Every position that play can reach."""
    seen, layer = {position}, [position]
    while layer:
        layer = list({p.play(a) for p in layer for a in p.actions()} - seen)
        seen.update(layer)
    return seen


def wander(game, seed, free):
    """A random position with so many turns left, or fewer."""
    chance = random.Random(seed)
    while True:
        position = game.deal(seed=chance.randrange(10**6))
        total = game.size if game.name == "matrix-capture" else game.action_count
        while position.turn and total - position.ply > free:
            position = position.play(chance.choice(position.actions()))
        if position.turn:
            return position


class TestAgainstBruteForce:
    @pytest.mark.parametrize(
        ("name", "size", "deals"),
        [
            ("matrix-capture", 2, 10),
            ("matrix-capture", 3, 4),
            ("capture-squares", 2, 24),
            ("number-grid-battle", 2, 10),
            ("number-cross", 2, 10),
            ("number-cross", 3, 1),
        ],
    )
    def test_every_position_of_small_boards(self, name, size, deals):
        for seed in range(deals):
            for position in reachable(pg.load(name, size=size).deal(seed=seed)):
                agrees(position)
            brute.cache_clear()

    @pytest.mark.parametrize("name", ["capture-squares", "number-grid-battle"])
    def test_every_position_of_a_3x3_deal(self, name):
        game = pg.load(name, size=3)
        positions = reachable(game.deal(seed=1))
        solver = Solver(game.deal(seed=1))
        for position in positions:
            winner, margin, _ = brute(position)
            assert solver.value(position)[:2] == (winner, margin)
        brute.cache_clear()

    @pytest.mark.parametrize("rule", ["flip", "exchange"])
    def test_every_position_of_capture_square_3x3(self, rule):
        positions = reachable(pg.load("capture-square", size=3, sudden_death=rule).deal())
        solver = solver_of(next(iter(positions)))
        for position in positions:
            winner, _, plies = brute(position)
            assert solver.value(position) == (winner, None, plies)
        brute.cache_clear()

    @pytest.mark.parametrize(
        ("name", "rules", "free", "count"),
        [
            ("matrix-capture", {}, 4, 4),
            ("capture-squares", {}, 6, 12),
            ("number-grid-battle", {}, 6, 15),
            ("number-cross", {}, 6, 6),
        ],
    )
    def test_all_moves_of_random_positions_at_the_default_size(self, name, rules, free, count):
        for seed in range(count):
            agrees(wander(pg.load(name, **rules), seed, free))
            brute.cache_clear()

    @pytest.mark.parametrize(("rule", "left", "count"), [("flip", 6, 12), ("exchange", 3, 4)])
    def test_all_moves_of_random_late_positions_of_capture_square(self, rule, left, count):
        for seed in range(count):
            agrees(late_sudden_death(pg.load("capture-square", sudden_death=rule), seed, left))
            brute.cache_clear()

    @pytest.mark.parametrize("rule", ["flip", "exchange"])
    def test_capture_square_values_follow_from_those_after_each_move(self, rule):
        """What holds at the end (see the other tests) holds all the way up if every step of it is right."""
        game, chance = pg.load("capture-square", sudden_death=rule), random.Random(5)
        solver = solver_of(game.deal())
        looked = 0
        for _ in range(150):
            position = game.deal()
            while position.turn:
                after = [solver.value(position.play(action)) for action in position.actions()]
                wins = [value.plies for value in after if value.winner == position.turn]
                plies = min(wins) + 1 if wins else max(value.plies for value in after) + 1
                assert solver.value(position) == (position.turn if wins else 3 - position.turn, None, plies)
                looked += 1
                quiet = [a for a in position.actions() if position.play(a).turn] or position.actions()
                position = position.play(chance.choice(quiet))
        assert looked > 2400

    @pytest.mark.slow
    @pytest.mark.timeout(1800)
    def test_capture_square_while_cells_are_free(self):
        for seed in range(20):
            agrees(wander(pg.load("capture-square"), seed, 3))

    @pytest.mark.parametrize(
        ("name", "size", "free"),
        [
            ("capture-squares", 5, 5),
            ("capture-squares", 6, 5),
            ("matrix-capture", 6, 3),
            ("number-cross", 8, 5),
            ("number-grid-battle", 6, 5),
        ],
    )
    def test_late_positions_of_large_boards(self, name, size, free):
        for seed in range(6):
            agrees(wander(pg.load(name, size=size), seed, free))
            brute.cache_clear()

    @pytest.mark.parametrize("size", [5, 6])
    def test_late_positions_of_large_capture_square_boards(self, size):
        """No table there: a search that must find the same."""
        game = pg.load("capture-square", size=size)
        for seed in range(4):
            agrees(late_sudden_death(game, seed, 3))
            brute.cache_clear()


def late_sudden_death(game, seed, left):
    """A board without a square, with so many Sudden Death turns to the limit."""
    chance = random.Random(seed)
    n, cells = game.size, game.cell_count
    while True:
        order = chance.sample(range(cells), cells)
        claims = ["."] * cells
        ply = 2 * cells - left
        ones = (cells + 1) // 2
        if not game.exchanges and (ply - cells) % 2:
            ones += 1 if game.side_at(cells) == 1 else -1
        for i, cell in enumerate(order):
            claims[cell] = "1" if i < ones else "2"
        rows = "/".join("".join(claims[i : i + n]) for i in range(0, cells, n))
        rule = game.rules["sudden-death"]
        try:
            position = pg.read_position(f"capture-square size={n} sudden-death={rule} claims={rows} ply={ply}")
        except pg.BoardError:
            continue
        if position.turn:
            return position


class TestSuddenDeath:
    """From every full board, at every count of turns."""

    def boards(self, game, ply):
        for mask in range(1 << 16):
            if mask.bit_count() == 8 and not game.square(mask) and not game.square(0xFFFF ^ mask):
                yield pg.Position(game, (), mask, 0xFFFF ^ mask, game.side_at(ply), ply, None)

    @pytest.mark.parametrize(("rule", "at_once"), [("flip", 56), ("exchange", 60)])
    def test_the_6734_full_boards(self, rule, at_once):
        game = pg.load("capture-square", sudden_death=rule)
        solver = solver_of(game.deal())
        values = Counter(solver.value(position) for position in self.boards(game, 16))
        assert values == {
            (1, None, 1): 6480,
            (2, None, 2): at_once,
            (2, None, 16): 6734 - 6480 - at_once,
        }

    def test_flip_against_brute_force_from_every_full_board(self):
        game = pg.load("capture-square")
        solver = solver_of(game.deal())
        for ply in (30, 28, 24):
            for position in self.boards(game, ply):
                winner, _, plies = brute(position)
                assert solver.value(position) == (winner, None, plies)
        brute.cache_clear()

    def test_exchange_against_brute_force_from_every_full_board(self):
        game = pg.load("capture-square", sudden_death="exchange")
        solver = solver_of(game.deal())
        for position in self.boards(game, 31):
            winner, _, plies = brute(position)
            assert solver.value(position) == (winner, None, plies)
        for position in itertools.islice(self.boards(game, 30), 0, None, 40):
            winner, _, plies = brute(position)
            assert solver.value(position) == (winner, None, plies)
        brute.cache_clear()

    @pytest.mark.slow
    @pytest.mark.timeout(1800)
    @pytest.mark.parametrize("rule", ["flip", "exchange"])
    def test_from_every_full_board_and_every_count_of_turns(self, rule):
        game = pg.load("capture-square", sudden_death=rule)
        solver = solver_of(game.deal())
        for ply in range(30, 15, -2):
            for position in self.boards(game, ply):
                winner, _, plies = brute(position)
                assert solver.value(position) == (winner, None, plies)
        brute.cache_clear()


class TestFacts:
    def test_number_grid_battle_is_25_to_20_on_every_deal(self):
        for seed in range(200):
            assert pg.analyze(pg.load("number-grid-battle").deal(seed=seed)).value == (1, 5, None)

    def test_capture_squares_is_72_to_64_on_every_deal(self):
        for seed in range(200):
            game = pg.load("capture-squares")
            assert pg.analyze(game.deal(seed=seed)).value == (1, 8, None)

    def test_all_number_cross_deals(self):
        deals = np.array(list(itertools.permutations(range(1, 10))), np.int8)
        leads = part("number-cross", "solver").firsts(pg.load("number-cross"), deals.T)
        margins, counts = np.unique(leads.max(axis=0), return_counts=True)
        assert dict(zip(margins.tolist(), counts.tolist(), strict=True)) == {
            0: 19800, 2: 46152, 4: 71712, 6: 68760, 8: 65304, 10: 45432, 12: 28512, 14: 12888, 16: 4176, 18: 144,
        }  # fmt: skip

    def test_matrix_capture_over_random_deals(self):
        boards = np.random.default_rng(7).integers(1, 10, (400_000, 16), dtype=np.int8)
        margins = part("matrix-capture", "solver").firsts(pg.load("matrix-capture"), boards.T).max(axis=0)
        assert abs(margins.mean() - 4.38) < 0.02
        ties = (margins == 0).sum()
        assert 25 < ties < 90 and (margins > 0).sum() == len(boards) - ties  # about 137 in a million

    @pytest.mark.slow
    @pytest.mark.timeout(600)
    def test_if_both_just_take_the_biggest_number(self):
        game, greedy, wins = pg.load("matrix-capture"), make_player("greedy"), 0
        for seed in range(100_000):
            position = game.deal(seed=seed)
            while position.turn:
                position = position.play(greedy.choose(position, pg.Dice(seed, position.ply)))
            wins += position.outcome().winner == 1
        assert abs(wins / 100_000 - 0.959) < 0.003

    def test_capture_square_takes_17_moves_from_every_first_move(self):
        for rule in ("flip", "exchange"):
            analysis = pg.analyze(pg.load("capture-square", sudden_death=rule).deal())
            assert {(option.winner, option.plies, option.best) for option in analysis.options} == {(1, 17, True)}

    def test_capture_square_positions(self):
        """Without a square every position is reachable: its marks can be placed in any order."""
        found = tables(pg.load("capture-square"))
        squares = np.array([pg.load("capture-square").square(mask) != 0 for mask in range(1 << 16)])  # type: ignore[attr-defined]
        total = won = 0
        for k in range(16):
            sets = [mask for mask in range(1 << 16) if mask.bit_count() == k]
            chosen = [mask for mask in range(1 << k) if mask.bit_count() == (k + 1) // 2]
            packed = np.array(chosen)
            for row, cells in enumerate(sets):
                places = [cell for cell in range(16) if cells >> cell & 1]
                one = sum(((packed >> i & 1) << cell for i, cell in enumerate(places)), np.zeros(len(packed), int))
                free = ~squares[one] & ~squares[cells ^ one]
                total += int(free.sum())
                won += int((found.levels[k][row][free] > 0).sum())
        assert (total, won) == (9_210_331, 8_083_805)

    def test_what_a_player_is_sure_of_in_capture_squares_at_every_size(self):
        for size in range(2, 7):
            game = pg.load("capture-squares", size=size)
            start = game.deal(seed=size)
            low, high = CaptureSquaresSolver(game, start.numbers).leads(start)
            falling = range(size * size, 0, -1)
            assert low == high == sum(falling[::2]) - sum(falling[1::2])


@pytest.mark.parametrize("rules", [{}, {"order": "snake", "komi": "2.5"}], ids=str)
@pytest.mark.parametrize("name", ["number-cross", "number-grid-battle"])
def test_all_moves_together_are_worth_what_each_is_by_itself(name, rules):
    for seed in range(10):
        position, chance = pg.load(name, **rules).deal(seed=seed), random.Random(seed)
        while position.turn:
            solver = solver_of(position)
            worths = solver.deal_solver.worths_after(position)
            assert tuple(worths) == position.actions()
            assert all(solver.bounds(position.play(action)) == (worth, worth) for action, worth in worths.items())
            position = position.play(chance.choice(position.actions()))


class TestCaptureSquaresTable:
    def test_owners_do_not_matter_for_what_is_to_come(self):
        """The ground the table stands on, checked on all 3^9 positions of 3x3 deals, reachable or not."""
        game = pg.load("capture-squares", size=3)
        for seed in range(3):
            numbers = game.deal(seed=seed).numbers
            layers = every_position(game, numbers)

            @cache
            def total(one, two, game=game, numbers=numbers):
                mover = 1 + (one | two).bit_count() % 2
                position = pg.Position(game, numbers, one, two, mover, 0, game.count_scores(numbers, one, two))
                if one | two == 511:
                    return position.scores[0]
                after = [game.after_on_board(position, action) for action in position.actions()]
                return (max if mover == 1 else min)(total(p.one, p.two) for p in after)

            for k, layer in enumerate(layers):
                sets = [mask for mask in range(512) if mask.bit_count() == k]
                for row, cells in enumerate(sets):
                    places = [cell for cell in range(9) if cells >> cell & 1]
                    for packed in range(1 << k):
                        one = sum(1 << cell for i, cell in enumerate(places) if packed >> i & 1)
                        assert layer[row, packed] == total(one, cells ^ one)

    def test_a_table_made_in_mid_game_says_the_same_as_that_of_the_whole_deal(self):
        game = pg.load("capture-squares", size=5)
        start = game.deal(seed=2)
        whole = Solver(start)
        chance, position = random.Random(3), start
        whole.value(position.play(0))
        while position.turn:
            assert Solver(start).value(position) == whole.value(position)
            position = position.play(chance.choice(position.actions()))

    def test_going_back_in_a_game_keeps_values_right(self):
        game = pg.load("capture-squares", size=5)
        start, solver = game.deal(seed=4), Solver(game.deal(seed=4))
        late = start
        for action in (0, 6, 12, 18, 24, 3, 9, 15):
            late = late.play(action)
        first, early = solver.value(late), solver.value(start.play(1))
        assert solver.value(late) == first and Solver(start).value(start.play(1)) == early


class TestOptions:
    """Every fairness option against brute force."""

    SCORING_OPTIONS = tuple(
        {"order": order, "komi": komi, "pie": pie}
        for order in ("alternate", "snake", "thue-morse")
        for komi in ("0", "1", "2.5", "-3")
        for pie in ("off", "on")
    )

    @pytest.mark.parametrize("rules", SCORING_OPTIONS, ids=lambda rules: " ".join(rules.values()))
    @pytest.mark.parametrize(
        ("name", "size"),
        [("matrix-capture", 2), ("number-grid-battle", 2), ("number-cross", 2), ("capture-squares", 2)],
    )
    def test_every_position_of_small_boards(self, name, size, rules):
        if name == "capture-squares":
            if rules["order"] != "alternate":
                with pytest.raises(pg.OptionError, match="has no rule option 'order'"):
                    pg.load(name, **rules)
                return
            rules = {key: value for key, value in rules.items() if key != "order"}
        for seed in range(3):
            for position in reachable(pg.load(name, size=size, **rules).deal(seed=seed)):
                agrees(position)
                assert pg.read_position(position.text) == position
        brute.cache_clear()

    @pytest.mark.parametrize("rules", SCORING_OPTIONS[1::5], ids=lambda rules: " ".join(rules.values()))
    def test_matrix_capture_3x3(self, rules):
        for position in reachable(pg.load("matrix-capture", size=3, **rules).deal(seed=2)):
            agrees(position)
        brute.cache_clear()

    @pytest.mark.parametrize("first", ["next", "1", "2"])
    @pytest.mark.parametrize("rule", ["flip", "exchange"])
    @pytest.mark.parametrize("pie", ["off", "on"])
    def test_capture_square_3x3(self, first, rule, pie):
        game = pg.load("capture-square", size=3, sudden_death=rule, sudden_death_first=first, pie=pie)
        solver, chance = solver_of(game.deal()), random.Random(1)
        for position in chance.sample(sorted(reachable(game.deal()), key=lambda position: position.text), 1500):
            winner, _, plies = brute(position)
            assert solver.value(position) == (winner, None, plies)
            assert pg.read_position(position.text) == position
        brute.cache_clear()

    @pytest.mark.parametrize("name", pg.game_names())
    def test_under_the_pie_rule_player_2_wins_unless_the_first_move_is_even(self, name):
        game = pg.load(name, pie="on")
        for seed in range(5):
            start = game.deal(seed=seed)
            analysis = pg.analyze(start)
            assert analysis.exact
            plain = pg.analyze(pg.read_position(start.text.replace(" pie=on", "")))
            for option, other in zip(analysis.options, plain.options, strict=True):
                if other.margin:
                    assert option.winner == 2 and option.margin == -abs(other.margin)

    @pytest.mark.parametrize("name", SCORING)
    def test_fair_komi_leaves_half_a_point(self, name):
        game, sides = pg.load(name), set()
        for seed in range(12):
            start = game.deal(seed=seed)
            fair = with_fair_komi(start, seed)
            value = pg.analyze(fair).value
            assert abs(value.margin) == 0.5
            sides.add(value.winner)
            assert with_fair_komi(start, seed) == fair
            pie = with_fair_komi(pg.load(name, pie="on").opening(start.numbers), seed)
            assert pie.game.komi == fair.game.komi
            assert pg.analyze(pie).value == (2, -0.5, None)
        assert sides == {1, 2}

    def test_orders(self):
        def movers(order):
            position, seen = pg.load("number-cross", size=4, order=order).deal(seed=1), ""
            while position.turn:
                seen += str(position.turn)
                position = position.play(position.actions()[0])
            return seen

        assert movers("alternate") == "12121212"
        assert movers("snake") == "12211221"
        assert movers("thue-morse") == "12212112"

    def test_a_swap_exchanges_claims_scores_and_ties(self):
        game = pg.load("number-cross", pie="on", komi="3")
        first = game.read_board("4 9 2/3 5 7/8 1 6").play("Row2")
        swapped = first.play("swap")
        assert swapped.scores == (0, 15) and swapped.owner(1) == 2 and swapped.turn == 1 and swapped.ply == 2
        with pytest.raises(pg.NotAllowedError, match="swap is not allowed here: no-swap"):
            swapped.play("swap")
        with pytest.raises(pg.UnreadableError):
            pg.load("number-cross").deal(seed=1).play("swap")
        end = swapped
        for move in ("Col3", "Col2", "Row1", "Row3", "Col1"):
            end = end.play(move)
        assert end.scores == (45, 45) and end.outcome() == (1, "score")  # the komi goes with the second side
        even = pg.load("number-cross", pie="on").read_board("4 9 2/3 5 7/8 1 6").play("Row2").play("swap")
        for move in ("Col3", "Col2", "Row1", "Row3", "Col1"):
            even = even.play(move)
        assert even.outcome() == (1, "tie-break")

    def test_conformance_under_every_option(self):
        for name in pg.game_names():
            for rule in type(pg.load(name)).offered_rules:
                for value in (*rule.values, *(["2.5", "-1"] if rule.reader else [])):
                    ending = {"ending": "blocks"} if (name, rule.name) == ("capture-square", "komi") else {}
                    check(pg.load(name, **{rule.name: value}, **ending), plays=3)


class TestSymmetry:
    """Turning or mirroring a board turns the values with it."""

    TURNS: ClassVar = {
        "turned": lambda r, c, n: (c, n - 1 - r),
        "mirrored": lambda r, c, n: (r, n - 1 - c),
        "rows and columns swapped": lambda r, c, n: (c, r),
    }

    @pytest.mark.parametrize("turn", TURNS)
    @pytest.mark.parametrize("name", ["matrix-capture", "capture-squares", "number-grid-battle"])
    def test_boards_of_cells(self, name, turn):
        game, n = pg.load(name), pg.load(name).size
        to = [r * n + c for r, c in (self.TURNS[turn](i // n, i % n, n) for i in range(n * n))]
        for seed in range(6):
            position, chance = game.deal(seed=seed), random.Random(seed)
            numbers = [0] * (n * n)
            for i, number in enumerate(position.numbers):
                numbers[to[i]] = number
            twin = game.read_board("/".join(" ".join(map(str, numbers[i : i + n])) for i in range(0, n * n, n)))
            for _ in range(3):
                values = {to[option.action]: option[2:6] for option in pg.analyze(position).options}
                assert values == {option.action: option[2:6] for option in pg.analyze(twin).options}
                if len(position.actions()) > 1:
                    action = chance.choice(position.actions())
                    position, twin = position.play(action), twin.play(to[action])

    @pytest.mark.parametrize("turn", TURNS)
    @pytest.mark.parametrize("rule", ["flip", "exchange"])
    def test_capture_square(self, turn, rule):
        game, n = pg.load("capture-square", sudden_death=rule), 4
        to = [r * n + c for r, c in (self.TURNS[turn](i // n, i % n, n) for i in range(16))]
        for seed in range(5):
            chance, position, twin = random.Random(seed), game.deal(), game.deal()
            while position.turn and position.ply < 16:
                values = {to[option.action]: option[2:6] for option in pg.analyze(position).options}
                assert values == {option.action: option[2:6] for option in pg.analyze(twin).options}
                action = chance.choice(position.actions())
                position, twin = position.play(action), twin.play(to[action])

    def test_number_cross_with_rows_and_columns_swapped(self):
        game = pg.load("number-cross")
        for seed in range(10):
            position = game.deal(seed=seed)
            twin = game.read_board("/".join(" ".join(map(str, column)) for column in zip(*position.board, strict=True)))
            values = {(option.action + 3) % 6: option[2:6] for option in pg.analyze(position).options}
            assert values == {option.action: option[2:6] for option in pg.analyze(twin).options}


class TestBatches:
    @pytest.mark.parametrize("order", ["alternate", "snake", "thue-morse"])
    @pytest.mark.parametrize(
        ("name", "size"),
        [
            ("matrix-capture", 2), ("matrix-capture", 3), ("matrix-capture", 4), ("matrix-capture", 9),
            ("number-cross", 3), ("number-cross", 4), ("number-grid-battle", 3), ("number-grid-battle", 4),
            ("capture-squares", 3), ("capture-squares", 4),
        ],
    )  # fmt: skip
    def test_batches_say_of_every_first_move_what_single_deals_say(self, name, size, order):
        rules = {"order": order} if any(rule.name == "order" for rule in find(name).offered_rules) else {}
        game = pg.load(name, size=size, **rules)
        deals = [game.deal(seed=seed) for seed in range(20)]
        leads = part(name, "solver").firsts(game, np.array([deal.numbers for deal in deals]).T)
        for deal, column in zip(deals, leads.T.tolist(), strict=True):
            assert column == [option.margin for option in pg.analyze(deal).options]

    def test_a_batch_may_be_empty_or_larger_than_a_step(self):
        firsts = partial(part("matrix-capture", "solver").firsts, pg.load("matrix-capture"))
        assert firsts(np.zeros((16, 0), np.int8)).shape == (16, 0)
        boards = np.random.default_rng(1).integers(1, 10, (16, 10_000))
        assert np.array_equal(firsts(boards), np.concatenate([firsts(boards[:, :1]), firsts(boards[:, 1:])], axis=1))

    def test_a_board_that_no_table_holds_has_no_batch(self):
        assert part("capture-squares", "solver").firsts(pg.load("capture-squares", size=6), np.zeros((36, 1))) is None


class TestInexact:
    """Where no table reaches: proven bounds, never a guess presented as a value."""

    def test_bounds_hold_what_is_true(self):
        """A 6x6 position with a known value: its bounds, made without a table, must hold it."""
        game = pg.load("capture-squares", size=6)
        for seed in range(3):
            position = wander(game, seed, 10)
            exact = Solver(position).value(position).margin
            bare = CaptureSquaresSolver(game, position.numbers)
            while position.turn:
                low, high = bare.leads(position)
                assert low <= Solver(position).value(position).margin <= high
                position = position.play(position.actions()[0])
            assert exact is not None

    def test_an_early_6x6_position(self):
        game = pg.load("capture-squares", size=6)
        position = game.deal(seed=1).play("1,1").play("1,2").play("3,3")
        analysis = pg.analyze(position, seconds=0.5)
        assert not analysis.exact and analysis.value.margin is None
        low, high = analysis.bounds
        assert low < high and len(analysis.best) == 1
        for option in analysis.options:
            assert option.bounds is None or option.bounds[0] <= option.bounds[1]
        assert "not known" in sentence(analysis) or "should win" in sentence(analysis)
        longer = pg.analyze(position, seconds=2)
        assert longer.bounds is None or (longer.bounds[0] >= low and longer.bounds[1] <= high)

    def test_stopping_gives_the_best_answer_so_far(self):
        calls = itertools.count()
        position = pg.load("capture-square", size=6, ending="blocks").deal().play("A1")
        analysis = pg.analyze(position, seconds=60, stop=lambda: next(calls) > 3)
        assert not analysis.exact and len(analysis.best) == 1 and analysis.value.winner is None

    def test_a_forced_win_on_a_large_board_is_found(self):
        position = pg.read_position("capture-square size=6 claims=....../.11.../.1..../....../.22.../....2. turn=1")
        assert pg.analyze(position).value == (1, None, 1)
        position = pg.read_position("capture-square size=6 claims=....../.11.../.1.1../....../.22.../..2.2. turn=1")
        assert pg.analyze(position).value == (1, None, 1)
        lost = pg.read_position("capture-square size=6 claims=1..22./..12../.....1/.22.../.2..../1..1.1 turn=1")
        analysis = pg.analyze(lost, seconds=3)
        assert analysis.value.winner == 2 and analysis.value.plies == 2


class TestPlayers:
    @pytest.mark.parametrize("name", pg.game_names())
    def test_a_perfect_player_never_loses_what_is_won_and_has_no_regret(self, name):
        game, perfect, losses, games = pg.load(name), Perfect(), 0, 0
        for opponent in ("random", "greedy", "level:3", "level:8", "perfect"):
            other = make_player(opponent)
            for seed in range(120):
                position = game.deal(seed=seed)
                solver = solver_of(position)
                seat = 1 + seed % 2
                should = solver.value(position).winner
                while position.turn:
                    player = perfect if position.turn == seat else other
                    action = player.choose(position, pg.Dice(seed, position.ply))
                    if player is perfect:
                        assert not solver.losses(position)[action]
                    position = position.play(action)
                losses += should == seat and position.outcome().winner != seat
                games += 1
        assert losses == 0 and games == 600

    @pytest.mark.parametrize("kind", ["perfect", "level:4"])
    def test_the_same_moves_for_the_same_seed_in_a_new_process(self, kind):
        script = f"""
import pentagrid as pg
from pentagrid.analysis.komi import with_fair_komi
from pentagrid.play.match import Match, Seat
for name in pg.game_names():
    match = Match(pg.load(name).deal(seed=3), (Seat(kind={kind!r}), Seat(kind="random")), seed=9)
    while match.outcome is None:
        match.play(match.think())
    print(*match.moves)
"""
        runs = {
            subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout for _ in range(2)
        }
        assert len(runs) == 1

    def test_perfect_sets_traps(self):
        """Of equally good moves, one after which most replies are wrong."""
        position = pg.load("capture-square").deal().play("B2")
        solver = solver_of(position)
        chosen = Perfect().choose(position, pg.Dice(1))
        traps = {}
        for action in solver.best(position):
            traps[action] = sum(map(bool, solver.losses(position.play(action)).values()))
        assert traps[chosen] == max(traps.values())

    def test_a_level_leans_to_the_natural_move_where_all_are_equal(self):
        position = pg.read_position("capture-square claims=1.../..../..../...2 turn=1")
        assert len(set(solver_of(position).losses(position).values())) == 1
        weights = Level(5).weights(position)
        beside, far = position.game.action("B1"), position.game.action("D2")
        assert weights[beside] > weights[far]
        tie = pg.load("number-grid-battle", size=2).read_board("1 2/3 4").play("1 1").play("1 0").play("0 1")
        assert len(Level(1).weights(tie)) == 1

    def test_the_more_a_move_gives_away_the_less_likely_it_is(self):
        position = pg.load("matrix-capture").read_board("5 3 6 2/4 7 1 8/9 2 5 3/6 4 7 1")
        losses = solver_of(position).losses(position)
        for level in (1, 5, 9):
            weights = Level(level).weights(position)
            order = sorted(losses, key=losses.get)
            assert all(weights[a] >= weights[b] for a, b in itertools.pairwise(order))
        ladder = [Level(level).weights(position) for level in range(1, 10)]
        sure = [weights[order[0]] / sum(weights.values()) for weights in ladder]
        assert sure == sorted(sure) and sure[0] < 0.15 and sure[-1] > 0.6


class TestThrownTieBreak:
    """A swap at equal points turns the tie-break: it costs no point and loses the game."""

    START = pg.load("number-cross", pie="on").read_board("1 4 2/9 7 6/8 3 5")

    @pytest.fixture
    def position(self):
        return self.START.play("Col2")

    def test_it_costs_no_point_and_the_win(self, position):
        analysis = pg.analyze(position)
        option = {option.move: option for option in analysis.options}
        assert (option["swap"].regret, option["swap"].win_regret, option["swap"].best) == (0, 1, False)
        assert (option["Row2"].regret, option["Row2"].win_regret, option["Row2"].best) == (0, 0, True)
        assert (option["Row3"].regret, option["Row3"].win_regret) == (8, 1)
        assert option["swap"].loss and option["swap"].loss.known and not option["Row2"].loss
        assert option["swap"].data()["win_regret"] == 1

    def test_no_level_and_no_perfect_player_takes_it_for_a_best_move(self, position):
        swap, best = position.game.swap_action, position.game.action("Row2")
        weights = {level: Level(level).weights(position) for level in (1, 5, 9)}
        assert weights[1][swap] < weights[1][best] and weights[9][swap] < weights[9][best] / 100
        assert {Perfect().choose(position, pg.Dice(seed)) for seed in range(20)} == {best}

    def test_a_review_counts_it_as_an_error(self, position):
        review = pg.review(self.START, ["Col2", "swap"])
        choice = review.choices[1]
        assert (choice.regret, choice.win_regret, choice.lost_the_win, choice.real) == (0, 1, True, True)
        assert review.accuracy(2) == 0 and review.given_away(2) == 0
        assert pg.review(self.START, ["Col2", "Row2"]).accuracy(2) == 1
        assert "swap  <- throws the win away; best was Row2" in "\n".join(
            review_lines(review, speech_for(position.game))
        )

    def test_who_wins_may_be_known_before_the_margin(self):
        assert Loss(None, None).known is False and Loss(None, 0).known is False
        assert Loss(None, 1).known and Loss(None, 1) and not Loss(0, 0)


def chance_to_win(position, one, two):
    """The exact chance that Player 1 wins when these levels play."""

    @cache
    def chance(position):
        outcome = position.outcome()
        if outcome:
            return float(outcome.winner == 1)
        weights = (one if position.mover == 1 else two).weights(position)
        return sum(weight * chance(position.play(action)) for action, weight in weights.items()) / sum(weights.values())

    return chance(position)


class TestLadder:
    """Each level beats the one below it more often than not over both seats."""

    @pytest.mark.parametrize(
        ("name", "deals"), [("matrix-capture", 25), ("number-cross", 25), ("number-grid-battle", 2)]
    )
    def test_exactly_where_all_games_can_be_counted(self, name, deals):
        game = pg.load(name)
        for level in range(1, 9):
            above, below = Level(level + 1), Level(level)
            shares = []
            for seed in range(deals):
                start = game.deal(seed=seed)
                shares.append((chance_to_win(start, above, below) + 1 - chance_to_win(start, below, above)) / 2)
            assert sum(shares) / len(shares) > 0.5, (level, shares)

    @staticmethod
    def share(game, level, count):
        """The share of games that the upper of two levels wins, over both seats of many starts."""
        wins = 0
        for seed in range(count):
            start = game.deal(seed=seed)
            if not game.has_numbers:  # one deal only: random openings of two to four moves
                dice = pg.Dice(seed, 1)
                for _ in range(2 + seed % 3):
                    start = start.play(dice.choice(start.actions()))
            for seat in (1, 2):
                position = start
                while position.turn:
                    player = Level(level + (position.turn == seat))
                    position = position.play(player.choose(position, pg.Dice(seed, position.ply, seat)))
                wins += position.outcome().winner == seat
        return wins / (2 * count)

    @pytest.mark.parametrize("level", range(1, 9))
    def test_capture_squares(self, level):
        assert self.share(pg.load("capture-squares"), level, 60) > 0.5

    def test_capture_square(self):
        shares = [self.share(pg.load("capture-square"), level, 120) for level in range(1, 9)]
        assert sum(shares) / 8 > 0.53 and min(shares) > 0.45

    @pytest.mark.slow
    @pytest.mark.timeout(1800)
    @pytest.mark.parametrize("level", range(1, 9))
    def test_capture_square_level_by_level(self, level):
        assert self.share(pg.load("capture-square"), level, 4000) > 0.5


class TestWords:
    def test_sentences(self):
        read = pg.load("matrix-capture").read_board
        analysis = pg.analyze(read("5 3 6 2/4 7 1 8/9 2 5 3/6 4 7 1"))
        assert sentence(analysis) == "Player 1 should win by 5; 9 of 16 moves throw it away."
        assert hint(analysis).startswith("R3C1: with best play Player 1 wins by 5, 2 better than after ")
        known = [o if o.best else o._replace(winner=o.winner if o.winner == 2 else None) for o in analysis.options]
        partly = analysis._replace(options=tuple(known), exact=False)
        assert sentence(partly) == "Player 1 should win by 5; best is R3C1, and at least 9 of 16 moves throw it away."
        known = [o if o.best else o._replace(winner=None) for o in analysis.options]
        partly = analysis._replace(options=tuple(known), exact=False)
        assert sentence(partly) == "Player 1 should win by 5; best is R3C1."
        two = pg.load("matrix-capture", size=2)
        assert sentence(pg.analyze(two.read_board("9 1/1 2"))) == "Player 1 should win by 7; only R1C1 keeps the win."
        assert (
            sentence(pg.analyze(two.read_board("5 5/5 5")))
            == "Player 2 should win on the tie-break, whatever Player 1 plays."
        )
        over = two.read_board("9 1/1 1").play("R1C1").play("R2C2")
        assert sentence(pg.analyze(over)) == hint(pg.analyze(over)) == "The game is over: Player 1 has won by 8."
        squares = pg.load("capture-squares").deal(seed=1)
        assert sentence(pg.analyze(squares)).startswith("Player A should win by 8; ")
        square = pg.read_position("capture-square claims=11../1.../2.2./2...")
        assert sentence(pg.analyze(square), ("Ann", "Bob")).startswith("Ann should win in 1 move; ")


class TestFinished:
    @pytest.mark.parametrize("name", pg.game_names())
    def test_a_finished_game_has_no_options_and_the_value_it_ended_with(self, name):
        position = pg.load(name).deal(seed=2)
        while position.turn:
            position = position.play(position.actions()[0])
        analysis = pg.analyze(position)
        assert analysis.options == () and analysis.line == () and analysis.exact
        assert analysis.value.winner == position.outcome().winner
        if position.scores:
            assert analysis.value == (position.outcome().winner, position.scores[0] - position.scores[1], None)
        else:
            assert analysis.value.plies == 0

    def test_a_solver_knows_its_own_deal_only(self):
        game = pg.load("matrix-capture")
        with pytest.raises(ValueError, match="not of this solver's deal"):
            Solver(game.deal(seed=1)).analyze(game.deal(seed=2))


def test_far_is_further_than_any_game():
    assert all(pg.load("capture-square", size=size).limit < FAR for size in range(3, 7))  # type: ignore[attr-defined]
    assert Match(pg.load("capture-square").deal(), (Seat(), Seat(kind="level:9"))).outcome is None
