"""The adapter that fits an environment, made with what is told where found out."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from pentagrid.audit.adapters import Adapter, Factory, GymnasiumAdapter
from pentagrid.audit.aec_adapter import AecAdapter
from pentagrid.audit.targets import CannotLoadError
from pentagrid.audit.trail import Trail


def _takes(function: Callable[..., Any], name: str) -> bool:
    """Has a function a parameter of this name, or does it take any?"""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return True
    return any(p.name == name or p.kind is p.VAR_KEYWORD for p in parameters)


def adapter_class(env: Any) -> type[Adapter]:
    """The adapter that fits an environment. Raises `CannotLoadError` for one that is not understood."""
    if not hasattr(env, "possible_agents"):
        return GymnasiumAdapter
    if all(hasattr(env, name) for name in ("agent_iter", "observe", "last")):
        return AecAdapter
    raise CannotLoadError(
        "its players move at once (PettingZoo's parallel interface); pettingzoo.utils.parallel_to_aec makes one of it "
        "in which they move in turn"
    )


def first_adapter(factory: Factory, trail: Trail) -> Adapter:
    """The adapter of a new environment, with what is told where found out. Raises `CallError`, `CannotLoadError`."""
    probe = GymnasiumAdapter(factory, trail)  # making does not depend on the interface
    explained = any(hasattr(factory.protocol, name) for name in ("reset", "step"))
    adapter = (GymnasiumAdapter if explained else adapter_class(probe.env))(factory, trail)
    if isinstance(adapter, GymnasiumAdapter) and factory.protocol is None:
        adapter.takes_seed = _takes(getattr(adapter.env, "reset", len), "seed")
    adapter.find_sources(adapter.reset(0))
    adapter.reset(0)
    adapter.style = adapter.style if factory.protocol is None else f"{adapter.style} (by a protocol file)"
    return adapter
