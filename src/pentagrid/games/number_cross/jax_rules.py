"""Number Cross as JAX functions: the sums of the lines are the points."""

from __future__ import annotations

import jax.numpy as jnp

from pentagrid.core.jax_rng import Array
from pentagrid.core.jax_rules import ScoringJaxRules, grid


class NumberCrossJaxRules(ScoringJaxRules):
    def claim_points(self, numbers: Array) -> Array:
        rows = grid(numbers, self.game.size).astype(jnp.int16)
        return jnp.concatenate([rows.sum(axis=-1), rows.sum(axis=-2)], axis=-1)


JAX_RULES = NumberCrossJaxRules
