import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.intake.ingest import Intake, IntakeOptions, ingest
from benchmarks.intake.redact import Redactor
from benchmarks.intake.sources.found import Found
from benchmarks.intake.work import CaptureLine, Worker
from tests.benchmarks.intake.planted import PLACES, PLANTED

NOW = datetime(2026, 11, 2, tzinfo=UTC)
OPTIONS = IntakeOptions(now=NOW)
ASK = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
ANSWER = {"id": "a1", "choices": [{"message": {"content": "ho"}}], "usage": {"prompt_tokens": 1}}
CHAT = {"id": "one", "request": ASK, "response": ANSWER}
STREAM = {"request": ASK, "response_raw": {"text": "data: {}\n\n"}}
TAU = {"task_id": 1, "trial": 0, "reward": 1, "traj": [{"role": "user", "content": "hi"}]}
SECRET = "sk-" + "a1b2c3d4e5" * 3


def envelope(version: object) -> dict[str, Any]:
    return {
        "schema_version": version, "request_id": f"req-{version}",
        "request_body": json.dumps(ASK), "response_body": json.dumps(ANSWER | {"id": version}),
    }  # fmt: skip


def put(folder: Path, name: str, *records: Any) -> Path:
    path = folder / name
    lines = (item if isinstance(item, str) else json.dumps(item) for item in records)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def read(*sources: Path, **changes: Any) -> Intake:
    return ingest(sources, options=IntakeOptions(now=NOW, **changes))


def reasons(intake: Intake) -> list[tuple[str, str]]:
    return [(drop.reason.value, drop.detail) for drop in intake.dropped]


def adds_up(intake: Intake) -> bool:
    report = intake.report
    assert report.captures == len(intake.captures)
    assert sum(report.dropped.values()) == len(intake.dropped)
    return report.records == report.captures + sum(report.dropped.values()) + report.duplicates


def test_one_file_may_mix_dialects_and_every_record_is_accounted_for(tmp_path: Path) -> None:
    path = put(
        tmp_path, "mixed.jsonl", CHAT, STREAM, TAU, CHAT, envelope(3), envelope(9), "{broken",
        {"a": 1}, {"request": {"contents": []}, "response": {}},
        {"status": 500, "request": {"contents": []}, "response": {}},
        {"request": ASK}, {"request": ASK, "response": None},
    )  # fmt: skip
    intake = read(path)
    assert [item.conversation.dialect for item in intake.captures] == [
        "openai.chat", "tau_bench", "openai.chat",
    ]  # fmt: skip
    assert reasons(intake) == [
        ("no_response", "a request without an answer"),
        ("unsupported_version", "schema_version 9"),
        ("malformed_line", "Expecting property name enclosed in double quotes at column 2"),
        ("not_a_capture", "an object with a"),
        ("no_messages", "neither a message nor an answer"),
        ("no_messages", "neither a message nor an answer"),
        ("not_a_capture", "an object with request"),
        ("no_response", "a request without an answer"),
    ]
    assert intake.report.duplicates == 1
    assert adds_up(intake)


@pytest.mark.parametrize("version", [2, 3, 4, "understudy.capture.v1"])
def test_an_envelope_of_every_known_version_is_its_body_s_dialect(
    tmp_path: Path, version: object
) -> None:
    (capture,) = read(put(tmp_path, "f.jsonl", envelope(version))).captures
    assert capture.conversation.dialect == "openai.chat"
    assert capture.capture_id == f"req-{version}"


def test_a_second_pass_over_the_same_records_is_all_duplicates(tmp_path: Path) -> None:
    path = put(tmp_path, "f.jsonl", CHAT, TAU)
    first = read(path)
    known = {capture.source.record_sha256 or "" for capture in first.captures}
    again = ingest([path], options=OPTIONS, known=known)
    assert (again.captures, again.report.duplicates) == ([], 2)
    assert adds_up(again)


