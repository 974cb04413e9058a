"""Thousands of games at once, in which the caller moves for both players."""

from __future__ import annotations

from typing import Any

import numpy as np

from pentagrid.envs.arrays import Array, ArrayEnv
from pentagrid.envs.observation import Observation


class SelfPlayEnv(ArrayEnv):
    """Many games at once; the caller moves for both players in each.

    Game i of `reset(seed=s)` has the deals of seed s + i; a list gives every game its own seed. Observations are those
    of `SingleEnv`, from the seat of the player to move next. Rewards are the mover's: under the payoff `win` 1 if the
    move wins the game and -1 if it loses it, under `points` the mover's final margin, komi counted. A finished game is
    dealt again in the same step: `info` then has its last observation in `final_obs` and its `winner`, where
    `_final_obs` says so. `info["action_mask"]` has a row for each game. With `oracle`, `info` has exact numbers about
    every move made, from its mover's side: see `GamesOracle`. `movers` tells whose turn it is in each game: under
    `order`, `sudden_death_first` and `pie` a player may move twice in a row. If one action is illegal, the whole step
    raises and changes nothing.
    """

    def step(self, actions: Array) -> tuple[Observation, Array, Array, Array, dict[str, Any]]:
        """Make one move in every game. Raises `NotAllowedError` with the first game whose action is not legal."""
        chosen = self.read_actions(actions)
        info: dict[str, Any] = {} if self._oracle is None else self._oracle.judge(self.batch, chosen)
        over, won = self.batch.play(chosen)
        rewards, observations = np.zeros(self.num_envs), self.observe()
        ended = np.flatnonzero(over)
        if ended.size:
            info["final_obs"], info["_final_obs"] = observations.copy(), over
            rewards[ended] = self.paid_to_last_mover(ended, won[ended])
            movers = self.batch.last_movers(ended)
            winner = np.zeros(self.num_envs, np.int8)
            winner[ended] = np.where(won[ended], movers, 3 - movers)
            info["winner"], info["_winner"] = winner, over
            self.deal_next(ended)
            self.show_fresh(observations, ended)
        info["action_mask"] = self.mask()
        return observations, rewards, over, np.zeros(self.num_envs, np.bool_), info
