"""A referee for two-player environments that other people wrote: what is wrong with them, how bad it is, how to see it.

`audit_environments(["my_game.py:MyGame"])` runs every check in a process of its own for each environment. With
`AuditSettings(rules=...)` it also compares an environment of one of our games with our rules.
"""

from __future__ import annotations

from pentagrid.audit.finding import CHECKS, Check, Finding, Severity
from pentagrid.audit.isolation import AuditSettings, EnvAudit, audit_environments
from pentagrid.audit.referee import CLAIMS, Limits

__all__ = [
    "CHECKS",
    "CLAIMS",
    "AuditSettings",
    "Check",
    "EnvAudit",
    "Finding",
    "Limits",
    "Severity",
    "audit_environments",
]  # fmt: skip
