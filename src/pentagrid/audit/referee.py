"""Plays games in an environment and records them, for the checks to look at."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from pentagrid.audit.adapter_choice import first_adapter
from pentagrid.audit.adapters import Adapter, CallError, Factory
from pentagrid.audit.aec_adapter import AecAdapter
from pentagrid.audit.moment import Action, Moment
from pentagrid.audit.trail import Trail
from pentagrid.core.rng import Dice

MOST_STEPS = 10_000
"""Moves of the random games together, however many games are asked for."""
LONG_GAMES = 2
"""After so many games that did not end, no more random games are played."""
USUAL_MOVES = 120
"""Where games that are not played whole are left, until longer ones are seen to end."""
REFUSED = 8
"""How many actions are tried at a turn where the legal moves are not told."""


class Limits(NamedTuple):
    """How much is played, and what the environment claims."""

    games: int = 200
    """Random games that the checks look at."""
    compared: int = 2000
    """Games that are compared with the rules, where there are rules."""
    seed: int = 0
    max_moves: int = 1000
    """A game of more moves is called too long."""
    claims: tuple[str, ...] = ()
    """Of `CLAIMS`, what the user says about the environment."""


CLAIMS = {
    "zero-sum": "what one player gets the other loses",
    "end-reward": "nobody is paid before the end",
}


class Episode:
    """One recorded game: what was shown at every moment, and the calls that lead there."""

    def __init__(self, adapter: Adapter, seed: int | None) -> None:
        self.adapter, self.seed = adapter, seed
        adapter.calls = adapter.calls[:1]
        self.log = adapter.calls
        """The calls of this game: another one of the same environment begins another list."""
        self.actions: list[Action] = []
        self.moments: list[Moment] = []
        self.marks: list[int] = []
        """For each moment, how many calls led to it."""
        self.error: CallError | None = None
        """What ended the game, if a call raised."""
        self.too_long = False
        self.players: tuple[Hashable, ...] = ()
        self.winner: Any = None
        """Who has won, as the environment tells it."""
        self.scores: Any = None

    @property
    def last(self) -> Moment:
        return self.moments[-1]

    @property
    def over(self) -> bool:
        return bool(self.moments) and self.last.over

    def calls(self, ply: int, show: str = "") -> tuple[str, ...]:
        """The Python statements up to the moment after so many moves; the last prints."""
        calls = self.log[1 : self.marks[ply]] if ply < len(self.marks) else self.log[1:]
        return shown_calls(calls, show or self.adapter.show)

    def mover(self, ply: int) -> int:
        """Who makes the move after so many, 0 or 1: as told, or else in turn."""
        player = self.moments[ply].player
        return ply % 2 if player is None or player not in self.players else self.players.index(player)


def shown_calls(calls: Sequence[str], show: str = "") -> tuple[str, ...]:
    """Statements of which the last prints what it returns, if it returns something, and then what is asked for."""
    *before, last = calls or ["env"]
    silent = last.startswith(("import ", "env = ", "[")) or show == AecAdapter.show
    printed = last if silent else f"print({last})"
    return (*before, printed, *([f"print({show})"] if show else []))


class Referee:
    """Plays one environment; the checks ask it for games."""

    def __init__(self, factory: Factory, trail: Trail, limits: Limits, target: str = "") -> None:
        """Raises `CallError` if the environment cannot be made or reset, `CannotLoadError` if it is not understood."""
        self.factory, self.trail, self.limits, self.target = factory, trail, limits, target
        self.model = first_adapter(factory, trail)
        self.players: tuple[Hashable, ...] = ()
        self.chance = False
        """Whether anything depends on chance."""
        self.reproducible = True
        """Whether the same seed and moves give the same game."""
        self.replayable = True
        """Whether they do in another process, too."""
        self.usual_moves = USUAL_MOVES
        """Where games that are not played whole are left."""
        self.copies = True
        """Whether deep copies can be trusted."""
        self.render_factory = factory
        """How an environment is made that renders text, where that needs an argument."""
        self.kept: dict[str, Any] = {}
        """What a check keeps for the next one."""
        self.notes: list[str] = []
        self.episodes: list[Episode] = []
        self.games = self.moves = 0

    def make(self) -> Adapter:
        """A new environment. Raises `CallError`."""
        return type(self.model)(self.factory, self.trail, self.model)

    def make_to_render(self) -> Adapter:
        """A new environment that renders text, where that can be asked for. Raises `CallError`."""
        return type(self.model)(self.render_factory, self.trail, self.model)

    def dice(self, number: int) -> Dice:
        """The chance of one of the referee's games."""
        return Dice(self.limits.seed, number)

    def play(
        self,
        seed: int | None,
        number: int = 0,
        adapter: Adapter | None = None,
        actions: Sequence[Action] | None = None,
        moves: int | None = None,
        on_move: Callable[[Episode], None] | None = None,
        whole: bool = False,
    ) -> Episode:
        """Play a game from `reset` to its end, or for so many moves; with `actions` these first, then random ones.

        A game that is not played `whole` is left where it takes much longer than usual.

        A call that raises ends the game and is recorded. Raises `CallError` only if no environment can be made.
        """
        adapter = self.make() if adapter is None else adapter
        episode = Episode(adapter, seed)
        try:
            episode.moments.append(adapter.reset(seed))
            episode.marks.append(len(adapter.calls))
            self.go_on(episode, self.dice(number), actions or (), moves, on_move, whole)
        except CallError as error:
            episode.error = error
        self._end(episode)
        return episode

    def go_on(
        self,
        episode: Episode,
        dice: Dice,
        actions: Sequence[Action] = (),
        moves: int | None = None,
        on_move: Callable[[Episode], None] | None = None,
        whole: bool = False,
    ) -> None:
        """Play on from where a game stands. Raises `CallError`."""
        most = self.limits.max_moves if whole else self.usual_moves if moves is None else moves
        while not episode.last.over and (moves is None or len(episode.actions) < moves):
            if len(episode.actions) >= most:
                episode.too_long = whole
                return
            if on_move is not None:
                on_move(episode)
            if len(episode.actions) < len(actions):
                self.move(episode, actions[len(episode.actions)])
            elif not self._random_move(episode, dice):
                return

    def move(self, episode: Episode, action: Action) -> None:
        """Make one move. Raises `CallError`."""
        episode.actions.append(action)
        try:
            episode.moments.append(episode.adapter.step(action))
        except CallError:
            episode.actions.pop()
            raise
        episode.marks.append(len(episode.adapter.calls))
        self.moves += 1

    def _random_move(self, episode: Episode, dice: Dice) -> bool:
        """Make a random move; False where there is none."""
        legal = episode.last.legal
        if legal is not None:
            if not legal:
                return False
            self.move(episode, dice.choice(sorted(legal, key=repr)))
            return True
        tries = dice.shuffled(episode.adapter.all_actions())[:REFUSED]
        for number, action in enumerate(tries, 1):
            try:
                self.move(episode, action)
                return True
            except CallError as error:  # it may be an illegal move: another is tried
                if number == len(tries) or error.exits:
                    raise
                episode.adapter.calls.pop()
        return False

    def _end(self, episode: Episode) -> None:
        """Note what is told at the end of a game, and which players there are."""
        self.games += 1
        adapter = episode.adapter
        if episode.over:
            episode.winner = adapter.told(adapter.winner_source)
            info = episode.last.info
            if episode.winner is None and isinstance(info, dict):
                episode.winner = info.get("winner")
        if episode.moments:
            episode.scores = adapter.told(adapter.score_source)
        for moment in episode.moments:
            if moment.player is not None and not moment.over and moment.player not in self.players:
                self.players = (*self.players, moment.player)
        episode.players = self.players

    def play_all(self) -> Iterator[Episode]:
        """The random games, each on a seed of its own; one environment plays them until a call raises."""
        adapter: Adapter | None = None
        steps = long = 0
        for number in range(self.limits.games):
            if steps > MOST_STEPS or long >= LONG_GAMES:
                return
            adapter = self.make() if adapter is None else adapter
            episode = self.play(number, number, adapter, whole=True)
            if episode.over:
                self.usual_moves = max(self.usual_moves, 2 * len(episode.actions))
            steps += len(episode.actions)
            long += episode.too_long
            if episode.error is not None:
                adapter = None
            yield episode

    def after(self, game: Episode, actions: Sequence[Action]) -> Moment | None:
        """What would be shown after more moves: tried on a copy, or on the same game played again.

        None where that is not possible.
        """
        try:
            if not self.copies:
                again = self.play(game.seed, 0, None, [*game.actions, *actions], len(game.actions) + len(actions))
                return None if again.error or not again.moments else again.last
            adapter = game.adapter.copy()
            for action in actions:
                moment = adapter.step(action)
                if moment.over:
                    break
            return moment
        except CallError:
            return None

    def twin(self, episode: Episode) -> Episode:
        """The same game again in a new environment: the same seed and the same moves."""
        return self.play(episode.seed, 0, None, episode.actions, len(episode.actions))


def random_states() -> dict[str, Any]:
    """The states of the global random generators."""
    numpy_state: Any = np.random.get_state()
    return {"random": random.getstate(), "numpy.random": (numpy_state[1].tobytes(), *numpy_state[2:])}
