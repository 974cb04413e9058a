"""The comparison of all ways to play a game: nothing left out, nothing twice, and the same as the census says."""

from __future__ import annotations

import json
from itertools import pairwise
from xml.etree import ElementTree

import pytest

import pentagrid as pg
from pentagrid.core.catalog import find
from pentagrid.fairness.balance import PAIRINGS, Balance, Standing, Variant, even_komi, plan_balance, standings
from pentagrid.fairness.census import count_all, on_cores, plan_census
from pentagrid.fairness.recommendation import ranking_lines, recommendation
from pentagrid.fairness.tally import MARGIN, WINNER, Tally
from pentagrid.terminal.main import main


@pytest.fixture(autouse=True)
def _own_state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def names(kind, **options):
    return {variant.name for variant in plan_balance(find(kind), options.get("largest"), 20, 0).variants}


class TestVariants:
    def test_every_combination_is_there_once(self):
        for name in pg.game_names():
            options = [variant.options for variant in plan_balance(find(name), None, 20, 0).variants]
            assert len(set(options)) == len(options) and "" in options

    def test_orders_that_are_the_same_on_a_small_board_are_compared_once(self):
        """Four turns are 1 2 2 1 both ways; six are not."""
        assert not any("thue-morse" in name for name in names("matrix-capture"))
        assert any("thue-morse" in name for name in names("number-cross"))

    def test_sudden_death_begun_by_whose_turn_it_is_anyway(self):
        """After 16 markers it is Player 1's turn, after 9 Player 2's."""
        found = names("capture-square")
        assert found == {
            f"{size}{reading}{first}{pie}".strip() or "as written"
            for size, other in (("size=3 ", "1"), ("", "2"))
            for reading in ("", "sudden-death=exchange ")
            for first in ("", f"sudden-death-first={other} ")
            for pie in ("", "pie=on")
        }

    def test_a_fixed_komi_a_fair_one_and_none(self):
        found = names("number-cross")
        assert {"as written", "komi=fair", "order=snake", "pie=on"} <= found
        assert any(name.startswith("komi=") and name[5:6].isdigit() for name in found)

    def test_the_options_can_be_given_to_the_program(self, capsys):
        for variant in plan_balance(find("number-cross"), None, 20, 0).variants:
            words = variant.options.split()
            assert main(["solve", "number-cross", "--seed", "1", *words]) == 0
            assert "under best play" in capsys.readouterr().out

    def test_the_even_komi(self):
        """Of ten deals five are won by more than 3: with 3 points, which at a tie are Player 2's, it is even."""
        game = pg.load("number-cross")
        found = Tally({MARGIN: {"1": 2, "3": 3, "4": 1, "8": 4}, WINNER: {"1": 10}})
        assert even_komi(game, found) == "3"
        assert even_komi(game, Tally({MARGIN: {"-2": 5, "2": 5}, WINNER: {"1": 5, "2": 5}})) == "0"


class TestCounting:
    def small(self):
        return Balance((Variant(pg.load("number-cross")), Variant(pg.load("number-cross", pie="on"), True)), 12, 5)

    def test_any_cut_gives_the_same(self):
        balance = self.small()
        whole = balance.tally(0, balance.total)
        for cuts in ((0, 1, 11, 12, 13, 60, balance.total), (0, 40, balance.total)):
            parts = Tally()
            for first, last in pairwise(cuts):
                parts.add(balance.tally(first, last))
            assert parts == whole

    def test_it_says_what_the_census_says(self, tmp_path):
        balance = self.small()
        rows = {row.variant: row for row in standings(balance, count_all(balance, tmp_path, on_cores(2)))}
        for variant in balance.variants:
            shares = []
            for players in PAIRINGS:
                plan = plan_census(variant.game, 12, 5, fair=variant.fair, kinds=players or (None, None))
                shares.append(count_all(plan, tmp_path, on_cores(1)).of(WINNER)["1"] / 12)
            row = rows[variant]
            assert (row.perfect, row.equal) == tuple(shares[:2])
            assert row.skill == pytest.approx((shares[2] + 1 - shares[3]) / 2)
            assert row.turns >= 6

    def test_one_side_always_wins_the_game_without_points(self, tmp_path):
        balance = plan_balance(find("capture-square"), None, 10, 0)
        rows = standings(balance, count_all(balance, tmp_path, on_cores(2)))
        assert {row.perfect for row in rows} == {0, 1}
        assert all(row.perfect == 0 for row in rows if row.variant.game.pie)


