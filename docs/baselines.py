"""Make docs/baselines.md again: MaskablePPO trained on every game, and the players that come with the package.

    make baselines                                  everything, about twenty minutes on one core
    .venv/bin/python docs/baselines.py --page       the page and its plots, from docs/baselines.json

Every measure is exact: each decision is compared with the values of all moves. Needs the extra `baselines`.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pentagrid as pg
from pentagrid.core.batch_solver import NEVER, BatchSolver
from pentagrid.core.catalog import part
from pentagrid.core.rng import Dice
from pentagrid.core.scoring import ScoringGame
from pentagrid.envs import SelfPlayEnv
from pentagrid.play.levels import Level
from pentagrid.play.players import make_player
from pentagrid.util.files import write_atomically
from pentagrid.util.intervals import Interval, Sums, mean_interval, share_interval

HERE = Path(__file__).parent
DATA = HERE / "baselines.json"
LEARNED = HERE / "learned.json"
"""What docs/learned.py measured."""
OPPONENTS = ("random", "level:5", "perfect")
PLAYERS = ("random", "greedy", "level:3", "level:5", "level:7", "perfect", "mcts:100", "mcts:1000", "learned")
SEEDS = (1, 2, 3)
FIRST_UNSEEN = 1_000_000_000
"""The seed of the first deal that players are measured on; agents are trained on deals of other seeds."""
DEALS = 2000
FEWER_DEALS = {"mcts:1000": 100}
STEPS = 131_072
"""How many steps of the agent a training run has."""
CHECKPOINTS = (0, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1)
GAMES_AT_ONCE = 128

Chooser = Callable[["Measurer", NDArray[np.intp]], NDArray[np.int64]]


class Measurer:
    """Plays every deal from both seats against each opponent, and measures every decision of the player."""

    def __init__(self, name: str, deals: int = DEALS) -> None:
        self.game = pg.load(name)
        self.deals = deals
        self.env = SelfPlayEnv(name, num_envs=2 * deals)
        self.batch = self.env.batch
        self.seats = np.repeat(np.array([1, 2], np.int8), deals)
        self.seeds = np.tile(np.arange(FIRST_UNSEEN, FIRST_UNSEEN + deals, dtype=np.uint64), 2)
        self.solver: BatchSolver = part(name, "batch_solver").BATCH_SOLVER(self.game, 2 * deals)
        self.scale: float = part(name, "solver").SOLVER.scale
        self.worths: NDArray[Any] = np.zeros(0)
        self.env.deal(slice(None), self.seeds)
        self.solver.deal(slice(None), self.batch)

    def measure(self, choose: Chooser) -> dict[str, dict[str, list[float]]]:
        """By opponent: the mean, and the half width of its 95 % interval over deals, of each measure."""
        return {opponent: self._against(opponent, choose) for opponent in OPPONENTS}

    def _against(self, opponent: str, choose: Chooser) -> dict[str, list[float]]:
        self.chance = np.random.default_rng(7)
        self.env.deal(slice(None), self.seeds)
        games = 2 * self.deals
        alive = np.ones(games, bool)
        sums = {key: np.zeros(games) for key in ("regret", "moves", "kept", "mattered", "won")}
        while alive.any():
            self.worths = self.solver.worths(self.batch)
            movers = self.batch.movers
            mine, theirs = (
                np.flatnonzero(alive & (movers == self.seats)),
                np.flatnonzero(alive & (movers != self.seats)),
            )
            actions = np.zeros(games, np.int64)
            if mine.size:
                actions[mine] = choose(self, mine)
                self._judge(mine, actions[mine], sums)
            if theirs.size:
                actions[theirs] = played_by(opponent, self, theirs)
            going = np.flatnonzero(alive)
            over, won = self.batch.play_some(going, actions[going])
            ended = going[over]
            winners = np.where(won[over], movers[ended], 3 - movers[ended])
            sums["won"][ended] = winners == self.seats[ended]
            alive[ended] = False
        return {
            "regret": by_deal(mean_interval, sums["regret"], sums["moves"], self.deals),
            "kept": by_deal(share_interval, sums["kept"], sums["mattered"], self.deals),
            "won": by_deal(share_interval, sums["won"], np.ones(games), self.deals),
        }

    def _judge(self, mine: NDArray[np.intp], actions: NDArray[np.int64], sums: dict[str, NDArray[Any]]) -> None:
        worths, legal = self.worths[:, mine], self.batch.legal[:, mine]
        best, made = worths.max(axis=0), worths[actions, np.arange(mine.size)]
        worst = np.where(legal, worths, -NEVER - 1).min(axis=0)
        mattered = (best > 0) & (worst <= 0)
        sums["regret"][mine] += self.solver.margins(best) - self.solver.margins(made)
        sums["moves"][mine] += 1
        sums["mattered"][mine] += mattered
        sums["kept"][mine] += mattered & (made > 0)


def by_deal(
    interval: Callable[[Sequence[Sums]], Interval], sums: NDArray[Any], counts: NDArray[Any], deals: int
) -> list[float]:
    """A ratio over all games, and the half width of its 95 % interval; games of the same deal go together."""
    total, count = sums.reshape(2, deals).sum(axis=0), counts.reshape(2, deals).sum(axis=0)
    value, low, high = interval(list(zip(total.tolist(), count.tolist(), strict=True)))
    return [round(value, 5), round(max(value - low, high - value), 5)]


def played_by(kind: str, measurer: Measurer, which: NDArray[np.intp]) -> NDArray[np.int64]:
    """The moves of a player who goes by exact values, on arrays; of equally good moves any is as likely."""
    legal = measurer.batch.legal[:, which]
    if kind == "random":
        costs = np.zeros(legal.shape)
    else:
        worths = measurer.worths[:, which]
        costs = measurer.solver.margins(worths.max(axis=0)) - measurer.solver.margins(worths)
        if kind == "perfect" and not isinstance(measurer.game, ScoringGame):
            costs = worths.max(axis=0) - worths.astype(float)  # wins soon, loses late
        costs /= 1e-6 if kind == "perfect" else Level(int(kind[-1])).warmth * measurer.scale
    noise = -np.log(-np.log(measurer.chance.random(legal.shape)))  # the largest is then chosen as a softmax does
    chosen: NDArray[np.int64] = np.where(legal, noise - costs, -np.inf).argmax(axis=0)
    return chosen


def chooser_of(kind: str) -> Chooser:
    """How a player of the package chooses."""
    if kind in ("random", "perfect") or kind.startswith("level"):
        return lambda measurer, which: played_by(kind, measurer, which)
    player = make_player(kind)
    assert player is not None

    def choose(measurer: Measurer, which: NDArray[np.intp]) -> NDArray[np.int64]:
        positions = [measurer.batch.position(i) for i in which.tolist()]
        return np.array([player.choose(p, Dice(i, p.ply)) for i, p in zip(which.tolist(), positions, strict=True)])

    return choose


def train(name: str, seed: int, steps: int, measurer: Measurer) -> list[dict[str, Any]]:
    """Train MaskablePPO against random players, and measure it as it learns."""
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.vec_env import VecNormalize

    from pentagrid.envs.sb3 import Sb3VecEnv

    torch.set_num_threads(1)
    payoff = "points" if isinstance(measurer.game, ScoringGame) else "win"
    games = Sb3VecEnv(name, GAMES_AT_ONCE, seat="random", payoff=payoff)
    model = MaskablePPO(
        "MlpPolicy", VecNormalize(games, norm_obs=False, gamma=1.0), n_steps=32, batch_size=512, n_epochs=4, gamma=1.0,
        learning_rate=1e-3, ent_coef=0.01, policy_kwargs={"net_arch": [128, 128]}, seed=seed, device="cpu",
    )  # fmt: skip

    def choose(measurer: Measurer, which: NDArray[np.intp]) -> NDArray[np.int64]:
        seen, masks = games.scaled(measurer.env.observe()[which]), measurer.env.action_masks()[which]
        actions, _ = model.predict(seen, action_masks=masks, deterministic=True)
        return np.asarray(actions)

    rows: list[dict[str, Any]] = []
    seconds = 0.0
    for share in CHECKPOINTS:
        more = round(share * steps) - model.num_timesteps
        if more > 0:
            began = time.process_time()
            model.learn(more, reset_num_timesteps=not rows)
            seconds += time.process_time() - began
        rows.append({"steps": model.num_timesteps, "seconds": round(seconds, 1), **measurer.measure(choose)})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--page", action="store_true", help="write the page from what was measured before")
    parser.add_argument("--games", nargs="+", default=list(pg.game_names()))
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--out", type=Path, default=DATA)
    args = parser.parse_args()
    if not args.page:
        data: dict[str, Any] = json.loads(args.out.read_text()) if args.out.exists() else {}
        data["machine"] = f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores, one used"
        for name in args.games:
            learn(name, args.steps, data, args.out)
        for kind in PLAYERS:
            for name in args.games:
                measure_player(name, kind, data, args.out)
    write_page(json.loads(args.out.read_text(encoding="utf-8")))


def learn(name: str, steps: int, data: dict[str, Any], out: Path) -> None:
    """Train what is not trained yet, a run for each seed."""
    runs = data.setdefault("runs", {}).setdefault(name, {})
    measurer = None
    for seed in map(str, SEEDS):
        if runs.get(seed, [{}])[-1].get("steps", 0) < steps:
            measurer = measurer or Measurer(name)
            runs[seed] = train(name, int(seed), steps, measurer)
            write_atomically(out, json.dumps(data, indent=1) + "\n")
            print(name, "seed", seed, runs[seed][-1], flush=True)


def measure_player(name: str, kind: str, data: dict[str, Any], out: Path) -> None:
    """Measure a player of the package, unless that was done before."""
    players = data.setdefault("players", {}).setdefault(name, {})
    if kind not in players:
        measurer = Measurer(name, FEWER_DEALS.get(kind, DEALS))
        players[kind] = {"deals": measurer.deals, **measurer.measure(chooser_of(kind))}
        write_atomically(out, json.dumps(data, indent=1) + "\n")
        print(name, kind, players[kind], flush=True)


PAGE = """# Baselines

