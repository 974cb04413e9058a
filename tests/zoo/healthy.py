"""Sound environments in many styles: none of them may be blamed for anything."""

import gymnasium
import numpy as np
from pick import CELLS, Pick


class TellsMasks(Pick):
    def __init__(self):
        super().__init__()
        self.valid_moves, self.hidden_moves = None, self.valid_moves

    def action_masks(self):
        mask = np.zeros(CELLS, bool)
        mask[Pick.valid_moves(self)] = True
        return mask

    def step(self, action):
        if self.done or not self.action_space.contains(action) or not self.action_masks()[action]:
            raise ValueError("not legal")
        self.valid_moves = self.hidden_moves
        answer = super().step(action)
        self.valid_moves = None
        return answer

    def __deepcopy__(self, memo):
        other = type(self)()
        other.numbers, other.owners = self.numbers.copy(), self.owners.copy()
        other.current_player, other.done, other.winner = self.current_player, self.done, self.winner
        return other


class _Plain(gymnasium.Env):
    """Nim with one heap: take one to three, whoever takes the last one wins. No chance, and nothing told but info."""

    metadata = {"render_modes": ["ansi", "human"]}  # noqa: RUF012

    def __init__(self, render_mode=None):
        self.render_mode = render_mode
        self.observation_space = gymnasium.spaces.Discrete(12)
        self.action_space = gymnasium.spaces.Discrete(3, start=1)
        self.heap = 0

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.heap, self.moves = 11, 0
        return self.heap, self.info()

    def info(self):
        return {"action_mask": np.array([n <= self.heap for n in (1, 2, 3)], np.int8)}

    def step(self, action):
        if action not in (1, 2, 3) or action > self.heap:
            return self.heap, -1.0, self.heap == 0, False, self.info()
        self.heap -= action
        self.moves += 1
        return self.heap, float(self.heap == 0), self.heap == 0, False, self.info()

    def render(self):
        return f"{self.heap} left, player {self.moves % 2 + 1} to move" if self.render_mode == "ansi" else None


class IgnoresIllegalMoves(_Plain):
    pass


class LosesByIllegalMoves(_Plain):
    def step(self, action):
        if self.heap == 0:
            return 0, 0.0, True, False, self.info()
        if action not in (1, 2, 3) or action > self.heap:
            self.heap = 0
            return self.heap, -10, True, False, {**self.info(), "error": "illegal"}
        return super().step(action)


class MaskInTheObservation(Pick):
    def __init__(self):
        super().__init__()
        board = self.observation_space
        self.observation_space = gymnasium.spaces.Dict(
            board=board, action_mask=gymnasium.spaces.Box(0, 1, (CELLS,), np.int8)
        )
        self.get_moves, self.valid_moves = self.valid_moves, None

    def observe(self):
        mask = np.array(self.owners == 0, np.int8) * (not self.done)
        return {"board": super().observe(), "action_mask": mask}

    def step(self, action):
        if self.done or action not in range(CELLS) or self.owners[action]:
            raise ValueError("not legal")
        self.valid_moves = lambda: [action]
        answer = super().step(action)
        self.valid_moves = None
        return answer

    __deepcopy__ = TellsMasks.__deepcopy__


class MovesTwice(gymnasium.Env):
    """Whoever rolls a six moves again: chance in play, turns that do not alternate, players with names."""

    def __init__(self):
        self.observation_space = gymnasium.spaces.Box(0, 60, (3,), np.int64)
        self.action_space = gymnasium.spaces.Discrete(2)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.points = {"white": 0, "black": 0}
        self.to_move = "white" if self.np_random.random() < 0.5 else "black"
        return self._see(), {"current_player": self.to_move}

    def _see(self):
        return np.array([*self.points.values(), self.to_move == "white"], np.int64)

    def legal_actions(self):
        return np.array([] if max(self.points.values()) >= 20 else [0, 1])

    def step(self, action):
        if max(self.points.values()) >= 20:
            raise RuntimeError("over")
        assert self.action_space.contains(action)
        rolled = int(self.np_random.integers(1, 7))
        mover = self.to_move
        self.points[mover] += rolled if action else 3
        done = self.points[mover] >= 20
        if rolled != 6 and not done:
            self.to_move = "black" if mover == "white" else "white"
        return self._see(), np.float32(done), np.bool_(done), False, {"winner": mover if done else None}


class CountsItsTurns(Pick):
    """Has an attribute `turn` that is a count, and pixels to render."""

    render_mode = "rgb_array"

    def __init__(self):
        super().__init__()
        self.turn = 0

    def reset(self, *, seed=None, options=None):
        self.turn = 0
        return super().reset(seed=seed)

    def step(self, action):
        answer = super().step(action)
        self.turn += 1
        return answer

    def render(self):
        return np.repeat(self.owners + 1, 12).astype(np.uint8).reshape(-1, 4, 3)


