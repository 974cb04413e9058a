"""A vectorized Gymnasium environment: in each of many games one agent against an opponent, as in `SingleEnv`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentagrid.core.batch import Seeds, Streams
from pentagrid.core.rng import Dice
from pentagrid.core.streams import Stream
from pentagrid.envs.arrays import Array, ArrayEnv, Which
from pentagrid.envs.observation import Observation
from pentagrid.envs.single import check_seat, read_opponent
from pentagrid.play.players import Player, Random


class VectorizedEnv(ArrayEnv):
    """Many games at once; in each the agent plays an opponent, as in `SingleEnv` and with the same options.

    Game i of `reset(seed=s)` is that of a `SingleEnv` after `reset(seed=s + i)`, episode by episode and move by move; a
    list gives every game its own seed. Observations are from the agent's seat and rewards are the agent's. A finished
    game is dealt again in the same step: `info` then has its last observation in `final_obs` and its `winner`, where
    `_final_obs` says so. `info["action_mask"]` has a row for each game; `seats` has the agent's seat in each. With
    `oracle`, `info` has exact numbers about every move of the agent, from the agent's side: see `GamesOracle`. Random
    opponents move on arrays; others are asked game by game. If one action is illegal, the whole step raises and
    changes nothing.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        size: int | None = None,
        opponent: str | Player = "random",
        seat: int | str = 1,
        payoff: str = "win",
        oracle: bool = False,
        render_mode: str | None = None,
        **rules: str,
    ) -> None:
        super().__init__(game, num_envs, size, payoff, oracle, render_mode, **rules)
        self.opponent = read_opponent(opponent, self.game)
        self.seat = check_seat(seat)
        self.seats = np.ones(num_envs, np.int8)
        """The agent's seat in each game."""
        self._draws = Streams(np.zeros(num_envs, np.uint64))
        self._dice: list[Dice] = [Dice(0)] * num_envs

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal every game again; where the opponent begins, they have moved."""
        super().reset(seed=seed, options=options)
        self._answer({}, np.zeros(self.num_envs))
        return self.observe(), {"action_mask": self.mask()}

    def deal(self, which: Which, seeds: Seeds) -> None:
        super().deal(which, seeds)
        if self.seat == "random":
            self.seats[which] = 1 + (Streams(seeds, Stream.ENV_SEAT).draws(slice(None)) & np.uint64(1)).astype(np.int8)
        else:
            self.seats[which] = self.seat
        if isinstance(self.opponent, Random):
            self._draws.renew(which, seeds, Stream.ENV_OPPONENT)
        else:
            for number, seed in zip(self.batch.columns[which].tolist(), seeds.tolist(), strict=True):
                self._dice[number] = Dice(seed, Stream.ENV_OPPONENT)

    def _answer(self, info: dict[str, Any], rewards: Array) -> None:
        """Let the opponent move until it is the agent's turn in every game."""
        while (waiting := np.flatnonzero(self.batch.movers != self.seats)).size:
            over, won = self.batch.play_some(waiting, self._opponents_choice(waiting))
            if over.any():
                self._end(waiting[over], won[over], info, rewards)

    def _opponents_choice(self, waiting: NDArray[np.intp]) -> Array:
        if isinstance(self.opponent, Random):
            return self.batch.choose(self._draws.draws(waiting), waiting)
        choose = self.opponent.choose
        return np.array([choose(self.position(i), self._dice[i]) for i in waiting.tolist()], np.int64)

    def _end(self, ended: NDArray[np.intp], won: Array, info: dict[str, Any], rewards: Array) -> None:
        """Pay the agent, put into `info` how games ended, and deal them again."""
        batch, observer = self.batch, self._observer
        movers = batch.last_movers(ended)
        paid = self.paid_to_last_mover(ended, won)
        rewards[ended] = np.where(movers == self.seats[ended], paid, -paid)
        if "winner" not in info:
            info["winner"], info["_winner"] = np.zeros(self.num_envs, np.int8), np.zeros(self.num_envs, np.bool_)
            info["final_obs"], info["_final_obs"] = self.observe(), info["_winner"]
        info["winner"][ended] = np.where(won, movers, 3 - movers)
        info["_winner"][ended] = True
        last = self.observe()[ended]
        other = batch.movers[ended] != self.seats[ended]  # seen from the seat that would be next: turn it around
        last[other] = last[np.ix_(other, observer.exchanged)]
        info["final_obs"][ended] = last
        self.deal_next(ended)

    def step(self, actions: Array) -> tuple[Observation, Array, Array, Array, dict[str, Any]]:
        """Make the agent's move and the opponent's in every game. Raises `NotAllowedError`, as `read_actions` does."""
        chosen = self.read_actions(actions)
        info: dict[str, Any] = {} if self._oracle is None else self._oracle.judge(self.batch, chosen)
        rewards = np.zeros(self.num_envs)
        over, won = self.batch.play(chosen)
        if over.any():
            ended = np.flatnonzero(over)
            self._end(ended, won[ended], info, rewards)
        self._answer(info, rewards)
        info["action_mask"] = self.mask()
        ended_games = info["_winner"].copy() if "_winner" in info else np.zeros(self.num_envs, np.bool_)
        return self.observe(), rewards, ended_games, np.zeros(self.num_envs, np.bool_), info
