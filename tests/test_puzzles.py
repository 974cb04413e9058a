"""Puzzles: each checked by solvers written here, which share nothing with the ones that made it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from datetime import date, timedelta
from functools import cache
from itertools import pairwise, permutations
from statistics import mean

import pytest

import pentagrid as pg
from pentagrid.analysis import sentences as words
from pentagrid.core.catalog import part
from pentagrid.core.rng import Dice
from pentagrid.core.speech import player_names
from pentagrid.play.levels import Level
from pentagrid.puzzles import grades as puzzle_grades
from pentagrid.puzzles import hints
from pentagrid.puzzles import playouts as puzzle_lines
from pentagrid.puzzles import puzzle as puzzles
from pentagrid.puzzles import sets as puzzle_sets

POINTS = ("matrix-capture", "capture-squares")
GAMES = (*POINTS, "capture-square")
MANY = {"matrix-capture": 400, "capture-squares": 450, "capture-square": 250}
MOST_CLAIMS = 8
"""Free cells up to which plain minimax is bearable where every claim leaves all others open."""


@cache
def made(name):
    """One set of each game for most tests."""
    return puzzle_sets.generate_puzzles(pg.load(name), MANY[name], seed=1).puzzles


# Solvers of their own: what every move of a position comes to, for its mover --------------------------------


def matrix_margins(position):
    """The mover's final margin after each move, by plain minimax over the numbers still there."""
    n, board = position.game.size, position.board
    taken = [(i // n, i % n) for i in range(n * n) if position.owner(i)]
    rows = [r for r in range(n) if all(r != a for a, _ in taken)]
    columns = [c for c in range(n) if all(c != b for _, b in taken)]

    def gain(rows, columns):
        return max((after(rows, columns, r, c) for r in rows for c in columns), default=0)

    def after(rows, columns, r, c):
        return board[r][c] - gain([x for x in rows if x != r], [x for x in columns if x != c])

    lead = position.scores[position.mover - 1] - position.scores[2 - position.mover]
    return {r * n + c: lead + after(rows, columns, r, c) for r in rows for c in columns}


def squares_margins(position):
    """The same where claims capture: every way to go on, by who owns what."""
    n, numbers = position.game.size, position.numbers
    near = {
        i: [j for j in range(n * n) if abs(i // n - j // n) + abs(i % n - j % n) == 1 and numbers[j] < numbers[i]]
        for i in range(n * n)
    }

    def claim(owners, cell, who):
        new = list(owners)
        new[cell] = who
        for other in near[cell]:
            if owners[other]:
                new[other] = who
        return tuple(new)

    @cache
    def margin(owners, who):
        free = [i for i in range(n * n) if not owners[i]]
        if not free:
            return sum(x if owner == who else -x for x, owner in zip(numbers, owners, strict=True))
        return max(-margin(claim(owners, cell, who), 3 - who) for cell in free)

    owners, who = tuple(position.owner(i) for i in range(n * n)), position.mover
    return {i: -margin(claim(owners, i, who), 3 - who) for i in range(n * n) if not owners[i]}


QUADS = [sum(1 << r * 4 + c + d for d in (0, 1, 4, 5)) for r in range(3) for c in range(3)]


@cache
def square_won(mine, theirs, turns):
    """Does the mover win on 4x4? Markers are placed on 16 turns, then turned over on 16 more; then Player 2 wins."""
    if any(theirs & quad == quad for quad in QUADS):
        return False
    if turns == 32:
        return False  # the mover is Player 1 again
    return any(not square_won(*after, turns + 1) for _, after in square_moves(mine, theirs))


def square_moves(mine, theirs):
    """Each move with the markers as the opponent then sees them, own markers first."""
    full = mine | theirs == 0xFFFF
    for cell in range(16):
        bit = 1 << cell
        if (theirs & bit) if full else not (mine | theirs) & bit:
            yield cell, (theirs & ~bit, mine | bit)


def square_margins(position):
    """1 for a move that wins, -1 for one that loses."""
    mine, theirs = (position.one, position.two) if position.mover == 1 else (position.two, position.one)
    return {cell: -1 if square_won(*after, position.ply + 1) else 1 for cell, after in square_moves(mine, theirs)}


SOLVERS = {"matrix-capture": matrix_margins, "capture-squares": squares_margins, "capture-square": square_margins}


def small_enough(position):
    return position.game.name != "capture-squares" or len(position.actions()) <= MOST_CLAIMS


@pytest.mark.parametrize("name", GAMES)
def test_every_puzzle_has_one_answer_and_the_move_that_looks_best_is_wrong(name):
    found = [puzzle for puzzle in made(name) if small_enough(puzzle.position)]
    assert len(found) >= (100 if name == "capture-squares" else MANY[name])
    kinds = set()
    for puzzle in found:
        position = puzzle.position
        margins = SOLVERS[name](position)
        assert set(margins) == set(position.actions()) and len(margins) >= 4
        # a margin of 0 is a tie, which goes to Player 2
        winning = [a for a, margin in margins.items() if margin > 0 or (margin == 0 and position.mover == 2)]
        best = [a for a, margin in margins.items() if margin == max(margins.values())]
        assert best == [puzzle.answer] and puzzle.answer in winning
        assert puzzle.kind == ("win" if winning == [puzzle.answer] else "best")
        looks = {action: position.game.heuristics.natural(position, action) for action in margins}
        tempting = tuple(action for action in margins if looks[action] == max(looks.values()))
        assert puzzle.grade.tempting == tempting and puzzle.answer not in tempting
        if name in POINTS:
            assert puzzle.grade.loss == min(margins[puzzle.answer] - margins[action] for action in tempting) > 0
        kinds.add(puzzle.kind)
    assert kinds == ({"win", "best"} if name in POINTS else {"win"})


@pytest.mark.parametrize("name", POINTS)
def test_where_there_are_points_what_looks_best_is_what_a_greedy_player_plays(name):
    for puzzle in made(name)[:100]:
        position = puzzle.position
        greed = {}
        for action in position.actions():
            after = position.play(action)
            greed[action] = after.scores[position.mover - 1] - after.scores[2 - position.mover]
        assert puzzle.grade.tempting == tuple(a for a in greed if greed[a] == max(greed.values()))


# How hard ---------------------------------------------------------------------------------------------------


def plainly_seen(position, turns):
    """Player 1's lead so many turns later, both looking no further: no cut-offs."""
    if turns == 0 or not position.turn:
        return position.scores[0] - position.scores[1]
    leads = [plainly_seen(position.play(action), turns - 1) for action in position.actions()]
    return max(leads) if position.mover == 1 else min(leads)


def plainly_won(position, turns):
    """1 if Player 1, -1 if Player 2 is seen to win so many turns ahead, else 0."""
    outcome = position.outcome()
    if outcome:
        return 3 - 2 * outcome.winner
    if turns == 0:
        return 0
    winners = [plainly_won(position.play(action), turns - 1) for action in position.actions()]
    return max(winners) if position.mover == 1 else min(winners)


@pytest.mark.parametrize(("name", "furthest"), [("matrix-capture", 5), ("capture-squares", 5), ("capture-square", 4)])
def test_the_depth_is_that_from_which_on_a_plain_look_ahead_chooses_the_answer(name, furthest):
    see = plainly_seen if name in POINTS else plainly_won
    few = [puzzle for puzzle in made(name) if len(puzzle.position.actions()) <= (9 if name == POINTS[0] else 6)][:20]
    assert len(few) == 20
    for puzzle in few:
        position, sign = puzzle.position, 3 - 2 * puzzle.position.mover
        erring = []
        for turns in range(1, furthest + 1):
            seen = {action: sign * see(position.play(action), turns - 1) for action in position.actions()}
            if [action for action, value in seen.items() if value == max(seen.values())] != [puzzle.answer]:
                erring.append(turns)
        assert min(puzzle.grade.depth, furthest + 1) == 1 + max(erring)


def test_hardness_and_difficulty_follow_the_formula():
    for name in GAMES:
        game = pg.load(name)
        cuts = puzzle_grades.solver_class(game).hardness_cuts
        assert list(cuts) == sorted(cuts)
        for puzzle in made(name)[:200]:
            grade = puzzle.grade
            looks = {action: game.heuristics.natural(puzzle.position, action) for action in puzzle.position.actions()}
            assert grade.better == sum(value > looks[puzzle.answer] for value in looks.values())
            solver = pg.Solver(puzzle.position)
            losses = solver.losses(puzzle.position)
            close = sum(
                (solver.scale / (solver.scale + loss.regret)) ** 2 for a, loss in losses.items() if a != puzzle.answer
            )
            assert grade.close == pytest.approx(close)
            assert grade.hardness == pytest.approx(grade.depth * (1 + grade.better) * (1 + close) ** 4)
            assert puzzle.difficulty == 1 + sum(grade.hardness >= cut for cut in cuts)


@pytest.mark.parametrize("name", GAMES)
def test_harder_puzzles_are_harder_for_graded_players(name):
    chances = {difficulty: [] for difficulty in range(1, 6)}
    for puzzle in made(name):
        weights = Level(5).weights(puzzle.position)
        chances[puzzle.difficulty].append(weights[puzzle.answer] / sum(weights.values()))
    means = [mean(chances[difficulty]) for difficulty in sorted(chances)]
    assert all(easier > harder + 0.02 for easier, harder in pairwise(means)), means
    if name in POINTS:  # elsewhere a move only wins or loses: what counts is how many moves there are
        assert means[4] < means[0] / 2


# The same for ever, every difficulty ------------------------------------------------------------------------

# made by puzzles.make_puzzle(game, difficulty, seed=1)
GOLDEN = {
    ("matrix-capture", 1): (
        "matrix-capture size=4 board=2,9,7,2/2,8,4,4/7,5,3,2/2,2,3,1 claims=..../..1./..../.... turn=2",
        "R3C2",
    ),
    ("matrix-capture", 3): (
        "matrix-capture size=4 board=9,4,9,7/8,7,9,9/5,7,9,6/8,1,8,8 claims=..../..../1.../.... turn=2",
        "R2C2",
    ),
    ("matrix-capture", 5): (
        "matrix-capture size=4 board=4,8,8,1/6,1,7,9/8,8,7,6/4,7,9,3 claims=..../..../..../.... turn=1",
        "R3C2",
    ),
    ("capture-squares", 1): (
        "capture-squares size=4 board=11,2,13,8/14,3,10,16/1,15,7,9/6,5,12,4 claims=12../221./21../11.. turn=2",
        "4,3",
    ),
    ("capture-squares", 3): (
        "capture-squares size=4 board=11,2,13,14/8,10,7,5/4,9,16,3/12,6,15,1 claims=..1./..../2.../.... turn=1",
        "1,4",
    ),
    ("capture-squares", 5): (
        "capture-squares size=4 board=4,9,14,6/7,11,2,13/12,15,3,5/8,10,16,1 claims=1.../..../..2./21.. turn=1",
        "1,3",
    ),
    ("capture-square", 1): (
        "capture-square size=4 claims=12.2/2.2./121./11.1 turn=2",
        "C1",
    ),
    ("capture-square", 3): (
        "capture-square size=4 claims=..11/.2../.2.1/.21. turn=2",
        "A3",
    ),
    ("capture-square", 5): (
        "capture-square size=4 claims=1..1/.2../..../1221 turn=2",
        "C2",
    ),
}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("difficulty", range(1, 6))
def test_every_difficulty_can_be_made_and_differs_by_seed(name, difficulty):
    game = pg.load(name)
    found = [puzzles.make_puzzle(game, difficulty, seed) for seed in range(4)]
    assert all(puzzle.difficulty == difficulty and puzzle.seed == seed for seed, puzzle in enumerate(found))
    assert len({puzzle.position.text for puzzle in found}) == 4
    assert puzzles.make_puzzle(game, difficulty, 2) == found[2]
    assert puzzles.puzzle_of(pg.read_position(found[0].position.text), seed=0) == found[0]


@pytest.mark.parametrize(("name", "difficulty"), GOLDEN)
def test_a_puzzle_never_changes(name, difficulty):
    puzzle = puzzles.make_puzzle(pg.load(name), difficulty, 1)
    assert (puzzle.position.text, puzzle.move) == GOLDEN[name, difficulty]


def test_the_puzzle_of_the_day():
    monday = date(2026, 1, 5)
    week = [puzzles.daily_puzzle(monday + timedelta(days)) for days in range(7)]
    difficulties = [puzzle.difficulty for puzzle in week]
    assert difficulties == sorted(difficulties) and difficulties[0] == 1 and difficulties[-1] == 5
    assert {puzzle.position.game.name for puzzle in week[:3]} == set(GAMES)
    assert puzzles.daily_puzzle(monday) == week[0]
    assert week[0] == puzzles.make_puzzle(week[0].position.game, 1, 20260105)
    assert puzzles.daily_puzzle(monday, pg.load("matrix-capture", size=5)).position.game.size == 5


# Sets -------------------------------------------------------------------------------------------------------


def images(position):
    """Every way a position can be drawn that makes no difference to its players."""
    n, name = position.game.size, position.game.name
    if name == "matrix-capture":
        open_cells = set(position.actions())
        rows = [r for r in range(n) if any(r * n + c in open_cells for c in range(n))]
        columns = [c for c in range(n) if any(r * n + c in open_cells for r in range(n))]
        for rs in permutations(rows):
            for cs in permutations(columns):
                grid = tuple(tuple(position.board[r][c] for c in cs) for r in rs)
                yield position.mover, grid
                yield position.mover, tuple(zip(*grid, strict=True))
    else:
        numbers = position.numbers or (0,) * n * n
        cells = [(number, position.owner(i)) for i, number in enumerate(numbers)]
        grid = [cells[i : i + n] for i in range(0, n * n, n)]
        for _ in range(4):
            grid = [list(row) for row in zip(*grid[::-1], strict=True)]
            yield position.mover, tuple(map(tuple, grid))
            yield position.mover, tuple(tuple(row[::-1]) for row in grid)


@pytest.mark.parametrize("name", GAMES)
def test_a_set_has_no_mirror_twins_and_few_of_a_deal(name):
    found = made(name)
    assert len(found) == MANY[name]
    seen = {}
    for puzzle in found:
        own = set(images(puzzle.position))
        assert not any(image in seen for image in own), puzzle.position.text
        seen.update(dict.fromkeys(own, puzzle))
    if pg.load(name).has_numbers:
        deals = [puzzle.position.numbers for puzzle in found]
        assert max(deals.count(deal) for deal in set(deals)) <= 2
        answers = {(puzzle.position.numbers, puzzle.answer) for puzzle in found}
        assert len(answers) == len(found)  # two of a game are not the same answer a move later
    assert len({len(puzzle.position.actions()) for puzzle in found}) >= 2
    shares = [sum(puzzle.difficulty == difficulty for puzzle in found) / len(found) for difficulty in range(1, 6)]
    assert min(shares) > 0.1 and max(shares) < 0.4, shares


def test_one_winning_move_is_preferred():
    """Where others win too, by less, the game is not at stake."""
    found = [puzzles.make_puzzle(pg.load("matrix-capture"), 1 + seed % 3, seed).kind for seed in range(15)]
    assert found.count("win") >= 12
    assert sum(puzzle.kind == "win" for puzzle in made("matrix-capture")) > 0.25 * len(made("matrix-capture"))


def test_a_puzzle_leaves_enough_of_the_game():
    assert all(puzzle.position.ply < 16 for puzzle in made("capture-square"))  # before Sudden Death
    assert all(len(puzzle.position.actions()) >= 9 for puzzle in made("matrix-capture"))
    assert {
        len(p.position.actions()) for p in puzzle_sets.generate_puzzles(pg.load("matrix-capture", size=3), 40).puzzles
    } == {
        4,
        9,
    }
    with pytest.raises(pg.OptionError, match="enough of the game left"):
        puzzles.puzzle_of(pg.read_position("capture-square size=4 claims=2112/1121/2112/1221 turn=2 ply=17"))


def test_the_points_so_far_and_the_turn_make_no_new_puzzle():
    text = "matrix-capture size=4 board=5,2,8,2/7,6,8,3/7,3,6,5/7,1,3,1 claims=.1../..../...2/.... turn=1"
    richer = text.replace("5,2,8,2/", "5,3,8,2/").replace("7,3,6,5", "7,3,6,6")
    same = puzzle_sets.puzzle_identity(pg.load("matrix-capture"))
    assert (
        same(pg.read_position(text))
        == same(pg.read_position(richer))
        != same(pg.read_position(text.replace("7,6,8,3", "7,6,9,3")))
    )
    sudden = "capture-square size=4 claims=2112/1121/2112/1221 turn=2 ply="
    same = puzzle_sets.puzzle_identity(pg.load("capture-square"))
    assert same(pg.read_position(f"{sudden}17")) == same(pg.read_position(f"{sudden}19"))


def test_single_puzzles_are_varied():
    game = pg.load("capture-square")
    same = puzzle_sets.puzzle_identity(game)
    for difficulty in (1, 5):
        assert len({same(puzzles.make_puzzle(game, difficulty, seed).position) for seed in range(40)}) >= 35


def test_the_answer_is_neither_greedy_nor_the_largest_free_number():
    for puzzle in made("capture-squares"):
        position = puzzle.position
        largest = max(position.actions(), key=lambda action: position.numbers[action])
        assert puzzle.answer != largest and largest in position.game.heuristics.temptations(position)
        assert set(puzzle.grade.tempting) <= set(position.game.heuristics.temptations(position))


@pytest.mark.parametrize("rules", [{}, {"order": "snake"}, {"order": "thue-morse", "komi": "-2.5"}, {"komi": "-3"}])
@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_many_positions_at_once_are_graded_as_one_by_one(size, rules):
    game = pg.load("matrix-capture", size=size, **rules)
    dice = [Dice(size, number) for number in range(150)]
    together = list(puzzle_sets._grade_games(game, dice))
    found = 0
    for number, weighed in enumerate(together):
        alone = []
        for position, grade in puzzles.grade_positions(puzzles.random_positions(game, Dice(size, number))):
            alone.append((position, puzzle_grades.add_depth(pg.Solver(position), position, grade)))
        assert weighed == alone
        found += len(alone)
    assert found >= 2


def test_a_set_is_the_same_again_and_of_one_difficulty_if_asked():
    game = pg.load("matrix-capture")
    few, more = (puzzle_sets.generate_puzzles(game, count, seed=9) for count in (40, 700))
    assert few.puzzles == more.puzzles[:40]
    assert puzzle_sets.generate_puzzles(game, 40, seed=10).puzzles != few.puzzles
    hard = puzzle_sets.generate_puzzles(game, 50, difficulty=5, seed=9).puzzles
    assert len(hard) == 50 and {puzzle.difficulty for puzzle in hard} == {5}


def test_a_set_as_a_file_names_each_puzzle_and_why_it_is_one():
    made_set = puzzle_sets.generate_puzzles(pg.load("capture-square"), 20, seed=2)
    rows = [json.loads(line) for line in made_set.text().splitlines()]
    assert len(rows) == 20
    for row, puzzle in zip(rows, made_set.puzzles, strict=True):
        assert puzzles.puzzle_of(pg.read_position(row["position"]), seed=2) == puzzle
        assert (row["answer"], row["kind"], row["difficulty"]) == (puzzle.move, puzzle.kind, puzzle.difficulty)
        assert row["tempting"] == [puzzle.position.game.texts[action] for action in puzzle.grade.tempting]


def test_generating_tells_how_far_it_is_and_can_be_stopped():
    shares = []
    stopped = puzzle_sets.generate_puzzles(
        pg.load("matrix-capture"), 100, progress=shares.append, stop=lambda: bool(shares) and shares[-1] >= 0.5
    )
    assert 50 <= len(stopped.puzzles) < 60 and stopped.wanted == 100
    assert shares == sorted(shares)


# Refutations ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_a_wrong_answer_is_refuted_by_best_play_to_the_end(name):
    looked = [puzzle for puzzle in made(name) if small_enough(puzzle.position)][:25]
    solve = SOLVERS[name]
    for puzzle in looked:
        position = puzzle.position
        margins = solve(position)
        for action in position.actions():
            right = action == puzzle.answer
            line = puzzle_lines.main_line(puzzle) if right else puzzle_lines.refute(puzzle, action)
            assert line.right is right and line.steps[0].action == action
            here = position
            for number, step in enumerate(line.steps):
                assert step.before == here and step.player == here.mover and step.move in here.moves()
                if number:
                    values = solve(here)
                    assert values[step.action] == max(values.values())
                here = here.play(step.move)
                assert step.after == here
            assert line.final == here and here.turn is None and line.outcome == here.outcome()
            if name in POINTS:
                lead = here.scores[position.mover - 1] - here.scores[2 - position.mover]
                assert lead == margins[action]
                assert line.loss == margins[puzzle.answer] - lead
            assert (line.outcome.winner == position.mover) == (margins[action] > (0 if position.mover == 1 else -1))
            if puzzle.kind == "win":
                assert (line.outcome.winner == position.mover) is right


@pytest.mark.parametrize("name", GAMES)
def test_a_hint_tells_all_that_tempts_and_what_it_comes_to_and_not_the_answer(name):
    for puzzle in made(name)[:60]:
        hint, texts = hints.puzzle_hint(puzzle), puzzle.position.game.texts
        looks, _, why = hint.partition(" best")
        assert looks.rpartition(" ")[0] == words.listed([texts[action] for action in puzzle.grade.tempting])
        assert puzzle.move not in re.findall(r"R\dC\d|\d,\d|[A-D][1-4]", hint)
        line = puzzle_lines.refute(puzzle, puzzle.grade.tempting[0])
        winner = player_names(puzzle.position.game)[line.outcome.winner - 1]
        assert re.search(rf"{winner} (still )?wins", why) and "reply" not in why
        margin = (
            f"still wins, but only by {abs(line.value.margin)}: "
            if line.value.margin
            else "still wins, but only on the tie-break: "
        )
        less = margin in why and f"{line.loss:g} point" in why and why.endswith(" less than can be had.")
        assert less == (line.outcome.winner == puzzle.position.mover)
        assert ("hold out until turn 16 of Sudden Death" in why) == (line.outcome.reason == "limit")


def test_refutations_speak_in_sentences_and_only_the_moral_tells_the_answer():
    puzzle = puzzles.make_puzzle(pg.load("matrix-capture"), 2, 1)
    names = ("Ann", "Bob")
    line = puzzle_lines.refute(puzzle, puzzle.grade.tempting[0])
    assert line.verdict(names).startswith(f"Wrong: {line.steps[0].move} looks best, but")
    assert puzzle.move not in line.verdict(names)
    assert line.sentences(names)[0].startswith(f"{names[puzzle.position.mover - 1]} takes ")
    assert line.sentences(names)[:-1] == tuple(step.sentence(names) for step in line.steps)
    assert line.sentences(names)[-1].startswith("The game is over: ")
    assert f"The answer is {puzzle.move}: " in line.solution(names)
    assert puzzle_lines.main_line(puzzle).verdict(names).startswith(f"Right: {puzzle.move} ")
    assert names[puzzle.position.mover - 1] in puzzle.question(names)


def test_players_have_the_names_that_the_game_gives_them():
    puzzle = puzzles.make_puzzle(pg.load("capture-squares"), 2, 1)
    texts = [puzzle.question(), hints.puzzle_hint(puzzle)]
    for line in (puzzle_lines.refute(puzzle, puzzle.grade.tempting[0]), puzzle_lines.main_line(puzzle)):
        texts += [line.verdict(), line.solution(), *line.sentences()]
    assert all(re.search(r"Player [AB]", text) for text in texts[:2])
    assert not any(re.search(r"Player [12]", text) for text in texts)


@pytest.mark.parametrize("name", GAMES)
def test_a_finished_position_is_no_puzzle(name):
    final = puzzle_lines.main_line(puzzles.make_puzzle(pg.load(name), 1, 1)).final
    with pytest.raises(pg.OptionError, match="is no puzzle"):
        puzzles.puzzle_of(final)


def test_the_package_offers_its_names_and_stays_light():
    code = (
        "import sys, pentagrid.puzzles as p; assert all(hasattr(p, name) for name in p.__all__);"
        "assert 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("komi", ["0", "4.5"])
@pytest.mark.parametrize("name", POINTS)
def test_each_step_tells_the_number_the_captures_and_whose_points_are_whose(name, komi):
    puzzle = puzzle_sets.generate_puzzles(pg.load(name, komi=komi), 1, seed=3).puzzles[0]
    line = puzzle_lines.main_line(puzzle)
    for step, sentence in zip(line.steps, line.sentences(("Ann", "Bob")), strict=False):
        assert sentence.startswith(f"{('Ann', 'Bob')[step.player - 1]} ")
        assert f" {step.before.numbers[step.action]} at {step.move}" in sentence
        one, two = step.after.scores
        assert sentence.endswith(f"Ann has {one} and Bob has {two}{' + 4.5 komi' if komi != '0' else ''}.")
        theirs = step.before.two & step.after.one | step.before.one & step.after.two
        taken = [cell for cell in range(16) if theirs >> cell & 1]
        assert ("captures" in sentence) == bool(taken)
        for cell in taken:
            assert f"{step.before.numbers[cell]} at {step.before.game.texts[cell]}" in sentence


def test_a_line_that_the_limit_decides_says_what_it_is_about():
    endings = {}
    for puzzle in made("capture-square"):
        line = puzzle_lines.refute(puzzle, puzzle.grade.tempting[0])
        endings.setdefault(line.outcome.reason, line)
    held, square = endings["limit"], endings["square"]
    assert "Player 2 only has to hold out until turn 16 of Sudden Death." in held.verdict()
    assert held.sentences()[-1] == "The game is over: Player 2 has won by the limit of Sudden Death."
    assert "on turn 16 of Sudden Death" in held.sentences()[-2] and "hold out" not in square.verdict()
    assert square.sentences()[-2].endswith("and completes a square.") and square.sentences()[-1].endswith(
        "with a square."
    )


def test_a_tie_is_told_in_words():
    tie = pg.load("matrix-capture", size=2).read_board("1 2/2 1").play("R1C1").play("R2C2")
    assert words.sentence(pg.analyze(tie)) == "The game is over: Player 2 has won by the tie-break."


def test_an_example_is_never_the_answer():
    for name in GAMES:
        for puzzle in made(name)[:60]:
            speech = part(name, "text").SPEECH(puzzle.position.game)
            speech.secret = puzzle.move
            assert puzzle.move not in re.findall(r"R\dC\d|\d,\d|\b[A-D][1-4]", speech.prompt(puzzle.position))
            assert speech.example(puzzle.position) in puzzle.position.moves()
            with pytest.raises(pg.UnreadableError, match="such as") as error:
                puzzle_lines.play_out(puzzle, "nonsense")
            assert not str(error.value).endswith(f"such as {puzzle.move}.")


# What cannot be ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["number-cross", "number-grid-battle"])
def test_where_greed_is_always_right_the_program_says_so(name):
    game = pg.load(name)
    assert name not in puzzles.puzzle_games()
    for ask in (
        lambda: puzzles.make_puzzle(game, 1, 1),
        lambda: puzzle_sets.generate_puzzles(game, 5),
        lambda: puzzles.daily_puzzle(date(2026, 1, 5), game),
        lambda: puzzles.puzzle_of(game.deal(seed=1)),
    ):
        with pytest.raises(
            pg.OptionError, match=f"{game.title} has no puzzles, because greed is always right"
        ) as error:
            ask()
        assert pg.Solver(game.deal(seed=1)).proof in str(error.value)


def test_greed_is_indeed_right_where_it_is_said_to_be():
    for name in set(pg.game_names()) - set(puzzles.puzzle_games()):
        for seed in range(30):
            position = pg.load(name).deal(seed=seed)
            solver, dice = pg.Solver(position), Dice(seed)
            while position.turn:
                losses = solver.losses(position)
                greed = {action: position.game.heuristics.greed(position, action) for action in losses}
                assert not any(losses[a] for a in greed if greed[a] == max(greed.values()))
                position = position.play(dice.choice(position.actions()))


def test_what_is_asked_wrongly_is_refused():
    game = pg.load("matrix-capture")
    for wrong in (0, 6, True, "3"):
        with pytest.raises(pg.OptionError, match="difficulty must be"):
            puzzles.make_puzzle(game, wrong, 1)
    with pytest.raises(pg.OptionError, match="is not a seed"):
        puzzles.make_puzzle(game, 1, -1)
    for wrong in (0, -1, 2.0, "9"):
        with pytest.raises(pg.OptionError, match="number of puzzles must be"):
            puzzle_sets.generate_puzzles(game, wrong)
    with pytest.raises(pg.OptionError, match="is no puzzle"):
        puzzles.puzzle_of(game.read_board("1 2 3 4/5 6 7 8/9 1 2 3/4 5 6 7"))
    puzzle = puzzles.make_puzzle(game, 1, 1)
    with pytest.raises(pg.OptionError, match="is the right answer"):
        puzzle_lines.refute(puzzle, puzzle.move)
    with pytest.raises(pg.UnreadableError):
        puzzle_lines.refute(puzzle, "somewhere")
    with pytest.raises(pg.NotAllowedError):
        taken = next(action for action in range(16) if action not in puzzle.position.actions())
        puzzle_lines.refute(puzzle, taken)


@pytest.mark.parametrize(("name", "size"), [("capture-square", 3), ("capture-squares", 2)])
def test_where_there_is_none_at_all_no_other_difficulty_is_advised(name, size):
    game = pg.load(name, size=size)
    for ask in (lambda: puzzles.make_puzzle(game, 1), lambda: puzzle_sets.generate_puzzles(game, 3)):
        with pytest.raises(pg.OptionError, match=f"No puzzle was found in 4000 games of {game.title} at size") as error:
            ask()
        assert "Try size 4 without rule options" in str(error.value)


def test_where_one_difficulty_is_missing_those_that_are_there_are_named():
    with pytest.raises(pg.OptionError, match=r"No puzzle of difficulty 5 was found .* Try difficulty 1, or size 4"):
        puzzles.make_puzzle(pg.load("matrix-capture", size=2), 5)


@pytest.mark.parametrize("size", [5, 6])
def test_the_prover_makes_puzzles_of_large_boards(size):
    puzzle = puzzles.make_puzzle(pg.load("capture-square", size=size), 2, 1)
    analysis = pg.analyze(puzzle.position)
    winning = [option.action for option in analysis.options if option.winner == puzzle.position.mover]
    assert analysis.exact and winning == [puzzle.answer] and puzzle.difficulty == 2


@pytest.mark.parametrize(
    ("name", "size", "rules"),
    [
        ("matrix-capture", 8, {"order": "snake"}),
        ("matrix-capture", 4, {"komi": "3.5", "pie": "on"}),
        ("capture-squares", 6, {}),
        ("capture-squares", 4, {"pie": "on"}),
        ("capture-square", 4, {"sudden_death": "exchange"}),
        ("capture-square", 4, {"sudden_death_first": "2", "pie": "on"}),
    ],
)
def test_other_sizes_and_rule_options_have_puzzles_too(name, size, rules):
    game = pg.load(name, size=size, **rules)
    for puzzle in puzzle_sets.generate_puzzles(game, 6, seed=1).puzzles:
        losses = pg.Solver(puzzle.position).losses(puzzle.position)
        best = [option.action for option in pg.analyze(puzzle.position).best]
        assert [action for action in losses if not losses[action]] == [puzzle.answer] == best
        assert puzzle.position.game == game
        line = puzzle_lines.refute(puzzle, puzzle.grade.tempting[0])
        assert line.final.turn is None and line.loss >= puzzle.grade.loss > 0


def test_boards_that_are_proven_in_part_have_every_difficulty():
    """One difficulty may need more games; that one game has no puzzle does not mean that there is none."""
    found = [puzzles.make_puzzle(pg.load("capture-square", size=5), difficulty, 1) for difficulty in (1, 3, 5)]
    assert [puzzle.difficulty for puzzle in found] == [1, 3, 5]
