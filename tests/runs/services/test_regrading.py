import json
from typing import Any

from benchmarks.artifacts import layout
from benchmarks.records.vocabulary import RowStatus
from runs.services.replaying import replay_task
from runs.services.rollouts import read_rollout
from tests.factories import Desk
from tests.regrading import (
    CAREFUL,
    FIRST,
    HASTY,
    NEW,
    NOBODY,
    change,
    files,
    regrade,
    rows_of,
    scores,
    want,
)

KEPT_KEYS = (
    "cost", "pricing", "usage", "latency_ms", "route", "arm_kind", "called_model", "writes",
    "fidelity", "seed", "turns", "termination", "final_response_excerpt", "tool_call_count",
)  # fmt: skip


def test_only_the_rows_of_a_changed_verifier_are_judged_again(desk: Desk) -> None:
    want(desk, FIRST, NOBODY)
    document = regrade(desk)
    assert document["summaries"] == [
        {
            "source_run_id": "run-1",
            "run_id": NEW,
            "rows_considered": 8,
            "regraded": 8,
            "skipped": {},
            "delta": {"changed": 4, "up": 0, "down": 4, "mean_before": 0.5, "mean_after": 0.0},
            "by_arm": {
                arm: {
                    "changed": changed,
                    "up": 0,
                    "down": changed,
                    "mean_before": before,
                    "mean_after": 0.0,
                }
                for arm, changed, before in (
                    ("null_agent", 0, 0.0),
                    ("oracle", 1, 1.0),
                    ("replay", 1, 1.0),
                    (CAREFUL, 2, 1.0),
                    (HASTY, 0, 0.0),
                    ("spam_agent", 0, 0.0),
                )
            },
            "modes": {"rederived": 3, "rescored": 5},
            "task_ids": [FIRST],
            "dry_run": False,
            "version_entry": None,
            "covered_by": {"version": "1.1.0", "created_at": "2026-11-03T12:00:00.000Z"},
            "lost": [],
            "parents": document["parents"],
        }
    ]
    assert scores(desk.directory, NEW) == {
        "null_agent": [0],
        "oracle": [0],
        "replay": [0],
        CAREFUL: [0, 0],
        HASTY: [0, 0],
        "spam_agent": [0],
    }
    assert {row.task_id for row in rows_of(desk.directory, NEW)} == {FIRST}


def test_a_looser_verifier_lifts_scores(desk: Desk) -> None:
    def answered(task: Any) -> Any:
        contract = task.outcome_contract
        loose = contract.with_(writes="allow", required=contract.required[1:])
        return task.with_(outcome_contract=loose)

    change(desk, FIRST, answered)
    delta = regrade(desk)["summaries"][0]["by_arm"][HASTY]
    assert (delta["changed"], delta["up"], delta["down"]) == (2, 2, 0)
    assert (delta["mean_before"], delta["mean_after"]) == (0.0, 1.0)


def test_what_was_paid_and_done_stays_and_the_row_names_its_source(desk: Desk) -> None:
    old = next(row for row in rows_of(desk.directory, "run-1") if row.model == CAREFUL)
    want(desk, FIRST, NOBODY)
    regrade(desk)
    new = next(row for row in rows_of(desk.directory, NEW) if row.model == CAREFUL)
    assert {key: getattr(new, key) for key in KEPT_KEYS} == {
        key: getattr(old, key) for key in KEPT_KEYS
    }
    assert new.trajectory_ref == old.trajectory_ref
    task = desk.directory.tasks()[FIRST]
    assert task.content_hashes is not None
    assert old.provenance is not None
    assert new.provenance == {
        **old.provenance,
        "task_version": "1.1.0",
        "task_content_hashes": task.content_hashes.dump(),
        "source_run": {
            "action": "regrade",
            "run_id": "run-1",
            "row_ref": "rows-run-1-scripted_careful.jsonl#0",
            "old_score": 1.0,
            "old_verifier_sha256": old.provenance["task_content_hashes"]["verifier_sha256"],
        },
        "regrade_mode": "rescored",
    }
    assert [(mark.id, mark.met) for mark in new.obligations or []] == [("o1", False), ("o2", True)]
    assert new.violations == {"violated": [], "unexpected_writes": 1}
    assert new.subscores is not None
    assert new.subscores["recall"] == 0.5


def test_arms_of_the_lab_are_played_again_and_keep_what_they_took(desk: Desk) -> None:
    old = {row.model: row for row in rows_of(desk.directory, "run-1") if row.task_id == FIRST}
    want(desk, FIRST, NOBODY)
    regrade(desk)
    for row in rows_of(desk.directory, NEW):
        assert row.provenance is not None
        derived = row.model in {"null_agent", "spam_agent", "oracle"}
        assert row.provenance["regrade_mode"] == ("rederived" if derived else "rescored")
        if derived:
            assert row.latency_ms == old[row.model].latency_ms
            assert row.cost == 0
            assert row.writes == old[row.model].writes
            assert (row.trajectory_ref or {})["path"] == layout.trajectories(NEW, row.model).path
            assert (row.subscores or {})[f"runner_{row.model}"] == 1
    kept = desk.directory.trajectories(NEW).records
    assert sorted(each.model for each in kept) == ["null_agent", "oracle", "spam_agent"]


