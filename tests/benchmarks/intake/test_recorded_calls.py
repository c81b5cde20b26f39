"""Calls that stand inside recordings, from the bytes of a file to captures."""

import base64
import gzip
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.intake.ingest import Intake, IntakeOptions, ingest
from tests.benchmarks.intake.wires.frames import event

NOW = datetime(2026, 11, 2, tzinfo=UTC)
GEMINI = "https://generativelanguage.googleapis.com/v1beta/models/g-9:generateContent"
CONVERSE = "https://bedrock-runtime.us-east-1.amazonaws.com/model/m-1/converse-stream"
CHAT = "/v1/chat/completions"
ASKED = {"contents": [{"role": "user", "parts": [{"text": "Hi"}]}]}
SAID = {"candidates": [{"content": {"parts": [{"text": "Hello"}]}, "finishReason": "STOP"}]}
FRAMES = b"".join([
    event("messageStart", {"role": "assistant"}),
    event("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": "Grüße"}}),
    event("messageStop", {"stopReason": "end_turn"}),
])  # fmt: skip


def read(*sources: Path) -> Intake:
    found = ingest(sources, options=IntakeOptions(now=NOW))
    report = found.report
    assert report.records == report.captures + sum(report.dropped.values()) + report.duplicates
    return found


def told(intake: Intake) -> list[tuple[str, str, list[str]]]:
    """Of every capture: where it stands, its dialect, and its words."""
    return [
        (
            capture.source.pointer,
            capture.conversation.dialect,
            [turn.text() for turn in capture.conversation.turns],
        )
        for capture in intake.captures
    ]


def put(path: Path, *records: Any) -> Path:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    return path


def har_entry(url: str, asked: Any, content: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "startedDateTime": "2026-04-28T16:28:30.000Z", "time": 5,
        "request": {"method": "POST", "url": url, "postData": {"text": json.dumps(asked)}},
        "response": {"status": 200, "headers": [], "content": content}, **more,
    }  # fmt: skip


def test_a_har_file_gives_its_calls_and_names_the_rest(tmp_path: Path) -> None:
    packed = base64.b64encode(gzip.compress(json.dumps(SAID).encode())).decode()
    messages = {"messages": [{"role": "user", "content": [{"text": "Hi"}]}]}
    frames = base64.b64encode(FRAMES).decode()
    preflight = har_entry(GEMINI, ASKED, {})
    preflight["request"]["method"] = "OPTIONS"
    log = {"log": {"entries": [
        har_entry(GEMINI, ASKED, {"text": packed, "encoding": "base64"}),
        har_entry(CONVERSE, messages, {"text": frames, "encoding": "base64"}),
        har_entry("https://example.com/style.css", {}, {"text": "body {}"}),
        preflight,
    ]}}  # fmt: skip
    intake = read(put(tmp_path / "session.har", log))
    assert told(intake) == [
        ("session.har#L1/log/entries/0", "gemini", ["Hi", "Hello"]),
        ("session.har#L1/log/entries/1", "bedrock", ["Hi", "Grüße"]),
    ]
    assert intake.captures[0].captured_at == "2026-04-28T16:28:30.000Z"
    assert intake.captures[0].transport.latency_ms == 5
    assert [(drop.reason.value, drop.pointer, drop.detail) for drop in intake.dropped] == [
        ("not_a_capture", "session.har#L1/log/entries/2", "no model call: example.com/style.css"),
        ("not_a_capture", "session.har#L1/log/entries/3", "a request by OPTIONS"),
    ]
    assert intake.report.dialects == {"gemini": 1, "bedrock": 1}


CASSETTE = f"""
interactions:
- request: {{method: POST, uri: '{CONVERSE}', headers: {{}},
    body: '{{"messages": [{{"role": "user", "content": [{{"text": "Hi"}}]}}]}}'}}
  response:
    status: {{code: 200, message: OK}}
    headers: {{content-type: [application/vnd.amazon.eventstream]}}
    body:
      string: !!binary |
        {base64.b64encode(FRAMES).decode()}
- request: {{method: GET, uri: 'https://example.com/models', body: null, headers: {{}}}}
  response: {{status: {{code: 204, message: No Content}}, headers: {{}}, body: {{string: ''}}}}
version: 1
"""


