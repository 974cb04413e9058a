"""The games in OpenSpiel: importing this module registers them with `pyspiel`, as `pentagrid_matrix_capture` and so on.

Parameters: `seed` (the deal) or `board` (its numbers), `size`, `payoff` (`win`: 1 and -1; `points`: the margin, in
games that have points), and every rule option of the game with underscores (`sudden_death`; `komi` is a number, and a
player is `player2`). It needs the extra `spiel`.
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
    """The short name of a game in OpenSpiel."""
    return f"pentagrid_{find(name).name.replace('-', '_')}"


def _longest(game: Game) -> int:
    """An upper bound of the turns that a game lasts."""
    return int(getattr(game, "limit", game.action_count)) + game.pie


def _option(value: str | float) -> str:
    """The value of a rule option, from a parameter. OpenSpiel would read "2" as a number, so a player is `player2`."""
    return f"{value:g}" if isinstance(value, float) else value.removeprefix("player")


class OpenSpielGame(pyspiel.Game):
    """One deal of one game."""

    game_type: pyspiel.GameType

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**self.game_type.parameter_specification, **(params or {})}
        rules = {key: _option(value) for key, value in given.items() if key not in ("seed", "board", "size", "payoff")}
        name = self.game_type.short_name.removeprefix("pentagrid_")
        self.game = load(name.replace("_", "-"), given["size"] or None, **rules)
        self.start = self.game.read_board(given["board"]) if given["board"] else self.game.deal(seed=given["seed"])
        if given["payoff"] not in (PAYOFFS[:1] if self.start.scores is None else PAYOFFS):
            allowed = "win" if self.start.scores is None else "win or points"
            raise OptionError(f"payoff must be {allowed}, not {given['payoff']!r}.")
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
        super().__init__(self.game_type, info, params or {})

    def new_initial_state(self, state: Any = None) -> OpenSpielState:
        """The opening."""
        return OpenSpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> OpenSpielObserver:
        """An observer of the states of this game."""
        return OpenSpielObserver(self.game)


class OpenSpielState(pyspiel.State):
    """One position."""

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self.position: Position = game.start
        self._by_points = game.by_points

    def current_player(self) -> int:
        """0 for seat 1, 1 for seat 2."""
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
        """What each player receives: nothing before the end."""
        outcome = self.position.outcome()
        if outcome is None:
            return [0.0, 0.0]
        if self._by_points:
            game, scores = self.position.game, self.position.scores
            assert isinstance(game, ScoringGame) and scores is not None
            payoff = float(game.with_komi(scores[0] - scores[1], self.position.swapped))
        else:
            payoff = 1.0 if outcome.winner == 1 else -1.0
        return [payoff, -payoff]

    def __str__(self) -> str:
        return self.position.text


class OpenSpielObserver:
    """The observations of the other environments in the form that OpenSpiel expects."""

    def __init__(self, game: Game) -> None:
        self._observer = observer_of(game)
        self.tensor = np.zeros(self._observer.length, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        self.tensor[:] = self._observer.observe(state.position, player + 1)

    def string_from(self, state: OpenSpielState, player: int) -> str:
        return state.position.text


def _game_class(name: str) -> type[OpenSpielGame]:
    """The OpenSpiel class of a game."""
    game_class = find(name)
    rules = {
        rule.name.replace("-", "_"): float(rule.values[0]) if rule.reader else rule.values[0]
        for rule in game_class.offered_rules
    }
    game_type = pyspiel.GameType(
        short_name=openspiel_name(name),
        long_name=f"Pentagrid {game_class.title}",
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
    return type(f"OpenSpiel{game_class.title.replace(' ', '')}", (OpenSpielGame,), {"game_type": game_type})


def register() -> None:
    """Register every game with OpenSpiel, except those that are registered already."""
    known = set(pyspiel.registered_names())
    for name in game_names():
        if openspiel_name(name) not in known:
            game_class = _game_class(name)
            pyspiel.register_game(game_class.game_type, game_class)


register()
