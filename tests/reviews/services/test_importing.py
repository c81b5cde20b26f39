import json
import os
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.roots import Located
from benchmarks.errors import SourceNotFound, Unreadable, WrongStage
from benchmarks.records.caller import Caller
from benchmarks.records.review import Review
from reviews.services.importing import import_reviews
from reviews.services.recording import submit_review
from tests.reviews.desks import make_promoted_desk

OLD = {"task_id": "t1", "decision": "reject", "reviewed_at": "2026-01-02T03:04:05Z"}
NEW = {
    "schema_version": "understudy.benchmark_review.v1",
    "benchmark_id": "elsewhere",
    "task_id": "t2",
    "decision": "restrict",
    "note": "only the item",
    "created_at": "2026-01-03T00:00:00+01:00",
    "source": "agent",
    "actor": "mcp:claude-code@ada",
    "door": "mcp",
}


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    return tmp_path / "lines.jsonl"


def write(path: Path, *values: Any) -> Path:
    texts = [value if isinstance(value, str) else json.dumps(value) for value in values]
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return path


def ledger(desk: Located) -> list[Review]:
    return desk.directory.read(layout.REVIEWS).records


def counts(document: dict[str, Any]) -> tuple[int, int, list[int]]:
    rejected = [one["line"] for one in document["rejected"]]
    return document["imported"], document["unchanged"], rejected


def test_older_and_newer_lines_are_kept_with_their_own_time(
    desk: Located, lines: Path, mira: Caller, now: datetime
) -> None:
    document = import_reviews(located=desk, path=write(lines, OLD, NEW), caller=mira, now=now)
    assert (document["ok"], counts(document)) == (True, (2, 0, []))
    first, second = ledger(desk)
    assert (first.task_id, first.decision, first.note, first.created_at, first.source) == (
        "t1",
        "reject",
        "",
        "2026-01-02T03:04:05.000Z",
        "human",
    )
    assert (first.benchmark_id, first.actor, first.door) == (
        desk.directory.name,
        mira.actor,
        mira.door,
    )
    assert (second.decision, second.note, second.created_at, second.source) == (
        "restrict",
        "only the item",
        "2026-01-02T23:00:00.000Z",
        "agent",
    )
    assert second.dump()["reviewed_by"] == "mcp:claude-code@ada"


def test_the_same_file_again_changes_nothing(
    desk: Located, lines: Path, mira: Caller, now: datetime
) -> None:
    undated = {"task_id": "t2", "decision": "accept"}
    write(lines, OLD, NEW, undated, OLD)
    assert counts(import_reviews(located=desk, path=lines, caller=mira, now=now)) == (3, 1, [])
    before = ledger(desk)
    assert counts(import_reviews(located=desk, path=lines, caller=mira, now=now)) == (0, 4, [])
    assert ledger(desk) == before


def test_a_line_of_the_older_ledger_is_there_already(
    desk: Located, lines: Path, mira: Caller, now: datetime
) -> None:
    write(desk.directory.path / layout.OLD_REVIEWS, OLD)
    assert counts(import_reviews(located=desk, path=write(lines, OLD), caller=mira, now=now)) == (
        0,
        1,
        [],
    )


REJECTED: list[tuple[Any, str]] = [
    ("{nope", "bad_json: "),
    ('["t1"]', "not_object: "),
    ({"task_id": "t9", "decision": "accept"}, "unknown task 't9'"),
    ({"decision": "accept"}, "unknown task None"),
    (
        {"task_id": "t1", "decision": "maybe"},
        "decision 'maybe': one of accept, restrict, needs_more, reject is wanted",
    ),
    ({**OLD, "task_hash": "other"}, "task_hash 'other': the task has changed, it is "),
    ({**OLD, "note": 7}, "note 7: a text is wanted"),
    ({**OLD, "note": "x" * 2001}, "the note has 2,001 characters, at most 2,000 are kept"),
    ({**OLD, "reviewed_at": "yesterday"}, "time 'yesterday': RFC 3339 is wanted"),
]


def test_each_bad_line_is_rejected_with_its_reason_and_the_good_ones_are_kept(
    desk: Located, lines: Path, mira: Caller, now: datetime
) -> None:
    write(lines, OLD, *(value for value, _ in REJECTED), NEW)
    document = import_reviews(located=desk, path=lines, caller=mira, now=now)
    assert (document["ok"], counts(document)) == (False, (2, 0, list(range(2, 11))))
    for one, (_, reason) in zip(document["rejected"], REJECTED, strict=True):
        assert one["reason"].startswith(reason)
    assert [line.task_id for line in ledger(desk)] == ["t1", "t2"]


def test_a_pinned_hash_that_is_the_task_s_own_is_taken(
    desk: Located, lines: Path, mira: Caller, now: datetime
) -> None:
    pinned = desk.directory.tasks()["t1"].task_hash
    write(lines, {**OLD, "task_hash": pinned})
    assert counts(import_reviews(located=desk, path=lines, caller=mira, now=now)) == (1, 0, [])
    assert ledger(desk)[0].task_hash == pinned


def test_a_decision_in_force_is_not_undone_by_an_older_one(
    desk: Located, lines: Path, mira: Caller, now: datetime
) -> None:
    submit_review(located=desk, task_ids=["t1"], decision="accept", caller=mira, now=now)
    document = import_reviews(located=desk, path=write(lines, OLD, NEW), caller=mira, now=now)
    assert counts(document) == (1, 0, [1])
    assert document["rejected"][0]["reason"].startswith(
        "older than the decision in force: accept of "
    )
    assert [line.decision for line in ledger(desk)] == ["accept", "restrict"]


def test_a_missing_file_and_another_stage_are_refused(
    desk: Located, lines: Path, mira: Caller, now: datetime, tmp_path: Path
) -> None:
    with pytest.raises(SourceNotFound):
        import_reviews(located=desk, path=tmp_path / "none.jsonl", caller=mira, now=now)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Unreadable, match="not a regular file"):
        import_reviews(located=desk, path=tmp_path / "pipe", caller=mira, now=now)
    promoted = make_promoted_desk(tmp_path / "other")
    with pytest.raises(WrongStage):
        import_reviews(located=promoted, path=write(lines, OLD), caller=mira, now=now)


def test_keys_that_no_review_has_are_counted(
    desk: Located, lines: Path, mira: Caller, now: datetime
) -> None:
    path = write(lines, {**OLD, "rationale": "because", "id": 7}, {**NEW, "rationale": "so"})
    document = import_reviews(located=desk, path=path, caller=mira, now=now)
    assert (document["imported"], document["not_kept"]) == (2, {"id": 1, "rationale": 2})
