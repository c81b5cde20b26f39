"""Secrets in every container, stream and place: after builds, looks and refusals none is found."""

import base64
import gzip
import json
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.services.factories import TOOLS, desk, look_up, refund
from tests.driving import Shell

MARK = "Zq7Rk"
COUNT = iter(range(10**6))
SYSTEM = {"role": "system", "content": "You are the refund desk."}


def secret() -> str:
    """Twenty characters that stand nowhere else."""
    return f"{MARK}{next(COUNT):06}Xv4Bn8Tp3"


def key() -> str:
    return f"sk-{secret()}"


def event(value: Any, name: str | None = None) -> str:
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(value)}\n\n"


def in_two(text: str) -> tuple[str, str]:
    half = len(text) // 2
    return text[:half], text[half:]


def ask(**more: Any) -> dict[str, Any]:
    return {"model": "m", "messages": [{"role": "user", "content": f"Hi {key()}"}], **more}


def chat_stream() -> str:
    first, second = in_two(f"it is {key()}.")
    opened, closed = in_two(json.dumps({"client_secret": secret()}))
    call = {"index": 0, "id": "c1", "function": {"name": "go", "arguments": opened}}
    deltas: list[dict[str, Any]] = [
        {"role": "assistant", "content": first}, {"content": second}, {"tool_calls": [call]},
        {"tool_calls": [{"index": 0, "function": {"arguments": closed}}]},
    ]  # fmt: skip
    chunks = [{"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta}]}
              for delta in deltas]  # fmt: skip
    return "".join(map(event, chunks)) + "data: [DONE]\n\n"


def anthropic_stream() -> str:
    first, second = in_two(f"it is {key()}.")
    opened, closed = in_two(json.dumps({"password": secret()}))
    tool = {"type": "tool_use", "id": "t", "name": "go", "input": {}}
    found: list[dict[str, Any]] = [
        {"type": "message_start", "message": {"id": "m1", "type": "message", "content": []}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        *({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}
          for text in (first, second)),
        {"type": "content_block_start", "index": 1, "content_block": tool},
        *({"type": "content_block_delta", "index": 1,
           "delta": {"type": "input_json_delta", "partial_json": text}}
          for text in (opened, closed)),
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}}, {"type": "message_stop"},
    ]  # fmt: skip
    return "".join(event(value, value["type"]) for value in found)


def gemini_stream() -> str:
    return "".join(
        event({"candidates": [{"content": {"role": "model", "parts": [{"text": text}]}}]})
        for text in in_two(f"it is {key()}.")
    )


def responses_stream() -> str:
    first, second = in_two(f"it is {key()}.")
    place = {"item_id": "i", "output_index": 0, "content_index": 0}
    item = {"id": "i", "type": "message", "role": "assistant", "content": []}
    found: list[dict[str, Any]] = [
        {"type": "response.created", "response": {"id": "resp", "output": []}},
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": "response.output_text.delta", **place, "delta": first},
        {"type": "response.output_text.delta", **place, "delta": second},
    ]
    return "".join(event(value, value["type"]) for value in found)


def cohere_stream() -> str:
    found = [{"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": t}}}}
             for t in in_two(f"it is {key()}.")]  # fmt: skip
    start = {"type": "message-start", "id": "c", "delta": {"message": {"role": "assistant"}}}
    return "".join(event(value, value["type"]) for value in (start, *found))


def ollama_lines() -> str:
    return "".join(
        json.dumps({"model": "m", "message": {"role": "assistant", "content": text}}) + "\n"
        for text in in_two(f"it is {key()}.")
    )


def frame(name: str, value: Any) -> bytes:
    head = b""
    for label, text in ((":event-type", name), (":message-type", "event")):
        head += bytes([len(label)]) + label.encode() + b"\x07"
        head += struct.pack(">H", len(text)) + text.encode()
    body = json.dumps(value).encode()
    start = struct.pack(">II", 16 + len(head) + len(body), len(head))
    whole = start + struct.pack(">I", zlib.crc32(start)) + head + body
    return whole + struct.pack(">I", zlib.crc32(whole))


def aws_frames() -> str:
    texts = in_two(f"it is {key()}.")
    data = frame("messageStart", {"role": "assistant"}) + b"".join(
        frame("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": text}})
        for text in texts
    )
    return base64.b64encode(data + frame("messageStop", {"stopReason": "end_turn"})).decode()


HOST = "https://api.test"
STREAMED: list[tuple[str, dict[str, Any], Any]] = [
    (f"{HOST}/v1/chat/completions?key=", ask(tools=TOOLS), {"text": chat_stream()}),
    (f"{HOST}/v1/messages?api_key=", ask(max_tokens=9), {"text": anthropic_stream()}),
    (f"{HOST}/v1beta/models/g:streamGenerateContent?key=",
     {"contents": [{"role": "user", "parts": [{"text": key()}]}]}, {"text": gemini_stream()}),
    (f"{HOST}/v1/responses?token=", {"model": "m", "input": key()}, {"text": responses_stream()}),
    (f"{HOST}/v2/chat?key=", ask(), {"text": cohere_stream()}),
    (f"{HOST}/api/chat?key=", ask(), {"text": ollama_lines()}),
    ("https://bedrock-runtime.us-east-1.amazonaws.com/model/m/converse-stream?token=",
     {"messages": [{"role": "user", "content": [{"text": key()}]}], "inferenceConfig": {}},
     {"b64": aws_frames()}),
]  # fmt: skip


