"""The audit finds every planted defect of the zoo, and nothing in sound environments."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("gymnasium", reason='needs the extra "envs": pip install "pentagrid[envs]"')

from pentagrid.audit import CHECKS, AuditSettings, Limits, Severity, audit_environments
from pentagrid.util.workers import check_workers

ZOO = Path(__file__).parent / "zoo"
QUICK = AuditSettings(Limits(games=60, compared=200), timeout=20, workers=check_workers(None))


@pytest.fixture
def zoo(monkeypatch):
    """The folder of the zoo as a place to import from."""
    monkeypatch.syspath_prepend(str(ZOO))
    return ZOO


def expected_defects():
    from aec import AEC_EXPECTED
    from defects import EXPECTED

    wanted = {f"{ZOO}/defects.py:{name}": checks for name, checks in EXPECTED.items()}
    return wanted | {f"{ZOO}/aec.py:{name}": checks for name, checks in AEC_EXPECTED.items()}


@pytest.mark.timeout(300)
def test_every_planted_defect_is_found_and_nothing_else(zoo):
    wanted = expected_defects()
    audits = audit_environments(wanted, QUICK)
    wrong = {
        audit.target.partition(":")[2]: (found, wanted[audit.target])
        for audit in audits
        if (found := {finding.check for finding in audit.findings}) != wanted[audit.target]
    }
    assert not wrong and len(audits) == len(wanted)
    assert len(set().union(*wanted.values())) >= 40, "kinds of defects"
    shows_again(audits)


def shows_again(audits):
    """Every command runs as it is printed, and shows what was reported; those that end the program are left out."""
    told = [
        (finding, finding.command)
        for audit in audits
        for finding in audit.findings
        if finding.command and finding.check not in ("exits", "dies", "hangs", "leaves-processes")
    ]
    assert len(told) > 50
    script = (
        "import sys, json, io, contextlib, traceback\n"
        "for code in json.load(sys.stdin):\n"
        "    shown = io.StringIO()\n"
        "    with contextlib.redirect_stdout(shown):\n"
        "        try: exec(code, {})\n"
        "        except BaseException as error: print('RAISED', type(error).__name__, error)\n"
        "    print(json.dumps(shown.getvalue()))\n"
    )
    codes = []
    for _, command in told:
        assert command.startswith(f"cd {ZOO} && python3 -c ")
        codes.append(shlex.split(command)[-1])
    done = subprocess.run(
        [sys.executable, "-c", script], input=json.dumps(codes), capture_output=True, text=True, cwd=ZOO, check=True
    )
    shown = [json.loads(line) for line in done.stdout.splitlines()]
    raising = {"raises", "copy-raises", "render-raises", "no-seed", "copy-shared", "cannot-make"}
    for (finding, command), output in zip(told, shown, strict=True):
        assert output, command
        assert "RAISED" not in output or finding.check in raising, (finding, output)
        if finding.check in ("raises", "copy-raises", "no-seed", "cannot-make"):
            assert "RAISED" in output, (finding, output)
        if finding.check in ("render-frozen", "render-turn", "seed-without-effect", "unseeded-same"):
            assert "None" not in output, (finding, output)
        if finding.check == "endless":
            assert "True" not in output, (finding, output)


def healthy():
    names = (
        "TellsMasks", "IgnoresIllegalMoves", "LosesByIllegalMoves", "MaskInTheObservation", "MovesTwice",
        "CountsItsTurns", "Passes", "ManyHeaps", "PaysInFloat32", "AsksForThePlayer", "PlayersAreObjects",
        "PaidUntilTimeIsUp", "TellsTrueAndFalse", "HasSetsBeside",
    )  # fmt: skip
    own = ["MatrixCapture", "CaptureSquares", "NumberGridBattle", "NumberCross", "CaptureSquare"]
    yield from (f"{ZOO}/healthy.py:{name}" for name in names)
    yield from (f"pentagrid.envs.ggbench:{name}" for name in own)
    yield f"{ZOO}/pick.py:Pick"
    yield f"{ZOO}/own_interface.py:make"
    yield "pentagrid.envs:pentagrid/MatrixCapture-v0"


def test_sound_environments_are_not_blamed():
    audits = audit_environments(healthy(), QUICK)
    assert {audit.target: audit.findings for audit in audits if audit.findings} == {}
    assert all(audit.games >= 100 and audit.moves >= 200 for audit in audits)


def test_board_games_of_pettingzoo_are_not_blamed():
    pytest.importorskip("pygame", reason='needs PettingZoo\'s classic games: pip install "pettingzoo[classic]"')
    targets = ["pettingzoo.classic.tictactoe_v3:env", "pettingzoo.classic.connect_four_v3:env"]
    audits = audit_environments(targets, QUICK._replace(limits=Limits(games=20)))
    assert {audit.target: audit.findings for audit in audits if audit.findings} == {}


def test_games_of_openspiel_are_not_blamed():
    pytest.importorskip("pyspiel", reason='needs the extra "spiel": pip install "pentagrid[spiel]"')
    pytest.importorskip("shimmy", reason="needs Shimmy: pip install shimmy")
    audits = audit_environments(
        [f"{ZOO}/open_spiel_games.py:{name}" for name in ("tic_tac_toe", "connect_four")], QUICK
    )
    assert {audit.target: audit.findings for audit in audits if audit.findings} == {}


@pytest.mark.timeout(300)
def test_differences_from_the_rules_are_told_by_cause(zoo):
    from ruled import RULED

    wrong = {}
    for game in sorted({game for game, _ in RULED.values()}):
        names = [name for name, (of, _) in RULED.items() if of == game]
        settings = QUICK._replace(rules=(game, None, {}, ()))
        for name, audit in zip(
            names, audit_environments([f"{ZOO}/ruled.py:{name}" for name in names], settings), strict=True
        ):
            found = {(one.check, one.cause) for one in audit.findings if one.check.startswith("rules-")}
            if found != RULED[name][1]:
                wrong[name] = found, RULED[name][1], audit.findings
            assert any("were compared with the rules" in note for note in audit.notes)
    assert not wrong


def test_what_the_text_leaves_open_is_no_error_and_can_be_chosen(program):
    ask = ("audit", f"{ZOO}/ruled.py:UnclearTie", "--game", "capture-squares", "--games", "400")
    told = " ".join(program(*ask).split())
    assert "The rule text is silent or unclear here:" in told and "Equal totals are won by the first player" in told
    assert "rules-reading" not in program(*ask, "--rule", "reading=tie-to-first")
    assert "There is no reading 'soft'" in program(*ask, "--rule", "reading=soft", code=2)


@pytest.mark.alone
def test_an_environment_that_hangs_is_ended_and_told_where():
    settings = QUICK._replace(timeout=1.0, workers=2)
    for audit in audit_environments([f"{ZOO}/trouble.py:Loops", f"{ZOO}/trouble.py:LoopsInC"], settings):
        hang = next(finding for finding in audit.findings if finding.check == "hangs")
        assert re.search(r"env\.step\(\d\) did not return within \d s in step, trouble\.py line \d+", hang.evidence), (
            hang
        )
        assert "env.reset(seed=" in hang.command and {one.check for one in audit.findings} == {"hangs"}


@pytest.mark.alone
def test_what_is_printed_without_end_does_not_fill_the_disk(tmp_path, monkeypatch):
    (tmp_path / "flood.py").write_text(
        "from pick import Pick\nclass Flood(Pick):\n    def step(self, action):\n"
        "        while True: print('x' * 100_000)\n"
    )
    (tmp_path / "pick.py").write_text((ZOO / "pick.py").read_text())
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    most = [0]

    def watch():
        sizes = [file.stat().st_size for file in tmp_path.glob("pentagrid-audit-*/*/stdout")]
        most[0] = max([*most, *sizes])
        return False

    settings = QUICK._replace(timeout=4.0, workers=1)
    (audit,) = audit_environments([f"{tmp_path}/flood.py:Flood"], settings, stop=watch)
    assert {finding.check for finding in audit.findings} == {"hangs"}
    assert 0 < most[0] < 2**30


def test_one_that_is_too_slow_is_no_sound_one():
    (audit,) = audit_environments([f"{ZOO}/pick.py:Pick"], QUICK._replace(most_seconds=0.0))
    assert [finding.check for finding in audit.findings] == ["unfinished"]


PROTOCOL = """
import numpy as np

