"""The arena: what is played, how it is measured, interruption and resumption, and its report in a real browser."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import signal
import sys
import time
from math import exp
from pathlib import Path

import numpy as np
import pytest

import pentagrid as pg
from pentagrid.arena import measures
from pentagrid.arena.plan import Round, all_rounds, deal_of, meetings, plan_tournament
from pentagrid.arena.ratings import ELO, RatedGame, Rating, rate_players
from pentagrid.arena.report_blunders import record_of
from pentagrid.arena.report_html import report_page
from pentagrid.arena.results import read_results
from pentagrid.arena.rounds import PlayedGame, match_of_row, play_round
from pentagrid.arena.tournament import play_tournament
from pentagrid.errors import OptionError
from pentagrid.play import record
from pentagrid.util.intervals import cost_interval, mean_interval, share_interval

GAMES = list(pg.game_names())


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A small tournament of everything."""
    plan = plan_tournament(["perfect", "level:5", "greedy", "random"], ["all"], 10, seed=3)
    return plan, play_tournament(plan, tmp_path_factory.mktemp("arena") / "small.jsonl", workers=1).rows


class TestWhatIsPlayed:
    def test_every_pair_meets_on_the_same_deals_from_both_seats(self, small):
        plan, rows = small
        assert len(rows) == plan.total == 5 * 6 * 10
        for which in all_rounds(plan):
            here = [row for row in rows if (row.game, row.deal) == which]
            assert [(row.one, row.two) for row in here] == list(meetings(plan))
            assert {(row.two, row.one) for row in here} == {(row.one, row.two) for row in here}
            starts = {match_of_row(plan, row).start for row in here}
            assert len(starts) == 1 and len({tuple(row.moves[: row.opening]) for row in here}) == 1

    def test_a_game_with_a_single_deal_has_openings_of_two_to_four_moves(self):
        plan = plan_tournament(["greedy", "random"], ["capture-square", "matrix-capture"], 100, seed=1)
        openings = [deal_of(plan, Round("capture-square", deal))[1] for deal in range(50)]
        assert {len(opening) for opening in openings} == {2, 3, 4} and len(set(openings)) > 40
        deals = {deal_of(plan, Round("matrix-capture", deal))[0] for deal in range(50)}
        assert len(deals) == 50 and deal_of(plan, Round("matrix-capture", 0))[1] == ()

    def test_who_else_takes_part_changes_nothing_between_two(self):
        both = plan_tournament(["greedy", "level:3"], ["number-cross"], 2, seed=5)
        more = plan_tournament(["random", "greedy", "level:3"], ["number-cross"], 2, seed=5)
        which = Round("number-cross", 0)
        assert set(map(str, play_round(both, which))) <= set(map(str, play_round(more, which)))

    def test_every_move_is_measured_against_its_exact_value(self, small):
        plan, rows = small
        for row in rows[::17]:
            match = match_of_row(plan, row)
            assert match.outcome == (row.winner, row.reason)
            position = match.start
            for i, action in enumerate(match.actions):
                if i >= row.opening:
                    analysis = pg.analyze(position)
                    made = next(option for option in analysis.options if option.action == action)
                    j = i - row.opening
                    assert row.regrets[j] == made.regret and row.should[j] == analysis.value.winner
                    assert row.real[j] == (len({option.loss for option in analysis.options}) > 1)
                    if j == 0:
                        assert row.par == analysis.value.margin
                position = position.play(action)
            assert row.should[-1] == row.winner
            assert row.margin == (None if position.scores is None else position.scores[0] - position.scores[1])

    @pytest.mark.parametrize(
        ("kinds", "games", "count", "told"),
        [
            (["perfect"], ["all"], 10, "two players, not 1"), (["random", "random"], ["all"], 10, "named twice"),
            (["random", "human"], ["all"], 10, "A person cannot"), (["random", "best"], ["all"], 10, "no player"),
            (["random", "greedy"], ["chess"], 10, "no game"), (["random", "greedy"], ["all"], 3, "even number"),
            (["random", "greedy"], ["all"], 0, "even number"), (["random", "exec:"], ["all"], 10, "needs a command"),
        ],
    )  # fmt: skip
    def test_plans_that_cannot_be(self, kinds, games, count, told):
        with pytest.raises(OptionError, match=told):
            plan_tournament(kinds, games, count, seed=1)


