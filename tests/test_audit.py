"""The audit finds nothing in sound environments and every planted defect in broken ones."""

from __future__ import annotations

import json
import random

import pytest

import pentagrid as pg

pytest.importorskip("gymnasium", reason='needs the extra "envs": pip install "pentagrid[envs]"')

from pentagrid.audit import KINDS, audit_environment
from pentagrid.envs import ggbench

Sound = ggbench.MatrixCapture


class IgnoresSeeds(Sound):
    def reset(self, *, seed=None, options=None):
        return super().reset(seed=random.randrange(1 << 30))


class AlwaysTheSameDeal(Sound):
    def reset(self, *, seed=None, options=None):
        return super().reset(seed=1)


class OffersTooMuch(Sound):
    def valid_moves(self):
        return list(range(16)) if self.position.ply == 2 else super().valid_moves()


class OffersTooLittle(Sound):
    def valid_moves(self):
        return super().valid_moves()[1:] if self.position.ply == 2 else super().valid_moves()


class ScoresLossesAsDraws(Sound):
    def step(self, action):
        obs, reward, done, cut, info = super().step(action)
        return obs, reward if info.get("error") else max(reward, 0), done, cut, {}


class PaysTwice(Sound):
    def step(self, action):
        obs, reward, done, cut, info = super().step(action)
        return obs, 2 * reward, done, cut, info


class NamesTheLoser(Sound):
    def step(self, action):
        obs, reward, done, cut, info = super().step(action)
        return obs, reward, done, cut, {"winner": -info["winner"]} if info else info


class NeverEnds(Sound):
    def step(self, action):
        if self.done:
            self.reset()
        obs, reward, _, cut, info = super().step(action)
        return obs, reward, "error" in info, cut, {}

    def valid_moves(self):
        return super().valid_moves() or [0]


class LeavesNoMove(Sound):
    def step(self, action):
        obs, reward, _, cut, info = super().step(action)
        return obs, reward, "error" in info, cut, {}


class EndsEarly(Sound):
    def step(self, action):
        obs, reward, done, cut, info = super().step(action)
        return obs, reward, done or self.position.ply == 3, cut, info


class KeepsTheRow(Sound):
    def _board(self):
        board = super()._board()
        if self.position.ply == 1:
            board[0] = self.position.numbers[:4]
        return board


class DealsZeros(Sound):
    def _board(self):
        board = super()._board()
        board[0, 0] = 0
        return board


class WrongType(Sound):
    def _board(self):
        return super()._board().astype("float32")


class TakesAnything(Sound):
    def step(self, action):
        if action not in self.valid_moves() and not self.done:
            action = self.valid_moves()[0]
        return super().step(action)


class RewardsIllegal(Sound):
    def step(self, action):
        obs, reward, done, cut, info = super().step(action)
        return obs, abs(reward) if reward == -10 else reward, done, cut, info


class Crashes(Sound):
    def step(self, action):
        if self.position.ply == 2:
            raise ZeroDivisionError("of course")
        return super().step(action)


class DrawsPictures(Sound):
    def render(self):
        return None


PLANTED = {
    IgnoresSeeds: "seeding", AlwaysTheSameDeal: "seeding", OffersTooMuch: "legal moves", OffersTooLittle: "legal moves",
    ScoresLossesAsDraws: "winner", PaysTwice: "reward", NamesTheLoser: "winner", NeverEnds: "endless",
    LeavesNoMove: "endless", EndsEarly: "end", KeepsTheRow: "board", DealsZeros: "deal", WrongType: "space",
    TakesAnything: "illegal moves", RewardsIllegal: "illegal moves", Crashes: "crash", DrawsPictures: "render",
}  # fmt: skip


@pytest.mark.parametrize("name", pg.game_names())
def test_our_own_are_sound(name):
    report = audit_environment(ggbench.drop_in(name), pg.load(name), games=1000)
    assert report.differences == () and report.games == 1000 and report.steps > 3000


@pytest.mark.parametrize("broken", PLANTED, ids=lambda kind: kind.__name__)
def test_every_planted_defect_is_found_and_nothing_else(broken):
    report = audit_environment(broken, pg.load("matrix-capture"), games=200)
    assert [difference.kind for difference in report.differences] == [PLANTED[broken]]


