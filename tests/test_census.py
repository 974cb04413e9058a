"""The census: exact counts against brute force and against what is known, however the work is divided."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from itertools import pairwise, product
from pathlib import Path
from xml.etree import ElementTree
from zlib import crc32

import pytest
from reference import plain

import pentagrid as pg
from pentagrid.analysis.komi import load_fair, with_fair_komi
from pentagrid.analysis.solver import Solver
from pentagrid.core.catalog import find
from pentagrid.core.deal_solver import Value
from pentagrid.core.rng import Dice, EnumeratedDice
from pentagrid.errors import OptionError
from pentagrid.fairness.census import count_all, measured_chunk_size, on_cores, plan_census
from pentagrid.fairness.deals import Deals
from pentagrid.fairness.perfect_play import perfect_tally, proven_share, tally_one_by_one
from pentagrid.fairness.played_games import play_out
from pentagrid.fairness.plots import census_plot, save_plot
from pentagrid.fairness.summary import bins, percent, share_interval, summary_data, summary_lines
from pentagrid.fairness.tally import GREEDY, MARGIN, MATTERED, TURNS, WINNER, WINNING, Tally, interval
from pentagrid.play.players import make_player
from pentagrid.terminal.main import main

POINTS = ("matrix-capture", "capture-squares", "number-grid-battle", "number-cross")


def counted(tmp_path, *args, workers=1, **kwargs):
    """The tally of a plan."""
    return count_all(plan_census(*args, **kwargs), tmp_path, on_cores(workers))


class TestDeals:
    @pytest.mark.parametrize(("name", "size", "total"), [
        ("matrix-capture", 2, 9**4), ("capture-squares", 2, 24), ("number-cross", 2, 24), ("number-grid-battle", 2, 24),
    ])  # fmt: skip
    def test_counting_goes_through_every_deal_once(self, name, size, total):
        deals = Deals(pg.load(name, size=size), everything=True)
        assert deals.count_all() == total
        boards = {deals.start(number).numbers for number in range(total)}
        assert len(boards) == total
        for board in list(boards)[:50]:
            deals.game.check_numbers(board)

    def test_all_openings_of_a_game_without_numbers(self):
        deals = Deals(pg.load("capture-square", size=3), 0, True, 2)
        assert deals.count_all() == 9 * 8
        assert len({deals.start(number) for number in range(72)}) == 72

    def test_dice_that_count_fall_in_every_way(self):
        falls = set()
        for number in range(12):
            dice = EnumeratedDice(number)
            falls.add((dice.below(2), dice.below(3), dice.below(2)))
        assert falls == set(product(range(2), range(3), range(2)))

    @pytest.mark.parametrize("name", POINTS)
    @pytest.mark.parametrize("seed", [None, 0, 7])
    def test_many_deals_are_those_of_the_single_seeds(self, name, seed):
        deals = Deals(pg.load(name), seed or 0, everything=seed is None)
        boards = deals.boards(5, 60)
        for number, column in zip(range(5, 60), boards.T.tolist(), strict=True):
            assert tuple(column) == deals.start(number).numbers
            if seed is not None:
                assert tuple(column) == deals.game.deal(seed=deals.seed_of(number)).numbers

    def test_the_toss_of_a_fair_komi_is_the_seeds(self):
        game = pg.load("number-cross")
        deals = Deals(game, 3)
        for number, toss in enumerate(deals.tosses(0, 40).tolist()):
            start = deals.start(number)
            komi = with_fair_komi(start, deals.seed_of(number)).game.komi
            assert komi == pg.analyze(start).value.margin + (0.5 if toss else -0.5)
            assert deals.start(number, fair=True).game.komi == komi  # type: ignore[attr-defined]


def variants(name):
    """Every combination of a game's fairness options, with a few kinds of komi."""
    offered = {rule.name: rule.values for rule in find(name).offered_rules if rule.name in ("order", "pie")}
    for values in product(*offered.values()):
        for komi in ("0", "1", "2.5"):
            yield dict(zip(offered, values, strict=True)) | {"komi": komi}


class TestManyAtOnce:
    @pytest.mark.parametrize("name", POINTS)
    def test_they_say_what_one_by_one_says_under_every_option(self, name):
        for rules in variants(name):
            deals = Deals(pg.load(name, size=3, **rules), 1)
            for fair in (False, True):
                together, alone = perfect_tally(deals, fair, 0, 12), tally_one_by_one(deals, fair, 0, 12)
                together.counts[MATTERED].pop("captures", None)
                assert together == alone, rules

    def test_a_range_may_be_cut_anywhere(self):
        deals = Deals(pg.load("matrix-capture"), 5)
        whole = perfect_tally(deals, False, 0, 40_000)
        parts = Tally()
        for first, last in ((0, 1), (1, 16_384), (16_384, 30_001), (30_001, 40_000)):
            parts.add(perfect_tally(deals, False, first, last))
        assert whole == parts and whole.deals == 40_000


def brute_force(start, captures=True):
    """Winner, margin and first moves of a deal by the plain rules alone: no solver, no masks."""

    def key(game):
        return json.dumps([game.owner, game.turns, sorted(map(str, getattr(game, "lines", {}).items()))])

    known = {}

    def worth(game):
        if key(game) not in known:
            result = game.result()
            if result:
                known[key(game)] = (game.scores[0] - game.scores[1], 1 if result[0] == 1 else -1)
            else:
                known[key(game)] = (max if game.mover == 1 else min)(worth(game.after(move)) for move in game.legal())
        return known[key(game)]

    twin = plain(start)
    if not captures:
        twin.board = [list(row) for row in twin.board]
        type_of = type(twin)

        class Kept(type_of):
            def make(self, move):
                self.owner[move[0]][move[1]] = self.mover
                self.scores[self.mover - 1] += self.board[move[0]][move[1]]

        twin.__class__ = Kept
    gains = [abs(after.scores[0] - after.scores[1]) for after in map(twin.after, twin.legal())]
    return [worth(twin.after(move)) for move in twin.legal()], gains


