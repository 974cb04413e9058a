"""Checks of rewards: numbers, sums, when they are paid, and whether they tell who has won."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from math import isfinite
from typing import Any

import numpy as np

from pentagrid.audit.aec_adapter import AecAdapter
from pentagrid.audit.finding import GameSeen, Seen, Severity, env_check, game_check
from pentagrid.audit.moment import as_number, shorten
from pentagrid.audit.referee import Episode, Referee
from pentagrid.audit.sources import hashable

ENOUGH = 20
"""Finished games from which something can be said about what rewards mean."""
RARE = 0.2
"""What happens in a smaller share of games is an exception, not a rule of the environment."""


def _paid(game: Episode) -> list[Any]:
    """Every reward of a game, move by move; a list of both where both are told."""
    return [list(m.rewards.values()) if m.rewards is not None else [m.reward] for m in game.moments[1:]]


@game_check("reward-type", Severity.TOOLS, "a reward is not a finite number")
def reward_type(game: Episode) -> Iterator[GameSeen]:
    for ply, rewards in enumerate(_paid(game), 1):
        for reward in rewards:
            value = as_number(reward)
            if value is None or not isfinite(value):
                yield GameSeen(ply, f"move {ply} is paid {shorten(reward)}, of type {type(reward).__name__}")
                return
            if isinstance(reward, np.ndarray):
                yield GameSeen(ply, f"move {ply} is paid an array, {shorten(reward)}, not a number", "array")
                return


@game_check(
    "cumulative-rewards", Severity.MEASURED, "env.last() does not add up what an agent was paid since its last turn"
)
def cumulative_rewards(game: Episode) -> Iterator[GameSeen]:
    if not isinstance(game.adapter, AecAdapter) or not game.over:
        return
    since: dict[Hashable, float] = {}
    for ply, moment in enumerate(game.moments[1:]):
        mover = game.moments[ply].player
        since[mover] = 0.0
        for agent, reward in (moment.rewards or {}).items():
            since[agent] = since.get(agent, 0.0) + (as_number(reward) or 0.0)
    env = game.adapter.env
    agent = env.agent_selection
    told = as_number(env.last(observe=False)[1])
    if told is not None and abs(told - since.get(agent, 0.0)) > 1e-9:
        yield GameSeen(
            len(game.actions),
            f"at the end env.last() pays {agent} {told:g}; its rewards add up to {since.get(agent, 0.0):g}",
        )


@env_check("zero-sum", Severity.MEASURED, "the players' rewards do not add up to zero")
def zero_sum(referee: Referee) -> Iterator[Seen]:
    ended = [game for game in referee.episodes if game.over and game.last.rewards]
    sums = [
        (game, sum(as_number(r) or 0.0 for m in game.moments[1:] for r in (m.rewards or {}).values())) for game in ended
    ]
    wrong = [(game, total) for game, total in sums if abs(total) > 1e-9]
    if not wrong:
        return
    claimed = "zero-sum" in referee.limits.claims
    if claimed or len(wrong) <= RARE * len(sums):
        game, total = wrong[0]
        rule = "it is claimed to be zero-sum" if claimed else f"in the other {len(sums) - len(wrong)} games it is 0"
        yield _of_game(
            game, f"the rewards {shorten(dict(game.last.rewards or {}))} add up to {total:g}; {rule}", wrong, sums
        )


@env_check("early-reward", Severity.MEASURED, "rewards are paid before the end")
def early_reward(referee: Referee) -> Iterator[Seen]:
    early = [(game, ply) for game in referee.episodes for ply in _early(game)[:1]]
    moves = sum(len(game.actions) for game in referee.episodes)
    count = sum(len(_early(game)) for game in referee.episodes)
    claimed = "end-reward" in referee.limits.claims
    if early and (claimed or count <= 0.05 * moves):
        game, ply = early[0]
        reward = game.moments[ply].rewards or game.moments[ply].reward
        why = "it is claimed that nobody is" if claimed else f"in {moves} moves that happened {count} times"
        evidence = f"move {ply} of a game that goes on is paid {shorten(reward)}; {why}"
        yield Seen(evidence, game.calls(ply), "", len(early), len(referee.episodes), episode=game)


def _early(game: Episode) -> list[int]:
    """The moves that were paid although the game went on."""
    return [
        ply
        for ply, moment in enumerate(game.moments)
        if ply and not moment.over and any(as_number(r) for r in _paid(game)[ply - 1])
    ]


@env_check("nobody-paid", Severity.MEASURED, "nobody is ever paid anything")
def nobody_paid(referee: Referee) -> Iterator[Seen]:
    ended = [game for game in referee.episodes if game.over]
    if len(ended) >= ENOUGH and not any(as_number(r) for game in ended for rewards in _paid(game) for r in rewards):
        evidence = f"all rewards in {len(ended)} finished games are 0: whoever plays, the mean reward is 0"
        yield Seen(evidence, ended[0].calls(len(ended[0].actions)), "", len(ended), len(ended), episode=ended[0])


@env_check("loser-unpaid", Severity.MEASURED, "no one is ever paid for losing")
def loser_unpaid(referee: Referee) -> Iterator[Seen]:
    """Where both rewards or the winner are told; otherwise a loss paid 0 cannot be told from a draw."""
    ended = [game for game in referee.episodes if game.over]
    if len(ended) < ENOUGH:
        return
    finals = [[as_number(r) or 0.0 for r in _paid(game)[-1]] for game in ended]
    lowest = min(min(rewards) for rewards in finals)
    highest = max(max(rewards) for rewards in finals)
    if lowest < 0 or highest <= 0:
        return
    both = [game for game in ended if game.last.rewards]
    lost = [game for game in both if max(_values(game)) > 0 and min(_values(game)) == 0]
    lost += [game for game in ended if game not in both and _winner(referee, game) not in (None, _last_mover(game))]
    if not lost:
        if lowest == 0:
            referee.notes.append(
                "The last mover is paid 0 in some games and never less. If those are draws, all is well; if they are "
                "losses, a mean reward counts a loss like a draw."
            )
        return
    share = len(lost) / len(ended)
    yield Seen(
        f"in {len(lost)} of {len(ended)} games the loser is paid 0, as after a draw: over these games the mean reward "
        f"is too high by {share:.2f}, and an agent that always loses looks like one that always draws",
        lost[0].calls(len(lost[0].actions)), "", len(lost), len(ended), episode=lost[0],
    )  # fmt: skip


def _values(game: Episode) -> list[float]:
    rewards: Mapping[Hashable, Any] = game.last.rewards or {}
    return [as_number(value) or 0.0 for value in rewards.values()]


def _last_mover(game: Episode) -> int:
    return game.mover(len(game.actions) - 1)


def _winner(referee: Referee, game: Episode) -> int | None:
    """The winner as told, 0 or 1 for the first or second player, -1 for a draw; None where it is not clear."""
    told = hashable(game.winner)
    if told is None:
        return None
    if referee.players:
        both = len(referee.players) == 2
        return None if not both else referee.players.index(told) if told in referee.players else -1
    values = {repr(episode.winner) for episode in referee.episodes if episode.over} - {"None", "0"}
    if values <= {"1", "-1"} or values <= {"1", "2"}:
        return {1: 0, -1: 1, 2: 1}.get(told, -1) if isinstance(told, int) else None
    return None


@env_check("reward-winner", Severity.WINS, "rewards contradict who has won")
def reward_winner(referee: Referee) -> Iterator[Seen]:
    told = [(game, _winner(referee, game)) for game in referee.episodes if game.over]
    known = [(game, winner) for game, winner in told if winner is not None]
    if len(known) < ENOUGH:
        return
    rights = {view: [game for game, winner in known if not _agrees(game, winner, view)] for view in ("mover", "first")}
    if any(not wrong for wrong in rights.values()):
        if rights["mover"] and not rights["first"]:
            referee.notes.append("Rewards are the first player's in every game, whoever moved.")
        return
    view = min(rights, key=lambda name: len(rights[name]))
    wrong = rights[view]
    game = wrong[0]
    who = "the other player" if _last_mover(game) else "the first player"
    paid = shorten(dict(game.last.rewards) if game.last.rewards else game.last.reward)
    evidence = f"the winner is told as {game.winner!r}, the last move was {who}'s, and the reward is {paid}"
    yield _of_game(game, evidence, wrong, known)


def _agrees(game: Episode, winner: int, view: str) -> bool:
    """Do the rewards at the end fit the winner? A loss may be paid 0; that is found elsewhere."""
    if game.last.rewards and len(game.last.rewards) == 2:
        first, second = _values(game)
        sign = (first > second) - (first < second)
        return sign == {0: 1, 1: -1, -1: 0}[winner]
    reward = as_number(game.last.reward) or 0.0
    if not isfinite(reward):
        return True  # found elsewhere
    side = _last_mover(game) if view == "mover" else 0
    if winner == -1:
        return reward == 0
    return reward > 0 if winner == side else reward <= 0


def _of_game(game: Episode, evidence: str, wrong: list[Any], looked_at: list[Any]) -> Seen:
    return Seen(evidence, game.calls(len(game.actions)), "", len(wrong), len(looked_at), episode=game)
