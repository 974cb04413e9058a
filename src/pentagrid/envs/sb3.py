"""Many games for Stable-Baselines3 and sb3-contrib, on arrays. It needs the extra `baselines`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Box
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv

from pentagrid.envs.observation import Observation
from pentagrid.envs.vector import VectorizedEnv

Floats = NDArray[np.float32]


class Sb3VecEnv(VecEnv):
    """`VectorizedEnv` as a `VecEnv` of Stable-Baselines3, with the masks that `MaskablePPO` asks for.

    Takes the options of `VectorizedEnv`. Observations are divided by the largest that each number can be, so that a
    network has numbers from 0 to 1 to learn from.
    """

    def __init__(self, game: str, num_envs: int, **options: Any) -> None:
        self.env = VectorizedEnv(game, num_envs, **options)
        space: Any = self.env.single_observation_space
        self._largest = space.high.astype(np.float32)
        self._seed: int | None = None
        self._actions: NDArray[Any] = np.zeros(num_envs, np.int64)
        super().__init__(num_envs, Box(0, 1, space.shape, np.float32), self.env.single_action_space)

    def scaled(self, observations: Observation) -> Floats:
        """Observations as the network sees them."""
        scaled: Floats = observations / self._largest
        return scaled

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        self._seed = seed
        return [None if seed is None else seed + i for i in range(self.num_envs)]

    def reset(self) -> Floats:
        observations, _ = self.env.reset(seed=self._seed)
        self._seed = None
        return self.scaled(observations)

    def step_async(self, actions: NDArray[Any]) -> None:
        self._actions = actions

    def step_wait(self) -> tuple[Floats, Floats, NDArray[np.bool_], list[dict[str, Any]]]:
        observations, rewards, over, _, info = self.env.step(self._actions)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if over.any():
            last = self.scaled(info["final_obs"])
            for number in np.flatnonzero(over).tolist():
                infos[number] = {"terminal_observation": last[number], "TimeLimit.truncated": False}
        return self.scaled(observations), rewards.astype(np.float32), over, infos

    def close(self) -> None:
        """Do nothing: the games hold no resources."""

    def get_attr(self, attr_name: str, indices: int | Iterable[int] | None = None) -> list[Any]:
        return [getattr(self.env, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: int | Iterable[int] | None = None) -> None:
        setattr(self.env, attr_name, value)

    def env_method(
        self, method_name: str, *method_args: Any, indices: int | Iterable[int] | None = None, **method_kwargs: Any
    ) -> list[Any]:
        """Call a method of the games: `action_masks` has a row for each of them."""
        rows = getattr(self.env, method_name)(*method_args, **method_kwargs)
        return [rows[index] for index in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: int | Iterable[int] | None = None) -> list[bool]:
        return [False] * len(list(self._get_indices(indices)))
