"""New games and rematches: what a visitor asks for, checked and made ready to be stored."""

from __future__ import annotations

import time
from collections.abc import Sequence

from pentagrid.analysis.komi import FAIR, deal, load_fair
from pentagrid.core.catalog import load
from pentagrid.core.position import Position
from pentagrid.core.position_reader import read_position
from pentagrid.core.rng import Dice, fresh_seed
from pentagrid.errors import OptionError, PentagridError, shown
from pentagrid.play.match import Seat, check_name, check_names, check_turn_seconds
from pentagrid.web.api.game_models import GameRequest
from pentagrid.web.game_words import refusals_of
from pentagrid.web.identity import hashed, new_game_id
from pentagrid.web.rooms.hosted_policies import HostedPolicies
from pentagrid.web.rooms.room import Room, Terms
from pentagrid.web.store.interface import NewGame, deal_of


def play_link(game: str) -> str:
    """The page of a game; for whoever holds no seat, to watch."""
    return f"/play/{game}"


def invitation_link(game: str, invitation: str) -> str:
    """The link that gives a seat. What stands behind # never reaches a log or another site."""
    return f"/play/{game}#{invitation}"


def new_game(asked: GameRequest, holder: str, invitation: str, policies: HostedPolicies) -> tuple[Terms, NewGame]:
    """The game that is asked for. Raises `OptionError`, `BoardError` and what its moves raise."""
    seed = Dice(asked.seed).seed if asked.seed is not None else fresh_seed()
    start, tossed = _start(asked, seed)
    moves = _made_already(start, asked.moves)
    kinds = [seat.kind for seat in asked.seats]
    for kind in kinds:
        policies.check(kind, start.game)
    people = [seat for seat in (1, 2) if Seat(kind=kinds[seat - 1]).is_human]
    if not people:
        raise OptionError("At least one of the seats must be human.")
    mine = _mine(asked, people)
    names = [check_name(seat.name) if seat.name.strip() else "" for seat in asked.seats]
    check_names(names[0], names[1])
    terms = Terms(
        start=start.text,
        moves=moves,
        kinds=kinds,
        names=names,
        open_seats=[seat for seat in people if seat not in mine],
        screen=len(mine) == 2,
        seed=seed,
        turn_seconds=None if asked.turn_seconds is None else check_turn_seconds(asked.turn_seconds),
        spectator_values=asked.spectator_values,
        date=time.strftime("%Y-%m-%d"),
        fair_komi=asked.rules.get("komi") == FAIR,
        tossed=tossed,
    )
    invitations = {hashed(invitation): seat for seat in terms.open_seats}
    return terms, _to_store(terms, {holder: tuple(mine)}, invitations)


def rematch_of(room: Room, asker: str) -> NewGame:
    """The same game dealt anew, with the seats swapped; whoever held a seat holds the other one now.

    The clock waits for those who have not asked for it.
    """
    old, start = room.terms, room.match.start
    seed = fresh_seed()
    game = load(start.game.name, start.game.size, **{**start.game.rules, **old.tossed})
    names = [seat.name for seat in room.match.seats]
    mine = room.seats_of(asker)
    terms = old._replace(
        start=deal(game, seed, old.fair_komi).text,
        moves=[],
        kinds=old.kinds[::-1],
        names=names[::-1],
        open_seats=[3 - seat for seat in (1, 2) if room.match.seats[seat - 1].is_human and seat not in mine],
        seed=seed,
        date=time.strftime("%Y-%m-%d"),
        rematch_of=room.id,
    )
    holders = {holder: tuple(3 - seat for seat in seats) for holder, seats in room.holders.items()}
    return _to_store(terms, holders, {})


def _to_store(terms: Terms, holders: dict[str, tuple[int, ...]], invitations: dict[str, int]) -> NewGame:
    clock = terms.turn_seconds is not None
    deal_text = deal_of(read_position(terms.start))
    return NewGame(new_game_id(), time.time(), terms._asdict(), deal_text, clock, terms.people, holders, invitations)


def _made_already(start: Position, moves: Sequence[str]) -> list[str]:
    """Moves as the game writes them. Raises `OptionError` if one cannot be made."""
    position, texts = start, []
    for number, move in enumerate(moves, 1):
        try:
            with refusals_of(start.game):
                action = start.game.action(move, position)
                position = position.play(action)
        except PentagridError as error:
            raise OptionError(f"Move {number}, {shown(move)}, cannot be made: {error}") from None
        texts.append(start.game.texts[action])
    return texts


def _mine(asked: GameRequest, people: list[int]) -> list[int]:
    if asked.you == "both":
        return people
    if asked.you not in people:
        raise OptionError(f"Seat {asked.you} is the computer's; you can take seat {people[0]}.")
    return [asked.you]


def _start(asked: GameRequest, seed: int) -> tuple[Position, dict[str, str]]:
    """The position that a game begins from, a deal or one of a game in progress, and the rules that a toss settled."""
    if asked.position is not None:
        return _given_start(asked, asked.position), {}
    if asked.game is None:
        raise OptionError("A new game needs either game or position.")
    size = asked.size
    if asked.board is not None and size is None:
        size = max(len(asked.board.strip().strip("/").split("/")), 1)
    game, fair = load_fair(asked.game, size, asked.rules)
    settled = game.settled(seed).rules
    tossed = {name: value for name, value in game.rules.items() if settled[name] != value}
    return deal(game, seed, fair, asked.board), tossed


def _given_start(asked: GameRequest, text: str) -> Position:
    if asked.game is not None or asked.size is not None or asked.rules or asked.board is not None:
        raise OptionError("A position says what is played; leave out game, size, rules and board.")
    start = read_position(text)
    if start.turn is None:
        raise OptionError("The game is over in this position; a new game needs one in progress.")
    return start
