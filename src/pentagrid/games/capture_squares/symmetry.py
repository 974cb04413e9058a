"""Which positions are the same up to turning and mirroring the board."""

from __future__ import annotations

from pentagrid.core.symmetry import asking_alike, quarter_turn_and_mirror, turned_alike

canonical = turned_alike
same_puzzle = asking_alike
generators = quarter_turn_and_mirror
