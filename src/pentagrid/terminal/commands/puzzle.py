"""Solve a puzzle: one move wins, or wins by the most, and it is not the one that looks best.

Without GAME, one of the games that have puzzles. A wrong answer is refuted by perfect play. Only the first answer to a
puzzle counts; --streaks shows how you do. --generate makes whole sets for other programs.
"""

from __future__ import annotations

import argparse
import json
from datetime import UTC, date, datetime
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from pentagrid.analysis.komi import FAIR
from pentagrid.core.catalog import load
from pentagrid.core.game import Game
from pentagrid.core.rng import Dice, fresh_seed
from pentagrid.errors import OptionError
from pentagrid.terminal.game_options import add_variant_options, chosen_game
from pentagrid.terminal.output import is_terminal, painter, say
from pentagrid.terminal.progress_bar import progress_bar
from pentagrid.terminal.worker_options import add_worker_options, chosen_mapper
from pentagrid.util.files import check_writable, write_atomically

if TYPE_CHECKING:
    from pentagrid.puzzles.puzzle import Puzzle
    from pentagrid.terminal.input import LineInput

DIFFICULTY = 3
VARIANT = ("size", "komi", "rule")
YES, NO = ("", "y", "yes"), ("n", "no", "q", "quit")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help="the game's name (default: one by chance)")
    parser.add_argument("--difficulty", type=int, metavar="1-5", help=f"1 is easy (default {DIFFICULTY})")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--seed", type=int, metavar="N", help="the same puzzle every time, everywhere")
    which.add_argument("--daily", action="store_true", help="the puzzle of the day (UTC), the same for everyone")
    add_variant_options(parser, fair=False)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--streaks", action="store_true", help="show how many you have solved, in a row and in all")
    what.add_argument("--json", action="store_true", help="print the puzzle for other programs")
    what.add_argument("--generate", type=int, metavar="N", help="make a set of N puzzles, in the file --out")
    parser.add_argument("--solution", action="store_true", help="with --json: also the answer and how it goes on")
    parser.add_argument("--out", type=Path, metavar="FILE", help="with --generate: a name that ends in .jsonl")
    add_worker_options(parser, "with --generate; default 1")
    parser.add_argument("--no-color", action="store_true", help="no colors")
    parser.set_defaults(not_of_a_game=("streaks",))


def run(args: argparse.Namespace) -> int:
    if args.streaks:
        _refuse(args, "with --streaks", "game", "difficulty", "seed", "daily", *VARIANT, "solution", "out")
        from pentagrid.terminal.streaks import StreakFile, streak_lines

        streaks, trouble = StreakFile().look()
        say([*([trouble, ""] if trouble else []), *streak_lines(streaks, today())])
        return 0
    if args.generate is not None:
        return _generate(args)
    if args.out is not None:
        raise OptionError("--out goes with --generate N, which says how many puzzles to write.")
    if args.workers is not None or args.cluster is not None:
        raise OptionError("--workers and --cluster go with --generate N: one puzzle is made at once.")
    if args.solution and not args.json:
        raise OptionError("--solution goes with --json; at the prompt, type solution instead of a move.")
    if args.json:
        return _print(args)
    return _ask_puzzles(args)


def today() -> date:
    """The day in UTC, the same for everyone."""
    return datetime.now(UTC).date()


def _refuse(args: argparse.Namespace, why: str, *names: str) -> None:
    """Raise `OptionError` if one of these was given."""
    for name in names:
        if getattr(args, name) not in (None, False, []):
            raise OptionError(f"{'GAME' if name == 'game' else f'--{name}'} makes no sense {why}.")


# Which puzzle ---------------------------------------------------------------------------------------------


