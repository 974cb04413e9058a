"""What every move of Number Cross is worth, in many games at once."""

from __future__ import annotations

from pentagrid.core.move_worths import LargestFirstWorths

WORTHS = LargestFirstWorths
