"""What the vectorized environments share: many games as arrays, their deals, observations, masks and exact values."""

from __future__ import annotations

from itertools import chain
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from pentagrid.analysis.komi import FAIR
from pentagrid.core.batch import Batch, ScoringBatch, Seeds, Streams
from pentagrid.core.catalog import load, part
from pentagrid.core.payoff import read_payoff
from pentagrid.core.position import Position
from pentagrid.core.rng import MAX_SEED, fresh_seed
from pentagrid.core.speech import speech_for
from pentagrid.core.streams import Stream
from pentagrid.envs.observation import Mask, Observation, observer_of
from pentagrid.envs.oracle import GamesOracle
from pentagrid.envs.render import render_text
from pentagrid.errors import NotAllowedError, OptionError, PentagridError

Array = NDArray[Any]
Which = slice | NDArray[np.intp]
EVERYTHING = slice(None)
APART = 192
"""Bytes between rows that are to be turned: where rows lie a power of two apart, the processor's cache holds few of
them at once, and turning takes four times as long."""
FEW = 14
"""Fewer numbers than these are turned one by one."""


class ByGame:
    """Turns small numbers that have a column for each game into rows, a row for each game."""

    def __init__(self, numbers: int, games: int) -> None:
        self._columns = np.zeros((numbers, games + APART), np.int8)[:, :games]

    def write(self, rows: Array, *parts: NDArray[np.int8]) -> None:
        """Write the columns of all parts, one part below the other, as rows."""
        if len(self._columns) < FEW:
            for i, column in enumerate(chain(*parts)):
                rows[:, i] = column
        else:
            np.concatenate(parts, out=self._columns)
            rows[:] = np.ascontiguousarray(self._columns.T)  # in two steps: quicker where `rows` has another type