class Walk:
    def __init__(self): self.view = np.zeros(2, int)
    def go(self, seed):
        self.place = int(np.random.default_rng(seed or 0).integers(3, 7))
        self.who, self.view[:] = 0, (self.place, 0)

def make(): return Walk()
def reset(env, seed):
    env.go(seed)
    return env.view, {}
def step(env, way):
    if env.place in (0, 9): raise ValueError
    env.place, env.who = env.place + (1 if way else -1), 1 - env.who
    env.view[:] = env.place, env.who
    return env.view, float(env.place in (0, 9)), env.place in (0, 9), False, {}
def legal(env): return [] if env.place in (0, 9) else [0, 1]
def player(env): return env.who
"""


def test_commands_about_a_protocol_file_use_its_functions_and_any_name(tmp_path):
    file = tmp_path / "1-walk.py"
    file.write_text(PROTOCOL)
    (audit,) = audit_environments([f"{file}:make"], QUICK)
    found = {finding.check: finding for finding in audit.findings}
    assert set(found) == {"unseeded-same", "alias", "endless", "outside-accepted"}
    outside = {finding.cause.split()[0] for finding in audit.findings if finding.check == "outside-accepted"}
    assert outside == {"-1", "2", "1000000000", "0.5", "None"}, "tried, though no space of actions is declared"
    for finding in found.values():
        python = finding.command.replace("python3 -c", f"{sys.executable} -c")
        done = subprocess.run(python, shell=True, capture_output=True, text=True, check=False)
        assert done.returncode == 0 and done.stdout, (finding, done.stderr)


def test_a_parallel_environment_is_told_apart(tmp_path):
    (tmp_path / "at_once.py").write_text(
        "from pettingzoo import ParallelEnv\nclass AtOnce(ParallelEnv):\n    possible_agents = ['a', 'b']\n"
        "    def reset(self, seed=None, options=None): return {}, {}\n"
        "    def step(self, actions): return {}, {}, {}, {}, {}\n"
    )
    (audit,) = audit_environments([f"{tmp_path}/at_once.py:AtOnce"], QUICK)
    (finding,) = audit.findings
    assert finding.check == "cannot-load" and "parallel_to_aec" in finding.evidence


class TestCommand:
    def test_a_stranger_asks_about_a_file(self, program):
        told = program("audit", str(ZOO / "pick.py"), "--games", "20")
        assert f"{ZOO}/pick.py:Pick\nGymnasium; legal moves from valid_moves(); turns from current_player.\n" in told
        assert told.endswith("Nothing found.\n")

    def test_prints_never_get_into_json(self, program):
        told = program("audit", f"{ZOO}/defects.py:Prints", "--json", "--games", "20", code=1)
        (env,) = json.loads(told)["environments"]
        (finding,) = env["findings"]
        assert finding["check"] == "prints" and finding["severity"] == "breaks tools" and finding["games"] == 20

    def test_untidy_counts_only_if_strict(self, program):
        ask = ("audit", f"{ZOO}/defects.py:ListsAMoveTwice", "--games", "20")
        assert "Untidy:\n  repeated-moves: " in program(*ask)
        program(*ask, "--strict", code=1)

    def test_a_folder_gets_one_report(self, program):
        folder = program.folder / "envs"
        folder.mkdir()
        for name in ("pick", "aec", "own_interface", "unloadable"):
            (folder / f"{name}.py").write_text((ZOO / f"{name}.py").read_text())
        (folder / "notes.py").write_text("raise SystemExit('not an environment: must not be loaded')\n")
        told = program("audit", "--all", "envs", "--games", "30", "--out", "report.html", code=1)
        assert "11 environments" in told and "notes" not in told
        lines = [line for line in told.splitlines() if line.startswith("envs/")]
        assert "aec.py" in lines[0] and lines[-1].endswith("nothing found")
        data = json.loads((program.folder / "report.json").read_text())
        assert [env["findings"] == [] for env in data["environments"]].count(True) == 3
        page = (program.folder / "report.html").read_text()
        assert "importing unloadable raised RuntimeError: no screen" in page and "loser-unpaid" in page
        (program.folder / "mine.html").write_text("my page")
        assert "is not from an earlier run" in program("audit", "--all", "envs", "--out", "mine.html", code=2)

    def test_odd_letters_of_an_environment_break_no_report_and_no_terminal(self, program):
        (program.folder / "pick.py").write_text((ZOO / "pick.py").read_text())
        (program.folder / "odd.py").write_text(
            "from pick import Pick\nclass Odd(Pick):\n    def step(self, action):\n"
            "        raise ValueError('half \\udcff \\x1b[2J')\n"
        )
        told = program("audit", "odd.py", "--out", "odd.html", code=1)
        page = (program.folder / "odd.html").read_text(encoding="utf-8")
        for text in (told, page, (program.folder / "odd.json").read_text(encoding="utf-8")):
            assert "\x1b" not in text and "half " in text and "udcff" in text and "x1b[2J" in text

    def test_modules_by_a_pattern(self, program):
        package = program.folder / "games"
        package.mkdir()
        (package / "__init__.py").touch()
        (package / "base.py").write_text((ZOO / "pick.py").read_text())
        (package / "game_a.py").write_text("from .base import Pick\nclass A(Pick):\n    pass\n")
        told = program("audit", "--all", "games.game_*", "--games", "20")
        assert "games.game_a:A" in told and "1 environment. Nothing found." in told

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            ((), "Name an environment"),
            (("no_such_file.py",), "There is no file 'no_such_file.py'"),
            (("a b:C",), "The environment must be FILE.py"),
            (("json",), "There is no environment in 'json'"),
            (("--all", "nowhere.*"), "cannot be read: importing nowhere raised ModuleNotFoundError"),
            (("json:loads", "--game", "chess"), "There is no game"),
            (("json:loads", "--games", "0"), "--games must be between 1 and 10000000, not 0"),
            (("json:loads", "--timeout", "0"), "--timeout must be between 0.05 and 3600, not 0.0"),
            (("json:loads", "--claim", "fair"), "--claim must be one of these, not 'fair': zero-sum"),
            (("json:loads", "--rule", "pie=on"), "say which by --game GAME"),
            (("json:loads", "--out", "x.txt"), "--out must be a file that ends in .html, not x.txt"),
        ],
    )
    def test_wrong_usage_is_reported(self, program, words, message):
        assert message in program("audit", *words, code=2)

    @pytest.mark.parametrize(
        ("target", "message"),
        [
            ("json:Nothing", "cannot-load: the environment cannot be loaded"),
            ("json:__doc__", "is not a class or function"),
            ("nothing_here:Env", "importing nothing_here raised modulenotfounderror"),
            ("NoSuchGame-v0", "making it raised namenotfound"),
        ],
    )
    def test_what_cannot_be_loaded_is_a_finding(self, program, target, message):
        assert message in program("audit", target, code=1).lower()


def test_claims_are_held():
    limits = Limits(games=40, claims=("zero-sum", "end-reward"))
    (audit,) = audit_environments([f"{ZOO}/aec.py:PaysTheLoserNothing"], QUICK._replace(limits=limits))
    assert {finding.check for finding in audit.findings} == {"loser-unpaid", "zero-sum"}


def test_every_severity_has_words_and_every_check_a_title():
    assert all(severity.words for severity in Severity) and len({s.words for s in Severity}) == len(Severity)
    assert all(check.title and not check.title.endswith(".") for check in CHECKS.values())
    page = (Path(__file__).parents[1] / "docs" / "audit.md").read_text()
    for check in CHECKS.values():
        assert f"| `{check.name}` | {check.title} | {check.severity.words} |" in page