def streamed() -> Iterator[dict[str, Any]]:
    for number, (url, request, response) in enumerate(STREAMED):
        yield {
            "id": f"s{number}", "url": f"{url}{secret()}", "status": 200, "request": request,
            "response_raw": response, "headers": [["Authorization", secret()]],
            "metadata": {"trace": {"cookie": f"sid={secret()}"}},
        }  # fmt: skip


def har() -> dict[str, Any]:
    answer = {"choices": [{"message": {"role": "assistant", "content": key()}}]}
    return {"log": {"version": "1.2", "entries": [{
        "startedDateTime": "2026-11-02T09:00:00Z",
        "request": {
            "method": "POST", "url": f"{HOST}/v1/chat/completions?sig={secret()}",
            "headers": [{"name": "X-Api-Key", "value": secret()}],
            "queryString": [{"name": "sig", "value": secret()}],
            "cookies": [{"name": "sid", "value": secret()}],
            "postData": {"mimeType": "application/json", "text": json.dumps(ask())},
        },
        "response": {"status": 200, "headers": [{"name": "Set-Cookie", "value": f"a={secret()}"}],
                     "content": {"encoding": "base64", "mimeType": "application/json",
                                 "text": base64.b64encode(json.dumps(answer).encode()).decode()}},
    }]}}  # fmt: skip


def cassette() -> str:
    answer = {"choices": [{"message": {"role": "assistant", "content": key()}}]}
    packed = base64.b64encode(gzip.compress(json.dumps(answer).encode())).decode()
    return (
        "interactions:\n- request:\n"
        f"    body: '{json.dumps(ask())}'\n    method: POST\n"
        f"    headers:\n      authorization: [Bearer {secret()}]\n"
        f"    uri: {HOST}/v1/chat/completions\n"
        "  response:\n    status: {code: 200}\n"
        "    headers: {content-encoding: [gzip], content-type: [application/json]}\n"
        f"    body: {{string: !!binary {packed}}}\nversion: 1\n"
    )


def attribute(name: str, text: str) -> dict[str, Any]:
    return {"key": name, "value": {"stringValue": text}}


def otlp() -> dict[str, Any]:
    messages = [{"role": "user", "parts": [{"type": "text", "content": key()}]}]
    said = [{"role": "assistant", "parts": [{"type": "text", "content": key()}]}]
    span = {
        "traceId": "4b" * 16, "spanId": "4b" * 8, "name": "chat m",
        "startTimeUnixNano": "1", "endTimeUnixNano": "2",
        "attributes": [
            attribute("gen_ai.operation.name", "chat"),
            attribute("gen_ai.request.model", "m"),
            attribute("gen_ai.input.messages", json.dumps(messages)),
            attribute("gen_ai.output.messages", json.dumps(said)),
            attribute("http.request.header.authorization", secret()),
            attribute("session.id", key()),
        ],
        "events": [{"name": "exception", "attributes": [
            attribute("exception.message", f"password={secret()}")]}],
    }  # fmt: skip
    return {"resourceSpans": [{"scopeSpans": [{"scope": {"name": "x"}, "spans": [span]}]}]}


def langfuse() -> dict[str, Any]:
    metadata = {"attributes": json.dumps({"http.request.header.cookie": f"sid={secret()}"})}
    observation = {
        "id": "o1", "traceId": "t1", "type": "GENERATION", "name": "llm", "model": "m",
        "startTime": "2026-11-02T09:00:00Z", "metadata": metadata,
        "input": [{"role": "user", "content": key()}],
        "output": {"role": "assistant", "content": key()},
    }  # fmt: skip
    return {"trace": {"id": "t1", "name": key(), "metadata": metadata},
            "observations": [observation]}  # fmt: skip


def sessions(folder: Path) -> None:
    line = {"sessionId": key(), "uuid": "u1", "type": "user", "cwd": "/x", "version": "1",
            "message": {"role": "user", "content": f"use {key()}"}}  # fmt: skip
    reply = {**line, "uuid": "u2", "parentUuid": "u1", "type": "assistant", "message": {
        "role": "assistant", "content": [{"type": "text", "text": f"ok {key()}"}]}}  # fmt: skip
    (folder / "session.jsonl").write_text(f"{json.dumps(line)}\n{json.dumps(reply)}\n", "utf-8")


