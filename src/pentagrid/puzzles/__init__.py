"""Puzzles: positions with a single best move, which is not the one that looks best."""

from pentagrid.puzzles.grades import DIFFICULTIES, Grade
from pentagrid.puzzles.hints import narrow_hint, puzzle_hint
from pentagrid.puzzles.playouts import Playout, Step, main_line, play_out, refute
from pentagrid.puzzles.puzzle import (
    Puzzle,
    check_difficulty,
    daily_puzzle,
    game_for_seed,
    make_puzzle,
    puzzle_games,
    puzzle_of,
    why_no_puzzles,
)
from pentagrid.puzzles.sets import PuzzleSet, generate_puzzles

__all__ = [
    "DIFFICULTIES",
    "Grade",
    "Playout",
    "Puzzle",
    "PuzzleSet",
    "Step",
    "check_difficulty",
    "daily_puzzle",
    "game_for_seed",
    "generate_puzzles",
    "main_line",
    "make_puzzle",
    "narrow_hint",
    "play_out",
    "puzzle_games",
    "puzzle_hint",
    "puzzle_of",
    "refute",
    "why_no_puzzles",
]
