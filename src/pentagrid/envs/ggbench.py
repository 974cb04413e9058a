"""Drop-in replacements for the public Gym versions of these games (gg-bench, arXiv 2505.07215), with correct rules.

There is a class for each game, named after its title: `from pentagrid.envs.ggbench import MatrixCapture`. Action
indices, method names and observation layouts are those of the originals; each game's `gym_layout.py` has its layout.
"""

from __future__ import annotations

from copy import copy
from functools import cache
from operator import index
from typing import Any, ClassVar

import gymnasium
import numpy as np
from numpy.typing import NDArray

from pentagrid.core.catalog import find, game_names, load, part
from pentagrid.core.position import Outcome, Position
from pentagrid.core.speech import speech_for
from pentagrid.envs.episodes import Episodes
from pentagrid.envs.render import render_text
from pentagrid.errors import GameOverError, OptionError, PentagridError

Board = NDArray[np.int8]
ILLEGAL = -10.0
"""The reward for an illegal action, which loses the game, as in the originals."""


class DropIn(gymnasium.Env[Board, np.int64]):
    """One game; the caller moves for both players in turn.

    Owners are 1, -1 and 0. The reward is the mover's: 1 if the move wins the game, -1 if it loses it. `info` has the
    `winner` (1 or -1) and the `reason` at the end. Copying is cheap.

    Code that was written for the originals may want: `flat`, observations in one row; `loser_reward=0`, nothing for a
    loss; `tolerant`, a step after the end that changes and pays nothing instead of an error.
    """

    name: ClassVar[str]
    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 2}
    render_mode = "ansi"

    def __init__(
        self,
        render_mode: str | None = "ansi",
        *,
        flat: bool = False,
        loser_reward: float = -1.0,
        tolerant: bool = False,
    ) -> None:
        if loser_reward not in (-1, 0):
            raise OptionError(f"loser_reward must be -1 or 0, not {loser_reward!r}.")
        if render_mode not in (None, "ansi"):
            raise OptionError(f"render_mode must be ansi, not {render_mode!r}.")
        self.loser_reward, self.tolerant = float(loser_reward), tolerant
        self.game = load(self.name)
        layout = part(self.name, "gym_layout")
        low, high = layout.limits(self.game)
        self._shape: tuple[int, ...] = (len(low),) if flat else layout.shape(self.game)
        self.observation_space = gymnasium.spaces.Box(
            np.array(low, np.int8).reshape(self._shape), np.array(high, np.int8).reshape(self._shape), dtype=np.int8
        )
        self.action_space = gymnasium.spaces.Discrete(self.game.action_count)
        self._episodes = Episodes(self.game)
        self._lost_by: int | None = None
        self.reset()

    def reset(  # the seed may be given by its place, as to the originals
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Board, dict[str, Any]]:
        """Deal a new game: with a seed, what `game.deal(seed=…)` deals."""
        if seed is not None:
            super().reset(seed=seed)
        self.position: Position = (self._episodes.next() if seed is None else self._episodes.first(seed))[1]
        self._lost_by = None
        return self._board(), {}

    @property
    def current_player(self) -> int:
        """Whose turn it is: 1 or -1."""
        return 1 if self.position.mover == 1 else -1

    @property
    def done(self) -> bool:
        """Whether the game is over."""
        return self._lost_by is not None or self.position.turn is None

    def valid_moves(self) -> list[int]:
        """The legal actions."""
        return [] if self._lost_by is not None else list(self.position.actions())

    def step(self, action: np.int64 | int) -> tuple[Board, float, bool, bool, dict[str, Any]]:
        """Make one move. An illegal one loses the game. Raises `GameOverError` after the end, unless `tolerant`."""
        if self.done and self.tolerant:
            return self._board(), 0.0, True, False, {"error": "The game is over; call reset() to start another."}
        if self.done:
            raise GameOverError("The game is over; call reset() to start another.")
        mover = self.current_player
        try:
            self.position = self.position.play(index(action))
        except PentagridError as error:
            self._lost_by = mover
            info = {"winner": -mover, "reason": "illegal", "error": speech_for(self.game).explain(error)}
            return self._board(), ILLEGAL, True, False, info
        outcome = self.position.outcome()
        if outcome is None:
            return self._board(), 0.0, False, False, {}
        winner = 1 if outcome.winner == 1 else -1
        reward = 1.0 if winner == mover else self.loser_reward
        return self._board(), reward, True, False, {"winner": winner, "reason": outcome.reason}

    def render(self) -> str:
        """The board, the scores, and whose turn it is or who has won, as text."""
        lost = self._lost_by
        return render_text(self.position, None if lost is None else Outcome(2 if lost == 1 else 1, "illegal"))

    def _board(self) -> Board:
        return np.array(part(self.name, "gym_layout").write(self.position), np.int8).reshape(self._shape)

    def __deepcopy__(self, memo: dict[int, Any]) -> DropIn:
        """A copy that shares the position, which never changes, and goes on with the same deals."""
        other = copy(self)
        other._episodes = self._episodes.copy()
        return other


@cache
def drop_in(name: str) -> type[DropIn]:
    """The drop-in class of a game; it needs Gymnasium, but not PettingZoo."""
    title = find(name).title
    body = {"name": find(name).name, "__doc__": f"{title}. {DropIn.__doc__}", "__module__": __name__}
    return type(title.replace(" ", ""), (DropIn,), body)


def __getattr__(wanted: str) -> type[DropIn]:
    for name in game_names():
        if find(name).title.replace(" ", "") == wanted:
            return drop_in(name)
    raise AttributeError(f"module {__name__!r} has no attribute {wanted!r}")


def __dir__() -> list[str]:
    return ["DropIn", "drop_in", *(find(name).title.replace(" ", "") for name in game_names())]
