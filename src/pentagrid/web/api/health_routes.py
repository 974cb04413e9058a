"""Whether the server works: for whatever watches over it."""

from __future__ import annotations

import asyncio
from typing import Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel

from pentagrid import __version__
from pentagrid.web.api.route_helpers import PROBLEMS, rooms_of
from pentagrid.web.http_errors import StoreError

ANSWER_SECONDS = 5.0
"""How long the store may take to answer."""

router = APIRouter(responses=PROBLEMS)


class HealthData(BaseModel):
    status: Literal["ok"]
    version: str
    database: str


@router.get("/health")
async def health(request: Request) -> HealthData:
    """Does the server work, and does its database answer? If not, the answer is 503 and says what is wrong."""
    store = rooms_of(request).store
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            await store.check()
    except TimeoutError:
        raise StoreError(f"The database has not answered for {ANSWER_SECONDS:g} seconds.") from None
    return HealthData(status="ok", version=__version__, database=store.name)
