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
from pentagrid.core.position import Position
from pentagrid.core.speech import speech_for
from pentagrid.envs.episodes import Episodes
from pentagrid.envs.render import render_text
from pentagrid.errors import GameOverError, PentagridError

Board = NDArray[np.int8]
ILLEGAL = -10.0
"""The reward for an illegal action, which loses the game, as in the originals."""


class DropIn(gymnasium.Env[Board, np.int64]):
    """One game; the caller moves for both players in turn.

    Owners are 1, -1 and 0. The reward is the mover's: 1 if the move wins the game, -1 if it loses it. `info` has the
    `winner` (1 or -1) and the `reason` at the end. Copying is cheap.
    """

    name: ClassVar[str]
    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 2}
    render_mode = "ansi"

    def __init__(self, render_mode: str | None = "ansi") -> None:
        self.game = load(self.name)
        layout = part(self.name, "gym_layout")
        low, high = layout.limits(self.game)
        self._shape: tuple[int, ...] = layout.shape(self.game)
        self.observation_space = gymnasium.spaces.Box(
            np.array(low, np.int8).reshape(self._shape), np.array(high, np.int8).reshape(self._shape), dtype=np.int8
        )
        self.action_space = gymnasium.spaces.Discrete(self.game.action_count)
        self._episodes = Episodes(self.game)
        self._lost_by: int | None = None
        self.reset()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Board, dict[str, Any]]:
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
        """Make one move. An illegal one loses the game. Raises `GameOverError` after the end."""
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
        return self._board(), float(winner * mover), True, False, {"winner": winner, "reason": outcome.reason}

    def render(self) -> str:
        """The board, the scores and whose turn it is, as text."""
        return render_text(self.position)

    def _board(self) -> Board:
        return np.array(part(self.name, "gym_layout").write(self.position), np.int8).reshape(self._shape)

    def __deepcopy__(self, memo: dict[int, Any]) -> DropIn:
        """A copy that shares the position, which never changes, and goes on with the same deals."""
        other = copy(self)
        other._episodes = self._episodes.copy()
        return other


@cache
def drop_in(name: str) -> type[DropIn]:
    """The drop-in class of a game."""
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
