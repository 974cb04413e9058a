"""The comparison of all ways to play a game: nothing left out, nothing twice, and the same as the census says."""

from __future__ import annotations

import json
from itertools import pairwise
from xml.etree import ElementTree

import pytest

import pentagrid as pg
from pentagrid.core.catalog import find
from pentagrid.fairness import balance as comparison
from pentagrid.fairness.balance import (
    FRESH,
    LEVELS,
    PAIRINGS,
    Balance,
    Share,
    Standing,
    Variant,
    about_equal,
    even_komi,
    perfect_share,
    plan_balance,
    plan_final,
    standings,
)
from pentagrid.fairness.census import count_all, on_cores, plan_census
from pentagrid.fairness.recommendation import balance_data, ranking_lines, recommendation
from pentagrid.fairness.tally import MARGIN, WINNER, Tally
from pentagrid.terminal.main import main


@pytest.fixture(autouse=True)
def _own_state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(comparison, "KOMI_DEALS", 64)
    comparison.even_komis.cache_clear()
    yield
    comparison.even_komis.cache_clear()


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
        """After 16 markers it is Player 1's turn."""
        found = names("capture-square")
        assert {name for name in found if "blocks" not in name} == {
            f"{reading}{first}{pie}".strip() or "as written"
            for reading in ("", "sudden-death=exchange ")
            for first in ("", "sudden-death-first=2 ", "sudden-death-first=toss ")
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
        assert even_komi(game, [found]) == "3"
        assert even_komi(game, [Tally({MARGIN: {"-2": 5, "2": 5}, WINNER: {"1": 5, "2": 5}})]) == "0"

    def test_the_even_komi_of_several_levels_is_that_of_the_worst(self):
        """With 3 the first is even and the second 90 %; with 5 they are 40 and 60 %."""
        game = pg.load("number-cross")
        weak = Tally({MARGIN: {"1": 5, "4": 1, "8": 4}, WINNER: {"1": 10}})
        strong = Tally({MARGIN: {"1": 1, "4": 3, "8": 6}, WINNER: {"1": 10}})
        assert even_komi(game, [weak]) == "1" and even_komi(game, [strong, weak]) == "4"

    def test_what_a_square_decides_no_komi_changes(self):
        """Six squares of Player 1: only the four games on points can be moved."""
        game = pg.load("capture-square", ending="blocks")
        found = Tally({MARGIN: {"1": 2, "-1": 2}, WINNER: {"1": 8, "2": 2}})
        assert even_komi(game, [found]) == "1"

    def test_komi_does_not_depend_on_the_seed(self):
        plans = [plan_balance(find("number-cross"), None, 20, seed).variants for seed in (0, 1, 2)]
        assert plans[0] == plans[1] == plans[2]


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
                plan = plan_census(variant.game, 12, 5, fair=variant.fair, kinds=players)
                shares.append(count_all(plan, tmp_path, on_cores(1)).of(WINNER)["1"] / 12)
            row = rows[variant]
            assert [share.share for share in row.levels] == shares[: len(LEVELS)]
            assert row.skill == pytest.approx((shares[-2] + 1 - shares[-1]) / 2)
            assert row.turns >= 6

    def test_a_final_is_played_on_fresh_deals(self):
        komis = [Variant(pg.load("number-cross", komi=str(komi))) for komi in range(8)]
        balance = Balance(tuple(komis), 10, 0)
        rows = standings(balance, balance.tally(0, balance.total))
        final = plan_final(balance, rows, 15)
        assert final.first == FRESH > balance.first + balance.deals and final.deals == 15
        assert {row.variant for row in rows[:5]} <= set(final.variants) and Variant(
            pg.load("number-cross")
        ) in final.variants
        assert final.tally(0, final.total) != Balance(final.variants, 15, 0).tally(0, final.total)


class TestExact:
    """What is known is not sampled."""

    def share(self, name, fair=False, **rules):
        found = perfect_share(Variant(pg.load(name, **rules), fair), 0)
        assert found.exact
        return found.share

    def test_the_toss_and_the_pie_rule(self):
        assert self.share("matrix-capture", fair=True) == 0.5
        assert self.share("matrix-capture", pie="on") == 0 == self.share("capture-square", ending="blocks", pie="on")
        assert self.share("capture-square", sudden_death_first="toss") == 0.5

    def test_proofs_and_counts(self):
        assert self.share("capture-square") == 1 and self.share("capture-square", sudden_death_first="2") == 0
        assert self.share("capture-squares") == 1 == self.share("number-grid-battle", komi="4.5")
        assert self.share("number-grid-battle", komi="5") == 0
        assert self.share("number-cross") == 343_080 / 362_880

    def test_what_must_be_sampled_has_an_interval(self, monkeypatch):
        monkeypatch.setattr(comparison, "PERFECT_DEALS", 500)
        found = perfect_share(Variant(pg.load("matrix-capture", komi="4")), 9)
        assert not found.exact and found.low < found.share < found.high


BALANCE = Balance(tuple(Variant(pg.load("number-cross", komi=str(komi))) for komi in range(9)), 1000, 0)
FINAL = Balance(BALANCE.variants[:6], 10_000, 0, FRESH)


def standing(options, *percents, games=10_000, perfect=0.5, skill=0.7):
    shares = tuple(Share.of(Tally({WINNER: {"1": games * p // 100, "2": games - games * p // 100}})) for p in percents)
    return Standing(Variant(pg.load("number-cross", **options)), Share(perfect, perfect, perfect), shares, skill, 6)


WRITTEN = standing({}, 55, 60, 65, 70, 80, perfect=0.95)


class TestAdvice:
    def test_a_fair_way_is_recommended(self):
        told = recommendation(BALANCE, FINAL, [standing({"order": "snake"}, 50, 51, 49, 50, 52), WRITTEN])
        assert told.startswith(
            "Play Number Cross with --rule order=snake: Player 1 wins 50, 51, 49, 50 and 52 % between equal players of "
            "levels 1, 3, 5, 7 and 9, and exactly 50 % between perfect players; level:7 beats level:3 in 70 % of games."
        )
        assert "As written, Player 1 wins 55, 60, 65, 70 and 80 %" in told and "About equal" not in told

    def test_nothing_is_called_fair_that_is_not_at_every_level(self):
        told = recommendation(BALANCE, FINAL, [standing({"pie": "on"}, 50, 50, 50, 50, 60), WRITTEN])
        assert told.startswith("No way to play Number Cross is fair at every level. The closest is --rule pie=on:")

    def test_about_equal_are_those_whose_intervals_overlap_and_they_are_named(self):
        even = standing({"order": "snake", "komi": "2"}, 50, 50, 50, 50, 51)
        near = standing({"komi": "3"}, 50, 48, 50, 50, 50)
        far = standing({"komi": "4"}, 50, 50, 50, 50, 56)
        rows = [even, near, far, WRITTEN]
        assert about_equal(rows) == [near, even]
        told = recommendation(BALANCE, FINAL, rows)
        assert told.startswith("Play Number Cross with --komi 3:")
        assert "About equal, since their 95 % intervals overlap: --rule order=snake --komi 2." in told
        assert balance_data(BALANCE, rows, FINAL, rows)["final"]["about_equal"] == [  # type: ignore[index]
            "--komi 3", "--rule order=snake --komi 2"
        ]  # fmt: skip
        few = [row._replace(levels=standing({}, 50, 50, 50, 50, 51, games=100).levels) for row in rows]
        assert len(about_equal(few)) == 4

    def test_several_comparisons_are_spoken_of(self):
        told = recommendation(BALANCE, FINAL, [WRITTEN])
        assert "Of 9 ways to play, 6 went to a final of 10,000 fresh deals" in told
        assert "within 1 point, 19 times out of 20, so of 30 shares about 2 may be further off." in told
        assert told.startswith("Nothing makes Number Cross more even than the rules as they are written")

    def test_too_few_deals_are_said_to_be_too_few(self):
        assert "too rough" in recommendation(BALANCE, FINAL._replace(deals=200), [WRITTEN])
        assert "too rough" not in recommendation(BALANCE, FINAL, [WRITTEN])

    def test_players_are_called_as_the_game_calls_them(self):
        row = WRITTEN._replace(variant=Variant(pg.load("capture-squares")))
        texts = [recommendation(BALANCE, FINAL, [row]), *ranking_lines([row])]
        assert "Player A wins 55" in texts[0] and "Player A wins" in texts[1]
        assert not any("Player 1" in text for text in texts)

    def test_the_rules_as_written_are_always_in_the_table(self):
        rows = [standing({"komi": str(komi)}, 50, 50, 50, 50, 50) for komi in range(1, 20)] + [WRITTEN]
        lines = ranking_lines(rows)
        assert any(line.split()[:3] == ["20", "as", "written"] for line in lines)
        assert "7 more" in lines[-1]


class TestCommand:
    WORDS = ("balance", "number-cross", "--deals", "10", "--finals", "12", "--workers", "1")

    def test_the_table_and_the_advice(self, capsys):
        assert main([*self.WORDS]) == 0
        out = capsys.readouterr().out
        assert out.startswith("Number Cross: ") and "ways to play it, 10 deals each" in out
        assert " as written " in out and "The final, 12 fresh deals each:" in out
        assert "went to a final of 12 fresh deals" in out.replace("\n", " ")

    def test_json_and_plots(self, capsys, tmp_path):
        told = []
        for kind in ("svg", "html"):
            path = tmp_path / f"balance.{kind}"
            assert main([*self.WORDS, "--json", "--plot", str(path)]) == 0
            told.append(json.loads(capsys.readouterr().out))
        assert told[0] == told[1]
        assert told[0]["deals"] == 10 and {row["size"] for row in told[0]["ranking"]} == {3}
        texts = "".join(ElementTree.fromstring((tmp_path / "balance.svg").read_text()).itertext())
        assert "as written" in texts and "level of both players" in texts
        page = (tmp_path / "balance.html").read_text()
        assert page.count("<tr>") == len(told[0]["final"]["ranking"]) + 1 and "src=" not in page

    def test_wrong_input_is_named(self, capsys):
        for words, told in (
            (["number-cross", "--largest", "2"], "--largest must be between 3 and 8 for Number Cross, not 2."),
            (
                ["number-cross", "--deals", "3"],
                "--deals must be between 10 and 1,000,000,000,000 for",
            ),
            (["number-cross", "--finals", "3"], "--finals must be between 10 and 1,000,000,000,000 for"),
            (["number-cross", "--plot", "x.txt"], "x.txt"),
            (["number-cross", "--workers", "0"], "--workers must be between 1 and 1024, not 0."),
        ):
            assert main(["balance", *words]) == 2
            assert told in capsys.readouterr().err
