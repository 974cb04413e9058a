"""Puzzles: positions with one best move that is not the tempting one."""
