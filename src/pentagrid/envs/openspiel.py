"""The games in OpenSpiel: importing this module registers them with `pyspiel`, as `pentagrid_matrix_capture` and so on.

Parameters: `seed` (the deal) or `board` (its numbers), or `chance`: then the deal is drawn at chance nodes, one for
each draw of the dice, and the game is all deals together. `size`, `payoff` (`win`: 1 and -1; `points`: the margin, in
games that have points), and every rule option of the game with underscores (`sudden_death`; `komi` is a number, and a
player is `player2`). It needs the extra `spiel`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from pentagrid.core.catalog import find, game_names, load
from pentagrid.core.game import Game
from pentagrid.core.payoff import most_paid, paid, read_payoff
from pentagrid.core.position import Position
from pentagrid.core.rng import Dice
from pentagrid.envs.observation import observer_of
from pentagrid.errors import OptionError

OWN = ("seed", "board", "chance", "size", "payoff")
"""The parameters that are not rule options."""


def openspiel_name(name: str) -> str:
    """The short name of a game in OpenSpiel."""
    return f"pentagrid_{find(name).name.replace('-', '_')}"


def _longest(game: Game) -> int:
    """An upper bound of the turns that a game lasts."""
    return int(getattr(game, "limit", game.action_count)) + game.pie


def _option(value: str | float) -> str:
    """The value of a rule option, from a parameter. OpenSpiel would read "2" as a number, so a player is `player2`."""
    return f"{value:g}" if isinstance(value, float) else value.removeprefix("player")


class ChosenDice(Dice):
    """Dice that fall as they are told; where they are told nothing more, they fall at 0."""

    def __init__(self, falls: list[int]) -> None:
        self._falls = falls
        self.sides: list[int] = []
        """Of each draw: how many ways it can fall."""

    def below(self, n: int) -> int:
        self.sides.append(n)
        return self._falls[len(self.sides) - 1] if len(self.sides) <= len(self._falls) else 0


class OpenSpielGame(pyspiel.Game):
    """One deal of one game, or with chance nodes all deals."""

    game_type: pyspiel.GameType

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**self.game_type.parameter_specification, **(params or {})}
        rules = {key: _option(value) for key, value in given.items() if key not in OWN}
        name = self.game_type.short_name.removeprefix("pentagrid_")
        self.game = load(name.replace("_", "-"), given["size"] or None, **rules)
        self.start = self.game.read_board(given["board"]) if given["board"] else self.game.deal(seed=given["seed"])
        self.game = self.start.game
        self.draws: list[int] = []
        """Of each chance node: how many ways it can fall."""
        if given["chance"]:
            if given["board"] or not self.game.has_numbers:
                why = "board gives the deal" if given["board"] else f"{self.game.title} has a single deal"
                raise OptionError(f"chance must be False here, not True: {why}.")
            dice = ChosenDice([])
            self.game.deal_numbers(dice)
            self.draws = dice.sides
        self.payoff = read_payoff(given["payoff"], self.game)
        most = most_paid(self.start, self.payoff)
        if self.payoff == "points" and self.draws:
            most = float(2 * self.game.cell_count * max(9, self.game.cell_count) + abs(float(rules.get("komi", 0))))
        info = pyspiel.GameInfo(
            num_distinct_actions=self.game.action_count,
            max_chance_outcomes=max(self.draws, default=0),
            num_players=2,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=_longest(self.game),
        )
        kind = _game_type(self.game_type.short_name, type(self.game), stochastic=bool(self.draws))
        super().__init__(kind, info, params or {})

    def new_initial_state(self, state: Any = None) -> OpenSpielState:
        """The opening."""
        return OpenSpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> OpenSpielObserver:
        """An observer of the states of this game."""
        return OpenSpielObserver(self.game)


class OpenSpielState(pyspiel.State):
    """One position, or one that is still being dealt."""

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self.position: Position = game.start
        """The position; while it is dealt, that of another deal."""
        self._payoff = game.payoff
        self._draws = game.draws
        self._fallen: list[int] = []

    @property
    def dealt(self) -> bool:
        """Is the deal complete?"""
        return len(self._fallen) == len(self._draws)

    def current_player(self) -> int:
        """0 for seat 1, 1 for seat 2."""
        if not self.dealt:
            return int(pyspiel.PlayerId.CHANCE)
        turn = self.position.turn
        return int(pyspiel.PlayerId.TERMINAL) if turn is None else turn - 1

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """How the dice can fall next, each way equally likely."""
        sides = self._draws[len(self._fallen)]
        return [(fall, 1 / sides) for fall in range(sides)]

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.position.actions()) if self.dealt else list(range(self._draws[len(self._fallen)]))

    def _apply_action(self, action: int) -> None:
        if self.dealt:
            self.position = self.position.play(action)
            return
        self._fallen = fallen = [*self._fallen, action]
        if len(fallen) == len(self._draws):
            self.position = self.position.with_numbers(self.position.game.deal_numbers(ChosenDice(fallen)))

    def _action_to_string(self, player: int, action: int) -> str:
        return self.position.game.texts[action] if self.dealt else f"draw {action}"

    def is_terminal(self) -> bool:
        return self.dealt and self.position.turn is None

    def returns(self) -> list[float]:
        """What each player receives: nothing before the end."""
        if not self.is_terminal():
            return [0.0, 0.0]
        payoff = paid(self.position, 1, self._payoff)
        return [payoff, -payoff]

    def __str__(self) -> str:
        return self.position.text if self.dealt else f"{self.position.game.name} dealing {self._fallen}"


class OpenSpielObserver:
    """The observations of the other environments in the form that OpenSpiel expects."""

    def __init__(self, game: Game) -> None:
        self._observer = observer_of(game)
        self.tensor = np.zeros(self._observer.length, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        self.tensor[:] = self._observer.observe(state.position, player + 1) if state.dealt else 0

    def string_from(self, state: OpenSpielState, player: int) -> str:
        return str(state)


def _game_type(short_name: str, game_class: type[Game], stochastic: bool = False) -> pyspiel.GameType:
    """What OpenSpiel is told about a game."""
    rules = {
        rule.name.replace("-", "_"): float(rule.values[0]) if rule.reader else rule.values[0]
        for rule in game_class.offered_rules
    }
    chance = pyspiel.GameType.ChanceMode
    return pyspiel.GameType(
        short_name=short_name,
        long_name=f"Pentagrid {game_class.title}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if stochastic else chance.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"seed": 0, "board": "", "chance": False, "size": 0, "payoff": "win", **rules},
    )


def _game_class(name: str) -> type[OpenSpielGame]:
    """The OpenSpiel class of a game."""
    game_class = find(name)
    kind = f"OpenSpiel{game_class.title.replace(' ', '')}"
    return type(kind, (OpenSpielGame,), {"game_type": _game_type(openspiel_name(name), game_class)})


def register() -> None:
    """Register every game with OpenSpiel, except those that are registered already."""
    known = set(pyspiel.registered_names())
    for name in game_names():
        if openspiel_name(name) not in known:
            game_class = _game_class(name)
            pyspiel.register_game(game_class.game_type, game_class)


register()
