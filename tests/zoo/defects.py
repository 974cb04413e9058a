"""Environments with one planted defect each; `EXPECTED` says which checks must find it, and no others may."""

import contextlib
import json
import os
import random
import subprocess
import sys
import threading
import time

import gymnasium
import numpy as np
from pick import CELLS, Pick

EXPECTED = {}


def finds(*checks):
    def register(kind):
        EXPECTED[kind.__name__] = set(checks)
        return kind

    return register


# Chance --------------------------------------------------------------------------------------------------


@finds("same-seed", "global-random")
class DrawsFromRandom(Pick):
    def deal(self):
        self.numbers = np.array([random.randint(1, 9) for _ in range(CELLS)], np.int8)


@finds("same-seed", "global-random")
class DrawsFromNumpy(Pick):
    def deal(self):
        self.numbers = np.random.randint(1, 10, CELLS).astype(np.int8)


@finds("same-seed")
class DrawsFromTheClock(Pick):
    def deal(self):
        self.numbers = np.random.default_rng(time.perf_counter_ns()).integers(1, 10, CELLS).astype(np.int8)


@finds("same-seed")
class DealsASetOfNames(Pick):
    """The same in one process, and another game in the next."""

    def deal(self):
        super().deal()
        names = {f"cell {number}" for number in range(CELLS)}
        self.numbers = self.numbers[[int(name.split()[1]) for name in names]]


@finds("global-random")
class SeedsTheWorld(Pick):
    def reset(self, *, seed=None, options=None):
        if seed is not None:
            random.seed(seed)
        return super().reset(seed=seed)


@finds("seed-without-effect")
class OneDealForAllSeeds(Pick):
    def reset(self, *, seed=None, options=None):
        return super().reset(seed=None if seed is None else 5)


@finds("unseeded-same")
class ReseedsWithTheOldSeed(Pick):
    last = None

    def reset(self, *, seed=None, options=None):
        self.last = self.last if seed is None else seed
        return super().reset(seed=self.last)


@finds("unseeded-same")
class HasASeedOfItsOwn(Pick):
    def __init__(self):
        super().__init__()
        self.np_random = np.random.default_rng(1)


@finds("no-seed")
class TakesNoSeed(Pick):
    def reset(self):
        return super().reset()


@finds("few-openings")
class DealsTenBoards(Pick):
    def reset(self, *, seed=None, options=None):
        return super().reset(seed=int(np.random.default_rng(seed).integers(10)))


@finds("missing-number")
class NeverDealsFive(Pick):
    def deal(self):
        super().deal()
        self.numbers[self.numbers == 5] = 6


@finds("missing-number")
class NeverDealsTheHighest(Pick):
    def deal(self):
        self.numbers = self.np_random.integers(1, 9, CELLS).astype(np.int8)


# What is shown -------------------------------------------------------------------------------------------


@finds("space")
class WrongType(Pick):
    def observe(self):
        return super().observe().astype(np.float64)


@finds("space")
class WrongShape(Pick):
    def observe(self):
        return super().observe().reshape(2, CELLS)


@finds("space")
class OutOfBounds(Pick):
    def observe(self):
        return super().observe() * np.int8(2)


@finds("space")
class ShowsLists(Pick):
    def observe(self):
        return super().observe().tolist()


@finds("alias", "observation-writable")
class ShowsItsOwnMemory(Pick):
    def deal(self):
        super().deal()
        self.memory = np.concatenate([self.numbers, np.zeros(CELLS, np.int8)])

    def observe(self):
        self.memory[CELLS:] = self.owners
        return self.memory

    @property
    def scores(self):
        return [int(self.memory[:CELLS][self.owners == side].sum()) for side in (1, -1)]


@finds("alias", "observation-writable")
class ShowsItsOwnMemoryByName(ShowsItsOwnMemory):
    def __init__(self):
        super().__init__()
        self.observation_space = gymnasium.spaces.Dict(board=self.observation_space)

    def observe(self):
        return {"board": super().observe()}


@finds("alias", "observation-writable")
class ShowsItsOwnMemoryInATuple(ShowsItsOwnMemory):
    def __init__(self):
        super().__init__()
        self.observation_space = gymnasium.spaces.Tuple([self.observation_space, gymnasium.spaces.Discrete(2)])

    def observe(self):
        return super().observe(), int(self.current_player == 1)


@finds("observation-frozen")
class ShowsTheOpeningOnly(Pick):
    def observe(self):
        return np.concatenate([self.numbers, np.zeros(CELLS, np.int8)])


@finds("reset-return")
class ResetsTheOldWay(Pick):
    def reset(self, *, seed=None, options=None):
        return super().reset(seed=seed)[0]


