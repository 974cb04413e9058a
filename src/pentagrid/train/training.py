"""One training run: rounds of self-play within a budget, measured as it goes, kept in a file so that it can go on.

A run is the same whether it was interrupted or not: every round has a key of its own, made of the seed and its number.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from pentagrid.analysis.sentences import counted
from pentagrid.core.game import Game
from pentagrid.core.jax_rng import Array
from pentagrid.core.payoff import Payoff, read_payoff
from pentagrid.envs.jax import JaxEnv, State
from pentagrid.errors import OptionError
from pentagrid.play.policy import Policy, read_arrays, write_arrays
from pentagrid.train.measurement import Measurement, Strength
from pentagrid.train.ppo import Learner, PpoSettings, SelfPlay, masked_logits, normalized

FORMAT = "pentagrid-training-1"
ROUNDS_AT_ONCE = 8
"""Rounds of one call to the device; a run can be paused between calls."""
MEASURED_AT = (0.0, 1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 3 / 8, 1 / 2, 5 / 8, 3 / 4, 7 / 8, 1.0)
"""How much of the budget is used up when a policy is measured."""
SECONDS_BETWEEN_FILES = 30.0
MOVES_A_ROUND = {"cpu": 8_192}
MORE_MOVES_A_ROUND = 262_144
"""Moves of a round on the processor, and on any accelerator."""
DEALS = 1000
"""How many deals a policy is usually measured on."""


class TrainingPlan(NamedTuple):
    """What a run is: two runs with the same plan are the same, up to how long they last."""

    game: Game
    payoff: Payoff
    settings: PpoSettings
    seed: int
    deals: int
    """How many deals a policy is measured on."""

    def data(self) -> dict[str, Any]:
        game = self.game
        return {
            "game": game.name,
            "size": game.size,
            "rules": dict(game.chosen_rules),
            "payoff": self.payoff,
            "seed": self.seed,
            "deals": self.deals,
            **json.loads(json.dumps(self.settings._asdict())),
        }


def usual_plan(
    game: Game, seed: int = 0, deals: int = DEALS, payoff: str | None = None, **settings: Any
) -> TrainingPlan:
    """A plan with what is usual where nothing is said: points where there are any, as many games as the device likes.

    Raises `OptionError`, also for a game that leaves something to the toss of a deal.
    """
    game.check_settled()
    moves = MOVES_A_ROUND.get(jax.default_backend(), MORE_MOVES_A_ROUND)
    settings.setdefault("games", moves // game.most_turns)
    chosen = read_payoff(payoff or ("points" if game.has_points else "win"), game)
    return TrainingPlan(game, chosen, PpoSettings(**settings), seed, deals)


class Budget(NamedTuple):
    """How long a run lasts: seconds of training, or moves."""

    seconds: float | None = None
    steps: int | None = None


@dataclass
class CurvePoint:
    """How good the policy was at one time."""

    steps: int
    seconds: float
    measures: Mapping[str, Mapping[str, list[float]]]
    """By opponent: each measure with its interval."""


@dataclass
class TrainingRun:
    """A run and how far it is."""

    plan: TrainingPlan
    rounds: int = 0
    seconds: float = 0.0
    curve: list[CurvePoint] = field(default_factory=list)

    def __post_init__(self) -> None:
        plan = self.plan
        self.env = JaxEnv(plan.game.name, plan.game.size, plan.payoff, **plan.game.chosen_rules)
        self._self_play = SelfPlay(self.env, plan.settings)
        self._key = jax.random.key(plan.seed)
        self.learner: Learner = jax.jit(self._self_play.fresh_learner)(jax.random.fold_in(self._key, 0))
        self._measurement = Measurement(plan.game, self.chosen, plan.deals)

    @property
    def steps(self) -> int:
        """Moves made so far, in all games together."""
        return self.rounds * self.plan.settings.games * self.plan.game.most_turns

    def progress(self, budget: Budget) -> float:
        """How much of the budget is used up, from 0 to 1."""
        if budget.steps is not None:
            return min(1.0, self.steps / budget.steps)
        return min(1.0, self.seconds / (budget.seconds or 1.0))

    def _learned(self, learner: Learner, first: Array, progress: Array) -> Learner:
        def once(learner: Learner, number: Array) -> tuple[Learner, None]:
            key = jax.random.fold_in(self._key, first + number + 1)
            return self._self_play.round(learner, key, progress), None

        learner, _ = jax.lax.scan(once, learner, np.arange(ROUNDS_AT_ONCE, dtype=np.int32))
        return learner

    def chosen(self, learner: Learner, state: State) -> Array:
        """The move that the policy likes best, in each game."""
        layers = self._self_play.policy_network.layers(learner.policy)
        seen = normalized(learner.normal, state.observation)
        return masked_logits(layers, seen, state.legal_action_mask).argmax(axis=1)

    # Training -------------------------------------------------------------------------------------------

    def train(
        self,
        budget: Budget,
        keep: Callable[[], None],
        tell: Callable[[CurvePoint], None] = lambda point: None,
        stop: Callable[[], bool] = lambda: False,
        show: Callable[[float], None] = lambda progress: None,
    ) -> bool:
        """Train until the budget is used up; False if `stop` ended it before that.

        `keep` is called at every measurement and in between, `tell` hears of every measurement.
        """
        learn = jax.jit(self._learned).lower(self.learner, np.int32(0), np.float32(0)).compile()
        kept = perf_counter()
        while (progress := self.progress(budget)) < 1:
            if self._is_due(budget):
                self._measure(tell)
                keep()
                kept = perf_counter()
            if stop():
                break
            began = perf_counter()
            learner = learn(self.learner, np.int32(self.rounds), np.float32(progress))
            self.learner = jax.block_until_ready(learner)
            self.seconds += perf_counter() - began
            self.rounds += ROUNDS_AT_ONCE
            show(self.progress(budget))
            if perf_counter() - kept > SECONDS_BETWEEN_FILES:
                keep()
                kept = perf_counter()
        if not self.curve or self.curve[-1].steps != self.steps:
            self._measure(tell)
        keep()
        return progress >= 1

    def _is_due(self, budget: Budget) -> bool:
        """Has a time to measure come since the last measurement?"""
        if not self.curve:
            return True
        last = self.curve[-1]
        before = last.steps / budget.steps if budget.steps is not None else last.seconds / (budget.seconds or 1.0)
        return any(before < share <= self.progress(budget) for share in MEASURED_AT)

    def _measure(self, tell: Callable[[CurvePoint], None]) -> None:
        measures = {who: found.data() for who, found in self.measured().items()}
        self.curve.append(CurvePoint(self.steps, round(self.seconds, 2), measures))
        tell(self.curve[-1])

    def measured(self) -> dict[str, Strength]:
        """How good the policy is now."""
        return self._measurement.measure(self.learner)

    # Files ----------------------------------------------------------------------------------------------

    def policy(self) -> Policy:
        """The policy as it is now, for NumPy."""
        layers = self._self_play.policy_network.layers(self.learner.policy)
        full = [(np.asarray(weights, float), np.asarray(biases, float)) for weights, biases in layers]
        mean, scale = (np.asarray(part, float) for part in self.learner.normal[:2])
        seconds = max(1, round(self.seconds))
        length = counted(seconds, "second") if seconds < 90 else counted(round(seconds / 60), "minute")
        return Policy(self.plan.game, full, "relu", mean, scale, f"taught itself in {length}")

    def write(self, path: Path) -> None:
        """Write everything that is needed to go on. Raises `OptionError`."""
        curve = [vars(point) for point in self.curve]
        facts = {"plan": self.plan.data(), "rounds": self.rounds, "seconds": self.seconds, "curve": curve}
        arrays = {f"leaf{i}": np.asarray(leaf) for i, leaf in enumerate(jax.tree.leaves(self.learner))}
        write_arrays(path, {"format": FORMAT, "facts": json.dumps(facts)}, arrays)

    def read(self, path: Path) -> None:
        """Go on where a file says. Raises `OptionError` if it is of another run."""
        words, arrays = read_arrays(path, ("format", "facts"), "a training run")
        if words["format"] != FORMAT:
            raise OptionError(f"{path} is not a training run of this version: its format must be {FORMAT}.")
        facts = json.loads(words["facts"])
        theirs, ours = facts["plan"], self.plan.data()
        for name in (*ours, *theirs):
            if theirs.get(name) != ours.get(name):
                raise OptionError(
                    f"{path} is a run with {name} {theirs.get(name)}, not {ours.get(name)}; choose another --out."
                )
        leaves, form = jax.tree.flatten(self.learner)
        found = [arrays.get(f"leaf{i}", np.zeros(0)) for i in range(len(leaves))]
        if any(leaf.shape != there.shape for leaf, there in zip(leaves, found, strict=True)):
            raise OptionError(f"{path} is damaged: its numbers do not fit the network.")
        self.learner = jax.tree.unflatten(form, [jnp.asarray(a, b.dtype) for a, b in zip(found, leaves, strict=True)])
        self.rounds, self.seconds = facts["rounds"], facts["seconds"]
        self.curve = [CurvePoint(**point) for point in facts["curve"]]