def test_other_files_are_counted_by_their_reason(tmp_path: Path) -> None:
    put(tmp_path, "a.jsonl", CHAT)
    put(tmp_path, "notes.md", "words")
    (tmp_path / "z.zip").write_bytes(b"PK\x03\x04")
    (tmp_path / "empty.json").write_bytes(b"")
    (tmp_path / "link.json").symlink_to(tmp_path / "a.jsonl")
    intake = read(tmp_path)
    assert intake.report.dropped == {"ignored_extension": 2, "symlink_skipped": 1}
    assert intake.report.files == {"seen": 5, "recognised": 1, "other": 4, "with_captures": 1}
    assert adds_up(intake)


def test_the_order_of_the_sources_changes_nothing(tmp_path: Path) -> None:
    one = put(tmp_path, "one.jsonl", CHAT, "{broken")
    two = put(tmp_path, "two.jsonl", TAU, CHAT)
    forth, back = read(one, two), read(two, one)
    assert (forth.captures, forth.dropped, forth.report) == (
        back.captures, back.dropped, back.report,
    )  # fmt: skip


def test_records_are_handed_back_only_when_asked_for(tmp_path: Path) -> None:
    path = put(tmp_path, "f.jsonl", CHAT)
    (capture,) = read(path).captures
    assert read(path).records == {}
    assert read(path, keep_records=True).records == {capture.capture_key: CHAT}


def test_a_workload_and_an_age_limit_drop_by_name(tmp_path: Path) -> None:
    path = put(
        tmp_path, "f.jsonl",
        {**CHAT, "workload_name": "desk", "ts": "2026-11-01T00:00:00Z"},
        {**CHAT, "id": "2", "workload_name": "desk", "ts": "2026-10-01T00:00:00Z",
         "response": {**ANSWER, "id": "a2"}},
        {**CHAT, "id": "3", "workload_name": "shop", "response": {**ANSWER, "id": "a3"}},
    )  # fmt: skip
    intake = read(path, workload="DESK", max_age_days=3)
    assert intake.report.dropped == {"stale": 1, "workload_mismatch": 1}
    assert len(intake.captures) == 1
    assert adds_up(intake)


def test_texts_that_somebody_masked_are_a_loss(tmp_path: Path) -> None:
    masked = {"model": "m", "messages": [{"role": "user", "content": "[REDACTED by policy]"}]}
    answer = {"choices": [{"message": {"content": "redacted input"}}]}
    intake = read(put(tmp_path, "f.jsonl", {"request": masked, "response": answer}))
    assert reasons(intake) == [("content_masked", "every text is masked")]


def test_a_conversation_without_end_is_a_loss(tmp_path: Path) -> None:
    turn = {"role": "user", "content": "hi"}
    path = put(tmp_path, "f.jsonl", TAU | {"traj": [turn] * 20_000},
               TAU | {"traj": [turn] * 20_001})  # fmt: skip
    intake = read(path)
    assert len(intake.captures) == 1
    assert reasons(intake) == [("too_long", "20001 turns, at most 20000 are read")]


def test_texts_that_were_all_secrets_are_no_loss(tmp_path: Path) -> None:
    secret = {"model": "m", "messages": [{"role": "user", "content": SECRET}]}
    answer = {"choices": [{"message": {"content": SECRET}}]}
    (capture,) = read(put(tmp_path, "f.jsonl", {"request": secret, "response": answer})).captures
    assert capture.conversation.turns[0].text() == "[redacted:api_key]"
    assert capture.secrets == {"api_key": 2}


def test_secrets_are_counted_on_the_capture_and_in_the_report(tmp_path: Path) -> None:
    said = {"model": "m", "messages": [{"role": "user", "content": f"use {SECRET}"}]}
    path = put(tmp_path, "f.jsonl", {"request": said, "response": ANSWER}, TAU)
    intake = read(path)
    assert [capture.secrets for capture in intake.captures] == [{"api_key": 1}, None]
    assert (intake.report.secrets, intake.report.redacted) == ({"api_key": 1}, True)


