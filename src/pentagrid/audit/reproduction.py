"""The command line that shows a finding again, with nothing but Python and the environment."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from pentagrid.audit.targets import import_folder

STEP = re.compile(r"env\.step\((.*)\)")
LONG = 4
"""More moves than this in a row are written as a list."""


def command_line(target: str, calls: Sequence[str]) -> str:
    """A command line that makes these calls, in the folder from which the environment can be imported."""
    folder = import_folder(target)
    move = "" if folder == Path.cwd() else f"cd {shlex.quote(str(folder))} && "
    python = "python" if sys.platform == "win32" else "python3"
    return f"{move}{python} -c {shlex.quote('; '.join(_compact(calls)))}"


def _compact(calls: Sequence[str]) -> Iterator[str]:
    """The calls, with long runs of moves written as one statement."""
    run: list[str] = []
    for call in (*calls, ""):
        step = STEP.fullmatch(call)
        if step:
            run.append(step[1])
            continue
        if len(run) > LONG:
            yield f"[env.step(a) for a in ({', '.join(run)})]"
        else:
            yield from (f"env.step({action})" for action in run)
        run = []
        if call:
            yield call
