"""The result of an audit as one HTML file that needs nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from pentagrid import __version__
from pentagrid.audit.audit_lines import count_words, total_line, worst_first
from pentagrid.audit.finding import Finding, Severity
from pentagrid.audit.isolation import EnvAudit

MARK = "Pentagrid audit"
STYLE = """
:root { color-scheme: light dark; --ink: #1c1c1e; --soft: #6a6a70; --rule: #d9d7d2; --paper: #fdfcfa; --tint: #f3f1ec;
  --s0: #b3261e; --s1: #a85b00; --s2: #7a5c00; --s3: #6a6a70; --s4: #35618e; --s9: #1b7340; }
@media (prefers-color-scheme: dark) { :root { --ink: #ececee; --soft: #a3a3aa; --rule: #3b3b40; --paper: #17171a;
  --tint: #222226; --s0: #ff8a80; --s1: #ffb25c; --s2: #e0c15a; --s3: #a3a3aa; --s4: #8fc1f2; --s9: #7fd6a0; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2.5rem 1.25rem 4rem; max-width: 68rem; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, sans-serif; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .3rem; }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .2rem; overflow-wrap: anywhere; }
.soft { color: var(--soft); } p { margin: .3rem 0; max-width: 52rem; }
code, pre { font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .85em; }
pre { background: var(--tint); padding: .7rem .9rem; margin: .5rem 0 0; white-space: pre-wrap;
  overflow-wrap: anywhere; }
.scroll { overflow-x: auto; margin: 1.5rem 0; } table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th, td { padding: .4rem .6rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--rule); }
thead th { color: var(--soft); border-bottom: 1.5px solid var(--ink); } td.count { text-align: right; }
a { color: inherit; } .word { font-weight: 600; white-space: nowrap; }
article { border-left: 4px solid var(--c); padding: .1rem 0 .1rem 1rem; margin: 1.1rem 0; }
article h3 { margin: 0; font-size: 1rem; } article .word { color: var(--c); } article p { overflow-wrap: anywhere; }
.r0 { --c: var(--s0); } .r1 { --c: var(--s1); } .r2 { --c: var(--s2); } .r3 { --c: var(--s3); } .r4 { --c: var(--s4); }
.r9 { --c: var(--s9); } td .word { color: var(--c); }
"""


def audit_page(audits: Sequence[EnvAudit], title: str) -> str:
    """The whole page: a table of the environments, the worst first, and every finding with its evidence."""
    ordered = worst_first(audits)
    rows = "".join(_row(audit, number) for number, audit in enumerate(ordered, 1))
    sections = "".join(
        _section(audit, number) for number, audit in enumerate(ordered, 1) if audit.findings or audit.notes
    )
    sound = sum(audit.worst == 9 for audit in audits)
    games = sum(audit.games for audit in audits)
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{MARK}: {escape(title)}</title><style>{STYLE}</style></head><body>"
        f"<h1>{MARK}: {escape(title)}</h1>"
        f"<p>{count_words(audits)}, {sound} without a finding that counts; {games:,} games played. "
        f"{escape(total_line(audits))}</p>"
        f'<p class="soft">Made by pentagrid {__version__}. A finding has a command that shows it again, or the game in '
        "which it was seen.</p>"
        '<div class="scroll"><table><thead><tr><th>environment</th><th>worst</th><th>findings</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div>{sections}</body></html>\n"
    )


def _row(audit: EnvAudit, number: int) -> str:
    word = Severity(audit.worst).words if audit.worst != 9 else "sound"
    names = ", ".join(dict.fromkeys(finding.check for finding in audit.findings))
    name = escape(audit.target)
    link = f'<a href="#env-{number}">{name}</a>' if audit.findings or audit.notes else name
    return (
        f'<tr><td><code>{link}</code></td><td class="r{audit.worst}"><span class="word">{word}</span></td>'
        f"<td>{escape(names) or 'none'}</td></tr>"
    )


def _section(audit: EnvAudit, number: int) -> str:
    notes = "".join(f'<p class="soft">Note: {escape(note)}</p>' for note in audit.notes)
    played = f"{audit.games:,} games, {audit.moves:,} moves, {audit.seconds:.1f} s"
    return (
        f'<h2 id="env-{number}"><code>{escape(audit.target)}</code></h2>'
        f'<p class="soft">{escape(audit.style)}{". " if audit.style else ""}{played}.</p>'
        f"{''.join(map(_finding, audit.findings))}{notes}"
    )


def _finding(finding: Finding) -> str:
    often = f' <span class="soft">({finding.games} of {finding.of})</span>' if finding.of > 1 else ""
    command = f"<pre>{escape(finding.command)}</pre>" if finding.command else ""
    return (
        f'<article class="r{int(finding.severity)}"><h3><span class="word">{finding.severity.words}</span> · '
        f"{escape(finding.check)}</h3><p>{escape(finding.title)}{often}</p>"
        f'<p class="soft">{escape(finding.evidence)}</p>{command}</article>'
    )