How well players do that know nothing of the exact values, measured by the exact values. This page is made by
`make baselines` (`docs/baselines.py`), which writes what it measured into `docs/baselines.json`. Measured on
{machine}.

**What is measured.** Every decision of a player in {deals:,} deals that no agent was trained on, each from both seats,
against three opponents: random, `level:5` and perfect (Capture Square has a single deal: there they are as many games
that chance makes different). *Regret* is the mean of the points that a move gives away (in
Capture Square, which has no points: of won games). *Result kept* is the share of decisions that did not give away a won
game, among those in which some move would have. *Won* is the share of games, both seats together, against the three.
Intervals are 95 %, over deals; in the plots the bands go from the lowest to the highest of three training runs. The
opponents `level:5` and perfect choose among equally good moves at random here, which lets them play on arrays; in the
arena they lean to natural moves, or set traps.

**The agent** is [MaskablePPO](agents.md#maskableppo) of sb3-contrib with two layers of 128 units, trained against
random opponents from random seats, {games} games at once, paid by points (in Capture Square by winning). Each run had
{steps:,} steps of the agent, about {seconds:.0f} seconds of processor time on one core. That is a small budget: take
the curves as a floor to beat, not as what the method can do. Trained against random players it learns what beats
those; where the best answer to a strong opponent is another one, regret stays.

**`learned`** [taught itself](training.md) by self-play, with weights shared wherever a board looks the same; one run
each, of {learned}
({on}). Its curves are measured on 2,000 deals, drawn from a sixteenth of all deals that it never learns from. The
tables measure the file that ships, by NumPy, as every other player. `make learned` (`docs/learned.py`) makes it again.

`mcts:N` plays N random games before each move and learns nothing; `mcts:1000` was measured on fewer deals: it is slow.
"""


def write_page(data: dict[str, Any]) -> None:
    """Write the page and its plots."""
    last = [rows[-1] for runs in data["runs"].values() for rows in runs.values()]
    seconds = float(np.mean([row["seconds"] for row in last]))
    learned = json.loads(LEARNED.read_text(encoding="utf-8"))
    parts = [
        PAGE.format(
            machine=data["machine"], deals=DEALS, games=GAMES_AT_ONCE, steps=last[0]["steps"], seconds=seconds,
            learned=span([found["curve"][-1] for found in learned.values()]),
            on=next(iter(learned.values()))["machine"],
        )
    ]  # fmt: skip
    for name, runs in data["runs"].items():
        draw(runs, HERE / "plots" / f"baselines-{name}.svg", "steps of the agent, seconds of processor time")
        draw(
            {"0": doubling(learned[name]["curve"])},
            HERE / "plots" / f"learned-{name}.svg",
            "moves, seconds of training",
        )
        parts += [
            f"## {pg.load(name).title}",
            f"MaskablePPO:\n\n![Learning curves of MaskablePPO](plots/baselines-{name}.svg)",
            f"Self-play:\n\n![Learning curves of self-play](plots/learned-{name}.svg)",
            table(name, data),
        ]
    (HERE / "baselines.md").write_text("\n\n".join(part.strip() for part in parts) + "\n", encoding="utf-8")


def span(ends: list[dict[str, Any]]) -> str:
    """How much training runs were, from the least to the most."""
    moves, seconds = ([end[key] for end in ends] for key in ("steps", "seconds"))
    return (
        f"{min(moves) / 1e6:.0f} to {max(moves) / 1e6:.0f} million moves, "
        f"{min(seconds):.0f} seconds to {max(seconds) / 60:.0f} minutes"
    )


def short(count: int) -> str:
    """A large number in a few letters."""
    return f"{count / 1e6:.1f}M" if count >= 1_000_000 else f"{count // 1024}k"


def doubling(curve: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The points of a curve that are about twice as far as the one before, and the last, as `draw` takes them.

    Without the first, at which nothing is learned yet: everything after it would look the same.
    """
    points: list[dict[str, Any]] = []
    for point in curve[1:]:
        if points and point["steps"] < 1.9 * points[-1]["steps"]:
            if point is not curve[-1]:
                continue
            points.pop()
        points.append(point)
    return [{"steps": point["steps"], "seconds": point["seconds"], **point["measures"]} for point in points]


def table(name: str, data: dict[str, Any]) -> str:
    """What every player reached, as a table."""
    heads = [f"{what} against {who}" for what in ("regret", "result kept") for who in OPPONENTS]
    lines = ["| player | " + " | ".join([*heads, "won", "deals"]) + " |", "|---|" + "---|" * 8]
    ends = [runs[-1] for runs in data["runs"][name].values()]
    mean: dict[str, Any] = {"deals": DEALS}
    for who in OPPONENTS:
        mean[who] = {key: [float(np.mean([end[who][key][i] for end in ends])) for i in (0, 1)] for key in ends[0][who]}
    for kind, row in [*data.get("players", {}).get(name, {}).items(), (f"MaskablePPO, mean of {len(ends)} runs", mean)]:
        regret = [f"{row[who]['regret'][0]:.3f} ± {row[who]['regret'][1]:.3f}" for who in OPPONENTS]
        kept = [f"{row[who]['kept'][0]:.1%} ± {row[who]['kept'][1]:.1%}" for who in OPPONENTS]
        won = " / ".join(f"{row[who]['won'][0]:.0%}" for who in OPPONENTS)
        lines.append(f"| {kind} | " + " | ".join([*regret, *kept, won, f"{row['deals']:,}"]) + " |")
    return "\n".join(lines)


def draw(runs: dict[str, list[dict[str, Any]]], path: Path, along: str) -> None:
    """The learning curves of one game: regret and result kept, against steps, by opponent."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    plt.rcParams.update({"svg.hashsalt": "pentagrid", "svg.fonttype": "none", "font.size": 9})
    figure, axes = plt.subplots(1, 2, figsize=(8, 3), layout="constrained")
    steps = [row["steps"] for row in next(iter(runs.values()))]
    seconds = [float(np.mean([rows[i]["seconds"] for rows in runs.values()])) for i in range(len(steps))]
    for axis, key, title in zip(
        axes, ("regret", "kept"), ("regret per move", "result kept where moves differ"), strict=True
    ):
        for color, who in zip(("#0072b2", "#d55e00", "#009e73"), OPPONENTS, strict=True):
            values = np.array([[row[who][key][0] for row in rows] for rows in runs.values()])
            axis.plot(steps, values.mean(axis=0), marker="o", markersize=3, color=color, label=f"against {who}")
            axis.fill_between(steps, values.min(axis=0), values.max(axis=0), color=color, alpha=0.2, linewidth=0)
        axis.set_xscale("symlog", linthresh=steps[0] or steps[1])
        axis.set_xticks(steps, [f"{short(step)}\n{spent:.0f} s" for step, spent in zip(steps, seconds, strict=True)])
        axis.minorticks_off()
        axis.set_title(title)
        axis.grid(alpha=0.3)
        axis.set_ylim(0, None if key == "regret" else 1.02)
    axes[0].set_xlabel(along)
    axes[0].legend(frameon=False)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


if __name__ == "__main__":
    main()
