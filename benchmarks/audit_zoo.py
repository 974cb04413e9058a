"""How long the audit takes: a hundred environments of the zoo in the tests, those that hang aside, on all cores.

python benchmarks/audit_zoo.py [HOW_MANY]
"""

from __future__ import annotations

import sys
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter

from pentagrid.audit import AuditSettings, audit_environments
from pentagrid.util.workers import check_workers

ZOO = Path(__file__).parent.parent / "tests" / "zoo"


def main() -> None:
    sys.path.insert(0, str(ZOO))
    from aec import AEC_EXPECTED
    from defects import EXPECTED

    names = [f"{ZOO}/defects.py:{name}" for name in EXPECTED] + [f"{ZOO}/aec.py:{name}" for name in AEC_EXPECTED]
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    targets = list(islice(cycle(names), count))
    settings = AuditSettings(workers=check_workers(None))
    began = perf_counter()
    audits = audit_environments(targets, settings)
    spent = perf_counter() - began
    games, moves = sum(audit.games for audit in audits), sum(audit.moves for audit in audits)
    slowest = max(audits, key=lambda audit: audit.seconds)
    print(f"{len(audits)} environments, {games:,} games, {moves:,} moves: {spent:.1f} s on {settings.workers} cores")
    print(f"the slowest: {slowest.target.rpartition('/')[2]}, {slowest.seconds:.1f} s")


if __name__ == "__main__":
    main()