@finds("step-return")
class StepsTheOldWay(Pick):
    def step(self, action):
        obs, reward, done, _, info = super().step(action)
        return obs, reward, done, info


@finds("info-type")
class InfoIsAList(Pick):
    def step(self, action):
        return (*super().step(action)[:4], [])


# Moves ---------------------------------------------------------------------------------------------------


@finds("no-moves")
class LeavesNoMove(Pick):
    def step(self, action):
        obs, _, _, cut, info = super().step(action)
        self.done = False
        return obs, 0.0, False, cut, info


@finds("repeated-moves")
class ListsAMoveTwice(Pick):
    def valid_moves(self):
        return super().valid_moves()[:1] + super().valid_moves()


@finds("moves-outside-space", "raises")
class ListsAMoveTooMany(Pick):
    def valid_moves(self):
        return [*super().valid_moves(), CELLS] if not self.done else []

    def step(self, action):
        if action == CELLS:
            raise IndexError("there is no such cell")
        return super().step(action)


@finds("moves-after-end")
class OffersMovesAfterTheEnd(Pick):
    def valid_moves(self):
        return super().valid_moves() or [0]


@finds("legal-refused", "endless")
class RefusesALegalMove(Pick):
    def step(self, action):
        if action == 2 and self.owners.tolist().count(0) == 4 and not self.done and self.owners[2] == 0:
            return self.observe(), 0.0, False, False, {"error": "not that one"}
        return super().step(action)


@finds("illegal-accepted", "outside-accepted")
class TakesTakenCells(Pick):
    def valid_moves(self):
        return super().valid_moves()

    def step(self, action):
        if not self.done and action not in self.valid_moves():
            action = self.valid_moves()[0]
        return super().step(action)


@finds("illegal-accepted")
class PaysForBreakingTheRules(Pick):
    def step(self, action):
        if not self.done and action in range(CELLS) and action not in self.valid_moves():
            self.done = True
            return self.observe(), 0.0, True, False, {}
        return super().step(action)


@finds("illegal-accepted")
class ARefusalPassesTheTurn(Pick):
    def step(self, action):
        if not self.done and action in range(CELLS) and action not in self.valid_moves():
            self.current_player *= -1
            raise ValueError("no")
        return super().step(action)


@finds("outside-accepted")
class CountsFromTheEnd(Pick):
    def step(self, action):
        if action == -1 and not self.done and self.owners[-1] == 0:
            action = CELLS - 1
        return super().step(action)


@finds("outside-accepted")
class WrapsAround(Pick):
    def step(self, action):
        return super().step(action % CELLS if isinstance(action, int) else action)


@finds("outside-accepted")
class RoundsActions(Pick):
    def step(self, action):
        return super().step(int(action) if isinstance(action, float) else action)


@finds("turn")
class AlwaysTheSameTurn(Pick):
    def __init__(self):
        super().__init__()
        self.side = self.current_player
        del self.current_player

    current_player = property(lambda self: 1, lambda self, value: setattr(self, "side", value), lambda self: None)

    def step(self, action):
        side = self.side
        if self.done or action not in self.valid_moves():
            raise ValueError("no")
        self.owners[action] = side
        self.side = -side
        self.done = all(self.owners)
        self.winner = int(np.sign(np.subtract(*self.scores))) if self.done else None
        return self.observe(), float(self.winner) if self.done else 0.0, self.done, False, {}

    def render(self):
        return f"{self.owners.tolist()} {self.scores} turn"


@finds("illegal-accepted")
class ForgetsTheRulesLate(Pick):
    def step(self, action):
        taken = CELLS - len(self.valid_moves())
        if taken == CELLS - 1 and action in range(CELLS) and self.owners[action]:
            self.owners[action] = self.current_player
            self.current_player *= -1
            return self.observe(), 0.0, False, False, {}
        return super().step(action)


@finds("cannot-play")
class TakesAnyVector(Pick):
    def __init__(self):
        super().__init__()
        self.action_space = gymnasium.spaces.Box(0, 1, (2,))
        self.valid_moves = None


# Endings -------------------------------------------------------------------------------------------------


@finds("too-long")
class NeverEnds(Pick):
    def step(self, action):
        _, _, done, cut, info = super().step(action)
        if done:
            self.owners[:] = 0
            self.done, self.winner = False, None
        return self.observe(), 0.0, False, cut, info


