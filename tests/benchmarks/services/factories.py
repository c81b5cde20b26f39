"""A refund desk's traffic as a gateway captured it: one envelope a line, histories that grow."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.records.caller import Caller
from benchmarks.services.building import build_benchmark

NOW = datetime(2026, 11, 2, 12, 0, tzinfo=UTC)
LATER = NOW + timedelta(days=1)
CALLER = Caller("os:mira", "shell")
SYSTEM = {"role": "system", "content": "You are the refund desk of a kitchen shop."}
REASON = "the desk is small"


def function(name: str, **properties: str) -> dict[str, Any]:
    schema = {
        "type": "object",
        "properties": {key: {"type": kind} for key, kind in properties.items()},
        "required": list(properties),
    }
    return {
        "type": "function",
        "function": {"name": name, "description": name, "parameters": schema},
    }


TOOLS = [
    function("get_order", order_id="string"),
    function("issue_refund", order_id="string", amount="number"),
]


def calls(call_id: str, name: str, **arguments: Any) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": call_id, "type": "function", "function": function}],
    }


def result(call_id: str, value: Any) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": json.dumps(value)}


def envelopes(
    messages: Sequence[dict[str, Any]], *, number: int, minute: int, workload: str = "refund-desk"
) -> list[dict[str, Any]]:
    """One envelope for each assistant message, its history before it."""
    found = []
    for at, message in enumerate(messages):
        if message["role"] != "assistant":
            continue
        finish = "tool_calls" if message.get("tool_calls") else "stop"
        found.append({
            "schema_version": 4,
            "request_id": f"req-{number}-{at}",
            "ts": f"2026-11-02T09:{minute:02}:{at:02}Z",
            "workload_name": workload,
            "status_code": 200,
            "request_body": {"model": "gpt-5.5", "messages": messages[:at], "tools": TOOLS},
            "response_body": {
                "object": "chat.completion",
                "model": "gpt-5.5",
                "choices": [{"index": 0, "message": message, "finish_reason": finish}],
                "usage": {"prompt_tokens": 100, "completion_tokens": 20},
            },
        })
    return found


THINGS = ("kettle", "toaster", "skillet", "teapot", "grinder", "whisk", "steamer", "colander")


def refund(number: int, amount: float = 25.0) -> list[dict[str, Any]]:
    """A conversation that refunds an order."""
    order, thing = f"A-100{number}", THINGS[number % len(THINGS)]
    messages = [
        SYSTEM,
        {"role": "user", "content": f"My {thing} of order {order} arrived in {number + 2} pieces!"},
        calls(f"a{number}", "get_order", order_id=order),
        result(f"a{number}", {"order_id": order, "item": thing, "total": amount}),
        calls(f"b{number}", "issue_refund", order_id=order, amount=amount),
        result(f"b{number}", {"refund_id": f"RF-{number}", "status": "done"}),
        {"role": "assistant", "content": f"Your {thing} is refunded."},
    ]
    return envelopes(messages, number=number, minute=number)


def look_up(number: int) -> list[dict[str, Any]]:
    """A conversation that only looks an order up."""
    order, thing = f"B-200{number}", THINGS[number % len(THINGS)]
    messages = [
        SYSTEM,
        {"role": "user", "content": f"Did you send the {thing} I bought, {order}, yet or not?"},
        calls(f"c{number}", "get_order", order_id=order),
        result(f"c{number}", {"order_id": order, "item": thing, "total": 9, "sent": True}),
        {"role": "assistant", "content": "Yes, it is on its way."},
    ]
    return envelopes(messages, number=number, minute=20 + number)


def write_lines(path: Path, *conversations: list[dict[str, Any]]) -> Path:
    lines = [json.dumps(line) for found in conversations for line in found]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def desk(folder: Path, *conversations: list[dict[str, Any]]) -> Path:
    """The captures of a desk: four refunds and two look-ups, unless others are given."""
    folder.mkdir(parents=True, exist_ok=True)
    default = [*(refund(n) for n in range(1, 5)), *(look_up(n) for n in range(5, 7))]
    return write_lines(folder / "captures.jsonl", *(conversations or default))


def build(directory: Path, *sources: Path, **extra: Any) -> dict[str, Any]:
    asked: dict[str, Any] = {
        "slug": "local--desk",
        "source": list(sources),
        "waive_pilot": REASON,
        "caller": CALLER,
        "now": NOW,
        **extra,
    }
    return build_benchmark(directory=BenchmarkDir(directory), **asked)


def files(directory: Path) -> dict[str, bytes]:
    """Every data file of a directory, by its name."""
    return {
        path.relative_to(directory).as_posix(): path.read_bytes()
        for path in sorted(directory.rglob("*"))
        if path.is_file() and path.suffix != ".lock"
    }


def task_lines(directory: Path) -> list[dict[str, Any]]:
    text = (directory / "tasks.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def edit_task(directory: Path, task_id: str, **changes: Any) -> None:
    """Change a line of tasks.jsonl as a person with an editor does."""
    lines = [
        {**line, **changes} if line["task_id"] == task_id else line
        for line in task_lines(directory)
    ]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    (directory / "tasks.jsonl").write_text(text, encoding="utf-8")