class TestAgainstBruteForce:
    @pytest.mark.parametrize(("name", "step"), [
        ("matrix-capture", 5), ("capture-squares", 1), ("number-grid-battle", 1), ("number-cross", 1),
    ])  # fmt: skip
    def test_every_deal_of_the_smallest_board(self, name, step):
        deals = Deals(pg.load(name, size=2), everything=True)
        for number in range(0, deals.count_all(), step):
            firsts, gains = brute_force(deals.start(number))
            found = perfect_tally(deals, False, number, number + 1)
            best = max(firsts)
            greedy = [worth[0] for worth, gain in zip(firsts, gains, strict=True) if gain == max(gains)]
            assert found.of(WINNER) == {"1" if best[1] > 0 else "2": 1}
            assert found.of(MARGIN) == {f"{best[0]:g}": 1}
            assert found.of(WINNING) == {str(sum(worth[1] > 0 for worth in firsts)): 1}
            assert found.of(GREEDY) == {f"{greedy.count(best[0])}/{len(greedy)}": 1}
            assert found.of(MATTERED)["tie-break"] == (best[0] == 0)

    def test_when_captures_matter(self):
        """With swapping, the second best first move may decide, and there captures count."""
        deals = Deals(pg.load("capture-squares", size=2, pie="on"), everything=True)
        mattered = 0
        for number in range(24):
            start = deals.start(number)
            values = []
            for captures in (True, False):
                firsts, _ = brute_force(start, captures)
                values.append(max(-abs(lead) for lead, _ in firsts))
            mattered += values[0] != values[1]
            found = perfect_tally(deals, False, number, number + 1)
            assert found.of(MATTERED)["captures"] == (values[0] != values[1])
        assert 0 < mattered < 24


class TestAgainstWhatIsKnown:
    def test_all_number_cross_deals(self, tmp_path):
        found = counted(tmp_path, pg.load("number-cross"))
        assert found.of(WINNER) == {"1": 343_080, "2": 19_800}
        assert found.of(MARGIN) == {
            "0": 19800, "2": 46152, "4": 71712, "6": 68760, "8": 65304, "10": 45432, "12": 28512, "14": 12888,
            "16": 4176, "18": 144,
        }  # fmt: skip
        assert found.of(MATTERED) == {"tie-break": 19_800}
        assert all(hits == ties for hits, _, ties in (value.partition("/") for value in found.of(GREEDY)))

    def test_number_grid_battle_and_capture_squares_are_the_same_on_every_deal(self, tmp_path):
        assert counted(tmp_path, pg.load("number-grid-battle"), 5000).of(MARGIN) == {"5": 5000}
        squares = counted(tmp_path, pg.load("capture-squares"), 200)
        assert squares.of(MARGIN) == {"8": 200} and squares.of(MATTERED)["captures"] == 0

    def test_matrix_capture(self, tmp_path):
        found = counted(tmp_path, pg.load("matrix-capture"), 1_000_000)
        low, high = interval(found.of(WINNER)["2"], found.deals)
        assert low < 137e-6 < high or low < 119e-6 < high
        assert abs(summary_data(plan_census(pg.load("matrix-capture"), 1_000_000), found)["mean_margin"] - 4.38) < 0.01  # type: ignore[operator]

    def test_matrix_capture_between_greedy_players(self, tmp_path):
        found = counted(tmp_path, pg.load("matrix-capture"), 6000, kinds=("greedy", "greedy"))
        low, high = interval(found.of(WINNER)["1"], 6000, z=3.3)
        assert low < 0.959 < high

    def test_capture_square_takes_seventeen_moves(self, tmp_path):
        found = counted(tmp_path, pg.load("capture-square"), 100, opening=0)
        assert found.data() == {
            GREEDY: {"16/16": 1}, MATTERED: {"Sudden Death": 1, "Sudden Death limit": 0}, TURNS[1]: {"17": 1},
            WINNER: {"1": 1}, WINNING: {"16": 1},
        }  # fmt: skip

    def test_capture_square_openings(self, tmp_path):
        plan = plan_census(pg.load("capture-square"), 60, seed=4)
        found = count_all(plan, tmp_path, on_cores(1))
        winners, turns = Counter(), Counter()
        for number in range(60):
            start = plan.deals.start(number)
            assert start.ply == 6
            value = pg.analyze(start).value
            winners[str(value.winner)] += 1
            turns[str(6 + value.plies)] += 1
        assert found.of(WINNER) == winners
        assert found.of(TURNS[1]) + found.of(TURNS[2]) == turns

    def test_a_fair_komi_is_even_by_the_toss_and_pie_gives_the_choice_to_player_2(self, tmp_path):
        fair = counted(tmp_path, pg.load("number-cross"), 4000, fair=True)
        low, high = interval(fair.of(WINNER)["1"], 4000)
        assert low < 0.5 < high and set(fair.of(MARGIN)) == {"0.5", "-0.5"}
        for name in pg.game_names():
            assert counted(tmp_path, pg.load(name, pie="on"), 40).of(WINNER) == {
                "2": 1 if name == "capture-square" else 40
            }


