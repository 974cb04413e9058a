"""Audits environments that other people wrote: plays them beside our rules and reports the differences."""

from pentagrid.audit.checks import KINDS, AuditReport, Difference, audit_environment, load_environment

__all__ = ["KINDS", "AuditReport", "Difference", "audit_environment", "load_environment"]
