"""Checks of endings: flags, games that never end, moves after the end, and what a reset leaves behind."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from pentagrid.audit.adapters import CallError
from pentagrid.audit.aec_adapter import AecAdapter
from pentagrid.audit.finding import GameSeen, Seen, Severity, env_check, game_check
from pentagrid.audit.moment import Action, Moment, as_number, is_flag, shorten, truth
from pentagrid.audit.referee import Episode, Referee, shown_calls
from pentagrid.audit.seed_checks import first_difference
from pentagrid.core.rng import Dice

AVOIDING_MOVES = 120
"""Moves that players who avoid the end make before the search for a cycle is given up."""
LOOKED_AT = 8
"""Moves that such a player compares at each turn."""
PROOF = 400
"""A cycle is called endless if the game has not ended after so many more moves of it."""
MOST_COPIES, MOST_REPLAYS = 1000, 100
"""Moves that are tried ahead, on copies or on games played again."""
MOST_DRAGGED = 3000
"""Where a game would have to be longer than this to be called endless, it is not tried."""


@game_check("too-long", Severity.TOOLS, "random play does not end")
def too_long(game: Episode) -> Iterator[GameSeen]:
    if game.too_long:
        moves = len(game.actions)
        kept = len(game.moments) - len({moment.key for moment in game.moments})
        repeats = f"; {kept} of its states had been there before" if kept else ""
        yield GameSeen(moves, f"{moves} random moves did not end the game{repeats}")


@game_check("flag-type", Severity.UNTIDY, "terminated and truncated are not both true or false")
def flag_type(game: Episode) -> Iterator[GameSeen]:
    for ply, moment in enumerate(game.moments):
        for name, flag in (("terminated", moment.terminated), ("truncated", moment.truncated)):
            if not is_flag(flag):
                yield GameSeen(ply, f"{name} is {shorten(flag)}, of type {type(flag).__name__}")
                return


@game_check("both-flags", Severity.UNTIDY, "a game is terminated and truncated at once")
def both_flags(game: Episode) -> Iterator[GameSeen]:
    if game.over and truth(game.last.terminated) and truth(game.last.truncated):
        yield GameSeen(len(game.actions), "step() returned terminated and truncated, both true")


@game_check(
    "truncated-end", Severity.MEASURED, "games end as truncated only, so that learners go on counting after the end"
)
def truncated_end(game: Episode) -> Iterator[GameSeen]:
    if not game.over or truth(game.last.terminated):
        return
    rewards = [as_number(moment.reward) for moment in game.moments]
    decided = rewards[-1] and not any(rewards[:-1])  # who is paid all along is paid when time is up too
    if decided or game.last.legal == []:
        yield GameSeen(
            len(game.actions),
            f"the last move ended the game (reward {shorten(game.last.reward)}) with terminated=False",
        )


@game_check("one-sided-end", Severity.TOOLS, "the game is over for one agent only")
def one_sided_end(game: Episode) -> Iterator[GameSeen]:
    env = game.adapter.env
    if isinstance(game.adapter, AecAdapter) and game.moments:
        ended = {agent: truth(env.terminations[agent]) or truth(env.truncations[agent]) for agent in env.terminations}
        if len(set(ended.values())) > 1:
            yield GameSeen(len(game.actions), f"terminations and truncations say {ended}", show="env.terminations")


@env_check("step-after-end", Severity.WINS, "moves after the end count")
def step_after_end(referee: Referee) -> Iterator[Seen]:
    for seed in range(6):
        game = referee.play(seed, seed)
        if not game.over:
            continue
        end, moves = game.last, game.adapter.all_actions()
        action = referee.dice(seed).choice(moves) if moves else game.actions[-1]
        try:
            after = game.adapter.step(action)
        except CallError as error:
            if error.exits:
                yield Seen(f"step({action!r}) after the end ends the program", game.calls(len(game.marks)), "exits")
            continue
        calls = shown_calls(game.adapter.calls[1:], game.adapter.show)
        paid = as_number(after.reward) or 0
        if not after.over:
            yield Seen(f"step({action!r}) after the end: the game is not over any more", calls, "goes on", episode=game)
        elif paid > 0:
            yield Seen(
                f"step({action!r}) after the end is paid {shorten(paid)} again: whoever counts it counts a game twice",
                calls, "paid again", severity=Severity.MEASURED, episode=game,
            )  # fmt: skip
        elif end.frozen != after.frozen and not isinstance(game.adapter, AecAdapter):
            yield Seen(f"step({action!r}) after the end changes the board", calls, "changes", severity=Severity.UNTIDY)


@env_check("reset-leaks", Severity.MEASURED, "reset() does not begin a new game: something of the last one is left")
def reset_leaks(referee: Referee) -> Iterator[Seen]:
    if not referee.reproducible:
        return
    for number in range(4):
        fresh = referee.play(number, number)
        used = referee.make()
        before = referee.play(number + 50, number + 50, used, moves=None if number % 2 else 3)
        earlier = list(used.calls[1:])
        again = referee.play(number, number, used, fresh.actions, len(fresh.actions))
        if found := first_difference(fresh, again):
            ply, difference = found
            when = "over" if before.over else "begun"
            calls = (*earlier, *again.calls(min(ply, len(again.marks) - 1)))
            yield Seen(f"after another game was {when}, seed {number}: after {ply} moves {difference}", calls, when)
            return


@env_check("endless", Severity.TOOLS, "two players who avoid the end can play forever")
def endless(referee: Referee) -> Iterator[Seen]:
    if any(game.too_long for game in referee.episodes) or _shrinks(referee):
        return
    if not referee.copies and not referee.reproducible:
        referee.notes.append("Endless games were not looked for: games can be neither copied nor repeated.")
        return
    for number in range(2):
        game, cycle = _avoid_the_end(referee, number)
        step, before = game.adapter.step_code("a"), game.actions[: len(game.actions) - len(cycle)]
        if cycle:
            moves = f"{shorten(before)}, then {shorten(cycle)} again and again"
            played = f"[{step} for _ in range(100) for a in {cycle!r}]"
            shown = (played, "print(env.terminations)") if game.adapter.show else (f"print({played}[-1])",)
            calls = (*game.adapter.calls[1 : 2 + len(before)], *shown)
            yield Seen(f"moves {moves}: not over after {PROOF} more", calls, episode=game)
            return
        longest = max((len(game.actions) for game in referee.episodes if game.over), default=0)
        if longest and _drag_on(referee, game, max(referee.limits.max_moves, 10 * longest)):
            evidence = f"not over after {len(game.actions)} moves, though random games take at most {longest}"
            yield Seen(evidence, game.calls(len(game.actions)), "without a cycle", episode=game)
            return


def _shrinks(referee: Referee) -> bool:
    """Does every move leave fewer legal moves? Then every game ends."""
    counts = [
        (len(before.legal or ()), len(after.legal or ()))
        for game in referee.episodes
        for before, after in zip(game.moments, game.moments[1:], strict=False)
        if before.legal is not None and not after.over
    ]
    return bool(counts) and all(after < before for before, after in counts)


def _moves_to_try(game: Episode, dice: Dice) -> list[Action]:
    """Some moves in random order: legal ones, or where these are not told any."""
    moves = game.adapter.all_actions() if game.last.legal is None else game.last.legal
    return dice.shuffled(moves)[:LOOKED_AT]


def _goes_on(game: Episode, after: Moment | None) -> bool:
    """Was a move made that did not end the game? Where legal moves are not told, one that changes nothing is none."""
    return after is not None and not after.over and (game.last.legal is not None or after.key != game.last.key)


def _avoid_the_end(referee: Referee, number: int) -> tuple[Episode, list[Action]]:
    """A game in which both players avoid the end and prefer states that were there before, and its cycle, if any.

    Every move is tried on a copy first. The cycle is proved by playing it on.
    """
    game = referee.play(number, number, moves=0)
    dice = referee.dice(2000 + number)
    seen: dict[Hashable, int] = {game.last.key: 0} if game.moments else {}
    tries = MOST_COPIES if referee.copies else MOST_REPLAYS
    while seen and len(game.actions) < AVOIDING_MOVES and not game.last.over and tries > 0:
        options: list[Action] = []
        for action in _moves_to_try(game, dice):
            tries -= 1
            after = referee.after(game, [action])
            if after is not None and _goes_on(game, after):
                options.append(action)
                if after.key in seen:
                    options = [action]
                    break
        if not options or not _moved(referee, game, options[0]):
            break
        if game.last.key in seen:
            cycle = game.actions[seen[game.last.key] :]
            rounds = cycle * (1 + PROOF // len(cycle))
            end = referee.after(game, rounds)
            goes_on = end is not None and not end.over and end.key == game.last.key
            return game, cycle if goes_on else []
        seen[game.last.key] = len(game.actions)
    return game, []


def _drag_on(referee: Referee, game: Episode, moves: int) -> bool:
    """Play a game on in which no state comes again, avoiding the end; True if it lasts for so many moves."""
    if not referee.copies or moves > MOST_DRAGGED or len(game.actions) < AVOIDING_MOVES:
        return False
    dice = referee.dice(3000)
    while len(game.actions) < moves:
        options = (action for action in _moves_to_try(game, dice) if _goes_on(game, referee.after(game, [action])))
        action = next(options, None)
        if action is None or not _moved(referee, game, action):
            return False
    return True


def _moved(referee: Referee, game: Episode, action: Action) -> bool:
    """Make a move; False if it raises."""
    try:
        referee.move(game, action)
    except CallError:
        return False
    return True