class TestProven:
    """Where there is a proof there is no interval."""

    WAYS = tuple(
        (name, size, rules)
        for name, sizes in (
            ("matrix-capture", (2, 3, 4, 5)), ("number-cross", (2, 3, 4)), ("number-grid-battle", (2, 3, 4)),
            ("capture-squares", (2, 3)),
        )
        for size in sizes
        for rules in ({}, {"pie": "on"}, {"order": "snake"}, *({"komi": komi} for komi in ("-1", "8.5", "9.5", "40")))
        if "order" not in rules or name != "capture-squares"
    )  # fmt: skip

    def test_what_is_proved_is_what_is_counted(self):
        proved = 0
        for name, size, rules in self.WAYS:
            game = pg.load(name, size=size, **rules)
            share = proven_share(game, False)
            if share is not None:
                proved += 1
                found = perfect_tally(Deals(game, 7), False, 0, 300).of(WINNER)
                assert found == {"1" if share else "2": 300}, (name, size, rules)
        assert proved > 50

    def test_matrix_capture_by_size_and_komi(self):
        def share(**rules):
            return proven_share(pg.load("matrix-capture", **rules), False)

        assert share(size=5) == share(size=3) == share(size=4, komi="-0.5") == 1
        assert share(size=5, komi="9") == share(size=4, komi="8") == 0
        assert share(size=4) is share(size=5, komi="1") is share(size=5, order="snake") is None

    @pytest.mark.parametrize(
        "words, said",
        [
            (["matrix-capture", "--size", "5"], "100.0 %   proved: 100.0 % of all deals\n"),
            (["capture-squares", "--size", "3"], "100.0 %   proved: 100.0 % of all deals\n"),
            (["number-cross", "--komi", "fair"], " %   proved: 50.0 % of all deals by the toss\n"),
            (["matrix-capture"], "   95 % interval: "),
            (["matrix-capture", "--size", "5", "--p1", "greedy", "--p2", "greedy"], "   95 % interval: "),
        ],
    )
    def test_it_is_said(self, words, said, capsys, monkeypatch, tmp_path):
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
        assert main(["census", *words, "--deals", "40", "--workers", "1"]) == 0
        told = capsys.readouterr().out
        assert said in told and ("interval" in told) != ("proved" in told)

    def test_in_data_the_interval_is_the_share(self, tmp_path):
        plan = plan_census(pg.load("matrix-capture", size=5), 40)
        data = summary_data(plan, count_all(plan, tmp_path, on_cores(1)))
        assert data["proved"] and data["players_win"] == {
            "1": {"wins": 40, "share": 1.0, "low": 1.0, "high": 1.0},
            "2": {"wins": 0, "share": 0.0, "low": 0.0, "high": 0.0},
        }


class TestPlayed:
    def test_rules_that_came_up(self):
        """By hand: Player 2's 4 takes the 3 beside it. Without that it would be 5 to 5, and Player 2 would win too."""
        game = pg.load("capture-squares", size=2)
        played = [game.read_board("4 3/2 1")]
        for move in ("1,2", "1,1", "2,1", "2,2"):
            played.append(played[-1].play(move))
        assert played[-1].scores == (2, 8)
        assert game.came_up(played) == ("captures",)

    def test_captures_that_decide(self):
        game = pg.load("capture-squares", size=2)
        seen = Counter()
        for number in range(24):
            deals = Deals(game, everything=True)
            for order in product(range(4), repeat=4):
                if len(set(order)) < 4:
                    continue
                played = [deals.start(number)]
                for action in order:
                    played.append(played[-1].play(action))
                numbers = played[0].numbers
                kept = numbers[order[0]] + numbers[order[2]] - numbers[order[1]] - numbers[order[3]]
                changed = any(before.one & after.two or before.two & after.one for before, after in pairwise(played))
                expected = {"captures"} if changed else set()
                if changed and (1 if kept > 0 else 2) != played[-1].outcome().winner:
                    expected.add("captures decided")
                if played[-1].scores[0] == played[-1].scores[1]:
                    expected.add("tie-break")
                assert set(game.came_up(played)) == expected
                seen.update(expected)
        assert set(seen) == set(game.special_rules)

    def test_captures_are_told_from_a_swap(self):
        game = pg.load("capture-squares", size=2, pie="on")
        played = [game.read_board("4 3/2 1")]
        for move in ("1,1", "swap", "1,2", "2,1", "2,2"):
            played.append(played[-1].play(move))
        assert game.came_up(played) == ()

    def test_sudden_death_and_its_limit(self):
        game = pg.load("capture-square", size=3)
        seen = set()
        for seed in range(3000):
            played = play_out(game.deal(), (make_player("random"), make_player("random")), Dice(seed))
            came_up = game.came_up(played)
            assert ("Sudden Death" in came_up) == (played[-1].ply > 9)
            assert ("Sudden Death limit" in came_up) == (played[-1].outcome().reason == "limit")
            seen.update(came_up)
            if len(seen) == 2:
                break
        assert seen == {"Sudden Death", "Sudden Death limit"}

    def test_all_deals_have_other_chance_with_another_seed(self, tmp_path):
        game = pg.load("number-cross", size=2)
        played = [counted(tmp_path, game, seed=seed, kinds=("random", "random")).data() for seed in range(4)]
        tossed = [counted(tmp_path, game, seed=seed, fair=True).data() for seed in range(4)]
        assert len({str(found) for found in played}) > 1 < len({str(found) for found in tossed})
        exactly = [counted(tmp_path, game, seed=seed).data() for seed in range(2)]
        assert exactly[0] == exactly[1]

    def test_games_add_up(self, tmp_path):
        found = counted(tmp_path, pg.load("matrix-capture"), 100, kinds=("level:7", "level:3"))
        assert found.deals == 100 == sum((found.of(TURNS[1]) + found.of(TURNS[2])).values())
        assert found.of(MARGIN).total() == 100

    def test_a_tree_search_of_any_size_can_play(self):
        assert plan_census(pg.load("number-cross"), 5, kinds=("mcts:7", None)).players == ("mcts:7", "perfect")
        with pytest.raises(OptionError, match="A player in a census must be random"):
            plan_census(pg.load("number-cross"), 5, kinds=("random:7", None))

    def test_either_player_alone_meets_a_perfect_one(self):
        assert plan_census(pg.load("matrix-capture"), 10, kinds=(None, "greedy")).players == ("perfect", "greedy")


