"""A vectorized Gymnasium environment: thousands of games stepped at once on arrays."""

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
from pentagrid.core.streams import Stream
from pentagrid.envs.observation import Observation, observer_of
from pentagrid.envs.render import text_of
from pentagrid.errors import NotAllowedError, OptionError

Array = NDArray[Any]


class VectorizedEnv(VectorEnv[Observation, Array, Array]):
    """So many games, in each of which the caller moves for both players.

    Game i of `reset(seed=s)` has the deals of seed s + i (a list gives every game its own). Observations are those of
    `SingleEnv`, from the side of the player to move next. Rewards are the mover's: 1 if the move wins the game, -1 if
    it loses it. A finished game is dealt anew in the same step: `info` then has its last observation in `final_obs` and
    its `winner`, where `_final_obs` says so. `info["action_mask"]` has a row for each game. With `regret` there is
    the exact `regret` of every move made, looked up game by game. `movers` tells whose turn it is in each game: under
    `order`, `sudden_death_first` and `pie` a player may move twice in a row. One illegal action, and the whole step
    raises and changes nothing.
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
            raise OptionError(f"num_envs {num_envs} cannot be; there is at least one game.")
        self.game = load(game, size, **rules)
        self.num_envs = num_envs
        self.regret = regret
        self.render_mode = render_mode
        self._view = observer_of(self.game)
        self.single_observation_space = self._view.space()
        self.single_action_space = gymnasium.spaces.Discrete(self.game.action_count)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.batch: Batch = part(self.game.name, "batch").BATCH(self.game, num_envs)
        self._streams: Streams | None = None
        self._solvers: list[Solver | None] = [None] * num_envs

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal every game anew."""
        if options:
            raise OptionError(f"reset has no option {min(options)!r}; it has none.")
        everything = slice(None)
        if seed is None and self._streams is not None:
            seeds = self._streams.seeds(everything)
        else:
            seeds = self._given(fresh_seed() if seed is None else seed)
            self._streams = Streams(seeds, Stream.LATER_DEALS)
        self.batch.deal(everything, seeds)
        self._solvers = [None] * self.num_envs
        return self._observe(), {"action_mask": self._mask()}

    def _given(self, seed: int | list[int | None]) -> Seeds:
        if isinstance(seed, int | np.integer):
            chosen = [int(seed) + i for i in range(self.num_envs)]
        else:
            chosen = [fresh_seed() if one is None else int(one) for one in seed]
            if len(chosen) != self.num_envs:
                raise OptionError(f"{len(chosen)} seeds are not one for each of {self.num_envs} games.")
        if not 0 <= min(chosen) <= max(chosen) <= MAX_SEED:
            raise OptionError(f"Seeds go from 0 to {MAX_SEED}.")
        return np.array(chosen, np.uint64)

    def step(self, actions: Array) -> tuple[Observation, Array, Array, Array, dict[str, Any]]:
        """One move in every game. Raises `NotAllowedError` naming the first game whose action is not legal."""
        batch = self.batch
        if self._streams is None:
            raise gymnasium.error.ResetNeeded("There are no games yet: call reset() first.")
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            raise OptionError(f"actions must be {self.num_envs} whole numbers, one for each game.")
        chosen = chosen.astype(np.int64, copy=False)
        self._check(chosen)
        regrets = self._regrets(chosen) if self.regret else None
        over, won = batch.play(chosen)
        info: dict[str, Any] = {} if regrets is None else {"regret": regrets}
        rewards = np.zeros(self.num_envs)
        ended = np.flatnonzero(over)
        if ended.size:
            gained = np.where(won[ended], 1.0, -1.0)
            rewards[ended] = gained
            self._end(ended, over, gained, info)
        info["action_mask"] = self._mask()
        return self._observe(), rewards, over, np.zeros(self.num_envs, np.bool_), info

    def _end(self, ended: NDArray[np.intp], over: Array, gained: Array, info: dict[str, Any]) -> None:
        """Tell how games ended, and deal them anew."""
        batch, whole = self.batch, ended.size == self.num_envs
        assert self._streams is not None
        info["final_obs"], info["_final_obs"] = self._observe(), over
        last = batch.last_movers(ended)
        winner = np.zeros(self.num_envs, np.int8)
        winner[ended] = np.where(gained > 0, last, 3 - last)
        info["winner"], info["_winner"] = winner, over
        which = slice(None) if whole else ended
        batch.deal(which, self._streams.seeds(which))
        for number in ended if self.regret else ():
            self._solvers[number] = None

    def _check(self, chosen: Array) -> None:
        count, actions = self.num_envs, self.game.action_count
        inside = (chosen >= 0) & (chosen < actions)
        legal = inside & self.batch.legal.ravel()[np.where(inside, chosen, 0) * count + self.batch._at]
        if not legal.all():
            number = int(np.flatnonzero(~legal)[0])
            try:
                self.position(number).play(int(chosen[number]))
            except ValueError as error:
                raise NotAllowedError(f"Game {number}: {error}") from None
            raise AssertionError("the arrays and the rules disagree")

    def _observe(self) -> Observation:
        """The observations as `Observer` has them; filled row by row of numbers, so it is a transposed array."""
        view, batch = self._view, self.batch
        seen = np.empty((view.length, self.num_envs), np.int16)
        at = view.cells
        if at:
            seen[:at] = batch.numbers[:at]
        seen[at : at + view.claims] = batch.own
        at += view.claims
        seen[at : at + view.claims] = batch.other
        at += view.claims
        if view.scores:
            seen[at], seen[at + 1] = batch.points[batch.side], batch.points[1 - batch.side]
        seen[-1] = batch.ply
        return seen.T

    def _mask(self) -> NDArray[np.int8]:
        return self.batch.legal.view(np.int8).copy().T

    def _regrets(self, chosen: Array) -> NDArray[np.float64]:
        found = np.zeros(self.num_envs)
        for number in range(self.num_envs):
            position = self.position(number)
            solver = self._solvers[number]
            if solver is None:
                solver = self._solvers[number] = Solver(position)
            regret = solver.verdict(position, position.play(int(chosen[number])))[2]
            found[number] = np.nan if regret is None else regret
        return found

    @property
    def movers(self) -> NDArray[np.int8]:
        """Whose turn it is in each game: 1 or 2. Under some rule options a player moves twice running."""
        return self.batch.movers

    def position(self, number: int) -> Position:
        """One of the games as a position, with all that the library can tell about it."""
        return self.batch.position(number)

    def render(self) -> tuple[str, ...] | None:
        """Every game as text."""
        return tuple(text_of(self.position(i)) for i in range(self.num_envs)) if self.render_mode == "ansi" else None
