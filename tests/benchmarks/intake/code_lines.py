"""Lines as Claude Code and its SDK write them, made by hand."""

from typing import Any

from benchmarks.intake.dialects.claude_code import ClaudeCode

CODE = ClaudeCode()

SESSION = "s-1"
Line = dict[str, Any]


def line(kind: str, uuid: str | None, parent: str | None, content: Any, **more: Any) -> Line:
    message = {"role": kind, "content": content, **more.pop("message", {})}
    own = {} if uuid is None else {"uuid": uuid, "parentUuid": parent}
    return {"type": kind, "sessionId": SESSION, **own, "message": message, **more}


def user(uuid: str | None, parent: str | None, content: Any, **more: Any) -> Line:
    return line("user", uuid, parent, content, **more)


def answer(
    uuid: str, parent: str | None, *blocks: Any, mid: str | None = None, **more: Any
) -> Line:
    own = {"id": mid or f"msg-{uuid}", "model": "claude-x"}
    message = {**own, **more.pop("message", {})}
    return line("assistant", uuid, parent, list(blocks), message=message, **more)


def text(words: str) -> Line:
    return {"type": "text", "text": words}


def call(call_id: str, name: str = "Read", **arguments: Any) -> Line:
    return {"type": "tool_use", "id": call_id, "name": name, "input": arguments}


def result(call_id: str, content: Any = "done", **more: Any) -> Line:
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}


def spent(output: int, **more: int) -> Line:
    return {"usage": {"input_tokens": 10, "output_tokens": output, **more}}


MAIN = [
    user("u1", None, "explore"),
    answer("a1", "u1", call("c1", "Task", prompt="look around")),
    user("r1", "a1", [result("c1", "two folders")],
         toolUseResult={"agentId": "ag7", "content": []}),
    answer("a2", "r1", text("There are two.")),
]  # fmt: skip


def streamed(kind: str, parent: str | None = None, **fields: Any) -> Line:
    return {"type": kind, "session_id": "live", "parent_tool_use_id": parent, **fields}
