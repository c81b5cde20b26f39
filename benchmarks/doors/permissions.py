"""The one table of services: which permission each needs, and the doors it is reached through.

A service is named once and means the same everywhere: an MCP tool has its name, a REST operation
has it as its id, an admin page or button says it, and a shell verb is listed beside it. A test
walks every door and fails on one without an entry here, and on an entry without its door. The
reasons why a service is not at every door are in spec/surface.md 12.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from benchmarks.errors import UnknownTool


class Permission(StrEnum):
    """What an identity may do. Each stands alone: none holds another."""

    READ = "read"
    REVIEW = "review"
    BUILD = "build"
    QUEUE = "queue"
    PROMOTE = "promote"
    OPERATE = "operate"
    ADMIN = "admin"


READ, REVIEW, BUILD = Permission.READ, Permission.REVIEW, Permission.BUILD
QUEUE, PROMOTE, OPERATE = Permission.QUEUE, Permission.PROMOTE, Permission.OPERATE
ADMIN = Permission.ADMIN

AGENT_PERMISSIONS = (READ, REVIEW, BUILD, QUEUE, PROMOTE)
"""What an MCP session may be allowed: the rest is a person's."""

GROUPS: dict[str, frozenset[Permission]] = {
    "reviewer": frozenset({READ, REVIEW}),
    "operator": frozenset({READ, REVIEW, BUILD, QUEUE, PROMOTE, OPERATE}),
    "admin": frozenset(Permission),
}
"""What the members of each group may do; a superuser may do what an admin may."""

MCP, REST, PAGE = "mcp", "rest", "admin"
NOBODY_ASKED = ("demo", "benchmarks mcp", "hub serve")
"""Verbs that are no service: they are about this machine, before any server stands."""


@dataclass(frozen=True, slots=True)
class ServiceEntry:
    """One service: the permission it needs and where it is reached."""

    permission: Permission | None
    """None: any valid identity."""
    doors: frozenset[str]
    """Of `mcp`, `rest` and `admin`."""
    verbs: tuple[str, ...]
    """Shell verbs that call it."""


def _entry(permission: Permission | None, *doors: str) -> ServiceEntry:
    """An entry from words: a door, or a verb of the shell as `noun verb`."""
    known = {MCP, REST, PAGE}
    verbs = tuple(word for word in doors if word not in known)
    return ServiceEntry(permission, frozenset(doors) & known, verbs)


