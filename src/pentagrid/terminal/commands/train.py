"""Let an agent teach itself a game by self-play, measured by exact values as it learns.

It ends with a policy file that plays as policy:FILE, without JAX. Training runs on the accelerator that JAX finds, or
on the processor. Ctrl-C pauses, and the same command goes on; a run that is over goes on with more --minutes.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from pentagrid.core.game import Game
from pentagrid.core.payoff import PAYOFFS
from pentagrid.errors import OptionError, shown
from pentagrid.terminal.game_options import add_game, add_variant_options, chosen_game, rule_arguments
from pentagrid.terminal.optional_packages import require_extra
from pentagrid.terminal.output import say
from pentagrid.terminal.progress_bar import progress_bar, say_above_bar
from pentagrid.terminal.suggested_commands import suggested_command
from pentagrid.util.files import check_writable

if TYPE_CHECKING:
    from pentagrid.train.training import CurvePoint, TrainingPlan, TrainingRun

MINUTES = 3.0
DEALS = 1000
MOST_CHANNELS, MOST_SEEDS = 128, (1 << 31) - 1
SHORT = {"random": "rand", "level:5": "lvl5", "perfect": "perf"}
"""The opponents in the heads of columns."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add_variant_options(parser, fair=False)
    parser.add_argument("--out", type=Path, metavar="FILE", help="the policy (default GAME.npz)")
    length = parser.add_mutually_exclusive_group()
    length.add_argument(
        "--minutes",
        type=float,
        default=MINUTES,
        metavar="M",
        help=f"of training, compilation apart (default {MINUTES:g})",
    )
    length.add_argument(
        "--steps", type=int, metavar="N", help="so many moves instead: the same policy for the same seed"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="another run (default 0)")
    parser.add_argument(
        "--payoff", choices=PAYOFFS, help="what is learned: to win, or to win by most (default: points where there are)"
    )
    parser.add_argument("--games", type=int, metavar="N", help="games at once (default: as the device likes)")
    parser.add_argument(
        "--channels", type=int, nargs="+", default=[16, 16], metavar="N",
        help="of each hidden layer, its units at every place of the board (default 16 16)",
    )  # fmt: skip
    parser.add_argument(
        "--deals",
        type=int,
        default=DEALS,
        metavar="N",
        help=f"the policy is measured on, never learned from (default {DEALS:,})",
    )


def run(args: argparse.Namespace) -> int:
    game = chosen_game(args)
    out = Path(f"{game.name}.npz") if args.out is None else args.out
    if not out.name:
        raise OptionError(f"--out must name a file, such as {game.name}.npz, not {shown(str(out))}.")
    notes = out.with_suffix(".training.npz")
    _check(args)
    for path in (out, notes):
        check_writable(path)
    if out.exists() and not notes.exists():
        raise OptionError(f"{out} is there already, without {notes} beside it; move it, or choose another --out.")
    with progress_bar("Training", 1, ctrl_c="pause") as (stop, show):  # from here on Ctrl-C waits for a good moment
        return _train(args, game, out, notes, stop, show)


def _train(
    args: argparse.Namespace,
    game: Game,
    out: Path,
    notes: Path,
    stop: Callable[[], bool],
    show: Callable[[float], None],
) -> int:
    with require_extra("train"):
        from pentagrid.train.training import Budget, TrainingRun
    training = TrainingRun(_plan(args, game))
    if notes.exists():
        training.read(notes)
    budget = Budget(60 * args.minutes if args.steps is None else None, args.steps)

    def keep() -> None:
        training.write(notes)
        training.policy().write(out)

    if training.progress(budget) >= 1:
        say(
            [
                f"{out} is trained as asked; --minutes or --steps above that go on with it.",
                *_ending(training, out, args),
            ]
        )
        return 0
    say(_heading(training, args))
    if not training.train(budget, keep, lambda point: say_above_bar(_line(point)), stop, show):
        so_far = f"{out} plays as well as it can so far"
        say([f"Paused at {training.progress(budget):.0%}. {so_far}; the same command goes on."])
        return 130
    say(_ending(training, out, args))
    return 0


def _check(args: argparse.Namespace) -> None:
    """Raise `OptionError` for numbers that make no sense."""
    limits: tuple[tuple[str, float | None, float, float], ...] = (
        ("minutes", args.minutes, 0.01, 10_000),
        ("steps", args.steps, 1, 10**13),
        ("seed", args.seed, 0, MOST_SEEDS),
        ("games", args.games, 16, 1 << 22),
        ("deals", args.deals, 10, 100_000),
        *(("channels", channels, 1, MOST_CHANNELS) for channels in args.channels),
    )
    for name, value, least, most in limits:
        if value is not None and not least <= value <= most:
            raise OptionError(f"--{name} must be between {least} and {most}, not {value}.")


def _plan(args: argparse.Namespace, game: Game) -> TrainingPlan:
    from pentagrid.train.training import usual_plan

    settings = {"channels": tuple(args.channels)} | ({"games": args.games} if args.games else {})
    return usual_plan(game, args.seed, args.deals, args.payoff, **settings)


def _heading(training: TrainingRun, args: argparse.Namespace) -> list[str]:
    import jax

    from pentagrid.train.measurement import OPPONENTS

    plan, device = training.plan, jax.devices()[0].device_kind
    name = f"{plan.game.title} {plan.game.size}x{plan.game.size}"
    length = f"{args.steps:,} moves" if args.steps is not None else f"{args.minutes:g} min"
    again = f" It goes on after {training.steps:,} moves." if training.steps else ""
    games = f"{plan.settings.games:,} games at once"
    six, four = (" ".join(f"{SHORT.get(who, who):>{width}}" for who in OPPONENTS) for width in (6, 4))
    return [
        f"{name} teaches itself for {length} on {device}, {games}, paid by {plan.payoff}.",
        f"It is measured on {plan.deals:,} deals that it does not learn from, from both seats.{again}",
        "",
        f"{'':21}{'regret against':20}  {'result kept against':20}  won against",
        f"{'moves':>11} {'time':>6}  {six}  {six}  {four}",
    ]


def _line(point: CurvePoint) -> str:
    found = point.measures.values()
    regret = " ".join(f"{measures['regret'][0]:6.3f}" for measures in found)
    kept = " ".join(f"{measures['kept'][0]:6.1%}" for measures in found)
    won = " ".join(f"{measures['won'][0]:4.0%}" for measures in found)
    return f"{point.steps:>11,} {point.seconds:>4.0f} s  {regret}  {kept}  {won}"


def _ending(training: TrainingRun, out: Path, args: argparse.Namespace) -> list[str]:
    name, rules = training.plan.game.name, rule_arguments(args)
    return [
        "",
        f"{out} is the policy, {training.steps:,} moves old. Play against it, or measure it:",
        suggested_command("play", name, *rules, "--p2", f"policy:{out}"),
        suggested_command("arena", "--game", name, *rules, "--players", "level:5", f"policy:{out}"),
    ]
