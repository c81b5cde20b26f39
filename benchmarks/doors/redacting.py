"""Secrets out once more, on the way to a caller: what intake kept or never saw stays here."""

from collections.abc import Mapping
from typing import Any

from benchmarks.intake.redact import Redactor

WARNINGS = "warnings"


def redacted(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document without secrets in its texts; how many were taken out is a warning."""
    redactor = Redactor()
    clean: dict[str, Any] = redactor.clean(dict(document))
    found = redactor.counts
    if not found:
        return clean
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(found.items()))
    said = f"secrets were taken out of this answer: {kinds}"
    return {**clean, WARNINGS: [*(clean.get(WARNINGS) or []), said]}