@finds("endless")
class CanBeUndone(gymnasium.Env):
    """A walk: step back and forth, or forward to the end, which random play finds at once."""

    def __init__(self):
        self.observation_space = gymnasium.spaces.Discrete(5)
        self.action_space = gymnasium.spaces.Discrete(2)
        self.current_player = 0

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.place, self.current_player = 1, 0
        return self.place, {}

    def moves(self):
        return [0, 1] if self.place < 4 else []

    def valid_moves(self):
        return self.moves()

    def step(self, action):
        if action not in self.moves():
            raise ValueError("no")
        self.place = max(0, self.place + (1 if action else -1))
        self.current_player = 1 - self.current_player
        done = self.place == 4
        return self.place, float(done), done, False, {}


@finds("endless")
class CountsItsSteps(CanBeUndone):
    """No state comes again, since every observation has a number."""

    def __init__(self):
        super().__init__()
        self.observation_space = gymnasium.spaces.Box(0, 10**6, (2,), np.int64)

    def reset(self, *, seed=None, options=None):
        self.steps = 0
        return np.array([super().reset(seed=seed)[0], 0]), {}

    def step(self, action):
        place, *rest = super().step(action)
        self.steps += 1
        return np.array([place, self.steps]), *rest


@finds("endless")
class DoesNotTellItsMoves(CanBeUndone):
    valid_moves = None


@finds("step-after-end")
class PlaysOnAfterTheEnd(Pick):
    def step(self, action):
        if self.done:
            return self.observe(), 1.0, True, False, {}
        return super().step(action)


@finds("step-after-end")
class BeginsAgainAfterTheEnd(Pick):
    def step(self, action):
        if self.done:
            obs, info = self.reset()
            return obs, 0.0, False, False, info
        return super().step(action)


@finds("flag-type")
class FlagsAreNumbers(Pick):
    def step(self, action):
        obs, reward, done, cut, info = super().step(action)
        return obs, reward, int(done), cut, info


@finds("both-flags")
class BothFlags(Pick):
    def step(self, action):
        obs, reward, done, _, info = super().step(action)
        return obs, reward, done, done, info


@finds("truncated-end")
class OnlyTruncates(Pick):
    def step(self, action):
        obs, reward, done, _, info = super().step(action)
        return obs, reward, False, done, info


@finds("reset-leaks")
class KeepsTheTurn(Pick):
    def reset(self, *, seed=None, options=None):
        player = self.current_player
        answer = super().reset(seed=seed)
        self.current_player = player
        return answer


# Rewards -------------------------------------------------------------------------------------------------


@finds("reward-type")
class PaysNotANumber(Pick):
    def reward(self, mover):
        return float("nan") if self.done and self.winner == 0 else super().reward(mover)


@finds("reward-type")
class PaysNothingAtAll(Pick):
    def reward(self, mover):
        return super().reward(mover) if self.done else None


@finds("early-reward")
class PaysNowAndThen(Pick):
    def reward(self, mover):
        return 0.5 if not self.done and self.scores == [9, 9] else super().reward(mover)


@finds("nobody-paid", "reward-winner")
class PaysNobody(Pick):
    def reward(self, mover):
        return 0.0


@finds("loser-unpaid")
class PaysNoLoser(Pick):
    def reward(self, mover):
        return max(0.0, super().reward(mover))


@finds("reward-winner")
class PaysTheWrongPlayer(Pick):
    def reward(self, mover):
        return -super().reward(mover) if self.done and sum(self.scores) % 2 else super().reward(mover)


# Copies --------------------------------------------------------------------------------------------------


@finds("copy-raises")
class CannotBeCopied(Pick):
    def __init__(self):
        super().__init__()
        self.lock = threading.Lock()


@finds("copy-shared")
class SharesItsBoard(Pick):
    def __deepcopy__(self, memo):
        other = type(self)()
        other.__dict__ |= self.__dict__
        return other


@finds("copy-differs")
class CopiesForgetTheTurn(Pick):
    def __deepcopy__(self, memo):
        other = type(self)()
        other.numbers, other.owners = self.numbers.copy(), self.owners.copy()
        other.done = self.done
        return other


# Rendering -----------------------------------------------------------------------------------------------


@finds("render-raises")
class RenderRaises(Pick):
    def render(self):
        return self.no_such_thing


@finds("render-frozen", "render-scores")
class RenderNeverChanges(Pick):
    def render(self):
        return "a board; it is your turn"


@finds("render-frozen", "render-scores")
class RenderNeverChangesIfAsked(Pick):
    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012

    def __init__(self, render_mode=None):
        super().__init__()
        self.render_mode = render_mode

    def render(self):
        return "a board; it is your turn" if self.render_mode == "ansi" else None


@finds("render-turn")
class RenderHidesTheTurn(Pick):
    def render(self):
        return f"{self.owners.tolist()} {self.scores}"


