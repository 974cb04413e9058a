"""Checks of rendering: it must not fail, must follow the game, and must leave it alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from pentagrid.audit.adapters import CallError
from pentagrid.audit.finding import Seen, Severity, env_check
from pentagrid.audit.moment import freeze, shorten
from pentagrid.audit.referee import Episode, Referee, shown_calls
from pentagrid.audit.seed_checks import first_difference

RENDERED = "rendered"
TURN_WORDS = re.compile(r"turn|to move|to play|next|player|current|move:", re.I)


class Rendered:
    """A game whose moments were all rendered, as text where the environment can."""

    def __init__(self, referee: Referee, number: int) -> None:
        self.pictures: list[Any] = []
        self.error: CallError | None = None
        self.game = referee.play(number, number, referee.make_to_render(), on_move=self._render)

    def _render(self, game: Episode) -> None:
        env = game.adapter.env
        if self.error is not None or not hasattr(env, "render") or getattr(env, "render_mode", None) == "human":
            return
        try:
            self.pictures.append(game.adapter.call("env.render()", env.render, record=False))
        except CallError as error:
            if isinstance(error.error, NotImplementedError):
                return  # the one of gymnasium.Env: there is nothing to render
            self.error = error


def _rendered(referee: Referee) -> Rendered:
    """A rendered game, played once for all checks here."""
    if RENDERED not in referee.kept:
        referee.kept[RENDERED] = Rendered(referee, 2)
    kept: Rendered = referee.kept[RENDERED]
    return kept


@env_check("render-raises", Severity.UNTIDY, "render() raises")
def render_raises(referee: Referee) -> Iterator[Seen]:
    rendered = _rendered(referee)
    if rendered.error is not None:
        yield _seen(referee, str(rendered.error), (*rendered.game.calls(0), "env.render()"))


@env_check("render-frozen", Severity.UNTIDY, "what render() shows never changes")
def render_frozen(referee: Referee) -> Iterator[Seen]:
    rendered = _rendered(referee)
    shown = {freeze(picture) for picture in rendered.pictures if picture is not None}
    if len(rendered.pictures) > 2 and len(shown) == 1:
        calls = (*rendered.game.calls(0), "print(env.render())", *rendered.game.calls(2)[1:], "print(env.render())")
        yield _seen(referee, f"it is the same at all {len(rendered.pictures)} turns of a game", calls)


@env_check("render-turn", Severity.UNTIDY, "render() does not show whose turn it is")
def render_turn(referee: Referee) -> Iterator[Seen]:
    texts = _texts(referee)
    if len(texts) > 2 and not any(TURN_WORDS.search(text) for text in texts):
        yield _seen(
            referee, f"it shows {shorten(texts[1])}", (*_rendered(referee).game.calls(1), "print(env.render())")
        )


@env_check("render-scores", Severity.UNTIDY, "render() does not show the scores")
def render_scores(referee: Referee) -> Iterator[Seen]:
    texts, game = _texts(referee), _rendered(referee).game
    scores = _numbers(game.scores)
    if not texts or len(scores) != 2 or game.adapter.score_source is None:
        return
    ends = []

    def read(played: Episode) -> None:
        ends.append((_numbers(played.adapter.told(played.adapter.score_source)), played.adapter.env.render()))

    referee.play(2, 2, referee.make_to_render(), on_move=read)
    late = [(now, text) for now, text in ends if any(abs(value) > 1 for value in now)]
    if late and not any(all(re.search(rf"(?<!\d){value:g}(?!\d)", str(text)) for value in now) for now, text in late):
        now, text = late[-1]
        yield _seen(
            referee, f"they are {shorten(now)}, and it shows {shorten(text)}", (*game.calls(2), "print(env.render())")
        )


@env_check("render-changes-game", Severity.WINS, "render() changes the game")
def render_changes_game(referee: Referee) -> Iterator[Seen]:
    rendered = _rendered(referee)
    if not rendered.pictures or not referee.reproducible:
        return
    plain = referee.play(2, 2, actions=rendered.game.actions, moves=len(rendered.game.actions))
    if found := first_difference(plain, rendered.game):
        calls = [call for step in plain.log[1:] for call in (step, "env.render()")][:-1]
        shown = shown_calls(calls, plain.adapter.show)
        yield _seen(referee, f"with render() before every move, after {found[0]} moves {found[1]}", shown)


@env_check("render-mode", Severity.UNTIDY, "render() does not return what its mode promises")
def render_mode(referee: Referee) -> Iterator[Seen]:
    rendered = _rendered(referee)
    mode = getattr(rendered.game.adapter.env, "render_mode", None)
    promised = {"ansi": str, "rgb_array": np.ndarray}.get(str(mode))
    if promised is None or not rendered.pictures:
        return
    wrong = [picture for picture in rendered.pictures if not isinstance(picture, promised)]
    if wrong:
        evidence = f"render_mode is {mode!r}, and it returned {shorten(wrong[0])}"
        yield _seen(referee, evidence, (*rendered.game.calls(0), "print(repr(env.render()))"))


def _seen(referee: Referee, evidence: str, calls: Sequence[str]) -> Seen:
    """A sighting in an environment that was made to render."""
    return Seen(evidence, tuple(calls), episode=_rendered(referee).game, code=referee.render_factory.code)


def _texts(referee: Referee) -> list[str]:
    return [picture for picture in _rendered(referee).pictures if isinstance(picture, str)]


def _numbers(scores: Any) -> list[float]:
    """Scores as two numbers, where they are."""
    values = list(scores.values()) if isinstance(scores, dict) else scores
    try:
        array = np.asarray(values, float).ravel()
    except (TypeError, ValueError):
        return []
    return array.tolist()
