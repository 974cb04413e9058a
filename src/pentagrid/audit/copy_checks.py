"""Checks of deep copies: search programs make thousands, and trust them to be independent and equal."""

from __future__ import annotations

from collections.abc import Iterator

from pentagrid.audit.adapters import CallError, one_line
from pentagrid.audit.finding import Seen, Severity, env_check
from pentagrid.audit.moment import shorten
from pentagrid.audit.referee import Episode, Referee, shown_calls
from pentagrid.audit.seed_checks import first_difference

GAMES = 4


@env_check("copy-raises", Severity.TOOLS, "a deep copy cannot be made")
def copy_raises(referee: Referee) -> Iterator[Seen]:
    game = referee.play(1, 1, moves=1)
    try:
        game.adapter.copy()
    except CallError as error:
        referee.copies = False
        yield Seen(
            f"copy.deepcopy(env) raised {one_line(error.error)}",
            (*game.calls(1), "import copy", "print(copy.deepcopy(env))"),
            certain=True,
        )


@env_check("copy-shared", Severity.TOOLS, "playing a deep copy changes the original")
def copy_shared(referee: Referee) -> Iterator[Seen]:
    for whole, game, stage in _middles(referee):
        calls = tuple(game.adapter.calls[1:])
        copied = _copy(game)
        _play_on(referee, copied, 77)
        played = copied.actions[stage:]
        _play_on(referee, game, 0, whole)
        if found := first_difference(whole, game):
            step = game.adapter.step_code("a", "other")
            other = f"other = copy.deepcopy(env); [{step} for a in {list(played)!r}]"
            ply = max(found[0], stage + 1)
            later = shown_calls(
                [game.adapter.step_code(repr(action)) for action in whole.actions[stage:ply]], game.adapter.show
            )
            yield Seen(
                f"after {stage} moves a copy was played on with {shorten(played)}; then in the original {found[1]}",
                (*calls, "import copy", other, *later),
                of=GAMES,
            )
            referee.copies = False
            return


@env_check("copy-differs", Severity.TOOLS, "a deep copy plays differently from the original")
def copy_differs(referee: Referee) -> Iterator[Seen]:
    for whole, game, stage in _middles(referee):
        copied = _copy(game)
        _play_on(referee, copied, 0, whole)
        if found := first_difference(whole, copied):
            ply = min(max(found[0], stage), len(copied.marks) - 1)
            yield Seen(
                f"copied after {stage} moves and played on with {shorten(whole.actions[stage : found[0]])}: {found[1]}",
                copied.calls(ply),
                of=GAMES,
            )
            referee.copies = False
            return


def _middles(referee: Referee) -> Iterator[tuple[Episode, Episode, int]]:
    """Games that were played to the end, each again to its middle, where it stands now; none without sound copies."""
    if not referee.copies:
        return
    if referee.model.copies_anew:
        referee.notes.append(
            "A deep copy begins a new game (the environment is an EzPickle), so that search programs must replay moves."
        )
        referee.copies = False
        return
    if not referee.reproducible:
        referee.notes.append("Deep copies were not compared in play: games cannot be repeated.")
        return
    for number in range(GAMES):
        whole = referee.play(number, number)
        if whole.error or len(whole.actions) < 2:
            continue
        stage = 1 + number % max(1, min(len(whole.actions) - 1, 6))
        game = referee.play(number, number, actions=whole.actions, moves=stage)
        yield whole, game, stage


def _play_on(referee: Referee, game: Episode, number: int, whole: Episode | None = None) -> None:
    """Play a game on, with the moves of another one if given; a call that raises ends it and is noted in it."""
    try:
        referee.go_on(game, referee.dice(number), whole.actions if whole else (), len(whole.actions) if whole else None)
    except CallError as error:
        game.error = error


def _copy(game: Episode) -> Episode:
    """A copy of a game in progress. Raises `CallError`."""
    adapter = game.adapter.copy()
    calls = adapter.calls
    copied = Episode(adapter, game.seed)
    copied.log = adapter.calls = calls
    copied.actions, copied.moments, copied.marks = list(game.actions), list(game.moments), list(game.marks)
    return copied
