"""The prompts for language models, and how their answers are read."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from pentagrid.core.game import Game
from pentagrid.core.payoff import Payoff
from pentagrid.core.position import Position
from pentagrid.core.rulebook import options_of, rules_of
from pentagrid.core.speech import player_names, speech_for
from pentagrid.errors import NotAllowedError, OffBoardError, OptionError, PentagridError, UnreadableError, shown

BOARD_FORMS = ("drawing", "json", "prose")
"""How a prompt can show the board."""
LARGEST_RULES = 1 << 20
"""The most bytes of a file of rules."""
BOXED = r"\\boxed\{((?:[^{}]|\{[^{}]*\})*)\}"
"""How answers are marked in TeX; braces may be nested once, as in `\\boxed{\\text{…}}`."""
HOW_TO_MOVE = 'End every reply with a line that has only your move: "MOVE: …"'


def payoff_text(game: Game, payoff: Payoff) -> str:
    """What a prompt says of the payoff."""
    if payoff == "points":
        return (
            "What counts is the final difference in points, komi included: win by as many as you can, "
            "or lose by as few."
        )
    margin = "; by how many points does not matter" if game.has_points else ""
    return f"What counts is whether you win the game{margin}."


def rules_text(game: Game, file: str | None, tips: bool = False) -> str:
    """The rules of the game, perhaps with its tips, or those in a file of the user's. Raises `OptionError`."""
    if file is None:
        return rules_of(game.name, tips)
    try:
        data = Path(file).expanduser().read_bytes()
    except OSError as error:
        raise OptionError(f"The rules file {file} cannot be read: {error.strerror}.") from None
    try:
        if len(data) > LARGEST_RULES:
            raise OptionError(f"The rules file {file} must have at most {LARGEST_RULES} bytes, not {len(data)}.")
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise OptionError(f"The rules file {file} must be UTF-8 text.") from None


def check_board_form(board: str) -> str:
    """The same form, if it is one of `BOARD_FORMS`. Raises `OptionError`."""
    if board not in BOARD_FORMS:
        raise OptionError(f"board must be {', '.join(BOARD_FORMS[:-1])} or {BOARD_FORMS[-1]}, not {shown(board)}.")
    return board


def system_prompt(game: Game, rules: str, answer: str, payoff: Payoff | None = None) -> str:
    """The beginning of a conversation: the rules, what the chosen options change, what counts, and how to answer."""
    options = ", ".join([f"size {game.size}", *(f"{name}={value}" for name, value in game.rules.items())])
    chosen = "\n".join(f"- {option}: {meaning}." for option, meaning in options_of(game).items())
    if chosen:
        chosen = f"In this game these options apply, even where the rules above say otherwise:\n{chosen}\n\n"
    return (
        f"You are playing {game.title}, a game for two ({options}). These are its rules:\n\n{rules.strip()}\n\n"
        f"{chosen}{f'{payoff_text(game, payoff)} ' if payoff else ''}A move is written as {game.notation.words}, "
        f"exactly in the form {game.notation.example()}. Think as long as you like. {answer}"
    )


def position_text(position: Position, board: str) -> str:
    """A position in one of `BOARD_FORMS`: drawn as the rules draw it, as JSON, or in sentences."""
    if board == "json":
        return json.dumps(_position_data(position))
    speech = speech_for(position.game)
    swap = [f"The players have swapped sides: {speech.name(1)} plays the second side now."] if position.swapped else []
    if board == "prose":
        return " ".join([_prose(position), *speech.terms(position), *swap])
    return "\n".join([*(line for line in speech.updated(position) if line.strip()), *swap])


def _position_data(position: Position) -> dict[str, Any]:
    """The part of `Position.data()` that a prompt with the JSON form shows."""
    fields = ["board", "claims", "scores", "turn", "ply", *(["swapped"] if position.game.pie else [])]
    data = position.data()
    return {field: data[field] for field in fields}


