"""A Gymnasium environment: one agent against an opponent."""

from __future__ import annotations

from operator import index
from typing import Any, ClassVar

import gymnasium
import numpy as np
from numpy.typing import NDArray

from pentagrid.analysis.komi import load_fair
from pentagrid.core.game import Game
from pentagrid.core.payoff import paid, read_payoff
from pentagrid.core.position import Outcome, Position, bits
from pentagrid.core.rng import Dice
from pentagrid.core.streams import Stream
from pentagrid.envs.episodes import Episodes
from pentagrid.envs.observation import LegalActions, Observation, observer_of
from pentagrid.envs.oracle import judge
from pentagrid.envs.render import RgbArray, render_rgb, render_text
from pentagrid.errors import OptionError, shown
from pentagrid.play import players

SEATS = (1, 2, "random")
ILLEGAL = ("lose", "raise")


class SingleEnv(gymnasium.Env[Observation, np.int64]):
    """One agent against an opponent: `random`, `greedy`, `level:1` to `level:9`, `perfect`, or any `Player`.

    `seat` is the agent's: 1, 2 or `random` (drawn for each episode). `reset(seed=s)` deals what `game.deal(seed=s)`
    deals; what follows, the opponent's moves and later episodes, depends only on that seed and the actions. `reset`
    takes the options `seat` and `board`. With `komi="fair"` every deal has its own komi, which is observed too. Under
    the payoff `win` a win pays 1 and a loss -1; under `points` a game pays the agent's final margin, komi counted. An
    illegal action loses the game (under `points` with all points of the deal); with `illegal="raise"` it raises and
    changes nothing, as an action that is none does in any case. `info` holds `action_mask`; at the end `winner` and
    `reason`; with `oracle`, after a step, exact numbers about the agent's move, from the agent's side: see
    `pentagrid.envs.oracle`.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 2}

    def __init__(
        self,
        game: str,
        size: int | None = None,
        opponent: str | players.Player = "random",
        seat: int | str = 1,
        payoff: str = "win",
        oracle: bool = False,
        illegal: str = "lose",
        render_mode: str | None = None,
        **rules: str,
    ) -> None:
        self.game, fair = load_fair(game, size, rules)
        self.opponent = read_opponent(opponent, self.game)
        self._by_chance = isinstance(self.opponent, players.Random)
        self.seat = check_seat(seat)
        self.payoff = read_payoff(payoff, self.game)
        self.illegal = check_illegal(illegal)
        self.oracle = oracle
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise OptionError(f"render_mode must be ansi or rgb_array, not {render_mode!r}.")
        self.render_mode = render_mode
        self._observer = observer_of(self.game, fair)
        self.observation_space = self._observer.space()
        self.action_space: LegalActions = LegalActions(self._observer)
        self._episodes = Episodes(self.game, fair, self.game.most_turns + 1 if self._by_chance else 0)
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
        if self._by_chance:
            self._draws = self._episodes.draws
        else:
            self._dice = Dice(seed, Stream.ENV_OPPONENT)
        legal = position.game.legal(position)
        while position.mover != self.agent:
            position, legal = self._opponent_moves(position, legal)
        self._position = position
        self._legal = self.action_space.legal = legal
        return self._observer.observe(position, self.agent), {"action_mask": self._observer.mask(self._legal)}

    def _read_options(self, options: dict[str, Any]) -> tuple[int | str, Position | None]:
        """The seat and the deal that the options of `reset` ask for."""
        if unknown := set(options) - {"seat", "board"}:
            raise OptionError(f"The options of reset must be seat and board, not {shown(str(min(unknown)))}.")
        board = options.get("board")
        return check_seat(options.get("seat", self.seat)), None if board is None else self.game.read_board(board)

    def _opponent_moves(self, position: Position, legal: int) -> tuple[Position, int]:
        """The position after the opponent's move, and what is legal there."""
        game = position.game
        if self._by_chance:  # as `Random.choose` (but for one draw in 2^58), with draws that are made already
            actions = bits(legal)
            action = actions[self._draws.pop() % len(actions)]
        else:
            action = self.opponent.choose(position, self._dice)
        position = game.after(position, action)
        return position, game.legal(position)

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make the agent's move and the opponent's. Raises `NotAllowedError`, `UnreadableError` or `GameOverError`."""
        before, chosen = self._position or self.position, index(action)
        game = before.game
        if chosen < 0 or not self._legal >> chosen & 1:
            if self.illegal == "raise" or not self._legal or not 0 <= chosen < game.action_count:
                before.play(chosen)  # raises, and says why
            return self._forfeit(before)
        position = after = game.after(before, chosen)
        legal = game.legal(position)
        while legal and position.mover != self.agent:
            position, legal = self._opponent_moves(position, legal)
        self._position = position
        self._legal = self.action_space.legal = legal
        info: dict[str, Any] = {"action_mask": self._observer.mask(legal)}
        if self.oracle:
            info |= judge(before, after, self.payoff)
        reward = 0.0
        if not legal:
            outcome = game.final_outcome(position)
            info["winner"], info["reason"] = outcome
            reward = paid(position, self.agent, self.payoff, outcome)
        return self._observer.observe(position, self.agent), reward, not legal, False, info

    def _forfeit(self, position: Position) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """The game is lost by an illegal move."""
        self._legal = self.action_space.legal = 0
        outcome = Outcome(3 - self.agent, "illegal")
        info = {"action_mask": self._observer.mask(0), **outcome._asdict()}
        reward = paid(position, self.agent, self.payoff, outcome)
        return self._observer.observe(position, self.agent), reward, True, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions as sb3-contrib asks for them."""
        return self._observer.mask(self._legal).view(np.bool_)

    def render(self) -> str | RgbArray | None:
        """The position as text (`ansi`) or as pixels (`rgb_array`)."""
        if self.render_mode == "ansi":
            return render_text(self.position)
        return render_rgb(self.position) if self.render_mode == "rgb_array" else None


def read_opponent(opponent: str | players.Player, game: Game) -> players.Player:
    """The player that is asked for. Raises `OptionError`, also for one that cannot play the game."""
    if not isinstance(opponent, str):
        return opponent
    player = players.make_player(opponent)
    if player is None:
        raise OptionError(f"opponent must be one of {players.usages(people=False)}, not {shown(opponent)}.")
    players.check_plays(opponent, game)
    return player


def check_illegal(illegal: str) -> str:
    """What becomes of an illegal action. Raises `OptionError`."""
    if illegal not in ILLEGAL:
        raise OptionError(f"illegal must be lose or raise, not {illegal!r}.")
    return illegal


def check_seat(seat: object) -> int | str:
    """A seat of the agent: 1, 2 or random. Raises `OptionError`."""
    if seat not in SEATS:
        raise OptionError(f"seat must be 1, 2 or random, not {seat!r}.")
    assert isinstance(seat, int | str)
    return seat
