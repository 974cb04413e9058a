"""Number Grid Battle as JAX functions: nothing beyond what claims and points do."""

from __future__ import annotations

from pentagrid.core.jax_rules import ScoringJaxRules

JAX_RULES = ScoringJaxRules
