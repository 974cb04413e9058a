"""The tasks for language models, offline: the framework's mock model with scripted answers."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import warnings
from math import isnan
from pathlib import Path

import pytest

import pentagrid as pg
from pentagrid.core.speech import player_names
from pentagrid.core.symmetry import least_turn
from pentagrid.errors import NotAllowedError, OffBoardError, OptionError, UnreadableError
from pentagrid.llm import prompts

inspect_ai = pytest.importorskip("inspect_ai", reason='needs the extra "llm": pip install "pentagrid[llm]"')

from inspect_ai.model import ModelOutput, ModelUsage, get_model  # noqa: E402

from pentagrid.llm import scorers, tasks  # noqa: E402
from pentagrid.llm.comparison import comparison_lines, run_models  # noqa: E402
from pentagrid.llm.dataset import make_dataset  # noqa: E402
from pentagrid.llm.metrics import RATES  # noqa: E402
from pentagrid.llm.splits import board_split, split_of  # noqa: E402

GAMES = pg.game_names()
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning", "ignore::UserWarning")


def model(answer):
    """A mock model whose answer to a conversation is scripted; usage is set, so it needs no tokenizer."""

    def output(messages, tools, choice, config):
        made = ModelOutput.from_content("mockllm/model", answer(messages))
        made.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return made

    return get_model("mockllm/model", custom_outputs=output)


def evaluate(task, answer, folder):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        log = inspect_ai.eval(task, model=model(answer), log_dir=str(folder), display="none", score=True)[0]
    assert log.status == "success", log.error
    metrics = {name: metric.value for name, metric in log.results.scores[0].metrics.items()}
    return log, {name.rpartition("/")[2]: value for name, value in metrics.items()}


def position_in(text, game):
    """The position that a prompt with board=json shows."""
    import json

    shown = json.loads(re.search(r"^\{.*\}$", text, re.M)[0])
    claims = "".join(".12"[owner] for owner in shown["claims"])
    shape, rows = game.claim_rows(), []
    for length in shape:
        rows.append(claims[:length])
        claims = claims[length:]
    board = "" if shown["board"] is None else f"board={'/'.join(','.join(map(str, row)) for row in shown['board'])} "
    rules = "".join(f"{name}={value} " for name, value in game.chosen_rules.items())
    swapped = " swapped=yes" if shown.get("swapped") else ""
    return pg.read_position(
        f"{game.name} size={game.size} {rules}{board}claims={'/'.join(rows)} turn={shown['turn']} "
        f"ply={shown['ply']}{swapped}"
    )


def perfect(game):
    """Answers with a best move of the position in the last question."""

    def answer(messages):
        asked = [message.text for message in messages if message.role == "user"][-1]
        position = position_in(asked, game)
        best = next(option.move for option in pg.analyze(position).options if option.best)
        return f"Let me think about {position.moves()[0]} first.\n\n**MOVE: {best}**"

    return answer


def legal_moves(messages):
    """The moves that a prompt lists."""
    return re.search(r"The legal moves are: (.*)", messages[-1].text)[1].split("; ")


@pytest.mark.parametrize("name", GAMES)
def test_a_scripted_perfect_player_has_no_regret_and_gets_what_its_seats_are_worth(name, tmp_path):
    task = tasks.duel(game=name, opponent="perfect", games=4, board="json", legal=False)
    log, metrics = evaluate(task, perfect(pg.load(name)), tmp_path)
    assert metrics["regret_per_move"] == 0 and metrics["wins_thrown_away"] in (0,) and metrics["forfeited"] == 0
    assert metrics["seat_score"] == 0 and metrics["illegal"] == metrics["unreadable"] == 0
    assert len(log.samples) == 4 and {sample.metadata["seat"] for sample in log.samples} == {1, 2}


@pytest.mark.parametrize("name", GAMES)
def test_a_scripted_perfect_player_finds_every_best_move(name, tmp_path):
    _, metrics = evaluate(tasks.best_move(game=name, positions=12, board="json"), perfect(pg.load(name)), tmp_path)
    assert metrics["right"] == metrics["right_of_legal"] == metrics["result_kept"] == metrics["mattered"] == 1
    assert metrics["win_regret_per_move"] == metrics["illegal"] == metrics["unreadable"] == 0
    if name != "capture-square":
        task = tasks.best_move(game=name, positions=12, board="json", payoff="points")
        _, metrics = evaluate(task, perfect(pg.load(name)), tmp_path)
        assert metrics["right"] == metrics["best"] == 1 and metrics["regret_per_move"] == 0


CHOSEN = [
    ("number-cross", 4, "pie=on,order=snake"), ("matrix-capture", 3, ["komi=2.5", "order=thue-morse"]),
    ("capture-square", 3, {"pie": True, "sudden-death-first": 2}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "size", "options"), CHOSEN)
def test_under_any_option_a_perfect_player_has_no_regret(name, size, options, tmp_path):
    game = pg.load(name, size, **tasks.read_options(options))
    chosen = {"game": name, "size": size, "options": options, "board": "json"}
    log, metrics = evaluate(tasks.duel(opponent="level:4", games=6, **chosen), perfect(game), tmp_path)
    assert metrics["regret_per_move"] == 0 and metrics["forfeited"] == 0 and metrics["seat_score"] >= 0
    for sample in log.samples:
        assert pg.read_position(sample.metadata["start"]).game == game
        news = [m.text for m in sample.messages if m.role == "user"]
        theirs, position = [], pg.read_position(sample.metadata["start"])
        for number, move in enumerate(sample.metadata["played"]["moves"]):
            if position.mover != sample.metadata["seat"] and number >= sample.metadata["played"]["begun"]:
                theirs.append(f"Player {position.mover} plays {move}.")
            position = position.play(move)
        named = [line for text in news for line in re.findall(r"Player [12] plays [^.]+\.", text)]
        assert named == theirs[: len(named)] and len(named) >= len(theirs) - 2  # each once; but for those at the end
    _, metrics = evaluate(tasks.best_move(positions=8, **chosen), perfect(game), tmp_path)
    assert metrics["right"] == 1
    answers = tasks.rules(questions=12, **chosen).dataset
    assert {sample.target for sample in answers} >= {"yes", "no"}
    for task in (tasks.duel(games=2, **chosen), tasks.best_move(positions=2, **chosen)):
        for rule in game.offered_rules:
            value = game.rules[rule.name]
            assert (f"- {rule.name}={value}: {rule.meaning}." in task.dataset[0].input) == (value != rule.values[0])


def test_a_fair_komi_is_told_deal_by_deal():
    samples = tasks.duel("number-cross", games=8, options="komi=fair").dataset
    for sample in samples:
        start = pg.read_position(sample.metadata["start"])
        assert abs(pg.analyze(start).value.margin) == 0.5
        assert f"- komi={start.game.rules['komi']}: points that the second player receives" in sample.input
    assert len({sample.input for sample in samples}) > 1


def test_after_a_swap_every_board_says_so():
    position = pg.load("number-cross", pie="on", komi="2").deal(seed=1).play("Row1").play("swap")
    drawing, data, prose = (prompts.position_text(position, board) for board in prompts.BOARD_FORMS)
    assert "have swapped sides" in drawing and "have swapped sides" in prose and '"swapped": true' in data
    assert "Komi for Player 1: 2" in drawing and "Komi for Player 1: 2" in prose
    with pytest.raises(NotAllowedError, match="no-swap"):
        prompts.read_move("MOVE: swap", position)


def test_a_poor_player_is_measured_as_such(tmp_path):
    def first_legal(messages):
        moves = re.findall(r"The legal moves are: (.*)", messages[-1].text)
        return f"move: {moves[0].split('; ')[-1]}"

    log, metrics = evaluate(tasks.duel(game="number-cross", opponent="perfect", games=10), first_legal, tmp_path)
    assert metrics["seat_score"] < 0 and metrics["regret_per_move"] > 0 and metrics["win_rate"] < 0.5
    assert 0 < metrics["best"] < 1 and metrics["wins_thrown_away"] > 0
    counts = [sample.scores["game_played"].metadata for sample in log.samples]
    for sample, count in zip(log.samples, counts, strict=True):
        position, regret = pg.read_position(sample.metadata["start"]), 0
        for move in sample.metadata["played"]["moves"]:
            if position.mover == sample.metadata["seat"]:
                regret += next(o.regret for o in pg.analyze(position).options if o.move == move)
            position = position.play(move)
        assert count["regret"] == regret and count["won"] == (position.outcome().winner == sample.metadata["seat"])


def test_illegal_and_unreadable_answers_are_told_and_counted_apart(tmp_path):
    heard = []

    def stubborn(messages):
        heard.append(messages[-1].text)
        return ("I resign.", "MOVE: R1C1")[sum(message.role == "assistant" for message in messages) % 2]

    task = tasks.duel(game="matrix-capture", opponent="greedy", games=2, retries=2)
    log, metrics = evaluate(task, stubborn, tmp_path)
    assert metrics["unreadable"] == pytest.approx(0.5, abs=0.2) and metrics["illegal"] > 0
    assert metrics["forfeited"] > 0
    assert any("is not a move" in text or "MOVE" in text for text in heard)
    assert any(sample.metadata["played"]["reason"] == "illegal" for sample in log.samples)
    assert any("has already been captured" in text or "is not available" in text for text in heard)


def test_who_never_names_a_legal_move_has_no_regret_to_speak_of(tmp_path):
    _, metrics = evaluate(tasks.best_move("matrix-capture", positions=6), lambda messages: "MOVE: nonsense", tmp_path)
    assert metrics["unreadable"] == 1 and metrics["right"] == 0
    assert isnan(metrics["regret_per_move"]) and isnan(metrics["right_of_legal"])


@pytest.mark.parametrize("name", GAMES)
def test_questions_about_the_rules_have_right_answers(name, tmp_path):
    game = pg.load(name)

    def knows(messages):
        text = messages[-1].text
        position = position_in(text, game) if "who has won" not in text.lower() else None
        if position is not None:
            move = re.search(r"Is the move (.+?) legal", text)[1]
            return f"ANSWER: {'Yes' if game.action(move) in position.actions() else 'No'}."
        shown = re.search(r"^\{.*\}$", text, re.M)[0].replace('"turn": null', '"turn": 1')
        import json

        data = json.loads(shown)
        claims = {seat: sum(1 << i for i, who in enumerate(data["claims"]) if who == seat) for seat in (1, 2)}
        numbers = tuple(n for row in data["board"] or () for n in row)
        ply = data["ply"]
        scores = game.count_scores(numbers, claims[1], claims[2])
        final = pg.Position(game, numbers, claims[1], claims[2], game.side_at(ply), ply, scores)
        return f"Well.\nAnswer: Player {final.outcome().winner}"

    log, metrics = evaluate(tasks.rules(game=name, questions=24, board="json"), knows, tmp_path)
    assert metrics["right"] == metrics["right_of_read"] == 1 and metrics["unreadable"] == 0
    targets = {sample.target for sample in log.samples}
    assert {"yes", "no"} <= targets and targets & set(player_names(game))


def test_an_unreadable_answer_about_the_rules_is_counted_apart(tmp_path):
    _, metrics = evaluate(tasks.rules("matrix-capture", questions=6), lambda messages: "It depends.", tmp_path)
    assert metrics["unreadable"] == 1 and metrics["right"] == 0 and isnan(metrics["right_of_read"])


@pytest.mark.parametrize(("reply", "choice"), [
    ("ANSWER: Player B", "Player B"), ("answer: **b**", "Player B"), ("2", "Player B"), ("ANSWER: seat 1.", "Player A"),
    ("Player A (seat 1)", "Player A"), ("ANSWER: Player C", None), ("yes", None), ("", None),
])  # fmt: skip
def test_a_player_can_be_named_in_several_ways(reply, choice):
    assert scorers.read_choice(reply, ["Player A", "Player B"]) == choice


def test_prompts_call_players_what_the_game_calls_them(tmp_path):
    position = pg.load("capture-squares").deal(seed=1).play("1,1")
    texts = [prompts.move_prompt(position, board, legal=True) for board in prompts.BOARD_FORMS]
    (tmp_path / "short.md").write_text("Claim cells.")
    asked = tasks.rules("capture-squares", questions=9, rules=str(tmp_path / "short.md")).dataset
    texts += [sample.input for sample in asked]
    assert "You are Player B, and" in texts[0] and "You are Player B (seat 2), and" in texts[1]
    assert "owned by Player A" in texts[2] and not any(re.search(r"Player [12]", text) for text in texts)


class TestReadingAnswers:
    position = pg.load("matrix-capture").read_board("5 3 6 2/4 7 1 8/9 2 5 3/6 4 7 1").play("R2C2")

    @pytest.mark.parametrize(
        "reply",
        ["MOVE: R1C1", "move: r1c1", "R1C1", " `R1C1` ", "**MOVE:** R1C1", "**MOVE: R1C1**", "> MOVE: R1 C1.",
         "I think MOVE: R3C3 is bad.\nMOVE: R3C3\nNo, rather:\nMOVE: R1C1\n", "MOVE: “R1C1”!", "# Move : R1,C1",
         r"\boxed{R1C1}", "[R1C1]", "R1C1 (9)", '{"move": "R1C1"}', r"MOVE: \boxed{R1C1}", "MOVE: [R1C1]",
         "**MOVE: R1C1 (9)**", 'MOVE: {"move": "R1C1"}', 'I see.\n```json\n{"why": "big", "move": "R1C1"}\n```',
         r"So it is $\boxed{\text{R1C1}}$.",
         "MOVE: `R1C1` (the 5)", r"First \boxed{R3C3}, no: \boxed{R1C1}", "MOVE: $R1C1$",
         "(R1C1)", "MOVE: (R1C1)", r"\boxed{MOVE: R1C1}", '{"move": "(R1C1)"}', "MOVE: <R1C1>",
         r"MOVE: \(R1C1\)", r"\[ \boxed{R1C1} \]", r"MOVE: \(\text{R1C1}\) (9)", r"\[R1C1\]"],
    )  # fmt: skip
    def test_fair(self, reply):
        assert prompts.read_move(reply, self.position) == 0

    @pytest.mark.parametrize(
        "reply", ["", "I take R1C1 because it is big.", "MOVE:", "MOVE: R1C1 or R1C3", "remove: R1C1 now",
                  "The best\nMOVE is R1C1"]
    )  # fmt: skip
    def test_strict(self, reply):
        with pytest.raises(UnreadableError):
            prompts.read_move(reply, self.position)

    @pytest.mark.parametrize("reply", ["MOVE: R2C3", "MOVE: R9C9", r"\boxed{R0C1}", "R5C1 (9)"])
    def test_a_cell_that_cannot_be_taken_is_illegal_not_unreadable(self, reply):
        with pytest.raises((NotAllowedError, OffBoardError)) as caught:
            prompts.read_move(reply, self.position)
        assert prompts.is_illegal(caught.value)

    @pytest.mark.parametrize(
        ("name", "off"),
        [("capture-square", "E1"), ("number-cross", "Row4"), ("capture-squares", "5,1"), ("number-grid-battle", "3 0")],
    )
    def test_off_the_board_in_every_notation(self, name, off):
        with pytest.raises(OffBoardError):
            prompts.read_move(f"MOVE: {off}", pg.load(name).deal(seed=1))


class TestPrompts:
    def test_rules_of_the_users_own(self, tmp_path):
        (tmp_path / "mine.md").write_text("Take what you like.")
        sample = tasks.duel("matrix-capture", rules=str(tmp_path / "mine.md"), games=2).dataset[0]
        assert "Take what you like." in sample.input and "Sudden" not in sample.input
        assert "removed" in tasks.duel("matrix-capture", games=2).dataset[0].input
        (tmp_path / "bytes").write_bytes(b"\xff")
        for wrong in (tmp_path / "no.md", tmp_path / "bytes", tmp_path):
            with pytest.raises(OptionError):
                tasks.duel("matrix-capture", rules=str(wrong), games=2)

    def test_legal_moves_are_listed_or_not(self):
        with_list, without = (
            tasks.best_move("matrix-capture", positions=3, legal=legal).dataset[0].input for legal in (True, False)
        )
        assert "The legal moves are: " in with_list and "The legal moves are: " not in without

    @pytest.mark.parametrize("name", GAMES)
    def test_three_ways_to_show_a_board(self, name):
        position = pg.load(name).deal(seed=1)
        position = position.play(position.actions()[0])
        drawing, data, prose = (prompts.position_text(position, board) for board in prompts.BOARD_FORMS)
        assert position_in(data, position.game) == position and player_names(position.game)[0] in prose
        assert len({drawing, data, prose}) == 3

    @pytest.mark.parametrize(
        "options",
        [{"board": "film"}, {"opponent": "human"}, {"opponent": "best"}, {"games": 3}, {"game": "chess"}, {"size": 99},
         {"options": "pie"}, {"options": "pie=on,pie=off"}, {"options": "pie=maybe"}, {"options": {"color": "red"}}],
    )  # fmt: skip
    def test_options_that_cannot_be(self, options):
        with pytest.raises(OptionError):
            tasks.duel(**({"game": "matrix-capture"} | options))


def test_the_framework_finds_the_tasks_by_name(tmp_path):
    """As `inspect eval pentagrid/best_move -T …` does, from its command line and from Python."""
    task_args = {"game": "number-cross", "positions": 3, "board": "json"}
    log = inspect_ai.eval("pentagrid/best_move", task_args=task_args, model=model(perfect(pg.load("number-cross"))),
                          log_dir=str(tmp_path), display="none")[0]  # fmt: skip
    assert log.status == "success" and log.eval.task == "pentagrid/best_move" and len(log.samples) == 3
    command = Path(sys.executable).with_name("inspect")
    env = {**os.environ, "HOME": str(tmp_path), "INSPECT_DISABLE_MODEL_API": "1"}
    output = subprocess.run(
        [command, "eval", "pentagrid/duel", "-T", "game=matrix-capture", "-T", "opponent=level:5", "-T", "games=2",
         "--model", "none/none", "--log-dir", str(tmp_path / "logs"), "--display", "plain"],
        capture_output=True, text=True, cwd=tmp_path, env=env, timeout=120,
    ).stdout  # fmt: skip
    assert "Model APIs disabled" in output, output  # it was found and begun: only a model was missing
    assert [path.name.split("_")[1] for path in (tmp_path / "logs").glob("*.eval")] == ["duel"]


class TestEpochs:
    """Every epoch counts, and answers on one deal are one cluster."""

    @pytest.fixture(scope="class")
    def evaluated(self, tmp_path_factory):
        """A model that answers worse from epoch to epoch."""
        game, heard = pg.load("matrix-capture"), {}

        def answer(messages):
            position = position_in(messages[-1].text, game)
            times = heard[position.text] = heard.get(position.text, -1) + 1
            options = sorted(pg.analyze(position).options, key=lambda option: option.regret)
            return "MOVE: R9C9" if times == 3 else f"MOVE: {options[min(times * 2, len(options) - 1)].move}"

        folder = tmp_path_factory.mktemp("logs")
        task = tasks.best_move("matrix-capture", positions=12, board="json")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            log = inspect_ai.eval(task, model=model(answer), log_dir=str(folder), display="none", epochs=4)[0]
        return log, folder

    def test_all_epochs_are_in_every_metric(self, evaluated):
        log, _ = evaluated
        counts = [sample.scores["move_chosen"].metadata for sample in log.samples]
        assert len(counts) == 48 and sum(count["illegal"] for count in counts) == 12
        metrics = {name: metric.value for name, metric in log.results.scores[0].metrics.items()}
        assert len(log.results.scores) == 1 and metrics["illegal"] == 0.25
        regret = sum(count.get("regret", 0) for count in counts) / 36
        assert metrics["regret_per_move"] == pytest.approx(regret) and regret > 0

    def test_standard_errors_are_clustered_by_deal(self, evaluated):
        import numpy as np

        log, _ = evaluated
        metrics = {name: metric.value for name, metric in log.results.scores[0].metrics.items()}
        for rate in RATES["best_move"]:
            clusters = {}
            for sample in log.samples:
                count = sample.scores["move_chosen"].metadata
                both = clusters.setdefault(sample.metadata["deal"], np.zeros(2))
                both += count.get(rate.top, 0), count.get(rate.bottom, 0)
            top, bottom = np.array(list(clusters.values())).T
            top, bottom = top[bottom > 0], bottom[bottom > 0]
            residual = top - top.sum() / bottom.sum() * bottom
            error = np.sqrt((residual**2).sum() * len(top) / (len(top) - 1)) / bottom.sum()
            assert metrics[f"{rate.name}_stderr"] == pytest.approx(error), rate.name
        assert metrics["stderr"] == metrics["right_stderr"] > 0

    def test_they_are_in_the_data_frame(self, evaluated):
        pytest.importorskip("pandas", reason="needs pandas: pip install pandas pyarrow")
        from inspect_ai.analysis import evals_df

        log, folder = evaluated
        frame = evals_df(str(folder))
        metrics = log.results.scores[0].metrics
        for rate in RATES["best_move"]:
            for name in (rate.name, f"{rate.name}_stderr"):
                assert frame[f"score_move_chosen_{name}"][0] == pytest.approx(metrics[name].value)
        assert frame["score_headline_stderr"][0] == pytest.approx(metrics["right_stderr"].value)

    def test_one_table_has_all_models_with_intervals(self, evaluated, program):
        log, folder = evaluated
        never = [model(lambda messages: "Pass."), model(lambda messages: "R1C1")]
        logs = run_models(
            "best_move", never, {"game": ["number-cross", "matrix-capture"], "positions": 3}, folder / "two"
        )
        lines = comparison_lines([log, *logs])
        assert len(lines) == 2 + 1 + 3 + 3 and lines[1].split()[:3] == ["model", "game", "answers"]
        assert re.search(r"matrix-capture +48 +\d+\.\d % \[\d+\.\d, \d+\.\d\]", lines[2])
        assert re.search(r" all +6 +0\.0 % \[0\.0, [1-9]\d\.\d\] +–", lines[5])  # none right of six: not [0, 0]
        assert program("evaluate", "--log-dir", str(folder)).splitlines()[1] == lines[1]
        assert "has no logs" in program("evaluate", "--log-dir", str(folder / "none"), code=2)

    def test_games_with_and_without_points_have_no_common_regret(self, tmp_path):
        task = tasks.best_move(["capture-square", "number-cross"], positions=6)
        log, metrics = evaluate(task, lambda messages: f"MOVE: {legal_moves(messages)[0]}", tmp_path)
        assert isnan(metrics["regret_per_move"]) and isnan(metrics["regret_per_move_stderr"])
        assert metrics["win_regret_per_move"] > 0
        names, *games, both = (re.split(" {2,}", line) for line in comparison_lines([log])[1:])
        column = names.index("regret_per_move")
        assert both[1] == "all" and both[column] == "–"
        assert all(float(game[column].split()[0]) > 0 for game in games)

    def test_payoffs_have_tables_of_their_own_and_nobody_is_sure_never_to_err(self, tmp_path):
        game, logs = pg.load("number-cross"), []
        for payoff in ("win", "points"):
            for name, answer in (("best", perfect(game)), ("first", lambda messages: "MOVE: Row1")):
                task = tasks.best_move("number-cross", positions=12, board="json", payoff=payoff)
                logs.append(evaluate(task, answer, tmp_path / payoff / name)[0])
        lines = comparison_lines(logs)
        assert [line for line in lines if "payoff" in line] == [
            f"best_move, payoff {payoff} (95 % intervals, deals as clusters)" for payoff in ("win", "points")
        ]
        assert len(lines) == 2 * 4 + 1
        regret, low, high = map(float, re.search(r" (\d\.\d\d) \[(\d\.\d\d), (\d\.\d\d)\]", lines[2]).groups())
        assert regret == low == 0 < high

    def test_a_model_that_fails_is_named(self, program, tmp_path):
        words = ["rules", "--models", "none/none", "--game", "number-cross", "-T", "questions=1"]
        running = program.start("evaluate", *words, "--log-dir", str(tmp_path / "logs"))
        said = running.communicate(timeout=60)[0].decode()  # the framework shows the error as a traceback
        assert running.returncode == 1
        assert "none/none is not in the table: it did not finish (error). Its log is" in said

    @pytest.mark.parametrize(("task", "options", "message"), [
        ("chess", {}, "The task must be duel, best_move, rules, not chess"),
        ("rules", {"payoff": "win"}, "The task rules has no option payoff; it has game"),
    ])  # fmt: skip
    def test_a_comparison_that_cannot_be(self, task, options, message, tmp_path):
        with pytest.raises(OptionError, match=message):
            run_models(task, [], {"game": "all", **options}, tmp_path)


class TestSplits:
    @pytest.mark.parametrize("name", GAMES)
    def test_questions_and_data_sets_share_no_position_and_no_board(self, name):
        """Whatever the seeds, and up to the game's symmetries."""
        game = pg.load(name)
        asked = [pg.read_position(s.metadata["position"]) for s in tasks.best_move(name, positions=40).dataset]
        asked += [pg.read_position(s.metadata["position"]) for s in tasks.best_move(name, 40, split="test").dataset]
        assert len(asked) == 80
        for position, split in zip(asked, ["questions"] * 40 + ["test"] * 40, strict=True):
            assert split_of(position) == split
        for seed in (0, 1):
            for row in make_dataset(game, 60, seed).rows:
                position = pg.read_position(row["position"])
                assert split_of(position) == row["split"] in ("train", "validation", "test")
                if row["split"] != "test" and game.has_numbers:
                    boards = {least_turn(one.numbers, game.size) for one in asked}
                    assert least_turn(position.numbers, game.size) not in boards

    @pytest.mark.parametrize("name", GAMES)
    def test_duels_are_on_boards_of_their_own(self, name):
        game = pg.load(name)
        for sample in tasks.duel(name, games=6).dataset:
            start = pg.read_position(sample.metadata["start"])
            for move in sample.metadata["opening"]:
                start = start.play(move)
            split = board_split(game, start.numbers) if game.has_numbers else split_of(start)
            assert split == "questions"

    @pytest.mark.parametrize("name", GAMES)
    def test_rule_questions_are_about_positions_of_their_own(self, name, monkeypatch):
        shown = []

        def position_text(position, board):
            shown.append(position)
            return position.text

        monkeypatch.setattr(prompts, "position_text", position_text)
        assert len(tasks.rules(name, questions=24).dataset) == len(shown) == 24
        for position in shown:
            assert (board_split(position.game, position.numbers) or split_of(position)) == "questions"

    def test_equal_positions_are_in_one_split(self):
        game = pg.load("capture-square")
        one, two = game.deal().play("A1").play("B2"), game.deal().play("D4").play("C3")
        assert split_of(one) == split_of(two)

    def test_private_questions_take_their_seed_from_the_environment(self, monkeypatch):
        monkeypatch.delenv("PENTAGRID_PRIVATE_SEED", raising=False)
        with pytest.raises(OptionError, match=r"PENTAGRID_PRIVATE_SEED must be a whole number .* it is not set"):
            tasks.best_move("number-cross", positions=3, split="private")
        monkeypatch.setenv("PENTAGRID_PRIVATE_SEED", "12345")
        with pytest.raises(OptionError, match="from 1099511627776"):
            tasks.best_move("number-cross", positions=3, split="private")
        secret = "7719284655012345678"
        monkeypatch.setenv("PENTAGRID_PRIVATE_SEED", secret)
        with pytest.raises(OptionError, match="give no seed"):
            tasks.best_move("number-cross", positions=3, split="private", seed=4)
        task = tasks.best_move("number-cross", positions=3, split="private")
        assert secret not in str(task.metadata) and len(task.metadata["seed_fingerprint"]) == 16
        for sample in task.dataset:
            assert split_of(pg.read_position(sample.metadata["position"])) == "private"

    def test_every_task_says_where_its_questions_come_from(self):
        for task in (
            tasks.duel("number-cross", games=2),
            tasks.best_move("number-cross", 2),
            tasks.rules("number-cross"),
        ):
            assert "pentagrid canary" in task.metadata["canary"]
            assert task.metadata["generator"] == 2 and task.metadata["split"] == "questions"
        with pytest.raises(OptionError, match="split must be train, validation, test, questions or private, not 'all'"):
            tasks.rules("number-cross", split="all")


