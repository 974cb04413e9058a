"""PettingZoo environments of our own making: a sound one, and others with one defect each."""

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, TerminateIllegalWrapper


class Heap(AECEnv):
    """Nim with one heap: take one to three, whoever takes the last one wins."""

    metadata = {"name": "heap", "render_modes": ["ansi"]}  # noqa: RUF012

    def __init__(self, render_mode=None):
        super().__init__()
        self.render_mode = render_mode
        self.possible_agents = ["a", "b"]
        space = Dict(observation=Box(0, 20, (1,), np.int64), action_mask=Box(0, 1, (3,), np.int8))
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: Discrete(3) for agent in self.possible_agents}

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]

    def reset(self, seed=None, options=None):
        if seed is not None or not hasattr(self, "chance"):
            self.chance = np.random.default_rng(seed)
        self.heap = int(self.chance.integers(9, 21))
        self.agents = list(self.possible_agents)
        self.agent_selection = "a"
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}

    def observe(self, agent):
        mask = np.array([n < self.heap for n in range(3)], np.int8)
        return {"observation": np.array([self.heap]), "action_mask": mask}

    def step(self, action):
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action not in (0, 1, 2) or action >= self.heap:
            raise ValueError(f"{action} is not legal")
        mover = self.agent_selection
        self._cumulative_rewards[mover] = 0
        self.heap -= action + 1
        self.agent_selection = "b" if mover == "a" else "a"
        self._clear_rewards()
        if self.heap == 0:
            self.end(mover)
        self._accumulate_rewards()

    def end(self, mover):
        self.rewards = {agent: 1 if agent == mover else -1 for agent in self.agents}
        self.terminations = dict.fromkeys(self.agents, True)

    def render(self):
        return f"{self.heap} left, {self.agent_selection} to move"


class PaysTheLoserNothing(Heap):
    def end(self, mover):
        super().end(mover)
        self.rewards = {agent: max(0, reward) for agent, reward in self.rewards.items()}


class PaysTwiceNowAndThen(Heap):
    def end(self, mover):
        super().end(mover)
        if self.chance.random() < 0.1:
            self.rewards[mover] = 2


class NeverAddsUp(Heap):
    def _accumulate_rewards(self):
        pass


class EndsForOne(Heap):
    def end(self, mover):
        super().end(mover)
        self.terminations[mover] = False


class HasASeedOfItsOwn(Heap):
    def reset(self, seed=None, options=None):
        super().reset(5 if seed is None else seed)


class OneHeapForAllSeeds(Heap):
    def reset(self, seed=None, options=None):
        super().reset(None if seed is None else 5)


class ShowsItsOwnMemory(Heap):
    def observe(self, agent):
        if not hasattr(self, "memory"):
            self.memory = np.array([0])
        self.memory[0] = self.heap
        return super().observe(agent) | {"observation": self.memory}


class Guarded(TerminateIllegalWrapper):
    """Prints a warning when a move is illegal, as PettingZoo's own do."""

    def __init__(self, render_mode=None):
        super().__init__(AssertOutOfBoundsWrapper(Heap(render_mode)), illegal_reward=-1)


AEC_EXPECTED = {
    "HasASeedOfItsOwn": {"unseeded-same"},
    "OneHeapForAllSeeds": {"seed-without-effect"},
    "ShowsItsOwnMemory": {"alias"},
    "Guarded": set(),
    "Heap": set(),
    "PaysTheLoserNothing": {"loser-unpaid"},
    "PaysTwiceNowAndThen": {"zero-sum"},
    "NeverAddsUp": {"cumulative-rewards"},
    "EndsForOne": {"one-sided-end", "no-moves"},
}