def test_parents_are_never_touched_and_a_digest_proves_it(desk: Desk) -> None:
    want(desk, FIRST, NOBODY)
    before = files(desk)
    document = regrade(desk)
    after = files(desk)
    changed = {name for name in before if after[name] != before[name]}
    assert changed == {"runs/events.jsonl", "calibration.json"}
    assert after["runs/events.jsonl"].startswith(before["runs/events.jsonl"])
    assert [each["file"] for each in document["parents"]] == [
        f"rows-run-1-{arm}.jsonl"
        for arm in ("null_agent", "oracle", "replay", "scripted_careful", "scripted_hasty",
                    "spam_agent")
    ]  # fmt: skip
    first = document["parents"][0]
    assert first["bytes"] == len(before[first["file"]])
    assert first["sha256"] == desk.directory.digest(first["file"])


def test_a_dry_run_shows_the_same_and_writes_nothing(desk: Desk) -> None:
    want(desk, FIRST, NOBODY)
    before = files(desk)
    looked = regrade(desk, dry_run=True)
    assert files(desk) == before
    wrote = regrade(desk)
    assert looked["deltas"] == wrote["deltas"]
    assert looked["dry_run"] is True
    assert looked["next_actions"][0]["command"] == "understudy runs regrade --benchmark local--desk"


def test_a_trajectory_that_was_changed_is_no_evidence(desk: Desk) -> None:
    path = desk.path / layout.trajectories("run-1", "scripted_careful").path
    path.write_bytes(path.read_bytes().replace(b"update_item", b"upset__item"))
    (desk.path / layout.live("run-1", "scripted_careful").path).unlink()
    want(desk, FIRST, NOBODY)
    assert {each["model"] for each in regrade(desk, dry_run=True)["lost"]} == {CAREFUL}


def test_a_journal_stands_in_for_a_lost_trajectory(desk: Desk) -> None:
    (desk.path / layout.trajectories("run-1", "scripted_careful").path).unlink()
    want(desk, FIRST, NOBODY)
    document = regrade(desk)
    assert document["lost"] == []
    told = {each["model"]: each for each in document["deltas"]}
    assert (told[CAREFUL]["evidence"], told[CAREFUL]["new_score"]) == ("journal", 0)
    row = next(each for each in rows_of(desk.directory, NEW) if each.model == CAREFUL)
    assert (row.provenance or {})["source_run"]["evidence"] == "journal"
    assert [(mark.id, mark.met) for mark in row.obligations or []] == [("o1", False), ("o2", True)]


def test_a_missing_score_that_no_verifier_caused_stays_missing(desk: Desk) -> None:
    file = layout.rows("run-1", "scripted_hasty")
    lines = desk.directory.read(file).records
    reason = {"code": "rate_limited", "blame": "provider", "detail": "429"}
    broken = lines[0].with_(
        status=RowStatus.ERROR, score=None, missing_reason=reason, error="RateLimited: 429"
    )
    path = desk.path / file.path
    path.unlink()
    desk.directory.append(file, broken, *lines[1:])
    want(desk, FIRST, NOBODY)
    document = regrade(desk)
    row = next(each for each in rows_of(desk.directory, NEW) if each.model == HASTY)
    assert (row.status, row.score, row.error) == (RowStatus.ERROR, None, "RateLimited: 429")
    assert row.missing_reason is not None
    assert row.missing_reason.code == "rate_limited"
    told = next(each for each in document["deltas"] if each["model"] == HASTY)
    assert (told["changed"], told["old_score"], told["new_score"]) == (False, None, None)


def test_a_trace_that_the_reference_retained_is_marked_as_such(desk: Desk) -> None:
    for folder in ("trajectories", "live"):
        (desk.path / "runs" / folder / "run-1-scripted_careful.jsonl").unlink()
    work = desk.path / "runs" / "work" / "run-1--scripted_careful" / "outputs" / "x"
    work.mkdir(parents=True)
    update = {"name": "update_item", "arguments": {"item_id": "I-0001", "status": NOBODY}}
    nodes = [
        {"id": "a", "parents": [], "task_id": FIRST, "role": "user", "content": "Set it."},
        {
            "id": "b",
            "parents": ["a"],
            "task_id": FIRST,
            "role": "assistant",
            "content": "Done.",
            "tool_calls": [{"id": "c1", "function": update}],
        },
    ]
    (work / "traces.jsonl").write_text("".join(json.dumps(each) + "\n" for each in nodes))
    want(desk, FIRST, NOBODY)
    document = regrade(desk)
    [told] = [each for each in document["deltas"] if each["model"] == CAREFUL]
    assert (told["rollout"], told["evidence"], told["new_score"]) == (0, "legacy", 1)
    assert [(each["model"], each["rollout"], each["reason"]) for each in document["lost"]] == [
        (CAREFUL, 1, "trajectory_missing")
    ]


def test_a_row_that_was_judged_again_is_read_with_the_rollout_it_judges(desk: Desk) -> None:
    want(desk, FIRST, NOBODY)
    regrade(desk)
    read = read_rollout(located=desk.located, run_id=NEW, task_id=FIRST, model=CAREFUL, rollout=1)
    assert [event["tool"] for event in read["events"] if event["kind"] == "call"] == [
        "get_item", "update_item",
    ]  # fmt: skip
    assert (read["final_response"], read["rows"][0]["score"]) == ("Done.", 0)
    arms = replay_task(located=desk.located, task_id=FIRST)["arms"]
    told = {arm["key"]: arm for arm in arms}
    assert told[f"{CAREFUL} · {NEW}"]["from"] == "trajectory"