class TestPayoff:
    def test_a_winning_move_is_right_when_winning_counts(self, tmp_path):
        """The worst move that still wins is right under `win`, and wrong under `points` where it gives points away."""
        game = pg.load("matrix-capture")

        def worst_win(messages):
            options = pg.analyze(position_in(messages[-1].text, game)).options
            kept = [option for option in options if not option.win_regret]
            return f"MOVE: {max(kept, key=lambda option: option.regret).move}"

        metrics = {}
        for payoff in ("win", "points"):
            task = tasks.best_move("matrix-capture", positions=30, board="json", payoff=payoff)
            _, metrics[payoff] = evaluate(task, worst_win, tmp_path / payoff)
        assert metrics["win"]["right"] == metrics["win"]["result_kept"] == 1 > metrics["win"]["best"]
        assert metrics["points"]["right"] == metrics["points"]["best"] < 1 == metrics["points"]["result_kept"]

    def test_the_prompt_tells_what_counts(self):
        for payoff, words in (("win", "whether you win"), ("points", "final difference in points")):
            for task in (
                tasks.duel("number-cross", games=2, payoff=payoff),
                tasks.best_move("number-cross", 2, payoff=payoff),
            ):
                assert words in task.dataset[0].input
        assert "whether you win the game. A move" in tasks.duel("capture-square", games=2).dataset[0].input
        with pytest.raises(OptionError, match="payoff must be win in Capture Square"):
            tasks.duel("capture-square", payoff="points")

    def test_a_duel_for_points_pays_the_margin(self, tmp_path):
        task = tasks.duel("number-cross", opponent="perfect", games=4, board="json", legal=False, payoff="points")
        log, metrics = evaluate(task, perfect(pg.load("number-cross")), tmp_path)
        assert metrics["seat_score"] == 0 and metrics["mattered"] > 0
        for sample in log.samples:
            start, seat = pg.read_position(sample.metadata["start"]), sample.metadata["seat"]
            margin = pg.analyze(start).value.margin
            assert sample.scores["game_played"].value == (margin if seat == 1 else -margin)


class TestGames:
    def test_several_games_and_all(self):
        assert {s.metadata["game"] for s in tasks.rules("all", questions=3).dataset} == set(GAMES)
        assert {s.metadata["game"] for s in tasks.rules(["number-cross", "capture-square"], questions=3).dataset} == {
            "number-cross", "capture-square",
        }  # fmt: skip
        samples = tasks.best_move("number-cross,number-grid-battle", positions=2).dataset
        assert len(samples) == 4 and len({sample.id for sample in samples}) == 4

    def test_without_a_game_there_is_a_sentence(self):
        for task in (tasks.duel, tasks.best_move, tasks.rules):
            with pytest.raises(OptionError, match=r"game must be given \(-T game=NAME\): capture-square, .*, or all\."):
                task()

    @pytest.mark.parametrize("name", GAMES)
    def test_tips_only_where_they_are_asked_for_and_the_notation_is_exact(self, name):
        plain, told = (tasks.best_move(name, 2, tips=tips).dataset[0].input for tips in (False, True))
        assert "## Tips" in told and "Tips" not in plain and len(plain) < len(told)
        assert f"exactly in the form {pg.load(name).notation.example()}" in plain
