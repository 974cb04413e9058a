"""The games in OpenSpiel: importing this module registers them with `pyspiel`, as `pentagrid_matrix_capture` and so on.

Parameters: `seed` (the deal) or `board` (its numbers), `size`, `payoff` (`win`: 1 and -1; `points`: the margin, in
games that have points), and every rule option of the game with underscores (`sudden_death`; `komi` is a number, and a
player is `player2`). Needs the extra `spiel`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from pentagrid.core.catalog import find, game_names, load
from pentagrid.core.game import Game
from pentagrid.core.position import Position
from pentagrid.core.scoring import ScoringGame
from pentagrid.envs.observation import observer_of
from pentagrid.errors import OptionError

PAYOFFS = ("win", "points")


def openspiel_name(name: str) -> str:
    """The name under which OpenSpiel knows a game."""
    return f"pentagrid_{find(name).name.replace('-', '_')}"


def _longest(game: Game) -> int:
    """At least as many turns as any game lasts."""
    return int(getattr(game, "limit", game.action_count)) + game.pie


def _option(value: str | float) -> str:
    """A rule option from a parameter: OpenSpiel reads what looks like a number as one, so a player is `player2`."""
    return f"{value:g}" if isinstance(value, float) else value.removeprefix("player")


class OpenSpielGame(pyspiel.Game):
    """One deal of one game."""

    kind: pyspiel.GameType

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**self.kind.parameter_specification, **(params or {})}
        rules = {key: _option(value) for key, value in given.items() if key not in ("seed", "board", "size", "payoff")}
        name = self.kind.short_name.removeprefix("pentagrid_")
        self.game = load(name.replace("_", "-"), given["size"] or None, **rules)
        self.start = self.game.read_board(given["board"]) if given["board"] else self.game.deal(seed=given["seed"])
        if given["payoff"] not in PAYOFFS or (given["payoff"] == "points" and self.start.scores is None):
            raise OptionError(f"payoff {given['payoff']!r} cannot be; it is win, or points in games that have points.")
        self.by_points = given["payoff"] == "points"
        most = float(2 * self.game.cell_count * max(9, self.game.cell_count)) if self.by_points else 1.0
        info = pyspiel.GameInfo(
            num_distinct_actions=self.game.action_count,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=_longest(self.game),
        )
        super().__init__(self.kind, info, params or {})

    def new_initial_state(self, state: Any = None) -> OpenSpielState:
        """The opening."""
        return OpenSpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> OpenSpielObserver:
        """What sees a state as numbers and as text."""
        return OpenSpielObserver(self.game)


class OpenSpielState(pyspiel.State):
    """One position."""

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self.position: Position = game.start
        self._by_points = game.by_points

    def current_player(self) -> int:
        """0 for Player 1, 1 for Player 2."""
        turn = self.position.turn
        return int(pyspiel.PlayerId.TERMINAL) if turn is None else turn - 1

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.position.actions())

    def _apply_action(self, action: int) -> None:
        self.position = self.position.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.position.game.texts[action]

    def is_terminal(self) -> bool:
        return self.position.turn is None

    def returns(self) -> list[float]:
        """What each player gets: nothing before the end."""
        outcome = self.position.outcome()
        if outcome is None:
            return [0.0, 0.0]
        if self._by_points:
            game, scores = self.position.game, self.position.scores
            assert isinstance(game, ScoringGame) and scores is not None
            gained = float(game.with_komi(scores[0] - scores[1], self.position.swapped))
        else:
            gained = 1.0 if outcome.winner == 1 else -1.0
        return [gained, -gained]

    def __str__(self) -> str:
        return self.position.text


class OpenSpielObserver:
    """The observation of the other environments, as OpenSpiel wants it."""

    def __init__(self, game: Game) -> None:
        self._view = observer_of(game)
        self.tensor = np.zeros(self._view.length, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        self.tensor[:] = self._view.observe(state.position, player + 1)

    def string_from(self, state: OpenSpielState, player: int) -> str:
        return state.position.text


def _game_class(name: str) -> type[OpenSpielGame]:
    found = find(name)
    rules = {
        rule.name.replace("-", "_"): float(rule.values[0]) if rule.reader else rule.values[0]
        for rule in found.offered_rules
    }
    kind = pyspiel.GameType(
        short_name=openspiel_name(name),
        long_name=f"Pentagrid {found.title}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"seed": 0, "board": "", "size": 0, "payoff": "win", **rules},
    )
    return type(f"Spiel{found.title.replace(' ', '')}", (OpenSpielGame,), {"kind": kind})


def register() -> None:
    """Make every game known to OpenSpiel; what is known already stays."""
    known = set(pyspiel.registered_names())
    for name in game_names():
        if openspiel_name(name) not in known:
            made = _game_class(name)
            pyspiel.register_game(made.kind, made)


register()
