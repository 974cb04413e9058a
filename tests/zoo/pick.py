"""A sound little game from which the defective ones are made: six numbers are dealt, and the higher sum wins."""

import gymnasium
import numpy as np

CELLS = 6


class Pick(gymnasium.Env):
    """Take turns taking a number; the mover is paid 1 for a win and -1 for a loss, 0 for a draw."""

    def __init__(self):
        self.observation_space = gymnasium.spaces.Box(-1, 9, (2 * CELLS,), np.int8)
        self.action_space = gymnasium.spaces.Discrete(CELLS)
        self.numbers = np.zeros(CELLS, np.int8)
        self.owners = np.zeros(CELLS, np.int8)
        self.current_player, self.done, self.winner = 1, True, None

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.deal()
        self.owners = np.zeros(CELLS, np.int8)
        self.current_player, self.done, self.winner = 1, False, None
        return self.observe(), {}

    def deal(self):
        self.numbers = self.np_random.integers(1, 10, CELLS).astype(np.int8)

    def observe(self):
        return np.concatenate([self.numbers, self.owners])

    def valid_moves(self):
        return [] if self.done else [cell for cell in range(CELLS) if self.owners[cell] == 0]

    @property
    def scores(self):
        return [int(self.numbers[self.owners == side].sum()) for side in (1, -1)]

    def step(self, action):
        if self.done:
            raise RuntimeError("the game is over")
        if action not in self.valid_moves():
            raise ValueError(f"{action} is not a legal move")
        mover = self.current_player
        self.owners[action] = mover
        self.current_player = -mover
        if all(self.owners):
            self.done = True
            one, two = self.scores
            self.winner = int(np.sign(one - two))
        return self.observe(), self.reward(mover), self.done, False, {}

    def reward(self, mover):
        return float(self.winner * mover) if self.done else 0.0

    def render(self):
        name = {1: "first", -1: "second"}[self.current_player]
        return f"{self.numbers.tolist()} {self.owners.tolist()} scores {self.scores}, {name} player's turn"
