from typing import Any

import pytest

from benchmarks.audit.blockers import Facts, blockers, conflicts, unclassified_tools
from benchmarks.records.blocks import Hashes
from benchmarks.records.build import LeakageAudit
from benchmarks.records.contract import Contract
from benchmarks.records.dag import SourceDag
from benchmarks.records.direction import Dependencies
from benchmarks.records.environment import OfflineValidation
from benchmarks.records.manifest import BenchmarkManifest
from benchmarks.records.task import Task
from benchmarks.records.verifier import VerifierReport
from tests.verifier_factories import make_verification

HASHES = {"env_sha256": "e", "verifier_sha256": "v", "meta_sha256": "m"}


def task(name: str, **changes: Any) -> Task:
    return Task(
        task_id=name,
        outcome_contract=Contract(status="machine_proposed"),
        content_hashes=Hashes.read(HASHES),
        **changes,
    )


def manifest(*names: str, contamination: str = "clean", **hashes: str) -> BenchmarkManifest:
    return BenchmarkManifest.read({
        "schema_version": "understudy.benchmark_proposal.v1",
        "tasks": [{"task_id": name, "content_hashes": {**HASHES, **hashes}} for name in names],
        "splits": {"contamination": contamination, "near_duplicates_total": 2},
    })


def row(name: str, *, strict: int | None = 1, missed: int = 0, **changes: Any) -> dict[str, Any]:
    score = {
        "judgeable": strict is not None,
        "met": [],
        "unmet": [],
        "violated": [],
        "unexpected_writes": 0,
    }
    return {
        "task_id": name,
        "verifier_sha256": "v",
        "oracle": {**score, "strict": strict, "fidelity": {"not_recorded": missed}},
        "sentinels": {"noop": {**score, "strict": 0}},
        **changes,
    }


def validation(*rows: dict[str, Any]) -> OfflineValidation:
    return OfflineValidation.read({"tasks": list(rows)})


def verified(*names: str, **changes: Any) -> VerifierReport:
    rows = [make_verification(task(name), **changes) for name in names]
    return VerifierReport(generated_at="x", seed=0, tasks=rows)


def leaks(*names: str, tier: str = "verbatim") -> LeakageAudit:
    findings = [
        {"task_id": name, "location": "title", "kind": "argument", "excerpt": "A", "tier": tier}
        for name in names
    ]
    return LeakageAudit.read({"status": "findings", "checked_tasks": 2, "findings": findings})


def dag(valid: bool = True, quarantined: tuple[str, ...] = ()) -> SourceDag:
    return SourceDag(
        valid=valid,
        issues=[] if valid else ["a cycle"],
        quarantines=[],
        quarantined_groups=list(quarantined),
        nodes=[],
        edges=[],
        groups=[],
    )


def sound(**changes: Any) -> Facts:
    facts: dict[str, Any] = {
        "tasks": [task("t1"), task("t2")],
        "manifest": manifest("t1", "t2"),
        "dag": dag(),
        "validation": validation(row("t1"), row("t2")),
        "verifiers": verified("t1", "t2"),
        **changes,
    }
    return Facts(**facts)


def codes(facts: Facts) -> list[tuple[str, tuple[str, ...]]]:
    return [(one.code, one.task_ids) for one in blockers(facts)]


def passing(name: str) -> dict[str, Any]:
    found = row(name)
    found["sentinels"]["noop"]["strict"] = 1
    return found


