"""The result of an audit as lines of text and as plain data."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from pentagrid import __version__
from pentagrid.audit.finding import Finding, Severity
from pentagrid.audit.isolation import EnvAudit

WIDTH = 100


def audit_data(audits: Sequence[EnvAudit]) -> dict[str, Any]:
    """Audits as plain data, the worst environment first."""
    return {
        "pentagrid": __version__,
        "environments": [audit.data() for audit in worst_first(audits)],
        "counts": {severity.words: count for severity, count in _counts(audits).items()},
    }


def worst_first(audits: Sequence[EnvAudit]) -> list[EnvAudit]:
    """The environments by their worst finding, then by how many there are."""
    return sorted(audits, key=lambda audit: (audit.worst, -len(audit.findings)))


def _counts(audits: Sequence[EnvAudit]) -> dict[Severity, int]:
    counted = Counter(finding.severity for audit in audits for finding in audit.findings)
    return {severity: counted[severity] for severity in Severity}


def is_sound(audits: Sequence[EnvAudit], strict: bool) -> bool:
    """Was nothing found that counts? What is only untidy counts if `strict`."""
    allowed = (Severity.UNCLEAR,) if strict else (Severity.UNCLEAR, Severity.UNTIDY)
    return all(finding.severity in allowed for audit in audits for finding in audit.findings)


def env_lines(audit: EnvAudit) -> Iterator[str]:
    """All about one environment."""
    yield audit.target
    if audit.style:
        yield f"{audit.style}."
    yield f"{audit.games:,} games, {audit.moves:,} moves, {audit.seconds:.1f} s."
    for severity in Severity:
        found = [finding for finding in audit.findings if finding.severity is severity]
        if found:
            yield ""
            yield f"{severity.words.capitalize()}:"
        for finding in found:
            yield from _finding_lines(finding)
    if audit.notes:
        yield ""
        for note in audit.notes:
            yield from textwrap.wrap(f"Note: {note}", WIDTH, subsequent_indent="  ")


def _finding_lines(finding: Finding) -> Iterator[str]:
    often = f" ({finding.games} of {finding.of})" if finding.of > 1 else ""
    yield from textwrap.wrap(f"  {finding.check}: {finding.title}{often}", WIDTH, subsequent_indent="    ")
    yield from textwrap.wrap(f"{_sentence(finding.evidence)}", WIDTH, initial_indent="    ", subsequent_indent="    ")
    if finding.command:
        yield f"    To see it: {finding.command}"


def _sentence(text: str) -> str:
    first = text.split(maxsplit=1)[0] if text.strip() else ""
    return f"{text[:1].upper() if first.isalpha() else text[:1]}{text[1:]}{'' if text.endswith(('.', '…')) else '.'}"


def total_line(audits: Sequence[EnvAudit]) -> str:
    """The sum of it: '3 findings: 1 changes who wins, 2 untidy.'"""
    counts = {severity: count for severity, count in _counts(audits).items() if count}
    if not counts:
        return "Nothing found."
    total = sum(counts.values())
    parts = ", ".join(f"{count} {severity.words}" for severity, count in counts.items())
    return f"{total} finding{'' if total == 1 else 's'}: {parts}."


def count_words(audits: Sequence[EnvAudit]) -> str:
    """How many there are: '1 environment', '12 environments'."""
    return f"{len(audits)} environment{'' if len(audits) == 1 else 's'}"


def table_lines(audits: Sequence[EnvAudit]) -> Iterator[str]:
    """One line for each environment, the worst first."""
    width = min(60, max((len(audit.target) for audit in audits), default=0))
    for audit in worst_first(audits):
        names = ", ".join(dict.fromkeys(finding.check for finding in audit.findings)) or "nothing found"
        worst = Severity(audit.worst).words if audit.worst in list(Severity) else "sound"
        yield f"{audit.target[-width:]:<{width}}  {worst:<24}  {names}"
