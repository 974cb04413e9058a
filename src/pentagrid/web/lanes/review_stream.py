"""A review on its way: position by position as JSON lines, or whole."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Any

from pentagrid.analysis.review import Choice, summary
from pentagrid.errors import PentagridError
from pentagrid.web.lanes.analysis_work import Judged
from pentagrid.web.lanes.shared_stream import SharedStream


class ReviewStream:
    """The review of a line of play of so many positions."""

    def __init__(self, stream: SharedStream[Judged], length: int) -> None:
        self._stream = stream
        self._length = length

    async def whole(self) -> str:
        """The whole review, as JSON. Raises what the work raises."""
        async with aclosing(self._stream.follow()) as following:
            parts = [part async for part in following]
        data = {"choices": [choice.data() for choice in _choices(parts)], **summary(_choices(parts))}
        return f'{{"nodes": [{", ".join(part.node for part in parts)}], {_json(data)[1:]}'

    async def lines(self) -> AsyncGenerator[str, None]:
        """A line of JSON for each position, and one at the end with what the whole comes to, or with what failed."""
        parts = []
        try:
            async with aclosing(self._stream.follow()) as following:
                async for part in following:
                    parts.append(part)
                    head = _json({"kind": "position", "number": len(parts), "of": self._length})
                    choice = None if part.choice is None else part.choice.data()
                    yield f'{head[:-1]}, "node": {part.node}, "choice": {_json(choice)}}}\n'
        except PentagridError as error:
            yield f"{_json({'kind': 'problem', 'code': error.code, 'message': str(error)})}\n"
            return
        yield f"{_json({'kind': 'end', **summary(_choices(parts))})}\n"


def _choices(parts: Sequence[Judged]) -> list[Choice]:
    return [part.choice for part in parts if part.choice is not None]


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False)
