"""Monte Carlo tree search: a player who knows the rules and nothing else (UCT with random playouts)."""

from __future__ import annotations

from itertools import pairwise
from math import log, sqrt

from pentagrid.core.position import Position
from pentagrid.core.rng import Dice

EXPLORATION = 1.4
"""How much a move that was tried little is favored over one that won more; about the root of 2, as usual."""
MOST_PLAYOUTS = 10_000


class Node:
    """A position in the tree, and how those fared who moved to it."""

    __slots__ = ("children", "position", "untried", "visits", "wins")

    def __init__(self, position: Position, dice: Dice) -> None:
        self.position = position
        self.untried = dice.shuffled(position.actions())
        self.children: dict[int, Node] = {}
        self.visits = 0
        self.wins = 0

    def likeliest(self) -> Node:
        """The child to look into next."""
        spread = EXPLORATION * sqrt(log(self.visits))
        return max(self.children.values(), key=lambda child: child.wins / child.visits + spread / sqrt(child.visits))


class MonteCarlo:
    """Plays so many random games before each move, ever more of them from what has won; the dice settle all of it."""

    def __init__(self, playouts: int) -> None:
        self.playouts = playouts

    def choose(self, position: Position, dice: Dice) -> int:
        root = Node(position, dice)
        for _ in range(self.playouts):
            self._play_out(root, dice)
        return max(root.children, key=lambda action: (root.children[action].visits, root.children[action].wins))

    def _play_out(self, node: Node, dice: Dice) -> None:
        """Go down the tree, add a position to it, play to the end at random, and count who won on the way back."""
        path = [node]
        while not node.untried and node.children:
            node = node.likeliest()
            path.append(node)
        position = node.position
        game = position.game
        if node.untried:
            action = node.untried.pop()
            position = game.after(position, action)
            node.children[action] = node = Node(position, dice)
            path.append(node)
        while actions := position.actions():
            position = game.after(position, dice.choice(actions))
        winner = game.final_outcome(position).winner
        for before, after in pairwise(path):
            after.visits += 1
            after.wins += winner == before.position.mover
        path[0].visits += 1