def _puzzle(args: argparse.Namespace, seed: int, day: date) -> Puzzle:
    """The puzzle that the options ask for. Raises `OptionError`."""
    from pentagrid.puzzles import puzzle as puzzles

    if args.daily:
        _refuse(args, "with --daily, which is the same for everyone", "difficulty", *VARIANT)
        return puzzles.daily_puzzle(day, None if args.game is None else load(args.game))
    if args.game is None:
        _refuse(args, "without a GAME", *VARIANT)
        game = load(puzzles.game_for_seed(seed))
    else:
        game = _game(args)
    return puzzles.make_puzzle(game, DIFFICULTY if args.difficulty is None else args.difficulty, seed)


def _game(args: argparse.Namespace) -> Game:
    if args.komi == FAIR:
        raise OptionError(f"--komi must be a number for puzzles, not {FAIR}: every deal has another fair komi.")
    return chosen_game(args)


def _seed(args: argparse.Namespace) -> int:
    return fresh_seed() if args.seed is None else Dice(args.seed).seed


def _print(args: argparse.Namespace) -> int:
    from pentagrid.puzzles.playouts import main_line

    day = today()
    puzzle = _puzzle(args, _seed(args), day)
    fields = puzzle.data(answer=args.solution)
    if args.daily:
        fields["day"] = day.isoformat()
    if args.solution:
        fields["line"] = [step.move for step in main_line(puzzle).steps]
    print(json.dumps(fields))
    return 0


def _generate(args: argparse.Namespace) -> int:
    from pentagrid.puzzles.sets import generate_puzzles

    _refuse(args, "with --generate", "daily", "solution")
    path: Path | None = args.out
    if args.game is None:
        raise OptionError("--generate needs a GAME: the puzzles of a set are all of one game.")
    if path is None:
        raise OptionError("--generate needs --out FILE, a name that ends in .jsonl.")
    if path.suffix != ".jsonl":
        raise OptionError(f"--out must end in .jsonl, not be {path}.")
    check_writable(path)
    game, count, seed = _game(args), args.generate, Dice(args.seed or 0).seed
    mapper = chosen_mapper(args) if args.cluster or args.workers else None
    began = perf_counter()
    with progress_bar("Puzzles", count, "puzzles") as (stop, progress):
        made = generate_puzzles(game, count, args.difficulty, seed, lambda share: progress(share * count), stop, mapper)
        if stop():
            say(["Interrupted; nothing was written."])
            return 130
    spent = perf_counter() - began
    write_atomically(path, made.text())
    say([f"{len(made.puzzles):,} puzzles are in {path}, made at {len(made.puzzles) / spent:,.0f} a second."])
    if len(made.puzzles) < count:
        say([f"No more than that turned up in {game.title} that differ by more than symmetry."])
    return 0


# At the prompt --------------------------------------------------------------------------------------------


def _ask_puzzles(args: argparse.Namespace) -> int:
    """Ask one puzzle, and on a terminal offer another until nobody wants one."""
    from pentagrid.terminal.input import standard_input
    from pentagrid.terminal.line_game import LeaveError
    from pentagrid.terminal.line_puzzle import LinePuzzle
    from pentagrid.terminal.streaks import StreakFile

    typed, file, paint = standard_input(), StreakFile(), painter(args.no_color)
    first_seed, day, number = _seed(args), today(), 0
    while True:
        seed = first_seed if number == 0 else Dice(first_seed, number).next() >> 32
        puzzle = LinePuzzle(_puzzle(args, seed, day), day if args.daily else None, typed, file, paint)
        try:
            puzzle.play()
        except LeaveError:
            say(puzzle.farewell())
            return 0
        except KeyboardInterrupt:
            say(["", *puzzle.farewell()])
            raise
        if args.daily or not is_terminal() or not _wants_another(typed):
            return 0
        number += 1


def _wants_another(typed: LineInput) -> bool:
    print()
    while True:
        line = typed.ask("Another puzzle? (Enter or y: yes, n: no):")
        answer = "n" if line is None else line.lower()
        if answer in YES or answer in NO:
            print()
            return answer in YES
        print("Please answer y or n.")