class TestDividedWork:
    def test_one_process_or_many(self, tmp_path):
        plan = plan_census(pg.load("capture-squares"), 300, seed=9)
        alone = count_all(plan, tmp_path, on_cores(1))
        assert alone == count_all(plan, tmp_path, on_cores(3))
        played = plan_census(pg.load("capture-square", size=3), 300, seed=9, kinds=("level:2", "level:8"))
        assert count_all(played, tmp_path, on_cores(1)) == count_all(played, tmp_path, on_cores(2))
        assert not list(tmp_path.glob("*"))

    def test_a_stopped_census_goes_on_from_there(self, tmp_path, monkeypatch):
        monkeypatch.setattr("pentagrid.fairness.census.measured_chunk_size", lambda work: 50)
        plan = plan_census(pg.load("number-cross"), 1000)
        stops = iter([False, False, False, True])
        assert count_all(plan, tmp_path, on_cores(1), stop=lambda: next(stops)) is None
        done = []
        whole = count_all(plan, tmp_path, on_cores(1), progress=done.append)
        assert done[0] == 150 and done[-1] == 1000
        assert whole == count_all(plan, tmp_path / "other", on_cores(1))

    def test_a_line_cut_short_is_counted_again(self, tmp_path, monkeypatch):
        monkeypatch.setattr("pentagrid.fairness.census.measured_chunk_size", lambda work: 50)
        plan = plan_census(pg.load("number-cross"), 500)
        stops = iter([False, False, True])
        count_all(plan, tmp_path, on_cores(1), stop=lambda: next(stops))
        notes = next(tmp_path.glob("*.jsonl"))
        notes.write_bytes(notes.read_bytes()[:-7])
        done = []
        assert count_all(plan, tmp_path, on_cores(1), progress=done.append) == count_all(
            plan, tmp_path / "other", on_cores(1)
        )
        assert done[0] == 50

    @pytest.fixture
    def paused(self, tmp_path, monkeypatch):
        """A plan, the notes of its first four chunks, and what it counts undisturbed."""
        monkeypatch.setattr("pentagrid.fairness.census.measured_chunk_size", lambda work: 50)
        plan = plan_census(pg.load("number-cross"), 500, seed=3)
        whole = count_all(plan, tmp_path / "other", on_cores(1))
        stops = iter([False] * 4 + [True])
        assert count_all(plan, tmp_path / "state", on_cores(1), stop=lambda: next(stops)) is None
        return plan, next((tmp_path / "state").glob("*.jsonl")), whole

    @pytest.mark.parametrize("line", [1, 2, 4])
    @pytest.mark.parametrize("damage", [
        "", "{", "[2,", "\x00\xff", "[]", "{}", "null", "7", '"text"', "[2]", "[2,{},3]", "[2,[]]", '["2",{}]',
        "[true,{}]", "[-1,{}]", "[10,{}]", "[2,{}]", '[2,{"winner":{"1":49}}]', '[2,{"winner":{"1":"50"}}]',
        '[2,{"winner":{"1":51,"2":-1}}]', '[2,{"winner":{"1":49.0,"2":1}}]', '[2,{"winner":50}]',
        '[2,{"winner":{"1":50},"margin":{"4-4":50}}]', '[2,{"winner":{"1":50},"margin":{"1/0":50}}]',
        '[2,{"winner":{"1":50},"margin":{"four":50}}]', '[2,{"winner":{"1":50},"rule mattered":{"":1}}]', "[1e999,{}]",
        "[" * 100_000,
    ])  # fmt: skip
    def test_a_damaged_line_is_told_and_its_chunk_counted_again(self, paused, damage, line):
        plan, notes, whole = paused
        lines = notes.read_bytes().split(b"\n")
        lines[line] = damage.encode("latin-1")
        notes.write_bytes(b"\n".join(lines))
        told, done = [], []
        assert count_all(plan, notes.parent, on_cores(1), progress=done.append, tell=told.append) == whole
        assert done[0] == 150
        assert told == [f"{notes}, line {line + 1} is damaged and not used; what is missing is counted again."]
        assert not list(notes.parent.iterdir())

    def test_a_changed_digit_is_told_too(self, paused):
        plan, notes, whole = paused
        lines = notes.read_bytes().split(b"\n")
        number, counts, check = json.loads(lines[2])
        values = counts["winning first moves"]
        values[min(values)] += 1
        lines[2] = json.dumps([number, counts, check]).encode()
        notes.write_bytes(b"\n".join(lines))
        told = []
        assert count_all(plan, notes.parent, on_cores(1), tell=told.append) == whole
        assert told == [f"{notes}, line 3 is damaged and not used; what is missing is counted again."]

    def test_a_line_that_is_there_twice_counts_once(self, paused):
        plan, notes, whole = paused
        lines = notes.read_bytes().split(b"\n")
        notes.write_bytes(b"\n".join([*lines[:3], lines[1], *lines[3:]]))
        told = []
        assert count_all(plan, notes.parent, on_cores(1), tell=told.append) == whole
        assert told == [f"{notes}, line 4 is damaged and not used; what is missing is counted again."]

    @pytest.mark.parametrize("header", [
        "", "{", "\x00\xff", "[]", "7", '{"pentagrid-census": 1}', '{"pentagrid-census": 9, "plan": {}, "chunk": 50}',
        '{"pentagrid-census": 1, "plan": PLAN, "chunk": "50"}', '{"pentagrid-census": 1, "plan": PLAN, "chunk": 0}',
        '{"pentagrid-census": 1, "plan": PLAN, "chunk": true}', '{"pentagrid-census": 1, "plan": {}, "chunk": 50}',
    ])  # fmt: skip
    def test_notes_without_a_good_first_line_are_set_aside(self, paused, header):
        plan, notes, whole = paused
        first, *lines = notes.read_bytes().split(b"\n")
        header = header.replace("PLAN", json.dumps(json.loads(first)["plan"])).encode("latin-1")
        damaged = b"\n".join([header, *lines])
        notes.write_bytes(damaged)
        told = []
        assert count_all(plan, notes.parent, on_cores(1), tell=told.append) == whole
        aside = notes.with_name(notes.name + ".old")
        assert told == [f"{notes} does not hold notes of this census. It is now {aside.name}; the count begins anew."]
        assert aside.read_bytes() == damaged and [*notes.parent.iterdir()] == [aside]

    @pytest.mark.parametrize("options", [{"kinds": ("random", "greedy")}, {"fair": True}, {"kinds": (None, "level:3")}])
    def test_older_notes_with_players_or_tosses_are_set_aside(self, tmp_path, monkeypatch, options):
        monkeypatch.setattr("pentagrid.fairness.census.measured_chunk_size", lambda work: 50)
        plan = plan_census(pg.load("number-cross"), 200, **options)
        stops = iter([False, True])
        count_all(plan, tmp_path, on_cores(1), stop=lambda: next(stops))
        notes = next(tmp_path.glob("*.jsonl"))
        old = notes.read_bytes().replace(b'"pentagrid-census": 2', b'"pentagrid-census": 1', 1)
        for count in (1, 2):
            notes.write_bytes(old)
            told, done = [], []
            found = count_all(plan, tmp_path, on_cores(1), progress=done.append, tell=told.append)
            assert done[0] == 0 and found == count_all(plan, tmp_path / "other", on_cores(1))
            aside = notes.with_name(notes.name + (".old" if count == 1 else ".old-2"))
            assert told == [
                f"{notes} was written by an earlier version, whose players and tosses had other chance. "
                f"It is now {aside.name}; the count begins anew."
            ]
            assert aside.read_bytes() == old and not notes.exists()

    def test_notes_of_another_version_are_set_aside(self, paused):
        plan, notes, whole = paused
        assert json.loads(notes.read_bytes().split(b"\n")[0])["version"] == pg.__version__
        old = notes.read_bytes().replace(f'"version": "{pg.__version__}"'.encode(), b'"version": "0.1.9"', 1)
        notes.write_bytes(old)
        told, done = [], []
        assert count_all(plan, notes.parent, on_cores(1), progress=done.append, tell=told.append) == whole
        aside = notes.with_name(notes.name + ".old")
        assert done[0] == 0 and aside.read_bytes() == old
        assert told == [
            f"{notes} was written by version 0.1.9, and this is {pg.__version__}. "
            f"It is now {aside.name}; the count begins anew."
        ]

    def test_older_notes_of_exact_values_go_on(self, paused):
        plan, notes, whole = paused
        assert notes.read_bytes().startswith(b'{"pentagrid-census": 1, ')
        notes.write_bytes(notes.read_bytes().replace(f'"version": "{pg.__version__}", '.encode(), b"", 1))
        told, done = [], []
        assert count_all(plan, notes.parent, on_cores(1), progress=done.append, tell=told.append) == whole
        assert done[0] == 200 and told == []

    def test_the_command_tells_of_damage_without_a_traceback(self, tmp_path, undisturbed):
        process = census(tmp_path, *SLOW)
        wait_for_chunks(tmp_path, process, 2)
        process.send_signal(signal.SIGINT)
        process.communicate()
        notes = notes_of(tmp_path)
        lines = notes.read_bytes().split(b"\n")
        lines[1] = lines[1][:9]
        notes.write_bytes(b"\n".join(lines))
        out, err = census(tmp_path, *SLOW).communicate()
        assert json.loads(out) == undisturbed
        assert err == f"pentagrid: {notes}, line 2 is damaged and not used; what is missing is counted again.\n"

    def test_a_census_that_cannot_be_leaves_no_lock(self, tmp_path, monkeypatch):
        monkeypatch.setattr(Solver, "prove", lambda self, position: Value(None, None, None))
        with pytest.raises(OptionError, match="not solved from every opening"):
            counted(tmp_path, pg.load("capture-square", size=5, ending="blocks"), 10)
        assert not list(tmp_path.iterdir())

    def test_openings_that_are_not_solved_are_counted_as_such(self, monkeypatch):
        """On a board that is solved from its first move."""
        prove = Solver.prove
        unknown = Value(None, None, None)
        monkeypatch.setattr(
            Solver, "prove", lambda self, position: unknown if position.one % 2 else prove(self, position)
        )
        plan = plan_census(pg.load("capture-square", size=5), 8, seed=1)
        tally = count_all(plan, None, on_cores(1))
        wins, without = tally.of("winner"), tally.of("winner")["unknown"]
        assert tally.deals == 8 and 0 < without < 8 and wins["1"] + wins["2"] + without == 8
        low, high = share_interval(plan, tally, 2)
        assert low <= wins["2"] / 8 and high >= (wins["2"] + without) / 8
        lines = [" ".join(line.split()) for line in summary_lines(plan, tally)]
        assert f"Not known {without} {percent(without / 8)}" in lines
        assert any(line.startswith("Sudden Death mattered") and "where that is known" in line for line in lines)

    def test_nothing_known_is_still_told(self, monkeypatch, tmp_path):
        monkeypatch.setattr(Solver, "prove", lambda self, position: Value(None, None, None))
        plan = plan_census(pg.load("capture-square", size=5), 3, seed=1)
        tally = count_all(plan, None, on_cores(1))
        assert "  When the games end is not known." in summary_lines(plan, tally)
        save_plot(census_plot(plan, tally), tmp_path / "a.svg")
        assert "Player 1 wins 0.0 %" in (tmp_path / "a.svg").read_text()

    def test_the_same_census_twice_at_once_is_refused(self, tmp_path):
        plan = plan_census(pg.load("number-cross"), 500)

        def meanwhile():
            with pytest.raises(OptionError, match="running in another process"):
                count_all(plan, tmp_path, on_cores(1))
            return False

        assert count_all(plan, tmp_path, on_cores(1), stop=meanwhile).deals == 500