def test_a_sound_directory_has_no_blocker() -> None:
    assert blockers(sound()) == []


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"tasks": [], "manifest": manifest()}, [("schema_conflict", ())]),
        ({"manifest": manifest("t1")}, [("schema_conflict", ("t2",))]),
        ({"manifest": manifest("t1", "t2", env_sha256="x")}, [("schema_conflict", ("t1", "t2"))]),
        ({"verifiers": None}, [("verifier_untested", ("t1", "t2"))]),
        ({"verifiers": verified("t1")}, [("verifier_untested", ("t2",))]),
        ({"verifiers": verified("t1"), "refused": {"t2"}}, []),
        (
            {"verifiers": verified("t1", "t2", verifier_sha256="older")},
            [("verifier_untested", ("t1", "t2"))],
        ),
        (
            {"verifiers": verified("t1", "t2", verdict="weak")},
            [("weak_verifier", ("t1", "t2"))],
        ),
        ({"refused": {"t1", "t2"}}, [("nothing_accepted", ())]),
        ({"undecided": {"t2"}}, [("human_final_judgment", ("t2",))]),
        ({"dag": dag(quarantined=("g",))}, [("source_dag_quarantines", ())]),
        ({"dag": dag(valid=False)}, [("source_dag_invalid", ())]),
        ({"dag": None}, []),
        ({"validation": None}, [("oracle_failed", ("t1", "t2"))]),
        ({"validation": validation(row("t1"))}, [("oracle_failed", ("t2",))]),
        ({"validation": validation(row("t1"), row("t2", strict=0))}, [("oracle_failed", ("t2",))]),
        ({"validation": validation(row("t1"), row("t2", missed=1))}, [("oracle_failed", ("t2",))]),
        (
            {"validation": validation(row("t1"), row("t2", verifier_sha256="old"))},
            [("oracle_failed", ("t2",))],
        ),
        ({"validation": validation(row("t1"), passing("t2"))}, [("sentinel_tests", ("t2",))]),
        ({"validation": validation(row("t1"), passing("t2")), "refused": {"t2"}}, []),
        ({"leakage": leaks("t2", "t1")}, [("gold_leakage", ("t2", "t1"))]),
        ({"leakage": leaks("t2"), "refused": {"t2"}}, []),
        ({"leakage": leaks("t2", tier="fuzzy")}, []),
        ({"manifest": manifest("t1", "t2", contamination="contaminated")}, [("contaminated", ())]),
        ({"manifest": manifest("t1", "t2", contamination="unknown")}, []),
    ],
)
def test_what_blocks(changes: dict[str, Any], expected: list[tuple[str, tuple[str, ...]]]) -> None:
    assert codes(sound(**changes)) == expected


def test_a_task_that_calls_an_unknown_tool_blocks_until_the_tool_is_classed() -> None:
    claims = [{"kind": "inferred", "claim": "?", "code": "unclassified_call"}]
    unknown = task(
        "t1",
        claims=claims,
        tool_surface=["get", "sync"],
        tool_effects={"get": {"effect": "read"}, "sync": {"effect": "unknown"}},
    )
    assert unclassified_tools(unknown) == ["sync"]
    assert codes(sound(tasks=[unknown, task("t2")])) == [("unclassified_tool", ("t1",))]
    assert unclassified_tools(unknown.with_(claims=[])) == []


def test_only_the_task_that_one_file_lacks_is_in_conflict() -> None:
    tasks = [task("t1"), task("t10")]
    assert conflicts(tasks, manifest("t1")) == {"t10": "benchmark.json does not list it"}
    assert conflicts(tasks[:1], manifest("t1", "t10")) == {"t10": "tasks.jsonl has no line for it"}


def offering(name: str, **more: Any) -> Task:
    tools = [{"name": "get_item", "kind": "function", "required": []}]
    return task(name, tool_definitions=tools, **more)


@pytest.mark.parametrize(
    ("said", "codes"),
    [
        ({"posture": "frozen"}, ["posture_unapproved"]),
        ({"posture": "frozen", "approved_by": "os:mira"}, []),
        ({"posture": "live", "approved_by": "os:mira"}, ["live_dependency"]),
        ({"posture": "live"}, ["posture_unapproved", "live_dependency"]),
        ({"posture": "frozen", "tools": ["other"]}, []),
    ],
)
def test_a_posture_blocks_while_nobody_approved_it_and_when_it_is_live(
    said: dict[str, Any], codes: list[str]
) -> None:
    one = {"name": "shop", "kind": "mcp", "tools": ["get_item"], **said}
    facts = Facts(
        tasks=[offering("t1"), task("t2")],
        dependencies=Dependencies.read({"dependencies": [one]}),
        validation=validation(row("t1"), row("t2")),
        verifiers=verified("t1", "t2"),
    )
    found = blockers(facts)
    assert [(one.code, one.task_ids) for one in found] == [(code, ("t1",)) for code in codes]


def test_a_user_who_speaks_again_waits_for_a_posture_too() -> None:
    user = {"name": "user", "kind": "model", "posture": "frozen"}
    known = Dependencies.read({"dependencies": [user]})
    tasks = [task("t1", user={"mode": "scripted", "turns": 2}), task("t2")]
    facts = sound(tasks=tasks, dependencies=known)
    assert [(one.code, one.task_ids) for one in blockers(facts)] == [
        ("posture_unapproved", ("t1",))
    ]
