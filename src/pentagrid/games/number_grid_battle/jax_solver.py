"""Exact values in Number Grid Battle as JAX functions: the largest number first."""

from __future__ import annotations

from pentagrid.core.jax_solver import LargestFirstJaxSolver

JAX_SOLVER = LargestFirstJaxSolver
