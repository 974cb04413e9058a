"""The command line that shows a finding again, with nothing but Python and the environment."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from pentagrid.audit.targets import import_folder

STEP = re.compile(r"(env\.step\(|step\(env, )(.*)\)")
LONG = 4
"""More moves than this in a row are written as a list."""
REPEATED = 20
"""So many equal moves at the end are written as a product."""


def command_line(target: str, calls: Sequence[str]) -> str:
    """A command line that makes these calls, in the folder from which the environment can be imported."""
    folder = import_folder(target)
    move = "" if folder == Path.cwd() else f"cd {shlex.quote(str(folder))} && "
    python = "python" if sys.platform == "win32" else "python3"
    return f"{move}{python} -c {shlex.quote('; '.join(_compact(calls)))}"


def _listed(actions: Sequence[str]) -> str:
    """Actions as a list in Python; where the last one is repeated many times, that is written short."""
    end = len(actions)
    while end and actions[end - 1] == actions[-1]:
        end -= 1
    if len(actions) - end < REPEATED:
        return f"({', '.join(actions)})"
    return f"[{', '.join(actions[:end])}] + [{actions[-1]}] * {len(actions) - end}"


def _compact(calls: Sequence[str]) -> Iterator[str]:
    """The calls, with long runs of moves written as one statement."""
    run: list[tuple[str, str]] = []
    for call in (*calls, ""):
        step = STEP.fullmatch(call)
        if step:
            run.append((step[1], step[2]))
            continue
        if len(run) > LONG:
            yield f"[{run[0][0]}a) for a in {_listed([action for _, action in run])}]"
        else:
            yield from (f"{begin}{action})" for begin, action in run)
        run = []
        if call:
            yield call