def test_every_kind_of_difference_has_its_planted_defect():
    assert set(PLANTED.values()) == set(KINDS)


def test_the_moves_reproduce_what_is_reported():
    one = audit_environment(KeepsTheRow, pg.load("matrix-capture"), games=50).differences[0]
    env = KeepsTheRow()
    env.reset(seed=one.seed)
    for action in one.actions:
        obs = env.step(action)[0]
    assert pg.load("matrix-capture").write_board(env.position) == one.board
    assert str(obs.ravel().tolist()) in one.detail and one.games > 10
    assert one.reproduce() == f"env.reset(seed={one.seed}); env.step({one.actions[0]})"


def test_the_command(program):
    (program.folder / "mine.py").write_text(
        "from pentagrid.envs.ggbench import CaptureSquare\n"
        "class Mine(CaptureSquare):\n"
        "    def step(self, action):\n"
        "        obs, reward, done, cut, info = super().step(action)\n"
        "        return obs, reward, 'error' in info, cut, info\n"
    )
    ask = ("audit", "--game", "capture-square", "--games", "300", "--env")
    assert program(*ask, "pentagrid.envs.ggbench:CaptureSquare").endswith("No difference found.\n")
    output = program(*ask, "mine:Mine", code=1)
    assert "endless: the game does not end at all" in output and "To see it: env.reset(seed=" in output
    data = json.loads(program(*ask, "mine:Mine", "--json", code=1))
    assert data["games"] == 300 and data["differences"][0]["kind"] == "endless"


@pytest.mark.parametrize(
    ("raised", "message"),
    [
        ("RuntimeError('no screen')", "without arguments: making it raised RuntimeError: no screen."),
        ("KeyError('size')", "without arguments: making it raised KeyError: 'size'."),
        ("AssertionError()", "without arguments: making it raised AssertionError."),
        ("TypeError('two\\nlines.')", "without arguments: making it raised TypeError: two lines."),
    ],
)
def test_an_environment_that_cannot_be_made_is_reported_in_a_sentence(program, raised, message):
    (program.folder / "mine.py").write_text(f"class Mine:\n    def __init__(self):\n        raise {raised}\n")
    (program.folder / "worse.py").write_text(f"raise {raised}\n")
    ask = ("audit", "--game", "capture-square", "--games", "10", "--env")
    assert f"pentagrid: The environment cannot be made {message}\n" in program(*ask, "mine:Mine", code=2)
    assert "pentagrid: 'worse:Mine' cannot be loaded: " in program(*ask, "worse:Mine", code=2)


def test_one_that_cannot_be_made_again_ends_the_audit_with_what_was_found():
    made = []

    def once():
        if made:
            raise MemoryError("enough")
        made.append(Crashes())
        return made[0]

    report = audit_environment(once, pg.load("matrix-capture"), games=50)
    assert [difference.kind for difference in report.differences] == ["crash"] and report.games < 50
    assert report.differences[0].games == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--env", "nothing", "--game", "matrix-capture"), "must be MODULE:CLASS"),
        (("--env", "nothing:Here", "--game", "matrix-capture"), "cannot be loaded"),
        (("--env", "json:Nothing", "--game", "matrix-capture"), "has no 'Nothing'"),
        (("--env", "json:__doc__", "--game", "matrix-capture"), "is not a class"),
        (("--env", "json:loads", "--game", "chess"), "There is no game"),
        (
            ("--env", "json:loads", "--game", "matrix-capture", "--games", "0"),
            "--games must be between 1 and 10000000, not 0",
        ),
    ],
)
def test_wrong_usage_is_reported(program, words, message):
    assert message in program("audit", *words, code=2)


def test_players_have_the_names_that_the_game_gives_them():
    class NamesTheLoser(ggbench.CaptureSquares):
        def step(self, action):
            obs, reward, done, cut, info = super().step(action)
            return obs, reward, done, cut, {"winner": -info["winner"]} if info else info

    (one,) = audit_environment(NamesTheLoser, pg.load("capture-squares"), games=5).differences
    assert one.kind == "winner" and "Player A" in one.detail and "Player B" in one.detail
