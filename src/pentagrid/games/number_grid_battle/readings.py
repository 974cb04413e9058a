"""How the rules of Number Grid Battle may be read otherwise. On 3x3 no tie can arise."""

from __future__ import annotations

from pentagrid.core.readings import scoring_readings

READINGS = scoring_readings()
