"""A vectorized Gymnasium environment: thousands of games stepped at once, on arrays."""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from pentagrid.analysis.solver import Solver
from pentagrid.core.batch import Batch, Seeds, Streams
from pentagrid.core.catalog import load, part
from pentagrid.core.position import Position
from pentagrid.core.rng import MAX_SEED, fresh_seed
from pentagrid.core.speech import speech_for
from pentagrid.core.streams import Stream
from pentagrid.envs.observation import Observation, observer_of
from pentagrid.envs.render import render_text
from pentagrid.errors import NotAllowedError, OptionError, PentagridError

Array = NDArray[Any]


class VectorizedEnv(VectorEnv[Observation, Array, Array]):
    """Many games at once; the caller moves for both players in each.

    Game i of `reset(seed=s)` has the deals of seed s + i; a list gives every game its own seed. Observations are those
    of `SingleEnv`, from the seat of the player to move next. Rewards are the mover's: 1 if the move wins the game, -1
    if it loses it. A finished game is dealt again in the same step: `info` then has its last observation in `final_obs`
    and its `winner`, where `_final_obs` says so. `info["action_mask"]` has a row for each game. With `regret`, `info`
    has the exact `regret` of every move made, looked up game by game. `movers` tells whose turn it is in each game:
    under `order`, `sudden_death_first` and `pie` a player may move twice in a row. If one action is illegal, the whole
    step raises and changes nothing.
    """

    metadata: ClassVar[dict[str, Any]] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": ["ansi"]}

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        size: int | None = None,
        regret: bool = False,
        render_mode: str | None = None,
        **rules: str,
    ) -> None:
        if num_envs < 1:
            raise OptionError(f"num_envs must be at least 1, not {num_envs}.")
        self.game = load(game, size, **rules)
        self.num_envs = num_envs
        self.regret = regret
        self.render_mode = render_mode
        self._observer = observer_of(self.game)
        self.single_observation_space = self._observer.space()
        self.single_action_space = gymnasium.spaces.Discrete(self.game.action_count)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.batch: Batch = part(self.game.name, "batch").BATCH(self.game, num_envs)
        self._streams: Streams | None = None
        self._solvers: list[Solver | None] = [None] * num_envs

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal every game again."""
        if options:
            raise OptionError(f"reset takes no options, but {min(options)!r} was given.")
        everything = slice(None)
        if seed is None and self._streams is not None:
            seeds = self._streams.seeds(everything)
        else:
            seeds = self._read_seeds(fresh_seed() if seed is None else seed)
            self._streams = Streams(seeds, Stream.LATER_DEALS)
        self.batch.deal(everything, seeds)
        self._solvers = [None] * self.num_envs
        return self._observe(), {"action_mask": self._mask()}

    def _read_seeds(self, seed: int | list[int | None]) -> Seeds:
        if isinstance(seed, int | np.integer):
            chosen = [int(seed) + i for i in range(self.num_envs)]
        else:
            chosen = [fresh_seed() if one is None else int(one) for one in seed]
            if len(chosen) != self.num_envs:
                raise OptionError(f"seed must have {self.num_envs} numbers, one for each game, not {len(chosen)}.")
        if not 0 <= min(chosen) <= max(chosen) <= MAX_SEED:
            raise OptionError(f"Every seed must be from 0 to {MAX_SEED}; these are {min(chosen)} to {max(chosen)}.")
        return np.array(chosen, np.uint64)

    def step(self, actions: Array) -> tuple[Observation, Array, Array, Array, dict[str, Any]]:
        """Make one move in every game. Raises `NotAllowedError` with the first game whose action is not legal."""
        batch = self.batch
        if self._streams is None:
            raise gymnasium.error.ResetNeeded("There are no games yet; call reset() first.")
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            raise OptionError(
                f"actions must be {self.num_envs} whole numbers, one for each game, not {chosen.dtype} {chosen.shape}."
            )
        chosen = chosen.astype(np.int64, copy=False)
        self._check(chosen)
        regrets = self._regrets(chosen) if self.regret else None
        over, won = batch.play(chosen)
        info: dict[str, Any] = {} if regrets is None else {"regret": regrets}
        rewards = np.zeros(self.num_envs)
        ended = np.flatnonzero(over)
        if ended.size:
            rewards[ended] = np.where(won[ended], 1.0, -1.0)
            self._end(ended, over, won[ended], info)
        info["action_mask"] = self._mask()
        return self._observe(), rewards, over, np.zeros(self.num_envs, np.bool_), info

    def _end(self, ended: NDArray[np.intp], over: Array, won: Array, info: dict[str, Any]) -> None:
        """Put into `info` how games ended, and deal them again; `won` says which of them the mover has won."""
        batch, all_ended = self.batch, ended.size == self.num_envs
        assert self._streams is not None
        info["final_obs"], info["_final_obs"] = self._observe(), over
        movers = batch.last_movers(ended)
        winner = np.zeros(self.num_envs, np.int8)
        winner[ended] = np.where(won, movers, 3 - movers)
        info["winner"], info["_winner"] = winner, over
        which = slice(None) if all_ended else ended
        batch.deal(which, self._streams.seeds(which))
        for number in ended if self.regret else ():
            self._solvers[number] = None

    def _check(self, chosen: Array) -> None:
        """Raise `NotAllowedError` unless every action is legal in its game."""
        count, actions = self.num_envs, self.game.action_count
        inside = (chosen >= 0) & (chosen < actions)
        legal = inside & self.batch.legal.ravel()[np.where(inside, chosen, 0) * count + self.batch.columns]
        if not legal.all():
            number = int(np.flatnonzero(~legal)[0])
            try:
                self.position(number).play(int(chosen[number]))
            except PentagridError as error:
                raise NotAllowedError(f"Game {number}: {speech_for(self.game).explain(error)}") from None
            raise AssertionError("the arrays and the rules disagree")

    def _observe(self) -> Observation:
        """The observations as `Observer` makes them, filled one number of all games at a time, then transposed."""
        observer, batch = self._observer, self.batch
        observations = np.empty((observer.length, self.num_envs), np.int16)
        start = observer.cells
        if start:
            observations[:start] = batch.numbers[:start]
        observations[start : start + observer.claims] = batch.own
        start += observer.claims
        observations[start : start + observer.claims] = batch.other
        start += observer.claims
        if observer.scores:
            observations[start], observations[start + 1] = batch.points[batch.side], batch.points[1 - batch.side]
        observations[-1] = batch.ply
        return observations.T

    def _mask(self) -> NDArray[np.int8]:
        return self.batch.legal.view(np.int8).copy().T

    def _regrets(self, chosen: Array) -> NDArray[np.float64]:
        """What each move gives away; not a number where that is not known."""
        regrets = np.zeros(self.num_envs)
        for number in range(self.num_envs):
            position = self.position(number)
            solver = self._solvers[number]
            if solver is None:
                solver = self._solvers[number] = Solver(position)
            regret = solver.verdict(position, position.play(int(chosen[number])))[2]
            regrets[number] = np.nan if regret is None else regret
        return regrets

    @property
    def movers(self) -> NDArray[np.int8]:
        """Whose turn it is in each game: 1 or 2. Under some rule options a player moves twice in a row."""
        return self.batch.movers

    def position(self, number: int) -> Position:
        """The position of one game."""
        return self.batch.position(number)

    def render(self) -> tuple[str, ...] | None:
        """Every game as text (`ansi`)."""
        return (
            tuple(render_text(self.position(i)) for i in range(self.num_envs)) if self.render_mode == "ansi" else None
        )
