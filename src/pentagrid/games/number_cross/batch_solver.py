"""Exact values in many games of Number Cross: the line with the largest sum first."""

from pentagrid.core.batch_solver import LargestFirstBatchSolver

BATCH_SOLVER = LargestFirstBatchSolver
