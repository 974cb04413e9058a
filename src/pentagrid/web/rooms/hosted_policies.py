"""The policies in files that the owner of a server lets visitors play against: `pentagrid serve --policy FILE`.

Visitors ask for one by the name of its file (`policy:NAME`), which is also what is stored and shown. No path ever comes
from a visitor.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from pentagrid.core.game import Game
from pentagrid.errors import OptionError, shown
from pentagrid.play.learned import has_learned, learned_policy
from pentagrid.play.match import Seat
from pentagrid.play.players import check_plays, make_player
from pentagrid.play.policy import Policy, read_policy

NAME = re.compile(r"[A-Za-z0-9_.-]{1,30}")


class HostedPolicies:
    """What visitors may ask for beside the players that come with the package."""

    def __init__(self, files: Iterable[str] = ()) -> None:
        """Read all files. Raises `OptionError`."""
        self._hosted: dict[str, tuple[Path, Policy]] = {}
        for path in map(Path, files):
            kind = f"policy:{path.stem}"
            if not NAME.fullmatch(path.stem):
                raise OptionError(
                    f"A policy must have a name of 1 to 30 letters, digits, '.', '_' or '-', not {shown(path.stem)}."
                )
            if kind in self._hosted:
                raise OptionError(f"Two policies are called {path.stem}; visitors could not tell them apart.")
            self._hosted[kind] = path.absolute(), read_policy(path)

    def offered(self, game: type[Game]) -> list[tuple[str, str, str]]:
        """The policies that play a game: the kind to ask for, a title, and where it comes from."""
        found = [(kind, kind.partition(":")[2], policy) for kind, (_, policy) in self._hosted.items()]
        if has_learned(game.name):
            found.insert(0, ("learned", "Learned", learned_policy(game())))
        return [(kind, title, policy.note) for kind, title, policy in found if policy.game.name == game.name]

    def check(self, kind: str, game: Game) -> None:
        """Raise `OptionError` if a visitor may not ask for this kind of player, or it cannot play the game."""
        if kind in self._hosted:
            self._hosted[kind][1].check_plays(game, kind)
        else:
            make_player(kind)
            check_plays(kind, game)

    def seated(self, seat: Seat) -> Seat:
        """The seat with the file of its policy, if it is one that is hosted."""
        return seat._replace(kind=f"policy:{self._hosted[seat.kind][0]}") if seat.kind in self._hosted else seat
