"""What people should know of a benchmark before they rely on it, one line each."""

from collections.abc import Collection

from benchmarks.records import cures
from benchmarks.records.build import BuildManifest
from benchmarks.records.wording import many

LISTED = 3
VERBATIM = frozenset({1, "verbatim", None})


def build_warnings(build: BuildManifest | None) -> list[str]:
    """What its build leaves behind: secrets that were kept, answers that can be read."""
    if build is None:
        return []
    found = []
    if not build.is_redacted:
        found.append("built with --no-redact: its captures may hold secrets")
    findings = (build.leakage_audit or {}).get("findings") or []
    leaking = [one.get("task_id") for one in findings if one.get("tier") in VERBATIM]
    if leaking:
        names = list(dict.fromkeys(map(str, leaking)))
        found.append(f"leakage audit: the answer of {some(names)} can be read by a candidate")
    return found


def edit_warnings(edited: Collection[str], slug: str) -> list[str]:
    """The tasks that people changed and nothing was made again for."""
    if not edited:
        return []
    cure = cures.regenerate(slug).command
    return [f"edited by hand since it was stamped: {some(sorted(edited))}: {cure}"]


def some(names: list[str]) -> str:
    """A few names, and how many there are."""
    listed = ", ".join(names[:LISTED])
    return f"{many(len(names), 'task')} ({listed}{', ...' if len(names) > LISTED else ''})"
