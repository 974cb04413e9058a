"""Environments of our games, each with one planted difference from the rules; `RULED` says what must be told."""

import numpy as np

from pentagrid.core.readings import read_as
from pentagrid.envs import ggbench
from pentagrid.games.capture_square import readings as capture_square
from pentagrid.games.capture_squares import readings as capture_squares
from pentagrid.games.matrix_capture import readings as matrix_capture
from pentagrid.games.number_cross import readings as number_cross

RULED = {}
"""The class: the game, and (check, cause) of each finding that must be told, and no others of the rules."""
Sound = ggbench.MatrixCapture


def tells(game, *findings):
    def register(kind):
        RULED[kind.__name__] = (game, set(findings))
        return kind

    return register


def by_reading(drop_in, readings, *names):
    """A drop-in that plays by other readings."""

    class Read(drop_in):
        def __init__(self):
            super().__init__()
            self.game = read_as(self.game, [one for one in readings.READINGS if one.name in names])
            self._episodes.game = self.game
            self.reset()

    return Read


@tells("matrix-capture", ("rules-reading", "tie-to-first"))
class TieToFirst(by_reading(Sound, matrix_capture, "tie-to-first")):
    pass


@tells("matrix-capture", ("rules-reading", "row-stays"))
class RowStays(by_reading(Sound, matrix_capture, "row-stays")):
    pass


@tells("matrix-capture", ("rules-reading", "tie-to-first"), ("rules-reading", "column-stays"))
class TwoReadings(by_reading(Sound, matrix_capture, "column-stays", "tie-to-first")):
    pass


@tells("number-cross", ("rules-reading", "overlap-once"))
class OverlapOnce(by_reading(ggbench.NumberCross, number_cross, "overlap-once")):
    """The winner is always the same as by our rules; only the scores tell the difference."""

    @property
    def scores(self):
        return self.position.scores


@tells("capture-squares", ("rules-reading", "chains"))
class Chains(by_reading(ggbench.CaptureSquares, capture_squares, "chains")):
    pass


@tells("capture-squares", ("rules-reading", "tie-to-first"))
class UnclearTie(by_reading(ggbench.CaptureSquares, capture_squares, "tie-to-first")):
    pass


@tells("capture-square", ("rules-reading", "full-board-lost"))
class NoSuddenDeath(by_reading(ggbench.CaptureSquare, capture_square, "full-board-lost")):
    pass


@tells("matrix-capture", ("rules-reward", "loser-unpaid"))
class LoserUnpaid(Sound):
    def step(self, action):
        obs, reward, done, cut, info = super().step(action)
        return obs, reward if info.get("error") else max(reward, 0.0), done, cut, {}


@tells("capture-square", ("rules-reward", "other-side"))
class OtherSide(ggbench.CaptureSquare):
    def step(self, action):
        obs, reward, done, cut, info = super().step(action)
        return obs, reward if info.get("error") else -reward, done, cut, {}


@tells("capture-square", ("rules-reward", "first-side"))
class FirstSide(ggbench.CaptureSquare):
    def step(self, action):
        obs, reward, done, cut, info = super().step(action)
        return obs, reward if info.get("error") else float(info.get("winner", 0)), done, cut, info


@tells("matrix-capture", ("rules-reward", "scaled"))
class Scaled(Sound):
    def step(self, action):
        obs, reward, done, cut, info = super().step(action)
        return obs, 5 * reward, done, cut, info


@tells("matrix-capture", ("rules-reward", "shaped"))
class Shaped(Sound):
    def step(self, action):
        obs, reward, done, cut, info = super().step(action)
        return obs, reward if done else 0.1, done, cut, info


@tells("matrix-capture", ("rules-reading", "tie-drawn"), ("rules-reward", "unexplained"))
class DrawsAreLost(Sound):
    """Two differences in the same games: nobody wins a tie, and whoever moves last is paid for it as for a loss."""

    def step(self, action):
        *answer, info = super().step(action)
        if info.get("reason") == "tie-break":
            answer[1], info["winner"] = -1.0, 0
        return *answer, info


@tells("matrix-capture", ("rules-reading", "tie-to-first"), ("rules-reward", "loser-unpaid"))
class TieAndLoser(TieToFirst):
    def step(self, action):
        obs, reward, done, cut, info = super().step(action)
        return obs, reward if info.get("error") else max(reward, 0.0), done, cut, {}


@tells("matrix-capture", ("rules-reading", "tie-to-first"))
class WrongTypeAndTie(TieToFirst):
    def _board(self):
        return super()._board().astype(np.float32)


@tells("matrix-capture", ("rules-winner", ""))
class NamesAnyWinner(Sound):
    def step(self, action):
        obs, reward, done, cut, info = super().step(action)
        if done and "error" not in info and sum(self.position.numbers) % 3 == 0:
            info = {**info, "winner": -info["winner"]}
            reward = -reward
        return obs, reward, done, cut, info


@tells("matrix-capture", ("rules-legal", ""))
class OffersTooLittle(Sound):
    def valid_moves(self):
        return super().valid_moves()[1:] if self.position.ply == 2 else super().valid_moves()


@tells("matrix-capture", ("rules-board", ""))
class KeepsARow(Sound):
    def _board(self):
        board = super()._board()
        if self.position.ply == 1:
            board[0] = self.position.numbers[:4]
        return board


@tells("matrix-capture", ("rules-end", ""))
class EndsEarly(Sound):
    def step(self, action):
        obs, reward, done, cut, info = super().step(action)
        return obs, reward, done or self.position.ply == 3, cut, info


@tells("capture-square", ("rules-reading", "no-limit"))
class NoLimit(by_reading(ggbench.CaptureSquare, capture_square, "no-limit")):
    pass


@tells("matrix-capture", ("rules-deal", ""))
class DealsZeros(Sound):
    def _board(self):
        board = super()._board()
        board[0, 0] = 0
        return board


@tells("matrix-capture", ("rules-not-compared", "observation"))
class ShowsHalf(Sound):
    def _board(self):
        return super()._board()[:2]


@tells("matrix-capture", ("rules-not-compared", "ZeroDivisionError"))
class CrashesAtOnce(Sound):
    def step(self, action):
        raise ZeroDivisionError("of course")