def test_a_secret_in_the_name_of_what_was_dropped_is_redacted(tmp_path: Path) -> None:
    intake = read(put(tmp_path, "f.jsonl", {SECRET: 1}, CHAT))
    assert reasons(intake) == [("not_a_capture", "an object with [redacted:api_key]")]
    assert SECRET not in json.dumps(intake.report.dump())


def test_without_redaction_the_report_says_so(tmp_path: Path) -> None:
    said = {"model": "m", "messages": [{"role": "user", "content": f"use {SECRET}"}]}
    intake = read(put(tmp_path, "f.jsonl", {"request": said, "response": ANSWER}), redact=False)
    assert SECRET in json.dumps(intake.captures[0].dump())
    assert (intake.report.secrets, intake.report.redacted) == ({}, False)
    assert [finding["code"] for finding in intake.report.findings or []] == ["not_redacted"]


def test_bytes_in_messages_are_handed_back_as_blobs(tmp_path: Path) -> None:
    url = "data:image/png;base64,aGVsbG8="
    content = [{"type": "image_url", "image_url": {"url": url}}]
    ask = {"model": "m", "messages": [{"role": "user", "content": content}]}
    intake = read(put(tmp_path, "f.jsonl", {"request": ask, "response": ANSWER}))
    assert list(intake.blobs.values()) == [b"hello"]


@given(PLANTED, st.sampled_from(PLACES))
def test_a_secret_planted_in_any_place_of_any_dialect_appears_in_nothing_that_is_kept(
    planted: tuple[Any, str], place: Any
) -> None:
    value, secret = planted
    found = Found(place(value), "f#L1", "", "", "f", "")
    worker = Worker(redact=True)
    (item,) = worker.items([found])
    kept = item.line if isinstance(item, CaptureLine) else repr(item).encode()
    assert secret.encode() not in kept
    if isinstance(item, CaptureLine):
        assert sum(dict(item.told.secrets).values()) >= 1


def test_lines_that_are_lists_hold_records(tmp_path: Path) -> None:
    second = {**CHAT, "id": "two", "response": ANSWER | {"id": "a2"}}
    path = put(tmp_path, "lists.jsonl", [CHAT, second], [[TAU, 7], {"a": 1}], [1, "x"], {})
    intake = read(path, max_loss=1)
    assert adds_up(intake)
    assert [capture.source.pointer for capture in intake.captures] == [
        "lists.jsonl#L1/0", "lists.jsonl#L1/1", "lists.jsonl#L2/0/0",
    ]  # fmt: skip
    assert [(drop.pointer, drop.reason.value, drop.detail) for drop in intake.dropped] == [
        ("lists.jsonl#L2/0/1", "malformed_line", "not an object"),
        ("lists.jsonl#L2/1", "not_a_capture", "an object with a"),
        ("lists.jsonl#L3", "not_a_capture", "a list"),
        ("lists.jsonl#L4", "not_a_capture", "an object with no key"),
    ]


def test_a_folder_that_tells_a_secret_is_named_without_it(tmp_path: Path) -> None:
    (tmp_path / "password=hunter2x").mkdir()
    put(tmp_path / "password=hunter2x", "a.jsonl", CHAT)
    intake = read(tmp_path)
    assert [capture.source.pointer for capture in intake.captures] == [
        "password=[redacted:password]/a.jsonl#L1"
    ]
    assert not may_hold_secrets_of(intake)


def may_hold_secrets_of(intake: Intake) -> dict[str, int]:
    redactor = Redactor()
    redactor.clean([capture.dump() for capture in intake.captures])
    return dict(redactor.counts)


def test_a_file_of_copies_holds_captures_too(tmp_path: Path) -> None:
    put(tmp_path, "a.jsonl", CHAT)
    put(tmp_path, "b.jsonl", CHAT, "{broken")
    put(tmp_path, "c.jsonl", "{broken", "{broken")
    report = read(tmp_path, max_loss=1).report
    assert (report.captures, report.duplicates, report.dropped) == (1, 1, {"malformed_line": 2})
    assert report.loss == 0.5
