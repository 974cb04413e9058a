"""Exact values in Number Cross as JAX functions: the line with the largest sum first."""

from __future__ import annotations

from pentagrid.core.jax_solver import LargestFirstJaxSolver

JAX_SOLVER = LargestFirstJaxSolver