def census(folder, *words):
    """The command in its own process, with its own state folder."""
    return subprocess.Popen(
        [sys.executable, "-m", "pentagrid", "census", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "XDG_STATE_HOME": str(folder), "HOME": str(folder)},
    )


def notes_of(folder):
    return next((path for path in folder.rglob("census/*.jsonl")), None)


def wait_for_chunks(folder, process, chunks):
    """Until so many chunks are written down; the process must still be at work."""
    while not ((notes := notes_of(folder)) and notes.read_bytes().count(b"\n") > chunks):
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)


SLOW = ("capture-squares", "--deals", "2500", "--p1", "level:3", "--p2", "level:7", "--json")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    process = census(tmp_path_factory.mktemp("undisturbed"), *SLOW, "--workers", "1")
    out, err = process.communicate()
    assert process.returncode == 0, err
    return json.loads(out)


@pytest.mark.skipif(sys.platform == "win32", reason="needs the signals of a POSIX system")
class TestInterrupted:
    def test_a_worker_that_dies_is_told(self, tmp_path, undisturbed):
        process = census(tmp_path, *SLOW, "--workers", "2")
        wait_for_chunks(tmp_path, process, 1)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        workers = [pid for pid in children if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]
        os.kill(int(workers[-1]), signal.SIGKILL)
        out, err = process.communicate()
        assert process.returncode == 2 and "Traceback" not in err, err
        assert "has died" in err and "goes on from there" in err
        out, err = census(tmp_path, *SLOW).communicate()
        assert json.loads(out) == undisturbed, err

    @pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
    def test_killed_or_interrupted_and_given_again(self, tmp_path, undisturbed, how):
        process = census(tmp_path, *SLOW)
        wait_for_chunks(tmp_path, process, 2)
        process.send_signal(how)
        out, _ = process.communicate()
        if how == signal.SIGINT:
            assert process.returncode == 130 and "goes on from there" in out
        kept = notes_of(tmp_path).read_bytes()
        again = census(tmp_path, *SLOW)
        out, err = again.communicate()
        assert again.returncode == 0, err
        assert json.loads(out) == undisturbed
        assert kept.count(b"\n") > 2 and notes_of(tmp_path) is None


