"""Checks of moves: which are called legal, whether others are refused, and whose turn it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pentagrid.audit.adapters import CallError
from pentagrid.audit.aec_adapter import AecAdapter
from pentagrid.audit.finding import GameSeen, Seen, Severity, env_check, game_check
from pentagrid.audit.moment import Action, Moment, as_number, shorten
from pentagrid.audit.referee import Episode, Referee, shown_calls
from pentagrid.audit.seed_checks import first_difference

TRIES, EARLY_TRIES = 24, 6
"""Games in which an illegal action is tried, each at another stage; of a long one so many first stages are tried."""


@game_check("no-moves", Severity.TOOLS, "there is no legal move, but the game is not over")
def no_moves(game: Episode) -> Iterator[GameSeen]:
    if game.moments and game.last.legal == [] and not game.over:
        yield GameSeen(len(game.actions), f"after {len(game.actions)} moves", show=game.adapter.legal_code)


@game_check("repeated-moves", Severity.UNTIDY, "a legal move is listed twice")
def repeated_moves(game: Episode) -> Iterator[GameSeen]:
    for ply, moment in enumerate(game.moments):
        if moment.legal and len(set(map(repr, moment.legal))) < len(moment.legal):
            yield GameSeen(ply, f"after {ply} moves they are {shorten(moment.legal)}", show=game.adapter.legal_code)
            return


@game_check("moves-outside-space", Severity.TOOLS, "a legal move is not in the action space")
def moves_outside_space(game: Episode) -> Iterator[GameSeen]:
    actions = game.adapter.all_actions()
    if not actions:
        return
    known = set(map(repr, actions))
    for ply, moment in enumerate(game.moments):
        if strange := [move for move in moment.legal or () if repr(move) not in known]:
            space = shorten(game.adapter.action_space(), 60)
            yield GameSeen(
                ply, f"{shorten(strange)} after {ply} moves; the space is {space}", show=game.adapter.legal_code
            )
            return


@game_check("moves-after-end", Severity.UNTIDY, "there are legal moves after the end")
def moves_after_end(game: Episode) -> Iterator[GameSeen]:
    source = game.adapter.legal_source  # a mask may keep some bits, since learners cannot draw from an empty one
    if game.over and game.last.legal and source is not None and "mask" not in source.where:
        yield GameSeen(
            len(game.actions), f"after the last move they are {shorten(game.last.legal)}", show=game.adapter.legal_code
        )


@game_check("legal-refused", Severity.WINS, "a legal move is refused")
def legal_refused(game: Episode) -> Iterator[GameSeen]:
    for ply, (before, after) in enumerate(zip(game.moments, game.moments[1:], strict=False)):
        told = after.info.get("error") if isinstance(after.info, dict) else None
        if before.legal is not None and (told or (_same_state(before, after) and before.player is not None)):
            why = f"info says {shorten(told)}" if told else "nothing changed"
            yield GameSeen(ply + 1, f"{game.actions[ply]!r} is legal after {ply} moves, but {why}")
            return


def _same_state(before: Moment, after: Moment) -> bool:
    return not after.over and before.key == after.key


@game_check("turn", Severity.MEASURED, "whose turn it is is told wrong")
def turn(game: Episode) -> Iterator[GameSeen]:
    told = [moment.player for moment in game.moments if not moment.over]
    show = game.adapter.player_source.code if game.adapter.player_source else "env.agent_selection"
    if len(told) > 3 and told[0] is not None and len(set(told)) == 1:
        yield GameSeen(3, f"it is {told[0]!r}'s turn during the whole game of {len(told)} moves", "never changes", show)
    if len(game.players) > 2 and not isinstance(game.adapter, AecAdapter):
        players = shorten(list(game.players))
        yield GameSeen(len(game.actions), f"there are more than two players: {players}", "more than two", show)


@env_check("illegal-accepted", Severity.WINS, "an illegal action is played")
def illegal_accepted(referee: Referee) -> Iterator[Seen]:
    if referee.model.last is None or referee.model.last.legal is None:
        referee.notes.append("Illegal actions were not tried: the environment does not tell which are legal.")
        return
    for number in range(TRIES):
        yield from _try_at_some_stage(referee, number, _illegal_actions, outside=False)


@env_check("outside-accepted", Severity.WINS, "an action outside the action space is played")
def outside_accepted(referee: Referee) -> Iterator[Seen]:
    for number in range(TRIES):
        yield from _try_at_some_stage(referee, number, _outside_actions, outside=True)


def _illegal_actions(game: Episode) -> list[Action]:
    legal = set(map(repr, game.last.legal or ()))
    return [action for action in game.adapter.all_actions() if repr(action) not in legal]


def _outside_actions(game: Episode) -> list[Action]:
    actions = game.adapter.all_actions()
    legal = set(map(repr, game.last.legal or ()))
    return [action for action in _neighbors_of(actions) if repr(action) not in legal]


def _neighbors_of(actions: list[Action]) -> Iterator[Action]:
    """Actions that no space of these has: below, above, far away, not whole, nothing."""
    whole = [action for action in actions if isinstance(action, int)]
    if whole:
        yield from (min(whole) - 1, max(whole) + 1, 10**9, min(whole) + 0.5)
    yield None


def _stage(attempt: int, moves: int) -> int:
    """After how many moves of a game of so many an attempt is made: the attempts are spread over all of it."""
    if moves <= TRIES or attempt < EARLY_TRIES:
        return attempt * moves // TRIES if moves <= TRIES else attempt
    return (attempt - EARLY_TRIES) * moves // (TRIES - EARLY_TRIES)


def _try_at_some_stage(referee: Referee, attempt: int, find: Any, outside: bool) -> Iterator[Seen]:
    """Play a game to some stage, try an action that is not allowed there, and play on where that is possible."""
    whole = referee.play(attempt, attempt)
    if len(whole.moments) < 2 or whole.error:
        return
    dice = referee.dice(1000 + attempt)
    stage = _stage(attempt, len(whole.actions))
    game = referee.play(attempt, attempt, actions=whole.actions, moves=stage)
    if game.error or game.last.over:
        return
    wrong = find(game)
    if not wrong:
        return
    action = wrong[attempt % len(wrong)] if outside else dice.choice(wrong)
    name = f"{action!r} after {stage} moves" + ("" if outside else f" (legal are {shorten(game.last.legal, 80)})")
    severity = Severity.UNTIDY if outside and not isinstance(action, int) else None
    cause = repr(action) if outside else ""
    before = game.last

    def seen(evidence: str, why: str = "") -> Seen:
        calls = shown_calls(game.adapter.calls[1:], game.adapter.show or game.adapter.legal_code)
        return Seen(evidence, calls, f"{cause}{why}", severity=severity, of=TRIES, episode=game)

    try:
        after = game.adapter.step(action)
    except CallError as error:
        if error.exits:
            yield seen(f"{name} ends the program", " exits")
            return
        call = game.adapter.calls[-1]
        game.adapter.calls[-1] = f'exec("try: {call}\\nexcept Exception as error: print(repr(error))")'
        try:
            yield from _unchanged(referee, whole, game, stage, seen, name)
        except CallError as later:
            yield seen(f"{name} is refused, but then {later}", " changes")
        return
    if after.over:
        reward = as_number(after.reward)
        if reward is None or reward >= 0:
            ends = f"{name} ends the game and is paid {shorten(after.reward)}"
            yield seen(f"{ends}: breaking the rules costs nothing")
        return
    if before.frozen != after.frozen or (before.player is not None and before.key != after.key):
        yield seen(f"{name} was played: {before.difference(after)}")
        return
    try:
        yield from _unchanged(referee, whole, game, stage, seen, name)
    except CallError as later:
        yield seen(f"{name} is answered as if nothing were wrong, but then {later}", " changes")


def _unchanged(referee: Referee, whole: Episode, game: Episode, stage: int, seen: Any, name: str) -> Iterator[Seen]:
    """After a refusal the game must go on as if nothing had happened."""
    if referee.reproducible:
        referee.go_on(game, referee.dice(0), whole.actions, len(whole.actions))
        if found := first_difference(whole, game):
            yield seen(
                f"{name} is refused, but changes the game: {found[0] - stage} moves later {found[1]}", " changes"
            )
        return
    legal, player = game.adapter.legal(), game.adapter.player()
    if legal != game.last.legal or player != game.last.player:
        yield seen(f"{name} is refused, but the legal moves or the turn change", " changes")