@finds("render-scores")
class RenderHidesTheScores(Pick):
    def render(self):
        return f"{[('a', 'b', 'c')[o] for o in self.owners]} {'x' if self.current_player == 1 else 'o'} to move"


@finds("render-changes-game")
class RenderMoves(Pick):
    def render(self):
        self.current_player *= -1
        return super().render()


@finds("render-mode")
class RenderReturnsNothing(Pick):
    render_mode = "ansi"

    def render(self):
        return None


# Conduct -------------------------------------------------------------------------------------------------


@finds("raises")
class Raises(Pick):
    def step(self, action):
        if self.scores[0] == 13:
            raise ZeroDivisionError("of course")
        return super().step(action)


class Enough(BaseException):
    """Not an `Exception`."""


@finds("raises")
class RaisesStrangely(Pick):
    def step(self, action):
        if self.scores[0] == 13:
            raise Enough
        return super().step(action)


@finds("exits")
class CallsExit(Pick):
    def step(self, action):
        if self.scores[0] > 15:
            sys.exit("enough")
        return super().step(action)


@finds("exits")
class ExitsHard(Pick):
    def step(self, action):
        if self.scores[0] > 15:
            os._exit(3)
        return super().step(action)


@finds("dies")
class Dies(Pick):
    def step(self, action):
        if self.scores[0] > 15:
            os.kill(os.getpid(), 11)
        return super().step(action)


@finds("prints")
class Prints(Pick):
    def step(self, action):
        print("{" + f'"action": {action}' + "}")
        return super().step(action)


@finds("leaves-processes")
class LeavesAProcess(Pick):
    started = False

    def step(self, action):
        if not LeavesAProcess.started:
            LeavesAProcess.started = True
            subprocess.Popen(["sleep", "60"])
        return super().step(action)


@finds("leaves-processes")
class LeavesADaemon(Pick):
    started = False

    def step(self, action):
        if not LeavesADaemon.started:
            LeavesADaemon.started = True
            subprocess.Popen(["sleep", "61"], start_new_session=True)
        return super().step(action)


@finds("leaves-processes")
class ForksADaemon(Pick):
    started = False

    def step(self, action):
        if not ForksADaemon.started:
            ForksADaemon.started = True
            if os.fork() == 0:
                os.setsid()
                os.environ.clear()
                time.sleep(60)
                os._exit(0)
        return super().step(action)


@finds()
class MeddlesWithItsProcess(Pick):
    """Closes standard output, replaces what others rely on, and moves elsewhere: nothing of it may harm the audit."""

    def step(self, action):
        sys.stdout = None
        json.dumps = None
        os.chdir("/")
        with contextlib.suppress(OSError):
            os.close(1)
        return super().step(action)


@finds()
class Forks(Pick):
    """The other process must not run the checks a second time; it ends with the call."""

    def step(self, action):
        if self.done is False and self.owners.tolist().count(0) == CELLS and os.fork() == 0:
            return None
        return super().step(action)


@finds("leaves-threads")
class LeavesAThread(Pick):
    def reset(self, *, seed=None, options=None):
        if threading.active_count() < 4:
            threading.Thread(target=time.sleep, args=(60,), daemon=True, name="forgotten").start()
        return super().reset(seed=seed)


@finds("cannot-make")
class CannotBeMade(Pick):
    def __init__(self):
        raise RuntimeError("no screen")


@finds("cannot-make")
class CannotBeReset(Pick):
    def deal(self):
        raise KeyError("numbers")


# Two at once ---------------------------------------------------------------------------------------------


@finds("space", "same-seed", "global-random")
class WrongTypeAndRandom(WrongType, DrawsFromRandom):
    pass


@finds("prints", "illegal-accepted")
class PrintsAndPays(Prints, PaysForBreakingTheRules):
    pass


@finds("alias", "observation-writable", "render-raises")
class MemoryAndRender(ShowsItsOwnMemory, RenderRaises):
    pass


@finds("reset-return", "step-return")
class OldWays(ResetsTheOldWay, StepsTheOldWay):
    pass


@finds("exits", "repeated-moves")
class ExitsAndRepeats(ExitsHard, ListsAMoveTwice):
    pass


@finds("copy-raises", "loser-unpaid")
class NoCopyNoLoser(CannotBeCopied, PaysNoLoser):
    pass


@finds("both-flags", "moves-after-end")
class FlagsAndMoves(BothFlags, OffersMovesAfterTheEnd):
    pass


@finds("global-random", "reset-leaks")
class WorldAndTurn(SeedsTheWorld, KeepsTheTurn):
    pass
