"""Exact values in many games of Number Grid Battle: the largest number first."""

from pentagrid.core.batch_solver import LargestFirstBatchSolver

BATCH_SOLVER = LargestFirstBatchSolver