BALANCE = Balance((Variant(pg.load("number-cross")),), 1000, 0)


def standing(options, perfect, equal, skill=0.7):
    return Standing(Variant(pg.load("number-cross", **options)), perfect, equal, skill, 6)


class TestAdvice:
    def test_a_fair_way_is_recommended(self):
        rows = [standing({"order": "snake"}, 0.48, 0.52), standing({}, 0.95, 0.62)]
        told = recommendation(BALANCE, rows)
        assert told.startswith("Play Number Cross with --rule order=snake: Player 1 wins 48 %")
        assert "As written, Player 1 wins 95 %" in told

    def test_nothing_is_called_fair_that_is_not(self):
        told = recommendation(BALANCE, [standing({"pie": "on"}, 0.0, 0.5), standing({}, 1.0, 0.62)])
        assert told.startswith(
            "No way to play Number Cross is fair between perfect players: one side nearly always wins."
        )
        assert "is --rule pie=on: Player 1 wins 0 %" in told
        told = recommendation(BALANCE, [standing({"order": "snake"}, 0.5, 0.6), standing({}, 1.0, 0.62)])
        assert told.startswith("No way to play is fair both between perfect players and between equal ones.")

    def test_too_few_deals_are_said_to_be_too_few(self):
        few = Balance(BALANCE.variants, 20, 0)
        rows = [standing({"order": "snake"}, 0.6, 0.5), standing({}, 0.9, 0.62)]
        told = recommendation(few, rows)
        assert "one side nearly always wins" not in told
        assert "All shares are only within 22 points, which is too rough" in told

    def test_players_are_called_as_the_game_calls_them(self):
        variant = Variant(pg.load("capture-squares"))
        balance, rows = Balance((variant,), 1000, 0), [Standing(variant, 1.0, 0.6, 0.9, 16)]
        texts = [recommendation(balance, rows), *ranking_lines(rows)]
        assert "As written, Player A wins 100 %" in texts[0] and "Player A wins" in texts[1]
        assert not any("Player 1" in text for text in texts)

    def test_the_rules_as_written_are_always_in_the_table(self):
        rows = [standing({"komi": str(komi)}, 0.5, 0.5) for komi in range(1, 20)] + [standing({}, 1.0, 0.7)]
        lines = ranking_lines(rows)
        assert any(line.split()[:3] == ["20", "as", "written"] for line in lines)
        assert "7 more" in lines[-1]


class TestCommand:
    WORDS = ("balance", "number-cross", "--deals", "10", "--workers", "1")

    def test_the_table_and_the_advice(self, capsys):
        assert main([*self.WORDS]) == 0
        out = capsys.readouterr().out
        assert out.startswith("Number Cross: ") and "ways to play it, 10 deals each" in out
        assert " as written " in out and "As written, Player 1 wins" in out.replace("\n", " ")

    def test_json_and_plots(self, capsys, tmp_path):
        told = []
        for kind in ("png", "svg", "html"):
            path = tmp_path / f"balance.{kind}"
            assert main([*self.WORDS, "--json", "--plot", str(path)]) == 0
            told.append(json.loads(capsys.readouterr().out))
        assert told[0] == told[1] == told[2]
        assert told[0]["deals"] == 10 and {row["size"] for row in told[0]["ranking"]} == {2, 3}
        assert (tmp_path / "balance.png").read_bytes()[:4] == b"\x89PNG"
        texts = "".join(ElementTree.fromstring((tmp_path / "balance.svg").read_text()).itertext())
        assert "as written" in texts and "perfect play" in texts
        page = (tmp_path / "balance.html").read_text()
        assert page.count("<tr>") == len(told[0]["ranking"]) + 1 and "src=" not in page

    def test_wrong_input_is_named(self, capsys):
        for words, told in (
            (["number-cross", "--largest", "2"], "--largest must be between 3 and 8 for Number Cross, not 2."),
            (
                ["number-cross", "--deals", "3"],
                "--deals must be between 10 and 1,000,000,000,000 for",
            ),
            (["capture-square", "--largest", "5"], "not solved at size 5"),
            (["number-cross", "--plot", "x.txt"], "x.txt"),
            (["number-cross", "--workers", "0"], "--workers must be between 1 and 1024, not 0."),
        ):
            assert main(["balance", *words]) == 2
            assert told in capsys.readouterr().err
