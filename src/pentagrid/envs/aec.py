"""A PettingZoo environment (AEC, agent environment cycle): two agents who move in turn."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from pentagrid.analysis.komi import load_fair
from pentagrid.core.payoff import most_paid, paid, read_payoff
from pentagrid.core.position import Position
from pentagrid.envs.episodes import Episodes
from pentagrid.envs.observation import observer_of
from pentagrid.envs.oracle import judge
from pentagrid.envs.render import RgbArray, render_rgb, render_text
from pentagrid.errors import OptionError

AGENTS = ("player_1", "player_2")


def aec_env(game: str, **options: Any) -> AECEnv[str, Any, int]:
    """The environment with PettingZoo's usual wrappers: an illegal move ends the game and costs its maker 1, under
    the payoff `points` all points of the deal."""
    env: AECEnv[str, Any, int] = LoseIllegalWrapper(RawAecEnv(game, **options), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))


class LoseIllegalWrapper(wrappers.TerminateIllegalWrapper):
    """Ends the game at an illegal move, which costs its maker the most that the deal can."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        super().reset(seed=seed, options=options)
        env: RawAecEnv = self.unwrapped
        self._illegal_value = -most_paid(env.position, env.payoff)


class RawAecEnv(AECEnv[str, Any, int], EzPickle):
    """The environment without wrappers (PettingZoo's `raw_env`): an illegal move raises and changes nothing.

    An observation is a dictionary: `observation`, seen from that agent's seat, and `action_mask`, all zeros for the
    agent who is not to move. `reset(seed=s)` deals what `game.deal(seed=s)` deals. Both agents are paid at the end:
    1 and -1, or under the payoff `points` their margins, komi counted. With `oracle` the `infos` of whoever has just
    moved hold exact numbers about the move, from their side: see `pentagrid.envs.oracle`.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - every instance has its own name in it
        "render_modes": ["human", "ansi", "rgb_array"],
        "name": "pentagrid_v0",
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        game: str,
        size: int | None = None,
        payoff: str = "win",
        oracle: bool = False,
        render_mode: str | None = None,
        **rules: str,
    ) -> None:
        EzPickle.__init__(self, game, size, payoff, oracle, render_mode, **rules)
        super().__init__()
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise OptionError(f"render_mode must be human, ansi or rgb_array, not {render_mode!r}.")
        self.game, fair = load_fair(game, size, rules)
        self.payoff = read_payoff(payoff, self.game)
        self.oracle = oracle
        self.metadata = {**RawAecEnv.metadata, "name": f"{self.game.name.replace('-', '_')}_v0"}
        self.render_mode = render_mode
        self._observer = observer_of(self.game, fair)
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.observation_spaces = {
            agent: Dict(
                {
                    "observation": self._observer.space(),
                    "action_mask": Box(0, 1, (self.game.action_count,), np.int8),
                }
            )
            for agent in AGENTS
        }
        self.action_spaces = {agent: Discrete(self.game.action_count) for agent in AGENTS}
        self._episodes = Episodes(self.game, fair)
        self.position: Position = self.game.deal(seed=0)

    def observation_space(self, agent: str) -> Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game; the option `board` gives its numbers."""
        board = (options or {}).get("board")
        given = None if board is None else self.game.read_board(board)
        seed, dealt = self._episodes.next() if seed is None else self._episodes.first(seed)
        self.position = dealt if given is None else self._episodes.with_komi(given, seed)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self.position.mover - 1]

    def observe(self, agent: str) -> dict[str, Any]:
        seat = AGENTS.index(agent) + 1
        legal = self.position.game.legal(self.position) if agent == self.agent_selection and not self._over() else 0
        return {"observation": self._observer.observe(self.position, seat), "action_mask": self._observer.mask(legal)}

    def _over(self) -> bool:
        return any(self.terminations.values())

    def step(self, action: int | None) -> None:
        """Make the selected agent's move. Raises what `Position.play` raises."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action is None:
            raise OptionError("action must be a legal action while the game goes on, not None.")
        before, mover = self.position, self.agent_selection
        self.position = before.play(index(action))
        if self.oracle:
            self.infos[mover] = judge(before, self.position, self.payoff)
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        outcome = self.position.outcome()
        if outcome is not None:
            for seat, agent in enumerate(AGENTS, 1):
                self.rewards[agent] = paid(self.position, seat, self.payoff, outcome)
                self.infos[agent] |= {"winner": outcome.winner, "reason": outcome.reason}
            self.terminations = dict.fromkeys(AGENTS, True)
        self.agent_selection = AGENTS[self.position.mover - 1]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | RgbArray | None:
        """The position as text (`ansi`), as pixels (`rgb_array`), or printed (`human`)."""
        if self.render_mode == "rgb_array":
            return render_rgb(self.position)
        if self.render_mode == "human":
            print(render_text(self.position))
            return None
        return render_text(self.position)

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""