def test_a_cassette_of_yaml_gives_its_calls(tmp_path: Path) -> None:
    path = tmp_path / "calls.yaml"
    path.write_text(CASSETTE, encoding="utf-8")
    intake = read(path)
    assert told(intake) == [("calls.yaml#/interactions/0", "bedrock", ["Hi", "Grüße"])]
    assert intake.report.dropped == {"not_a_capture": 1}


@pytest.mark.parametrize(
    "text", ["interactions: [", "interactions: !!python/name:os.system\n", "a: &x [*x]"]
)
def test_yaml_that_cannot_be_read_costs_its_file(tmp_path: Path, text: str) -> None:
    (tmp_path / "bad.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "calls.yaml").write_text(CASSETTE, encoding="utf-8")
    intake = read(tmp_path)
    assert len(intake.captures) == 1
    assert [drop.local_path for drop in intake.dropped] == ["bad.yaml", "calls.yaml"]


def test_a_nock_file_is_an_array_of_calls(tmp_path: Path) -> None:
    address = GEMINI.removesuffix("/v1beta/models/g-9:generateContent")
    path = GEMINI.removeprefix(address)
    exchange = {
        "scope": f"{address}:443", "method": "POST", "path": path, "body": ASKED, "status": 200,
        "response": SAID, "rawHeaders": ["Content-Type", "application/json"],
    }  # fmt: skip
    failed = {**exchange, "status": 400, "response": {"error": {"message": "bad key"}}}
    file = tmp_path / "recorded.json"
    file.write_text(json.dumps([exchange, failed], indent=2), encoding="utf-8")
    intake = read(file)
    assert told(intake) == [
        ("recorded.json#/0", "gemini", ["Hi", "Hello"]), ("recorded.json#/1", "gemini", ["Hi"]),
    ]  # fmt: skip
    assert intake.captures[1].conversation.end.detail == "status 400: bad key"


def asked(custom_id: str) -> dict[str, Any]:
    body = {"model": "m", "messages": [{"role": "user", "content": f"Hi {custom_id}"}]}
    return {"custom_id": custom_id, "method": "POST", "url": CHAT, "body": body}


def came(custom_id: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": f"Hello {custom_id}"}
    body = {"id": f"chat-{custom_id}", "choices": [{"index": 0, "message": message}]}
    return {"custom_id": custom_id, "response": {"status_code": 200, "body": body}, "error": None}


def test_a_batch_is_joined_over_its_two_files_whichever_is_read_first(tmp_path: Path) -> None:
    put(tmp_path / "a-output.jsonl", came("two"), came("one"))
    put(tmp_path / "b-input.jsonl", asked("one"), asked("two"), asked("three"))
    intake = read(tmp_path)
    assert sorted(words for _, _, words in told(intake)) == [
        ["Hi one", "Hello one"], ["Hi two", "Hello two"],
    ]  # fmt: skip
    assert intake.report.dropped == {"no_response": 1}
    assert {capture.source.local_path for capture in intake.captures} == {"b-input.jsonl"}


def test_a_batch_whose_files_were_copied_is_the_same_batch(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        put(tmp_path / folder / "in.jsonl", asked("one"))
        put(tmp_path / folder / "out.jsonl", came("one"))
    intake = read(tmp_path)
    assert [words for _, _, words in told(intake)] == [["Hi one", "Hello one"]]
    assert intake.report.duplicates == 1


def test_a_secret_in_a_recorded_call_is_out(tmp_path: Path) -> None:
    secret = "AIza" + "Zz09_-x" * 5
    found = {"contents": [{"role": "user", "parts": [{"text": f"my key is {secret}"}]}]}
    log = {
        "log": {"entries": [har_entry(f"{GEMINI}?key={secret}", found, {"text": json.dumps(SAID)})]}
    }
    intake = read(put(tmp_path / "session.har", log))
    assert secret not in json.dumps([capture.dump() for capture in intake.captures])
    assert intake.captures[0].conversation.turns[0].text() == "my key is [redacted:api_key]"