def _prose(position: Position) -> str:
    """A position in sentences."""
    one, two = player_names(position.game)
    owners = ("free", f"owned by {one}", f"owned by {two}")
    sentences = []
    for number, row in enumerate(position.cells(), 1):
        cells = []
        for c, cell in enumerate(row, 1):
            state = owners[cell.owner]
            if cell.owner == 0 and not cell.available and not position.lines():
                state = "no longer available"
            name = f"column {c} has {cell.label}" if cell.label else f"column {c} is"
            if cell.label:
                cells.append(name if position.lines() else f"{name} ({state})")
            else:
                cells.append(f"{name} {state}")
        sentences.append(f"In row {number}, {', '.join(cells)}.")
    for line in position.lines():
        sentences.append(f"{line.label} is {owners[line.owner]}.")
    if position.scores is not None:
        sentences.append(f"{one} has {position.scores[0]} points, {two} has {position.scores[1]}.")
    return " ".join([*sentences, f"{position.ply} turns have been made."])


def seat_name(game: Game, seat: int, board: str) -> str:
    """What a prompt calls a player: as the game does, with the seat's number where the board is JSON."""
    name = player_names(game)[seat - 1]
    return f"{name} (seat {seat})" if board == "json" else name


def move_prompt(position: Position, board: str, legal: bool, news: str = "") -> str:
    """The question for a move, after news of what the opponent has played."""
    who = seat_name(position.game, position.mover, board)
    parts = [news, position_text(position, board), f"You are {who}, and it is your turn."]
    if legal:
        parts.append(f"The legal moves are: {'; '.join(position.moves())}")
    return "\n\n".join([*filter(None, parts), HOW_TO_MOVE])


def read_move(reply: str, position: Position) -> int:
    """The action that a reply names: after the last `MOVE:`, else in the last `{"move": "…"}` or `\boxed{…}`, else the
    whole reply if it is nothing but a move.

    Emphasis, quotes, brackets, a period and a remark in parentheses around the move do not matter. Raises
    `UnreadableError` if no move can be read; `NotAllowedError` if the move is not legal, `OffBoardError` (which is an
    `UnreadableError`) if its cell is not on the board: `is_illegal` tells them from what cannot be read.
    """
    game = position.game
    text = labeled_answer(reply, "MOVE")
    if text is None:
        wrapped = re.findall(r'\{[^{}]*"move"\s*:\s*"([^"{}]*)"[^{}]*\}', reply) or re.findall(BOXED, reply)
        text = wrapped[-1] if wrapped else reply
        text = labeled_answer(text, "MOVE") or unmarked(text)  # `\boxed{MOVE: R1C1}`
        if "\n" in text or len(text) > 40:
            raise UnreadableError('Your reply has no line "MOVE: …".')
    action = _read(text, game)
    if action not in position.actions():
        raise NotAllowedError(game.refusal(position, action))
    return action


def is_illegal(error: PentagridError) -> bool:
    """Was a move read that cannot be made, rather than none at all?"""
    return isinstance(error, NotAllowedError | OffBoardError)


def _read(text: str, game: Game) -> int:
    """The action of a move, whatever stands around it. Raises `UnreadableError`."""
    try:
        return game.action(text)
    except OffBoardError:
        raise
    except UnreadableError:
        inside = unmarked(re.sub(r"\s*\([^()]*\)$", "", bare(text)))  # `R1C1 (9)`
        if inside == text:
            raise
        return _read(inside, game)


def bare(text: str) -> str:
    """An answer without what stands around it, as deep as it goes."""
    inside = _unwrapped(unmarked(text))
    return inside if inside == text else bare(inside)


def _unwrapped(text: str) -> str:
    """The text inside `\\boxed{…}`, `\\text{…}`, brackets of any kind, dollar signs or `{"move": "…"}`."""
    for pattern in (
        BOXED,
        r"\\text\{([^{}]*)\}",
        r"\[(.*)\]",
        r"\\\((.*)\\\)",
        r"\\\[(.*)\\\]",
        r"\(([^()]*)\)",
        r"<([^<>]*)>",
        r"\$+(.*?)\$+",
        r'\{\s*"move"\s*:\s*"(.*?)"\s*\}',
    ):
        if found := re.fullmatch(pattern, text):
            return unmarked(found[1])
    return text


def labeled_answer(reply: str, label: str) -> str | None:
    """The text after the last `LABEL:` that begins a line; None if there is none."""
    answers = re.findall(rf"^[\s>*_`#\-]*{label}[*_`]*\s*:(.*)$", reply, re.M | re.I)
    return unmarked(answers[-1]) if answers else None


def unmarked(text: str) -> str:
    """The text without emphasis, quotes and a period around it."""
    return text.strip().strip("*_`\"'“”‘’ \t").rstrip(".!").strip("*_`\"'“”‘’ \t")