class TestResults:
    def test_they_do_not_depend_on_the_number_of_workers(self, tmp_path):
        plan = plan_tournament(["perfect", "level:4", "random"], ["matrix-capture", "capture-square"], 80, seed=9)
        play_tournament(plan, tmp_path / "one.jsonl", workers=1)
        play_tournament(plan, tmp_path / "two.jsonl", workers=2)
        assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()

    def test_an_interrupted_run_goes_on_where_it_stopped(self, tmp_path):
        plan = plan_tournament(["greedy", "random"], ["number-cross"], 60, seed=2)
        whole = play_tournament(plan, tmp_path / "whole.jsonl", workers=1)
        asked = iter(range(1000))
        part = play_tournament(plan, tmp_path / "part.jsonl", workers=1, stop=lambda: next(asked) > 6)
        assert 0 < len(part.rows) < plan.total
        data = (tmp_path / "part.jsonl").read_bytes()
        cut = data[:-20]  # a crash in the middle of a line
        (tmp_path / "part.jsonl").write_bytes(cut)
        again = play_tournament(plan, tmp_path / "part.jsonl", workers=1)
        assert again.rows == whole.rows
        assert (tmp_path / "part.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
        assert (tmp_path / "part.jsonl").read_bytes().startswith(cut[: cut.rfind(b"\n")])

    def test_a_finished_run_is_only_read(self, tmp_path):
        plan = plan_tournament(["greedy", "random"], ["number-cross"], 4, seed=2)
        play_tournament(plan, tmp_path / "a.jsonl", workers=1)
        before = (tmp_path / "a.jsonl").read_bytes()
        assert (
            len(play_tournament(plan, tmp_path / "a.jsonl", workers=1).rows) == 4
            and (tmp_path / "a.jsonl").read_bytes() == before
        )

    def test_another_tournaments_file_stays_as_it_is(self, tmp_path):
        plan = plan_tournament(["greedy", "random"], ["number-cross"], 4, seed=2)
        for text, told in (
            (plan_tournament(["greedy", "random"], ["number-cross"], 4, seed=3).header() + "\n", "seed '3'"),
            ("a letter to a friend\n", "not a results file"),
            (plan.header() + "\n{}\n", "line 2"),
        ):
            (tmp_path / "a.jsonl").write_text(text)
            with pytest.raises(OptionError, match=told):
                play_tournament(plan, tmp_path / "a.jsonl", workers=1)
            assert (tmp_path / "a.jsonl").read_text() == text

    def test_two_arenas_on_one_file_do_not_corrupt_it(self, tmp_path):
        plan = plan_tournament(["greedy", "random"], ["number-cross"], 20, seed=2)
        path = tmp_path / "a.jsonl"
        refused = []

        def meanwhile():
            before = path.read_bytes()
            with pytest.raises(OptionError, match=r"a\.jsonl is in use by another arena"):
                play_tournament(plan, path, workers=1)
            assert path.read_bytes() == before
            refused.append(before)
            return False

        play_tournament(plan, path, workers=1, stop=meanwhile)
        play_tournament(plan, tmp_path / "alone.jsonl", workers=1)
        assert refused and path.read_bytes() == (tmp_path / "alone.jsonl").read_bytes()
        assert {one.name for one in tmp_path.iterdir()} == {"a.jsonl", "alone.jsonl"}

    def test_a_refused_file_is_not_locked_afterwards(self, tmp_path):
        plan = plan_tournament(["greedy", "random"], ["number-cross"], 4, seed=2)
        path = tmp_path / "a.jsonl"
        path.write_text("a letter to a friend\n")
        with pytest.raises(OptionError, match="not a results file"):
            play_tournament(plan, path, workers=1)
        assert [one.name for one in tmp_path.iterdir()] == ["a.jsonl"]
        path.unlink()
        assert len(play_tournament(plan, path, workers=1).rows) == 4

    def test_the_lock_goes_with_its_process(self, program):
        words = ("arena", "--players", "perfect", "random", "--game", "matrix-capture", "--games", "200000")
        running = program.start(*words, "--out", "run.jsonl")
        path = program.folder / "run.jsonl"
        for _ in range(600):
            if path.exists() and path.stat().st_size > 10_000:
                break
            time.sleep(0.05)
        answer = program(*words, "--out", "run.jsonl", code=2)
        assert "run.jsonl is in use by another arena" in answer and "Traceback" not in answer
        running.kill()
        running.communicate()
        again = program.start(*words, "--out", "run.jsonl")
        size = path.stat().st_size
        for _ in range(600):
            if path.stat().st_size > size + 10_000:
                break
            time.sleep(0.05)
        again.send_signal(signal.SIGINT)
        assert "games are in run.jsonl" in again.communicate(timeout=60)[0].decode()
        _, rows, _ = read_results(path)
        assert len({(row.game, row.deal, row.one, row.two) for row in rows}) == len(rows)
        assert not (program.folder / "run.jsonl.lock").exists()

    def test_ctrl_c_loses_nothing_and_the_same_command_goes_on(self, program):
        words = (
            "arena",
            "--players",
            "perfect",
            "random",
            "--game",
            "matrix-capture",
            "number-cross",
            "--games",
            "6000",
        )
        running = program.start(*words, "--out", "run.jsonl")
        path = program.folder / "run.jsonl"
        for _ in range(600):
            if path.exists() and path.stat().st_size > 100_000:
                break
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        told = running.communicate(timeout=60)[0].decode()
        assert running.returncode == 130 and "of 12000 games are in run.jsonl" in told and "To go on: " in told
        before = path.read_bytes()
        command = shlex.split(told.split("To go on: ")[1])
        told = program(*command[command.index("arena") :], timeout=120)
        after = path.read_bytes()
        assert after.startswith(before[: before.rfind(b"\n")]) and "Results: run.jsonl" in told
        plan, rows, whole = read_results(path)
        assert len(rows) == 12000 and whole == len(after)
        assert [(row.game, row.deal) for row in rows[::2]] == [tuple(which) for which in all_rounds(plan)]


CHOSEN = (
    (["number-cross", "matrix-capture"], 4, {"komi": "fair", "pie": "on", "order": "snake"}),
    (["number-grid-battle"], None, {"order": "thue-morse", "komi": "2.5"}),
    (["capture-squares"], 3, {"pie": "on", "komi": "-1"}),
    (["capture-square"], 3, {"pie": "on", "sudden-death-first": "2", "sudden-death": "exchange"}),
)


@pytest.fixture(scope="module", params=CHOSEN, ids=lambda chosen: chosen[0][0])
def played(request, tmp_path_factory):
    games, size, rules = request.param
    plan = plan_tournament(["perfect", "greedy", "random"], games, 12, seed=4, size=size, rules=rules)
    return plan, play_tournament(plan, tmp_path_factory.mktemp("arena") / "a.jsonl", workers=1)


class TestOptions:
    """A size and rule options: in what is played, in the results and in every report of them."""

    def test_every_game_is_played_by_them(self, played):
        plan, results = played
        swaps = 0
        for one in results.rows:
            match = match_of_row(plan, one)
            game = match.start.game
            assert game.size == (plan.size or game.default_size)
            assert {f"{name}={value}" for name, value in game.chosen_rules.items()} >= {
                rule for rule in plan.rules if rule != "komi=fair"
            }
            assert match.outcome == (one.winner, one.reason)
            swaps += "swap" in one.moves
            if one.margin is not None:
                scores = match.position.scores
                assert one.margin == game.with_komi(scores[0] - scores[1], match.position.swapped)  # type: ignore[attr-defined]
        assert (swaps > 0) == ("pie=on" in plan.rules)

    def test_who_made_which_move_and_what_it_was_worth(self, played):
        plan, results = played
        for one in results.rows[::3]:
            position, movers = match_of_row(plan, one).start, []
            for number, move in enumerate(one.moves):
                if number >= one.opening:
                    movers.append(position.mover)
                    found = pg.analyze(position)
                    assert one.regrets[number - one.opening] == next(o.regret for o in found.options if o.move == move)
                    assert one.should[number - one.opening] == found.value.winner
                position = position.play(move)
            for seat in (1, 2):
                assert measures.moves_of(plan, one, seat) == [i for i, who in enumerate(movers) if who == seat]
        for name in plan.games:
            perfect = next(m for m in measures.measure(plan, results.rows, [name]) if m.player == "perfect")
            assert perfect.regret.value == 0 <= perfect.score.value
            assert perfect.points is None or perfect.points.value >= 0

    def test_a_fair_komi_leaves_half_a_point_to_either_side(self):
        plan = plan_tournament(["greedy", "random"], ["number-cross"], 80, seed=1, rules={"komi": "fair"})
        margins = []
        for which in all_rounds(plan):
            start, _ = deal_of(plan, which)
            margins.append(pg.analyze(start).value.margin)
            plain = deal_of(plan._replace(rules=()), which)[0]
            assert plain.numbers == start.numbers
            assert float(start.game.rules["komi"]) == pg.analyze(plain).value.margin - margins[-1]
        assert set(margins) == {0.5, -0.5}

    def test_under_the_pie_rule_the_choice_to_swap_is_the_players(self):
        plan = plan_tournament(["greedy", "random"], ["capture-square"], 40, seed=1, rules={"pie": "on"})
        openings = [deal_of(plan, which) for which in all_rounds(plan)]
        assert {len(moves) for _, moves in openings} == {1} and len({moves for _, moves in openings}) > 5
        assert all("swap" in start.play(moves[0]).moves() for start, moves in openings)

    def test_results_name_them_and_go_on(self, played, tmp_path):
        plan, results = played
        told = json.loads(results.path.read_text().splitlines()[0])
        assert told.get("size") == plan.size and tuple(told["rules"]) == plan.rules
        found, rows, _ = read_results(results.path)
        assert found == plan and rows == results.rows
        data = results.path.read_bytes()
        (tmp_path / "half.jsonl").write_bytes(data[: len(data) // 2])
        assert play_tournament(plan, tmp_path / "half.jsonl", workers=1).rows == results.rows
        assert (tmp_path / "half.jsonl").read_bytes() == data

    def test_page_and_record_files_name_them(self, played):
        plan, results = played
        text = report_page(plan, results.rows)
        for option in plan.options:
            assert option in text
        again = record.read_record(record.write_record(record_of(plan, results.rows[0]))).match
        assert again.start == deal_of(plan, Round(results.rows[0].game, 0))[0]

    def test_files_from_before_there_were_options_are_read_and_gone_on_with(self, tmp_path):
        old = (
            '{"pentagrid-arena": 1, "players": ["greedy", "random"], "games": ["number-cross"], "per_pair": 4, '
            '"seed": 2, "turn_seconds": null}'
        )
        plan = plan_tournament(["greedy", "random"], ["number-cross"], 4, seed=2)
        assert plan.header() == old and plan.options == []
        assert plan == plan_tournament(
            ["greedy", "random"], ["number-cross"], 4, 2, size=3, rules={"pie": "off", "komi": "0"}
        )
        (tmp_path / "old.jsonl").write_text(old + "\n")
        assert len(play_tournament(plan, tmp_path / "old.jsonl", workers=1).rows) == 4
        with_pie = plan_tournament(["greedy", "random"], ["number-cross"], 4, seed=2, rules={"pie": "on"})
        assert with_pie.name() != plan.name()
        with pytest.raises(OptionError, match="rules ''"):
            play_tournament(with_pie, tmp_path / "old.jsonl", workers=1)

    def test_older_results_with_a_fair_komi_go_on_with_the_tosses_they_began_with(self, tmp_path):
        plan = plan_tournament(["greedy", "random"], ["number-cross"], 8, seed=2, rules={"komi": "fair"})
        (tmp_path / "old.jsonl").write_text(plan._replace(toss=None).header() + "\n")
        old = play_tournament(plan, tmp_path / "old.jsonl", workers=1)
        new = play_tournament(plan, tmp_path / "new.jsonl", workers=1)
        assert old.plan.toss == 1 << 33 and new.plan.toss == 1 << 36 and old.plan.name() == new.plan.name()
        rounds = [Round("number-cross", deal) for deal in range(plan.deals)]
        komis = [
            [float(deal_of(results.plan, which)[0].game.rules["komi"]) for which in rounds] for results in (old, new)
        ]
        assert komis[0] != komis[1]
        assert all(abs(one - other) in (0, 1) for one, other in zip(*komis, strict=True))

    @pytest.mark.parametrize(
        ("words", "told"),
        [
            (("--komi", "2"), "komi=2 needs ending=blocks"),
            (("--rule", "order=snake"), "Capture Square has no rule option 'order'"),
            (("--size", "12", "--game", "matrix-capture", "number-cross"), "must be between 2 and 8, not 12"),
        ],
    )
    def test_they_must_fit_every_game(self, program, words, told):
        answer = program("arena", "--players", "greedy", "random", "--games", "2", *words, code=2)
        assert told in answer and "Size and rules must fit every game; say with --game which to play." in answer
        assert not list(program.folder.glob("*.jsonl"))

    @pytest.mark.parametrize(
        ("words", "told"),
        [
            (("--game", "capture-square", "--size", "5"), "Capture Square at size 5 is not solved"),
            (("--game", "capture-squares", "--size", "6"), "Capture Squares at size 6 is not solved"),
            (("--game", "number-cross", "--rule", "pie"), "--rule must be NAME=VALUE"),
            (("--game", "number-cross", "--rule", "komi=fair"), "by --komi fair"),
            (("--game", "number-cross", "--komi", "fair", "--rule", "komi=2"), "must be given once"),
        ],
    )
    def test_options_that_cannot_be(self, program, words, told):
        answer = program("arena", "--players", "greedy", "random", "--games", "2", *words, code=2)
        assert told in answer and "must fit every game" not in answer

    def test_the_command_names_them(self, program):
        words = ("arena", "--players", "perfect", "random", "--game", "number-cross", "--games", "4", "--size", "4",
                 "--komi", "fair", "--rule", "pie=on", "--out", "a.jsonl")  # fmt: skip
        assert program(*words).startswith("Options: size=4, komi=fair, pie=on\n")
        plan = json.loads((program.folder / "a.json").read_text())["plan"]
        assert plan["size"] == 4 and plan["rules"] == ["komi=fair", "pie=on"]
        assert "half a point to one side" in (program.folder / "a.html").read_text()


class TestPrograms:
    def test_a_program_takes_part_and_its_losses_are_counted(self, tmp_path):
        bot = tmp_path / "bot.py"
        bot.write_text(
            "import json, sys\nfor line in sys.stdin:\n    m = json.loads(line)\n    if m['type'] == 'position':\n"
            "        print(json.dumps({'move': m['legal'][0] if len(m['moves']) < 2 else 'no'}), flush=True)\n"
        )
        kind = f"exec:{shlex.quote(sys.executable)} {shlex.quote(str(bot))}"
        plan = plan_tournament([kind, "random"], ["number-cross"], 4, seed=1)
        rows = play_tournament(plan, tmp_path / "a.jsonl", workers=2).rows
        assert {row.reason for row in rows} == {"illegal"} and "it answered 'no'" in rows[0].why
        found = {one.player: one for one in measures.measure(plan, rows, ["number-cross"])}
        assert found[kind].illegal == 4 and found[kind].wins == (0, 0) and found["random"].illegal == 0
        again = record.read_record(record.write_record(record_of(plan, rows[0]))).match
        assert again.outcome.reason == "illegal" and "it answered" in again.notes[len(again.actions)]

    def test_one_that_cannot_be_started_is_an_error_not_a_loss(self, tmp_path):
        plan = plan_tournament(["exec:/no/such/program", "random"], ["number-cross"], 400, seed=1)
        for workers in (1, 2):
            with pytest.raises(OptionError, match="cannot be started"):
                play_tournament(plan, tmp_path / f"{workers}.jsonl", workers=workers)


def row(winner=1, regrets=(0, 0), real=(1, 1), should=(1, 1, 1), par=3, margin=3, one="a", two="b", **other):
    base = {"game": "number-cross", "deal": 0, "reason": "score", "opening": 0, "moves": []}
    lists = {"regrets": list(regrets), "real": list(real), "should": list(should)}
    return PlayedGame(one=one, two=two, winner=winner, par=par, margin=margin, **lists, **(base | other))


class TestMeasures:
    def test_by_hand(self):
        plan = plan_tournament(["greedy", "random"], ["number-cross"], 2, seed=1)._replace(players=("a", "b"))
        rows = [
            row(winner=2, regrets=(5, 0), real=(1, 1), should=(1, 2, 2), margin=-2),
            row(winner=1, regrets=(0, 4), real=(1, 0), should=(1, 1, 1), margin=7, one="b", two="a", deal=1),
            row(winner=2, regrets=(0,), real=(0,), should=(1, 1), margin=None, reason="time", deal=2),
        ]
        found = {one.player: one for one in measures.measure(plan, rows, ["number-cross"])}
        a, b = found["a"], found["b"]
        assert a.games == b.games == 3 and a.wins == (0, 0) and b.wins == (1, 1)
        assert a.score.value == pytest.approx(-2 / 3) and b.score.value == pytest.approx(2 / 3)
        assert a.points.value == pytest.approx((-5 - 4) / 2) and b.points.value == pytest.approx(4.5)
        assert a.regret.value == pytest.approx(9 / 3) and b.regret.value == 0
        assert a.thrown.value == pytest.approx(1 / 2) and b.thrown.value == 0
        assert a.optimal.value == 0 and b.optimal.value == 1
        assert a.kept is None and a.matter is None  # rows from before it was noted
        assert b.regret.low == 0 < b.regret.high and b.optimal.low < 1 == b.optimal.high
        assert (a.time, a.illegal, b.time) == (1, 0, 0)

    def test_a_thrown_tie_break_is_no_best_move(self):
        plan = plan_tournament(["greedy", "random"], ["number-cross"], 2, seed=1)._replace(players=("a", "b"))
        rows = [row(winner=1, regrets=(0, 0), should=(2, 2, 1), par=0, margin=0)]
        found = {one.player: one for one in measures.measure(plan, rows, ["number-cross"])}
        assert found["b"].regret.value == found["b"].optimal.value == 0
        assert found["b"].thrown.value == found["a"].optimal.value == 1
        (blunder,) = measures.worst_blunders(plan, rows, "number-cross")
        assert blunder.player == "b" and blunder.loss == (0, 1)

    def test_perfect_play_scores_what_its_seats_are_worth(self, small):
        plan, rows = small
        for name in GAMES:
            found = {one.player: one for one in measures.measure(plan, rows, [name])}
            perfect = found["perfect"]
            assert perfect.regret.value == 0 and perfect.optimal.value == 1 and perfect.score.value >= 0
            assert perfect.thrown is None or perfect.thrown.value == 0
            assert perfect.kept.value == 1 > perfect.kept.low and 0 < perfect.matter < 1
            assert found["random"].score.value < 0 and found["random"].regret.value > 0
            assert sum(one.score.value for one in found.values()) == pytest.approx(0)

    def test_games_that_greed_plays_perfectly_are_told_apart(self, small):
        plan, rows = small
        (_, deep), (_, flat) = measures.game_groups(plan)
        assert set(flat) == {"number-cross", "number-grid-battle"} and len(deep) == 3
        for name in flat:
            greedy = next(one for one in measures.measure(plan, rows, [name]) if one.player == "greedy")
            assert greedy.regret.value == 0
        assert any(r.regrets[i] for r in rows if r.game == "matrix-capture" for i in measures.moves_of(plan, r, 1)
                   if r.one == "greedy")  # fmt: skip

    def test_cross_table_and_regret_by_move_add_up(self, small):
        plan, rows = small
        for name in GAMES:
            table = measures.cross_table(plan, rows, name)
            for (me, other), (won, played) in table.items():
                assert played == plan.per_pair and won + table[other, me][0] == played
            assert all(value == 0 for _, value in measures.regret_by_move(plan, rows, name, "perfect"))

    def test_the_worst_blunders_lose_won_games(self, small):
        plan, rows = small
        for name in GAMES:
            found = measures.worst_blunders(plan, rows, name)
            assert found and found[0].loss.win_regret and "perfect" not in {one.player for one in found}


class TestIntervals:
    def test_a_player_who_won_everything_has_an_interval(self):
        rows = [
            RatedGame(one, two, "g", deal, one == "a") for deal in range(20) for one, two in (("a", "b"), ("b", "a"))
        ]
        found = rate_players(rows, ["a", "b"])["a"]
        assert 100 < found.low < found.elo - 50 and found.high > found.elo + 50

    def test_ratings_cover_the_truth(self):
        """Small tournaments of players of known strength: 95 % intervals hold it about as often."""
        strengths, inside, made = {"a": 300.0, "b": 0.0, "c": -300.0}, 0, 0
        for seed in range(40):
            results = TestRatings().synthetic(strengths, 0.3, 15, seed)
            for name, rating in rate_players(results, list(strengths), samples=200).items():
                inside += rating.low <= strengths[name] <= rating.high
                made += 1
        assert 0.88 <= inside / made <= 1

    def test_shares_at_their_ends_and_clusters(self):
        every = share_interval([(2, 2)] * 10)
        assert every.value == every.high == 1 and 0.6 < every.low < 0.8
        none = share_interval([(0, 2)] * 10)
        assert none == pytest.approx((0, 1 - every.high, 1 - every.low))
        alike, apart = share_interval([(2, 2), (0, 2)] * 20), share_interval([(1, 1), (0, 1)] * 40)
        assert alike.high - alike.low > 1.3 * (apart.high - apart.low)  # what agrees within deals counts as less

    def test_what_errors_cost_is_never_known_for_sure(self):
        none = cost_interval([(0, 4)] * 10, [(0, 4)] * 10, typical=3.0)
        assert none.value == none.low == 0 < none.high == pytest.approx(3 * share_interval([(0, 4)] * 10).high)
        one = cost_interval([(8, 4)], [(2, 4)], typical=4.0)
        assert one.low == 0 < one.value == 2 < one.high
        assert all(number != number for number in cost_interval([], [], typical=1.0))

    def test_means_have_the_usual_interval(self):
        found = mean_interval([(value, 1) for value in (1.0, 2.0, 3.0, 4.0)])
        half = 3.182 * np.std([1, 2, 3, 4], ddof=1) / 2
        assert found == pytest.approx((2.5, 2.5 - half, 2.5 + half), abs=3e-3)

    def test_for_points_the_score_is_the_margin_beyond_the_seat(self):
        plan = plan_tournament(["greedy", "random"], ["number-cross"], 2, 1, payoff="points")._replace(
            players=("a", "b")
        )
        rows = [row(winner=2, margin=-2, par=3), row(margin=None, par=3, winner=2, reason="time", deal=1, most=90)]
        found = {one.player: one for one in measures.measure(plan, rows, ["number-cross"])}
        assert found["a"].score.value == (-5 - 93) / 2 == -found["b"].score.value
        with pytest.raises(OptionError, match="payoff must be win in Capture Square"):
            plan_tournament(["greedy", "random"], ["all"], 2, 1, payoff="points")


class TestRatings:
    def synthetic(self, strengths, seat, deals, seed):
        """Games of players of known strength, on deals that favor a seat more or less."""
        chance, names = np.random.default_rng(seed), list(strengths)
        results = []
        for deal in range(deals):
            for i, one in enumerate(names):
                for two in names[i + 1 :]:
                    for a, b in ((one, two), (two, one)):
                        share = 1 / (1 + exp(-((strengths[a] - strengths[b]) / ELO + seat)))
                        results.append(RatedGame(a, b, "g", deal, bool(chance.random() < share)))
        return results

    def test_known_strengths_are_found_whatever_the_seat_is_worth(self):
        strengths = {"a": 250.0, "b": 80.0, "c": -30.0, "d": -300.0}
        for seat in (0.0, 2.0):
            found = rate_players(self.synthetic(strengths, seat, 1500, 1), list(strengths))
            for name, elo in strengths.items():
                assert abs(found[name].elo - elo) < 25

    def test_the_intervals_hold_the_truth_about_as_often_as_they_say(self):
        strengths, held, looked = {"a": 150.0, "b": 0.0, "c": -150.0}, 0, 0
        for seed in range(60):
            for name, one in rate_players(self.synthetic(strengths, 0.5, 60, seed), list(strengths), seed, 200).items():
                held += one.low <= strengths[name] <= one.high
                looked += 1
        assert 0.88 < held / looked < 0.99

    def test_more_deals_make_them_narrower_and_nobody_is_infinite(self):
        strengths = {"a": 100.0, "b": -100.0}
        few, many = (
            rate_players(self.synthetic(strengths, 0.0, deals, 2), list(strengths))["a"] for deals in (30, 1000)
        )
        assert many.high - many.low < (few.high - few.low) / 3
        all_won = rate_players([RatedGame("a", "b", "g", deal, True) for deal in range(50)], ["a", "b"])
        assert 0 <= all_won["a"].elo < 2000 and isinstance(all_won["b"], Rating)

    def test_deals_are_drawn_whole(self):
        """Ten copies of every game on a deal tell no more than one: the interval must not shrink."""
        once = self.synthetic({"a": 50.0, "b": -50.0}, 0.0, 80, 3)
        wide = rate_players(once, ["a", "b"], samples=2000)["a"]
        copied = rate_players(once * 10, ["a", "b"], samples=2000)["a"]
        assert copied.high - copied.low > 0.85 * (wide.high - wide.low)


class TestReport:
    def test_the_command_writes_table_figures_and_page(self, program):
        told = program("arena", "--players", "perfect", "greedy", "random", "--games", "4", "--out", "a.jsonl")
        assert "GAMES THAT NEED LOOKING AHEAD" in told and "GAMES THAT GREED ALREADY PLAYS PERFECTLY" in told
        assert "Report: a.html" in told and told.count("perfect ") >= 7
        figures = json.loads((program.folder / "a.json").read_text())
        assert figures["played"] == 60 and set(figures["games"]) == set(GAMES)
        assert (program.folder / "a.html").read_text().startswith("<!DOCTYPE html>")
        again = program(
            "arena", "--players", "perfect", "greedy", "random", "--games", "4", "--out", "a.jsonl", "--json"
        )
        assert json.loads(again) == figures
        assert "--out must have a name that is not that of the report" in program(
            "arena",
            "--players",
            "greedy",
            "random",
            "--game",
            "number-cross",
            "--games",
            "2",
            "--out",
            "b.html",
            code=2,
        )

    def test_players_are_called_as_the_game_calls_them(self, tmp_path):
        plan = plan_tournament(["greedy", "random"], ["capture-squares"], 4, seed=1, size=3)
        text = report_page(plan, play_tournament(plan, tmp_path / "a.jsonl", workers=1).rows)
        assert "Games won as Player A, who moves first" in text and "as Player A against" in text
        assert not re.search("Player [12]", text)

    def test_names_cannot_break_the_page(self, small):
        plan, rows = small
        evil = "exec:<script>alert(1)</script>"
        plan = plan._replace(players=tuple(evil if name == "random" else name for name in plan.players))
        rows = [r._replace(one=evil if r.one == "random" else r.one, two=evil if r.two == "random" else r.two)
                for r in rows]  # fmt: skip
        assert "<script" not in report_page(plan, rows)

    def test_it_opens_in_a_browser_and_its_links_lead_to_replays(self, small, tmp_path):
        sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install playwright")
        chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
        if chromium is None:
            pytest.skip("needs a browser: install chromium (Debian: apt-get install chromium)")
        plan, rows = small
        path = tmp_path / "report.html"
        path.write_text(report_page(plan, rows), encoding="utf-8")
        with sync_api.sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            context = browser.new_context(accept_downloads=True, viewport={"width": 1000, "height": 900})
            tab, asked, wrong = context.new_page(), [], []
            tab.on("request", lambda request: asked.append(request.url))
            tab.on("console", lambda message: wrong.append(message.text))
            tab.on("pageerror", lambda error: wrong.append(str(error)))
            tab.goto(path.as_uri())
            assert tab.title().startswith("Pentagrid arena: perfect, level:5")
            assert asked == [path.as_uri()] and wrong == []
            assert tab.locator("h2").all_inner_texts()[:2] == [title for title, _ in measures.game_groups(plan)]
            assert tab.locator("svg").count() == 2 + 2 * len(GAMES)
            for plot in tab.locator("svg").all():
                box = plot.bounding_box()
                assert box["width"] > 200 and box["height"] > 80
            assert tab.locator("table.cross").count() == len(GAMES)
            links = tab.locator("ol a[href^='#replay-']")
            assert links.count() >= len(GAMES)
            links.nth(1).click()
            target = tab.locator("#replay-2")
            assert target.bounding_box()["y"] < 900 and "Best was" in target.inner_text()
            with tab.expect_download() as download:
                target.get_by_text("Record file").click()
            kept = record.read_record(Path(download.value.path()).read_text())
            move = re.search(r": (\S+) at move (\d+)", target.locator("h4").inner_text())
            assert kept.match.moves[int(move[2]) - 1] == move[1]
            wide = tab.evaluate("document.documentElement.scrollWidth - window.innerWidth")
            assert wide <= 0, "nothing sticks out at the side"
            browser.close()


@pytest.mark.parametrize("name", ["keep.json", "keep.html"])
def test_a_file_of_somebody_else_beside_the_results_stays(program, name):
    (program.folder / name).write_text("{}")
    words = ("arena", "--players", "random", "greedy", "--game", "number-cross", "--games", "2", "--workers", "1")
    assert f"{name} is there already" in program(*words, "--out", "keep.jsonl", code=2)
    assert (program.folder / name).read_text() == "{}"
    (program.folder / name).unlink()
    program(*words, "--out", "keep.jsonl")
    program(*words, "--out", "keep.jsonl")
