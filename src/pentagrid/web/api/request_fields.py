"""What requests are made of: every one is checked against its form, and OpenAPI describes it."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from pentagrid.core.rng import MAX_SEED, Dice
from pentagrid.errors import OptionError, shown
from pentagrid.play.match import LONGEST_NAME

LONGEST_POSITION = 2000
MOST_MOVES = 400

PositionText = Annotated[str, Field(max_length=LONGEST_POSITION, description="a position as one line of text")]
MoveText = Annotated[str, Field(max_length=100, description="a move in the game's notation")]
Moves = Annotated[list[MoveText], Field(max_length=MOST_MOVES)]
Name = Annotated[str, Field(max_length=4 * LONGEST_NAME, description="a player's name, or nothing")]
Revision = Annotated[int, Field(ge=0, le=2**31 - 1, description="the revision of the game that the client knows")]


def whole_number(message: str) -> BeforeValidator:
    """Check that a parameter of an address is a whole number; else raise `OptionError`, with the text given for {}."""

    def read(given: object) -> object:
        if isinstance(given, str) and not re.fullmatch(r"[0-9]{1,19}", given):
            raise OptionError(message.format(shown(given)))
        return given

    return BeforeValidator(read)


def _seed(number: int | None) -> int | None:
    return None if number is None else Dice(number).seed


SeedGiven = Annotated[
    int | None,
    AfterValidator(_seed),
    whole_number(f"{{}} is not a seed; a seed is a whole number from 0 to {MAX_SEED}."),
]
"""A seed in an address."""


class ClientRequest(BaseModel):
    """A request of a client; it may have no other fields."""

    model_config = ConfigDict(extra="forbid", strict=True)