@pytest.fixture
def cluster(tmp_path):
    """A Dask scheduler and three workers, each a process of its own."""
    address = tmp_path / "address"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
    dask = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    scheduler = subprocess.Popen(
        [*dask, "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(address)], **quiet
    )
    workers = []
    try:
        while not address.exists() or not address.read_text().strip().endswith("}"):
            assert scheduler.poll() is None
            time.sleep(0.05)
        where = json.loads(address.read_text())["address"]
        dask = [sys.executable, "-m", "distributed.cli.dask_worker", where, "--nthreads", "1", "--no-nanny"]
        workers = [subprocess.Popen([*dask, "--no-dashboard", "--name", f"w{i}"], **quiet) for i in range(3)]
        yield where, workers, scheduler
    finally:
        for process in (*workers, scheduler):
            process.kill()
            process.wait()


class TestCluster:
    def test_the_same_to_the_last_digit_with_a_worker_killed_in_mid_run(self, tmp_path, cluster, undisturbed):
        where, workers, _ = cluster
        process = census(tmp_path / "state", *SLOW, "--cluster", where)
        wait_for_chunks(tmp_path / "state", process, 2)
        workers[1].kill()
        workers[1].wait()
        assert process.poll() is None
        out, err = process.communicate()
        assert process.returncode == 0, err
        assert json.loads(out) == undisturbed

    def test_other_long_work_is_the_same_too(self, tmp_path, cluster):
        """Tournaments, data sets and sets of puzzles, with one worker gone after the first."""
        where, workers, _ = cluster
        for words, suffix in (
            (("arena", "--players", "greedy", "random", "level:3", "--game", "number-cross", "--games", "60"), "jsonl"),
            (("dataset", "number-cross", "--positions", "200"), "jsonl"),
            (("puzzle", "matrix-capture", "--generate", "200"), "jsonl"),
        ):
            files = [tmp_path / f"{words[0]}-{name}.{suffix}" for name in ("here", "there")]
            for file, place in zip(files, (["--workers", "1"], ["--cluster", where]), strict=True):
                command = [sys.executable, "-m", "pentagrid", *words, *place, "--out", str(file)]
                done = subprocess.run(command, capture_output=True, text=True)
                assert done.returncode == 0, done.stderr
            assert files[0].read_bytes() == files[1].read_bytes() and files[0].stat().st_size > 1000
            if workers[0].poll() is None:
                workers[0].kill()
                workers[0].wait()

    @pytest.mark.parametrize("kind", ["exec:true", "py:my_bot:choose", "policy:a.npz"])
    def test_what_a_user_named_is_not_started_on_other_machines(self, kind, capsys, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        words = ["arena", "--players", "greedy", kind, "--game", "number-cross", "--cluster", "tcp://127.0.0.1:9"]
        assert main(words) == 2
        assert "cannot play on a cluster" in capsys.readouterr().err and not list(tmp_path.iterdir())

    def test_a_lost_scheduler_is_told_and_the_notes_are_kept(self, tmp_path, cluster, undisturbed):
        where, _, scheduler = cluster
        process = census(tmp_path / "state", *SLOW, "--cluster", where)
        wait_for_chunks(tmp_path / "state", process, 1)
        scheduler.kill()
        scheduler.wait()
        _, err = process.communicate()
        assert process.returncode == 2 and "Traceback" not in err, err
        assert f"The Dask scheduler at {where} is gone. What is done is kept" in err
        again = census(tmp_path / "state", *SLOW)
        out, err = again.communicate()
        assert json.loads(out) == undisturbed, err

    def test_nobody_at_the_address(self, tmp_path, capsys, monkeypatch):
        monkeypatch.setattr("pentagrid.util.dask_cluster.CONNECT_SECONDS", 1)
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
        assert main(["census", "number-cross", "--deals", "9", "--cluster", "tcp://127.0.0.1:9"]) == 2
        assert "No Dask scheduler answers at tcp://127.0.0.1:9" in capsys.readouterr().err


class TestCommand:
    @pytest.fixture(autouse=True)
    def _own_state(self, tmp_path, monkeypatch):
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    def test_the_summary(self, capsys):
        assert main(["census", "number-cross", "--all", "--workers", "1"]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[0] == "Number Cross 3x3: all 362,880 deals under perfect play"
        assert "  Player 1 wins         343,080      94.5 %" in lines
        assert "     0          19,800       5.5 %  ████████▉" in lines
        assert "  Winning first moves          1.91 of 6 on average" in lines
        assert "  Greedy move is best          100.0 % of deals" in lines
        assert "  Tie-break mattered           5.5 %" in lines
        assert not any("interval" in line for line in lines)

    def test_players_are_called_as_the_game_calls_them(self, capsys, tmp_path):
        words = [
            "census",
            "capture-squares",
            "--size",
            "2",
            "--all",
            "--workers",
            "1",
            "--plot",
            str(tmp_path / "a.svg"),
        ]
        assert main(words) == 0
        out = capsys.readouterr().out
        svg = "".join(ElementTree.fromstring((tmp_path / "a.svg").read_text()).itertext())
        for text in (out, svg):
            assert "Player A wins" in text and "Player B wins" in text
            assert "Margin (Player A's score minus Player B's)" in text
            assert not re.search("Player [12]", text)
        assert main([*words, "--json"]) == 0
        assert set(json.loads(capsys.readouterr().out)["players_win"]) == {"1", "2"}

    def test_a_sample_has_an_interval(self, capsys):
        assert main(["census", "number-cross", "--deals", "500", "--seed", "3", "--workers", "1"]) == 0
        assert "95 % interval" in capsys.readouterr().out

    def test_csv_has_every_count(self, capsys):
        assert main(["census", "number-cross", "--deals", "200", "--csv", "--workers", "1"]) == 0
        head, *rows = capsys.readouterr().out.splitlines()
        assert head == "measure,value,deals,share"
        assert sum(int(row.split(",")[2]) for row in rows if row.startswith("margin,")) == 200

    @pytest.mark.parametrize(("words", "told"), [
        (["number-cross", "--deals", "0"], "must be of 1 to 1,000,000,000,000 deals, not of 0."),
        (["matrix-capture", "--all"], "1,853,020,188,851,841"),
        (
            ["capture-square", "--size", "5", "--rule", "ending=blocks"],
            "not solved from every opening of 6 moves",
        ),
        (["capture-square", "--opening", "7"], "--opening must be between 0 and 6 moves, not 7."),
        (["number-cross", "--opening", "2"], "makes no sense"),
        (["number-cross", "--p1", "human"], "A player in a census must be random"),
        (["number-cross", "--p1", "exec:cat"], "exec:cat"),
        (["number-cross", "--workers", "0"], "--workers must be between 1 and 1024, not 0."),
        (["number-cross", "--plot", "x.pdf"], "x.pdf"),
        (["number-cross", "--plot", "/nowhere/x.svg"], "/nowhere"),
        (["number-cross", "--plot", "{folder}/"], "cannot be written"),
        (["number-cross", "--seed", "-1"], "-1"),
        (["capture-square", "--komi", "fair"], "--komi"),
    ])  # fmt: skip
    def test_wrong_input_is_named(self, capsys, words, told, tmp_path):
        (tmp_path / "folder.png").mkdir()
        words = [word.replace("{folder}/", str(tmp_path / "folder.png")) for word in words]
        assert main(["census", *words]) == 2
        assert told in capsys.readouterr().err

    def test_a_plot_that_cannot_be_written_does_not_take_the_result_with_it(self, capsys, tmp_path, monkeypatch):
        def refuse(path, content):
            raise PermissionError(errno.EACCES, "Permission denied")

        monkeypatch.setattr("pentagrid.fairness.plots.write_atomically", refuse)
        plot = str(tmp_path / "plot.svg")
        assert main(["census", "number-cross", "--deals", "50", "--workers", "1", "--json", "--plot", plot]) == 2
        out, err = capsys.readouterr()
        assert json.loads(out)["deals"] == 50
        assert err == f"pentagrid: {plot} cannot be written: Permission denied.\n"

    def test_without_a_place_for_notes_it_works_all_the_same(self, capsys, tmp_path, monkeypatch):
        (tmp_path / "file").touch()
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
        assert main(["census", "number-cross", "--deals", "50", "--workers", "1"]) == 0
        out, err = capsys.readouterr()
        assert "Player 1 wins" in out and "will begin anew" in err

    def test_bars_of_an_output_that_knows_ascii_only(self, program):
        program.env["PYTHONIOENCODING"] = "ascii"
        out = program("census", "number-cross", "--deals", "50", "--workers", "1")
        assert "####" in out and "\\u" not in out

    def test_who_should_win_is_not_told_where_it_is_not_known(self, capsys):
        words = ["--p1", "random", "--p2", "greedy", "--deals", "30", "--workers", "1"]
        assert main(["census", "capture-square", "--size", "5", *words]) == 0
        told = [line for line in capsys.readouterr().out.splitlines() if "should win" in line]
        assert not told or "games where that is known" in told[0]

    def test_larger_boards_where_first_moves_are_not_known(self, capsys):
        assert main(["census", "capture-squares", "--size", "6", "--deals", "1", "--workers", "1"]) == 0
        assert "not known on this board" in capsys.readouterr().out

    @pytest.mark.parametrize("words", [
        ["matrix-capture", "--deals", "300"],
        ["capture-square", "--size", "3", "--deals", "60"],
        ["capture-squares", "--size", "3", "--deals", "60", "--p1", "level:2", "--p2", "random"],
    ])  # fmt: skip
    def test_plots(self, tmp_path, words, capsys):
        for kind in ("png", "svg", "html"):
            path = tmp_path / f"plot.{kind}"
            assert main(["census", *words, "--workers", "1", "--plot", str(path)]) == 0
        png = (tmp_path / "plot.png").read_bytes()
        assert png[:8] == b"\x89PNG\r\n\x1a\n" and int.from_bytes(png[16:20], "big") == 1350
        svg = (tmp_path / "plot.svg").read_text()
        first = "Player A" if words[0] == "capture-squares" else "Player 1"
        assert f"{first} wins" in "".join(ElementTree.fromstring(svg).itertext())
        page = (tmp_path / "plot.html").read_text()
        assert "<table>" in page and "src=" not in page and "@import" not in page
        assert main(["census", *words, "--workers", "1", "--plot", str(tmp_path / "again.svg")]) == 0
        assert (tmp_path / "again.svg").read_text() == svg


class TestFigures:
    def test_intervals(self):
        """Wilson's, against the textbook: 10 of 100 is 5.5 % to 17.4 %."""
        low, high = interval(10, 100)
        assert round(low, 3) == 0.055 and round(high, 3) == 0.174
        assert interval(0, 50)[0] == 0 and interval(50, 50)[1] == pytest.approx(1)

    def test_bins_keep_every_deal_and_begin_at_nought(self):
        counts = {str(number): 1 for number in range(-37, 70)}
        found = bins(counts)
        assert sum(count for _, count in found) == 107 and len(found) <= 24
        assert any(value.startswith("0 to ") for value, _ in found)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a system with named pipes")
def test_notes_that_are_a_pipe_are_not_waited_for(program):
    folder = program.folder / "state" / "pentagrid" / "census"
    folder.mkdir(parents=True)
    program.env["XDG_STATE_HOME"] = str(program.folder / "state")
    plan = plan_census(pg.load("number-cross"), 100)
    os.mkfifo(folder / f"number-cross-{crc32(json.dumps(plan.data()).encode()):08x}.jsonl")
    told = program("census", "number-cross", "--deals", "100", "--workers", "1", code=2, timeout=20)
    assert "it is not a regular file" in told


class TestChunkSizes:
    """A chunk costs something whatever its size, and something for each deal."""

    class Work:
        """Work on a clock of its own."""

        def __init__(self, fixed, each, total=10**6):
            self.fixed, self.each, self.total, self.clock, self.made = fixed, each, total, 0.0, False

        def tally(self, first, last):
            self.clock += self.fixed + self.each * (last - first) + (0 if self.made else 30)
            self.made = True

    @pytest.mark.parametrize(
        ("fixed", "each", "total", "least", "most"),
        [
            (0, 0.001, 10**6, 490, 510),  # half a second
            (0.1, 4e-5, 10**6, 22_000, 23_000),  # as 7x7: the fixed part is a tenth
            (0.1, 4e-5, 3000, 3000, 3000),
            (0.01, 2, 50, 1, 1),
            (0, 1e-7, 300, 300, 300),
            (0, 0.01, 1, 1, 1),
        ],
    )
    def test_two_sizes_tell_both(self, monkeypatch, fixed, each, total, least, most):
        work = self.Work(fixed, each, total)
        monkeypatch.setattr("pentagrid.fairness.census.perf_counter", lambda: work.clock)
        assert least <= measured_chunk_size(work) <= most

    def test_a_census_of_large_boards_takes_few_chunks(self):
        plan = plan_census(pg.load("matrix-capture", size=6), 3000)
        assert measured_chunk_size(plan) >= 1000


class TestOpeningsByTable:
    """Openings of the game without numbers, many at once: what is counted one by one."""

    @pytest.mark.parametrize(
        ("rules", "opening", "count"),
        [
            ({}, 6, 150),
            ({"sudden_death": "exchange"}, 5, 60),
            ({"sudden_death_first": "2"}, 0, 1),
            ({"sudden_death_first": "toss"}, 3, 100),
            ({"sudden_death_first": "toss"}, 2, None),
            ({"size": 3}, 2, None),
            ({"size": 3, "sudden_death_first": "1"}, 4, 150),
            ({"ending": "blocks"}, 6, 150),
            ({"ending": "blocks", "komi": "0.5"}, 2, None),
            ({"size": 3, "ending": "blocks", "komi": "fair"}, 3, 150),
        ],
    )
    def test_the_same_counts(self, rules, opening, count):
        game, fair = load_fair("capture-square", rules.get("size"), {k: v for k, v in rules.items() if k != "size"})
        plan = plan_census(game, count, 3, opening, fair)
        last = min(plan.total, 300)
        assert perfect_tally(plan.deals, fair, 0, last) == tally_one_by_one(plan.deals, fair, 0, last)

    def test_any_cut_gives_the_same(self):
        deals = plan_census(pg.load("capture-square", sudden_death_first="toss"), 90, 1, 4).deals
        parts = perfect_tally(deals, False, 0, 31)
        parts.add(perfect_tally(deals, False, 31, 90))
        assert parts == perfect_tally(deals, False, 0, 90)


@pytest.mark.parametrize("option", ["--csv", "--plot"])
def test_what_cannot_be_written_is_refused_before_the_count(option, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("pentagrid.fairness.census.count_all", lambda *args: pytest.fail("it was counted"))
    for path in (tmp_path / "none" / "a.svg", tmp_path):
        path = path if path.suffix else path / "folder.svg"
        if path.parent == tmp_path:
            path.mkdir()
        assert main(["census", "number-cross", option, str(path)]) == 2
        assert str(path.name) in capsys.readouterr().err


def test_a_table_in_a_file(tmp_path, capsys):
    path = tmp_path / "counts.csv"
    assert main(["census", "number-cross", "--deals", "20", "--workers", "1", "--csv", str(path)]) == 0
    assert "Number Cross" in capsys.readouterr().out
    assert path.read_text().startswith("measure,value,deals,share\n")