def evals(folder: Path) -> None:
    sample = {"id": 1, "epoch": 1, "messages": [
        {"role": "user", "content": key()}, {"role": "assistant", "content": key()}]}  # fmt: skip
    header = {"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}}
    with zipfile.ZipFile(folder / "log.eval", "w") as archive:
        archive.writestr("header.json", json.dumps(header))
        archive.writestr(f"samples/{key()}.json", json.dumps(sample))
        archive.writestr(f"samples/{key()}x.json", "{broken")


def lines(folder: Path, name: str, *records: Any) -> None:
    text = "".join(f"{json.dumps(record)}\n" for record in records)
    (folder / name).write_text(text, encoding="utf-8")


def lost(folder: Path) -> None:
    """What gives no capture, under names that are secrets themselves."""
    lines(folder, f"{key()}.jsonl", {key(): 1}, {"schema_version": key(), "request_id": "r",
          "request_body": {}, "response_body": {}})  # fmt: skip
    (folder / f"notes-{key()}.md").write_text("x", encoding="utf-8")
    (folder / "broken.jsonl").write_text(f'{{"a": 1}}\n{{"{key()}": nope\n', encoding="utf-8")
    (folder / "bad.yaml").write_text(f"interactions: [!{key()} x, *{key()}]\n", encoding="utf-8")
    failed = {"status": 401, "url": f"{HOST}/v1/chat/completions?key={secret()}",
              "request": ask(), "response": {"error": {"message": f"bad key {key()}"}}}  # fmt: skip
    lines(folder, "failed.jsonl", failed)


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    folder = tmp_path / "sources"
    told = refund(1)
    for envelope in told:
        envelope["metadata"] = {"x-api-key": secret(), "note": f"Bearer {secret()}"}
    desk(folder, told, refund(2), refund(3), look_up(5))
    long = ask(metadata={"note": "word " * 20_000 + key()})
    answer = {"choices": [{"message": {"content": "word " * 20_000 + key()}}]}
    lines(folder, "streams.jsonl", *streamed(), {"request": long, "response": answer})
    lines(folder, "spans.jsonl", otlp())
    lines(folder, "langfuse.json", langfuse())
    lines(folder, "page.har", har())
    (folder / "calls.yaml").write_text(cassette(), encoding="utf-8")
    sessions(folder)
    evals(folder)
    lost(folder)
    return folder


DIALECTS = {
    "openai.chat", "anthropic.messages", "gemini", "openai.responses", "cohere", "ollama",
    "bedrock", "claude_code", "inspect", "langfuse",
}  # fmt: skip


def found_in(*folders: Path) -> list[str]:
    """Every file in which a planted secret stands, in its bytes or in its name."""
    return [
        path.name
        for folder in folders
        for path in folder.rglob("*")
        if MARK in path.name or (path.is_file() and MARK.encode() in path.read_bytes())
    ]


def test_no_planted_secret_is_written_said_or_logged(
    sources: Path, tmp_path: Path, lab_home: Path, shell: Shell
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    report, board = out / "report.json", out / "board"
    said = [
        shell("traces", "doctor", sources, "--output", report, "--max-loss", "1"),
        shell("traces", "doctor", sources, "--format", "text", "--max-loss", "1"),
        shell("traces", "directions", sources, "--output", board),
        shell("traces", "build-benchmark", sources, "--output", out / "desk", "--max-loss", "1",
              "--waive-pilot", "a desk of our own"),
        shell("traces", "build-benchmark", sources, "--output", out / "lossy", "--max-loss", "0"),
    ]  # fmt: skip
    assert [ran.code for ran in said] == [0, 0, 0, 0, 1], said[2].err[-800:]
    for ran in said:
        assert MARK not in ran.out + ran.err
    assert (out / "desk" / "normalized-captures.jsonl").is_file()
    assert found_in(out, lab_home) == []
    counted = json.loads(report.read_text(encoding="utf-8"))
    assert counted["redacted"] is True
    assert set(counted["secrets"]) >= {"api_key", "bearer", "cookie", "password"}
    assert set(counted["dialects"]) >= DIALECTS


def test_a_pass_that_recognises_nothing_says_no_secret(
    tmp_path: Path, lab_home: Path, shell: Shell
) -> None:
    folder = tmp_path / "sources"
    folder.mkdir()
    lost(folder)
    (folder / "failed.jsonl").unlink()
    ran = shell("traces", "doctor", folder, "--output", tmp_path / "out" / "report.json")
    assert ran.code == 2
    assert MARK not in ran.out + ran.err
    assert found_in(tmp_path / "out", lab_home) == []


def test_what_was_built_without_redaction_says_so_for_good(tmp_path: Path, shell: Shell) -> None:
    source, board = desk(tmp_path / "sources", refund(1), look_up(5)), tmp_path / "desk"
    words = ("traces", "build-benchmark", "--output", board, "--waive-pilot", "ours", source)
    built = shell(*words, "--no-redact")
    assert (built.code, built.document["privacy"]["redacted"]) == (0, False)
    report = json.loads((board / "intake-report.json").read_text(encoding="utf-8"))
    assert report["redacted"] is False
    again = shell(*words, "--rebuild", "--format", "text")
    assert "secrets were kept as they are: --no-redact" in again.out
    manifest = json.loads((board / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["privacy"]["redacted"] is False
