"""A Gymnasium environment: one agent against an opponent."""

from __future__ import annotations

from operator import index
from typing import Any, ClassVar

import gymnasium
import numpy as np

from pentagrid.analysis.komi import load_fair
from pentagrid.analysis.solver import solver_of
from pentagrid.core.position import Position
from pentagrid.core.rng import Dice
from pentagrid.core.streams import Stream
from pentagrid.envs.episodes import Episodes
from pentagrid.envs.observation import LegalActions, Observation, observer_of
from pentagrid.envs.render import RgbArray, render_rgb, render_text
from pentagrid.errors import OptionError, shown
from pentagrid.play import players

SEATS = (1, 2, "random")


class SingleEnv(gymnasium.Env[Observation, np.int64]):
    """One agent against an opponent: `random`, `greedy`, `level:1` to `level:9`, `perfect`, or any `Player`.

    `seat` is the agent's: 1, 2 or `random` (drawn for each episode). `reset(seed=s)` deals what `game.deal(seed=s)`
    deals; what follows, the opponent's moves and later episodes, depends only on that seed and the actions. `reset`
    takes the options `seat` and `board`. With `komi="fair"` every deal has its own komi, which is observed too. A win
    pays 1, a loss -1. An illegal action raises and changes nothing. `info` holds `action_mask`; at the end `winner` and
    `reason`; with `oracle`, after a step, the exact `value` of the agent's move, the `best_value` of all moves, and the
    `regret` between them.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 2}

    def __init__(
        self,
        game: str,
        size: int | None = None,
        opponent: str | players.Player = "random",
        seat: int | str = 1,
        oracle: bool = False,
        render_mode: str | None = None,
        **rules: str,
    ) -> None:
        self.game, fair = load_fair(game, size, rules)
        self.opponent = _make_player(opponent)
        self.seat = _check_seat(seat)
        self.oracle = oracle
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise OptionError(f"render_mode must be ansi or rgb_array, not {render_mode!r}.")
        self.render_mode = render_mode
        self._observer = observer_of(self.game, fair)
        self.observation_space = self._observer.space()
        self.action_space: LegalActions = LegalActions(self._observer)
        self._episodes = Episodes(self.game, fair)
        self._position: Position | None = None
        self._legal = 0

    @property
    def position(self) -> Position:
        """The current position."""
        if self._position is None:
            raise gymnasium.error.ResetNeeded("There is no game yet; call reset() first.")
        return self._position

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal a new game. Raises `OptionError` or `BoardError` for invalid options."""
        seat, given = (self.seat, None) if not options else self._read_options(options)
        if seed is not None:
            super().reset(seed=seed)
        seed, position = self._episodes.next() if seed is None else self._episodes.first(seed)
        position = position if given is None else self._episodes.with_komi(given, seed)
        self.agent = 1 + Dice(seed, Stream.ENV_SEAT).below(2) if seat == "random" else int(seat)
        self._dice = Dice(seed, Stream.ENV_OPPONENT)
        if position.mover != self.agent:
            position = self._opponent_moves(position)
        self._position = position
        self._legal = self.action_space.legal = position.game.legal(position)
        return self._observer.observe(position, self.agent), {"action_mask": self._observer.mask(self._legal)}

    def _read_options(self, options: dict[str, Any]) -> tuple[int | str, Position | None]:
        """The seat and the deal that the options of `reset` ask for."""
        if unknown := set(options) - {"seat", "board"}:
            raise OptionError(f"The options of reset must be seat and board, not {shown(str(min(unknown)))}.")
        board = options.get("board")
        return _check_seat(options.get("seat", self.seat)), None if board is None else self.game.read_board(board)

    def _opponent_moves(self, position: Position) -> Position:
        """The position after the opponent's move."""
        return position.game.after(position, self.opponent.choose(position, self._dice))

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make the agent's move and the opponent's. Raises `NotAllowedError`, `UnreadableError` or `GameOverError`."""
        before, chosen = self.position, index(action)
        game = before.game
        if chosen < 0 or not self._legal >> chosen & 1:
            before.play(chosen)  # raises, and says why
        position = after = game.after(before, chosen)
        legal = game.legal(position)
        if legal and position.mover != self.agent:
            position = self._opponent_moves(position)
            legal = game.legal(position)
        self._position = position
        self._legal = self.action_space.legal = legal
        info: dict[str, Any] = {"action_mask": self._observer.mask(legal)}
        if self.oracle:
            info["best_value"], info["value"], info["regret"] = solver_of(before).verdict(before, after)
        reward = 0.0
        if not legal:
            outcome = game.final_outcome(position)
            info["winner"], info["reason"] = outcome
            reward = 1.0 if outcome.winner == self.agent else -1.0
        return self._observer.observe(position, self.agent), reward, not legal, False, info

    def render(self) -> str | RgbArray | None:
        """The position as text (`ansi`) or as pixels (`rgb_array`)."""
        if self.render_mode == "ansi":
            return render_text(self.position)
        return render_rgb(self.position) if self.render_mode == "rgb_array" else None


def _make_player(opponent: str | players.Player) -> players.Player:
    if not isinstance(opponent, str):
        return opponent
    player = players.make_player(opponent)
    if player is None:
        raise OptionError(f"opponent must be one of {players.usages(people=False)}, not {shown(opponent)}.")
    return player


def _check_seat(seat: object) -> int | str:
    if seat not in SEATS:
        raise OptionError(f"seat must be 1, 2 or random, not {seat!r}.")
    assert isinstance(seat, int | str)
    return seat
