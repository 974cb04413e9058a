"""PettingZoo's AEC interface with the face of the other adapters."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from pentagrid.audit.adapters import Adapter, start_of
from pentagrid.audit.moment import Action, Moment, truth
from pentagrid.audit.sources import SCORE_NAMES, WINNER_NAMES, as_moves, find_legal, find_source, hashable


class AecAdapter(Adapter):
    """PettingZoo's AEC interface (agent environment cycle)."""

    style = "PettingZoo AEC"
    show = "env.last()"
    observed = "env.observe(env.agent_selection)"

    def reset(self, seed: int | None = None) -> Moment:
        if seed is None:
            self.call(self.reset_code(), self.env.reset)
        else:
            self.call(self.reset_code(seed), self.env.reset, seed=seed)
        return self._moment({})

    def step(self, action: Action) -> Moment:
        self.call(self.step_code(repr(action)), self.env.step, action)
        return self._moment(dict(self.env.rewards))

    def _moment(self, rewards: Mapping[Hashable, Any]) -> Moment:
        """What the environment shows now; the reward is the last mover's."""
        env = self.env
        mover = self.last.player if self.last is not None and rewards else None
        agent = env.agent_selection
        observation = self.call(self.observed, env.observe, agent, record=False)
        info = env.infos.get(agent, {})
        over = bool(env.terminations) and all(
            truth(env.terminations.get(one, True)) or truth(env.truncations.get(one, True)) for one in env.terminations
        )
        ended = any(map(truth, env.terminations.values()))
        moment = Moment(
            observation,
            None,
            agent,
            info,
            rewards.get(mover, None),
            over and ended,
            over and not ended,
            rewards or None,
        )
        return self.look(moment)

    def observation_space(self) -> Any:
        return self.env.observation_space(self.env.agent_selection)

    def space_of(self, moment: Moment) -> Any:
        return self.env.observation_space(moment.player)

    def action_space(self) -> Any:
        return self.env.action_space(self.env.agent_selection)

    def legal(self) -> list[Action] | None:
        """From the observation or the info of the agent who is to move, as PettingZoo has it."""
        if self.last is None:
            return None
        for place in (self.last.observation, self.last.info):
            if isinstance(place, Mapping) and "action_mask" in place:
                return as_moves(place["action_mask"], start_of(self.action_space()), "mask")
        return super().legal()

    def player(self) -> Hashable:
        return hashable(self.env.agent_selection)

    def find_sources(self, opening: Moment) -> None:
        self.last = opening
        masked = opening.legal is not None
        self.legal_source = None if masked else find_legal(self.env, opening.observation, opening.info)
        self.winner_source = find_source(WINNER_NAMES, self.env, opening.observation, opening.info)
        self.score_source = find_source(SCORE_NAMES, self.env, opening.observation, opening.info)
        told = "from action_mask" if masked else f"from {self.legal_source.where}" if self.legal_source else "not told"
        self.style = f"{self.style}; legal moves {told}; turns from agent_selection"