SERVICES: dict[str, ServiceEntry] = {
    # Building
    "trace_doctor": _entry(BUILD, "traces doctor", MCP, REST),
    "traces_agreement": _entry(BUILD, "traces agreement"),
    "propose_directions": _entry(BUILD, "traces directions", MCP, REST, PAGE),
    "read_directions": _entry(READ, REST),
    "answer_directions": _entry(BUILD, "traces directions", REST, PAGE),
    "approve_live_posture": _entry(ADMIN, "traces directions"),
    "build_benchmark": _entry(BUILD, "traces build-benchmark", MCP, REST),
    "waive_pilot": _entry(ADMIN, "traces build-benchmark"),
    "regenerate_env": _entry(BUILD, "traces regenerate-env", MCP, REST, PAGE),
    "verify_tasks": _entry(BUILD, "benchmarks verify", MCP, REST, PAGE),
    "promote_benchmark": _entry(PROMOTE, "traces promote", MCP, REST, PAGE),
    # Reading a benchmark
    "list_benchmarks": _entry(READ, "benchmarks list", MCP, REST, PAGE),
    "read_benchmark": _entry(READ, "benchmarks show", MCP, REST, PAGE),
    "benchmark_status": _entry(READ, "benchmarks status", MCP, REST),
    "list_tasks": _entry(READ, "benchmarks tasks", REST, PAGE),
    "read_task": _entry(READ, "benchmarks tasks", MCP, REST, PAGE),
    "list_versions": _entry(READ, REST),
    "read_capture": _entry(READ, REST),
    "read_rigor_report": _entry(READ, "benchmarks rigor", MCP, REST, PAGE),
    "run_rigor": _entry(READ, "benchmarks rigor", REST),
    "read_verification": _entry(READ, REST),
    "read_calibration": _entry(READ, REST),
    "read_promotion": _entry(READ, REST),
    "override_gate": _entry(ADMIN, "traces promote"),
    "read_leaderboard": _entry(READ, "benchmarks leaderboard", REST),
    "sync_benchmarks": _entry(OPERATE, "benchmarks sync", REST, PAGE),
    # Reviewing
    "list_reviews": _entry(READ, "reviews list", REST),
    "submit_review": _entry(REVIEW, "reviews submit", MCP, REST, PAGE),
    "import_reviews": _entry(REVIEW, "traces import-reviews"),
    "apply_auto_accepts": _entry(REVIEW, "reviews accept-clean", MCP, REST, PAGE),
    "submit_feedback": _entry(REVIEW, "reviews feedback", MCP, REST, PAGE),
    "list_feedback": _entry(READ, REST),
    "list_flags": _entry(READ, REST),
    "raise_flag": _entry(REVIEW, "reviews flag", REST, PAGE),
    "resolve_flag": _entry(REVIEW, "reviews resolve", REST, PAGE),
    "resolve_feedback": _entry(REVIEW, "reviews resolve", REST, PAGE),
    "show_policy": _entry(READ, "reviews policy", REST),
    "set_policy": _entry(REVIEW, "reviews policy", REST, PAGE),
    # Running
    "queue_run": _entry(QUEUE, "runs queue", MCP, PAGE, REST),
    "author_tasks": _entry(QUEUE, "traces author-tasks", MCP, PAGE, REST),
    "list_runs": _entry(READ, "runs list", PAGE, REST),
    "run_status": _entry(READ, "runs status", MCP, PAGE, REST),
    "cancel_run": _entry(QUEUE, "runs cancel", MCP, PAGE, REST),
    "regrade_run": _entry(BUILD, "runs regrade", MCP, REST, PAGE),
    "allow_untested": _entry(ADMIN, "runs regrade"),
    "execute_runs": _entry(OPERATE, "runs execute"),
    "read_cells": _entry(READ, REST),
    "list_rows": _entry(READ, REST),
    "list_run_rows": _entry(READ, REST),
    "list_events": _entry(READ, REST),
    "list_run_events": _entry(READ, REST),
    "list_calibrations": _entry(READ, REST),
    "list_holdout_looks": _entry(READ, REST),
    "follow_run": _entry(READ, REST),
    "list_rollouts": _entry(READ, REST),
    "replay_task": _entry(READ, REST),
    "export_leaderboard": _entry(READ, REST),
    "sweep_runs": _entry(OPERATE, "runs sweep"),
    "read_rollout": _entry(READ, "runs rollout", MCP, REST),
    "diff_rollouts": _entry(READ, "runs diff", MCP, REST),
    # This machine
    "show_trust": _entry(READ, "trust show", REST),
    "set_trust": _entry(OPERATE, "trust set", REST),
    "raise_trust": _entry(ADMIN, "trust set"),
    # The hub
    "read_schema": _entry(None, REST),
    "read_docs": _entry(None, REST),
    "list_jobs": _entry(None, REST, PAGE),
    "read_job": _entry(None, REST),
    "read_job_result": _entry(None, REST),
    "cancel_job": _entry(None, REST, PAGE),
    "operate_jobs": _entry(OPERATE),
    "read_me": _entry(None, REST),
    "list_tokens": _entry(ADMIN, REST),
    "issue_token": _entry(ADMIN, REST),
    "revoke_token": _entry(ADMIN, REST),
}


def entry_of(service: str) -> ServiceEntry:
    """The entry of a service.

    Raises:
        UnknownTool: no service has that name.
    """
    found = SERVICES.get(service)
    if found is None:
        raise UnknownTool(
            f"there is no service {service!r}", hint="benchmarks/doors/permissions.py"
        )
    return found


def permission_of(service: str) -> Permission | None:
    """The permission that a service needs; None when any valid identity will do."""
    return entry_of(service).permission


def in_order(permissions: Iterable[Permission]) -> list[Permission]:
    """The permissions each once, in the order in which they are always listed."""
    found = frozenset(permissions)
    return [each for each in Permission if each in found]
