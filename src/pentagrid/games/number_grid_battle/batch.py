"""Many games of Number Grid Battle at once: nothing beyond what claims and points do."""

from __future__ import annotations

from pentagrid.core.batch import ScoringBatch

BATCH = ScoringBatch