class ArrayEnv(VectorEnv[Observation, Array, Array]):
    """Many games at once. A subclass says who moves for whom."""

    metadata: ClassVar[dict[str, Any]] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": ["ansi"]}

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        size: int | None = None,
        payoff: str = "win",
        oracle: bool = False,
        render_mode: str | None = None,
        **rules: str,
    ) -> None:
        if num_envs < 1:
            raise OptionError(f"num_envs must be at least 1, not {num_envs}.")
        if rules.get("komi") == FAIR:
            raise OptionError("komi must be a number in vectorized environments, not fair: SingleEnv has komi=fair.")
        if render_mode not in (None, "ansi"):
            raise OptionError(f"render_mode must be ansi, not {render_mode!r}.")
        self.game = load(game, size, **rules)
        self.payoff = read_payoff(payoff, self.game)
        self.num_envs = num_envs
        self.render_mode = render_mode
        self._observer = observer_of(self.game)
        self.single_observation_space = self._observer.space()
        self.single_action_space = gymnasium.spaces.Discrete(self.game.action_count)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.batch: Batch = part(self.game.name, "batch").BATCH(self.game, num_envs)
        self._oracle = GamesOracle(self.game, self.payoff, num_envs) if oracle else None
        self._observation = np.zeros((num_envs, self._observer.length), np.int16)
        """The numbers of every deal are kept in it; the rest is filled in whenever an observation is made."""
        self._claims = ByGame(2 * self._observer.claims, num_envs)
        self._mask = ByGame(self.game.action_count, num_envs)
        self._later_deals: Streams | None = None
        self._choices: Streams | None = None

    # Deals ----------------------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal every game again."""
        if options:
            raise OptionError(f"reset takes no options, but {min(options)!r} was given.")
        if seed is None and self._later_deals is not None:
            seeds = self._later_deals.seeds(EVERYTHING)
        else:
            seeds = self._read_seeds(fresh_seed() if seed is None else seed)
            self._later_deals = Streams(seeds, Stream.LATER_DEALS)
            self._choices = Streams(seeds, Stream.ENV_ACTIONS)
        self.deal(EVERYTHING, seeds)
        return self.observe(), {"action_mask": self.mask()}

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

    def deal(self, which: Which, seeds: Seeds) -> None:
        """Begin these games anew, each with its seed's deal."""
        self.batch.deal(which, seeds)
        if self._observer.cells:
            self._observation[which, : self._observer.cells] = self.batch.numbers[: self._observer.cells, which].T
        if self._oracle is not None:
            self._oracle.deal(which, self.batch)

    def deal_next(self, ended: NDArray[np.intp]) -> None:
        """Begin these games anew with the deals that follow."""
        assert self._later_deals is not None
        which = EVERYTHING if ended.size == self.num_envs else ended
        self.deal(which, self._later_deals.seeds(which))

    # What is seen ---------------------------------------------------------------------------------------

    def observe(self) -> Observation:
        """What the player to move sees in each game: rows as `Observer` makes them, in memory game by game."""
        observer, batch, seen = self._observer, self.batch, self._observation
        scores = observer.cells + 2 * observer.claims
        self._claims.write(seen[:, observer.cells : scores], batch.own, batch.other)
        if observer.scores:
            seen[:, scores], seen[:, scores + 1] = batch.points[batch.side], batch.points[1 - batch.side]
        seen[:, scores + observer.scores] = batch.ply
        if observer.toss:
            seen[:, -1] = batch.toss + 1
        return seen.copy()

    def show_fresh(self, observations: Observation, ended: NDArray[np.intp]) -> None:
        """Put openings in the place of games that were dealt again."""
        cells = self._observer.cells
        if ended.size == self.num_envs:
            observations[:, :cells], observations[:, cells:] = self._observation[:, :cells], 0
        else:
            fresh = np.zeros((ended.size, self._observer.length), np.int16)
            fresh[:, :cells] = self._observation[ended, :cells]
            observations[ended] = fresh
        if self._observer.toss:
            observations[ended, -1] = self.batch.toss[ended] + 1

    def mask(self) -> Mask:
        """The legal actions of each game, a row of 0 and 1 for each."""
        mask = np.empty((self.num_envs, self.game.action_count), np.int8)
        self._mask.write(mask, self.batch.legal.view(np.int8))
        return mask

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions of each game as sb3-contrib asks for them."""
        return self.mask().view(np.bool_)

    def sample_actions(self) -> Array:
        """A legal action for every game, each equally likely; the same after the same seed."""
        if self._choices is None:
            raise gymnasium.error.ResetNeeded("There are no games yet; call reset() first.")
        return self.batch.choose(self._choices.draws(EVERYTHING))

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

    # Moves ----------------------------------------------------------------------------------------------

    def read_actions(self, actions: Array) -> Array:
        """The actions, all found legal. Raises `NotAllowedError` with the first game whose action is not."""
        if self._later_deals is None:
            raise gymnasium.error.ResetNeeded("There are no games yet; call reset() first.")
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            raise OptionError(
                f"actions must be {self.num_envs} whole numbers, one for each game, not {chosen.dtype} {chosen.shape}."
            )
        chosen = chosen.astype(np.int64, copy=False)
        batch = self.batch
        inside = int(chosen.min()) >= 0 and int(chosen.max()) < self.game.action_count
        if not inside or not batch.legal.ravel().take(chosen * batch.count + batch.columns).all():
            self._refuse(chosen)
        return chosen

    def _refuse(self, chosen: Array) -> None:
        for number, action in enumerate(chosen.tolist()):
            try:
                self.position(number).play(action)
            except PentagridError as error:
                raise NotAllowedError(f"Game {number}: {speech_for(self.game).explain(error)}") from None
        raise AssertionError("the arrays and the rules disagree")

    def paid_to_last_mover(self, ended: NDArray[np.intp], won: Array) -> NDArray[np.float64]:
        """What those who made the last move in these games receive; `won` says who of them has won."""
        if self.payoff == "points":
            assert isinstance(self.batch, ScoringBatch)
            return self.batch.final_margins(ended)
        return np.where(won, 1.0, -1.0)