class Passes(gymnasium.Env):
    """A game in which a player may have to pass: the board stays, the turn does not."""

    def __init__(self):
        self.observation_space = gymnasium.spaces.MultiDiscrete([9, 9, 2])
        self.action_space = gymnasium.spaces.Discrete(3)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.left, self.player = [int(n) for n in self.np_random.integers(1, 9, 2)], 0
        return self._see(), {}

    def _see(self):
        return np.array([*self.left, self.player])

    def get_legal_moves(self):
        if not any(self.left):
            return []
        return [n for n in (1, 2) if n <= self.left[self.player]] or [0]

    def step(self, action):
        if action not in self.get_legal_moves():
            raise ValueError("not legal")
        mover = self.player
        self.left[mover] -= action
        self.player = 1 - mover
        done = not any(self.left)
        return self._see(), 1.0 if done else 0.0, done, False, {}


class ManyHeaps(gymnasium.Env):
    """Nim with three heaps: actions are pairs, the mask of an ended game is not empty, illegal moves lose."""

    def __init__(self):
        self.action_space = gymnasium.spaces.MultiDiscrete([3, 8])
        self.observation_space = gymnasium.spaces.Box(0, 7, (3,), np.int32)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.heaps = self.np_random.integers(1, 8, 3).astype(np.int32)
        self.player, self.over = 0, False
        return self.heaps.copy(), {"to_play": self.player}

    def get_valid_actions(self):
        return [] if self.over else [(h, n) for h in range(3) for n in range(1, int(self.heaps[h]) + 1)]

    def step(self, action):
        if self.over or tuple(action) not in self.get_valid_actions():
            self.over = True
            return self.heaps.copy(), -1.0, True, False, {"to_play": self.player}
        self.heaps[action[0]] -= action[1]
        self.over = bool(self.heaps.sum() == 0)
        self.player = 1 - self.player
        return self.heaps.copy(), float(self.over), self.over, False, {"to_play": self.player}


class PaysInFloat32(LosesByIllegalMoves):
    def step(self, action):
        observation, reward, *rest = super().step(action)
        return observation, np.float32(reward), *rest


class AsksForThePlayer(gymnasium.Env):
    """Has a `valid_moves` that needs an argument, so that the legal moves are not told."""

    def __init__(self):
        self.observation_space = gymnasium.spaces.Discrete(22)
        self.action_space = gymnasium.spaces.Discrete(3)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.total = 0
        return self.total, {}

    def valid_moves(self, total):
        return [n for n in range(3) if total + n < 21]

    def step(self, action):
        if action not in self.valid_moves(self.total):
            raise ValueError("not legal")
        self.total += action + 1
        return self.total, float(self.total == 21), self.total == 21, False, {}


class _Person:
    def __init__(self, name):
        self.name, self.moves = name, 0


class PlayersAreObjects(_Plain):
    """Each environment has players of its own, who have names and change."""

    def __init__(self, render_mode=None):
        super().__init__(render_mode)
        self.people = _Person("Ann"), _Person("Bob")
        self.current_player, self.winner = self.people[0], None

    def reset(self, *, seed=None, options=None):
        self.current_player, self.winner = self.people[0], None
        return super().reset(seed=seed)

    def step(self, action):
        mover = self.current_player
        answer = super().step(action)
        mover.moves += 1
        self.current_player = self.people[self.moves % 2]
        self.winner = mover if self.heap == 0 else None
        return answer


class PaidUntilTimeIsUp(gymnasium.Env):
    """Every move is paid, also the last one before time is up."""

    def __init__(self):
        self.observation_space = gymnasium.spaces.MultiDiscrete([11, 3])
        self.action_space = gymnasium.spaces.Discrete(3)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.moves = 0
        return np.array([0, int(self.np_random.integers(3))]), {}

    def step(self, action):
        if self.moves == 10 or action not in (0, 1, 2):
            raise ValueError("no")
        self.moves += 1
        return np.array([self.moves, action]), float(action - 1), False, self.moves == 10, {}


class TellsTrueAndFalse(MaskInTheObservation):
    """A list of true and false is a mask, whatever its name."""

    def legal_moves(self):
        return [not self.done and bool(owner == 0) for owner in self.owners]


class HasSetsBeside(Pick):
    """A set of text in info may come in any order; the game is the same in every process."""

    def step(self, action):
        observation, reward, done, cut, info = super().step(action)
        return observation, reward, done, cut, {**info, "free": {f"cell {n}" for n in self.valid_moves()}}
