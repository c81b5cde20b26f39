from collections.abc import Sequence
from typing import Any

from benchmarks.records.blocks import Hashes
from benchmarks.records.manifest import ManifestTask
from benchmarks.records.row import Row
from reviews.rigor.evidence import evidence
from runs.status.facts import Stale
from runs.status.rows import Worth, result_types_section, rows_section, stale_cells, worth_of
from tests.reviews.factories import STAMPS, make_manifest, make_row

TASKS = ("t1", "t2", "t3")


def worth(rows: Sequence[Row]) -> Worth:
    tasks = {
        task_id: ManifestTask(task_id=task_id, version="1.0.0", content_hashes=Hashes.read(STAMPS))
        for task_id in TASKS
    }
    found = evidence(
        rows, manifest=make_manifest(*TASKS), tasks=tasks, versions=(), flags=(), decisions={}
    )
    return worth_of(found, tasks, {})


def aged(task_id: str, group: str = "env_sha256", **changes: Any) -> Row:
    """A row of an older environment, or with `verifier_sha256` of an older verifier."""
    hashes = {**STAMPS, group: "0" * 64}
    provenance = {"task_version": "1.0.0", "task_content_hashes": hashes}
    return make_row(task_id, provenance=provenance, **changes)


def test_each_row_is_in_exactly_one_of_four_kinds() -> None:
    rows = [
        make_row("t1"),
        aged("t2", run_id="run-0"),
        aged("t3", "verifier_sha256", run_id="run-0"),
        make_row("t2", provenance=None),
    ]
    section = rows_section(worth(rows))
    assert section["total"] == 4
    assert (section["current"], section["unversioned"]) == (1, 1)
    assert (section["stale_rerun"], section["stale_regrade"]) == (1, 1)


def test_a_stale_row_is_superseded_by_a_row_of_the_same_arm_task_and_rollout() -> None:
    rows = [aged("t1", run_id="run-0"), aged("t2", run_id="run-0"), make_row("t1")]
    found = worth(rows)
    assert rows_section(found)["superseded"] == 1
    assert [item.row.task_id for item in found.standing] == ["t2"]


def test_another_arm_or_rollout_supersedes_nothing() -> None:
    rows = [
        aged("t1", run_id="run-0", rollout=1),
        make_row("t1"),
        make_row("t1", model="m2", rollout=1),
    ]
    assert rows_section(worth(rows))["superseded"] == 0


def test_a_row_that_a_regrade_names_is_stale_and_superseded() -> None:
    source = {"action": "regrade", "run_id": "run-0", "row_ref": "rows-run-0-m1.jsonl#0"}
    graded = make_row(
        "t1",
        run_id="run-0-regrade-1",
        provenance={
            "task_version": "1.0.0",
            "task_content_hashes": STAMPS,
            "source_run": source,
        },
    )
    section = rows_section(worth([aged("t1", "verifier_sha256", run_id="run-0"), graded]))
    assert (section["stale_regrade"], section["superseded"], section["current"]) == (1, 1, 1)


def test_what_is_no_evidence_stands_apart() -> None:
    rows = [make_row("t1"), make_row("t1"), make_row("t1", benchmark_id="other")]
    section = rows_section(worth(rows))
    assert (section["total"], section["left_out"]) == (1, {"duplicate": 1, "foreign": 1})


def test_anomalies_and_missing_scores_are_counted_by_kind() -> None:
    rows = [
        make_row("t1", anomaly={"kind": "empty_prompt", "detail": ""}),
        make_row("t2", None),
        make_row("t3", None, status="unscored"),
        make_row("t3", rollout=1, fallback_reason="no memory"),
    ]
    section = rows_section(worth(rows))
    assert section["anomalous"] == {"empty_prompt": 1}
    assert (section["error"], section["unscored"], section["fallback"]) == (1, 1, 1)


def test_the_stale_rows_are_one_run_that_would_replace_them() -> None:
    rows = [
        aged("t2", run_id="run-0", rollout=2),
        aged("t1", run_id="run-0", model="m2", arm_kind="incumbent"),
        aged("t1", run_id="run-0", model="null_agent", arm_kind="null_agent"),
        aged("t1", run_id="run-0", model="oracle", arm_kind="oracle"),
        aged("t3", run_id="run-0", model="p", prompt_override={"arm_label": "p"}),
    ]
    assert stale_cells(worth(rows), TASKS) == Stale(
        models=["m1", "m2"],
        trivial_arms=["null_agent"],
        reference_arms=["oracle"],
        task_ids=["t1", "t2"],
        verifier_only=[],
        rollouts=3,
    )


def test_a_task_of_which_only_the_verifier_changed_is_named() -> None:
    rows = [
        aged("t1", "verifier_sha256"),
        aged("t2", "verifier_sha256"),
        aged("t2", run_id="run-2", model="m2"),
        aged("t3"),
    ]
    found = stale_cells(worth(rows), TASKS)
    assert (found.task_ids, found.verifier_only) == (["t1", "t2", "t3"], ["t1"])


def test_nothing_stale_is_nothing_to_run() -> None:
    assert stale_cells(worth([make_row("t1")]), TASKS) == Stale(
        models=[], trivial_arms=[], reference_arms=[], task_ids=[], verifier_only=[], rollouts=1
    )


def test_the_result_of_the_newest_run_is_named_by_its_most_telling_kind() -> None:
    rows = [
        make_row("t1", model="oracle", arm_kind="oracle"),
        make_row("t1", run_id="run-2", model="null_agent", arm_kind="null_agent"),
        make_row("t1", run_id="run-2"),
    ]
    assert result_types_section(worth(rows), "run-2") == {
        "types": ["live", "oracle", "validation"],
        "newest": "live",
    }
    assert result_types_section(worth(rows), None)["newest"] is None


def test_stale_rows_give_no_result() -> None:
    assert result_types_section(worth([aged("t1")]), "run-1") == {"types": [], "newest": None}
