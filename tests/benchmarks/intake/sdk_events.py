"""Events of the OpenHands SDK for the tests of its dialect."""

import json
from typing import Any

from benchmarks.intake.dialects.openhands_sdk import OpenHandsSdkEvents
from benchmarks.intake.reading import Reading
from benchmarks.intake.sources.found import Found
from benchmarks.records.conversation import Conversation

EVENTS = OpenHandsSdkEvents()


def event(number: int, kind: str, source: str = "agent", **fields: Any) -> dict[str, Any]:
    return {
        "id": f"e{number}", "timestamp": f"2026-02-05T11:24:{number:02d}.500000",
        "source": source, **fields, "kind": kind,
    }  # fmt: skip


def text(words: str) -> dict[str, Any]:
    return {"cache_prompt": False, "type": "text", "text": words}


def said(number: int, source: str, words: str, **more: Any) -> dict[str, Any]:
    role = "user" if source == "user" else "assistant"
    message = {"role": role, "content": [text(words)], "thinking_blocks": []}
    return event(number, "MessageEvent", source, llm_message=message, **more)


def act(
    number: int, answer: str, call_id: str, name: str, arguments: Any, **more: Any
) -> dict[str, Any]:
    return event(
        number, "ActionEvent", llm_response_id=answer, tool_name=name, tool_call_id=call_id,
        tool_call={"id": call_id, "name": name, "arguments": json.dumps(arguments)},
        **{"thought": [], "thinking_blocks": [], "action": {**arguments, "kind": "A"}, **more},
    )  # fmt: skip


def seen(number: int, call_id: str, **observation: Any) -> dict[str, Any]:
    return event(
        number, "ObservationEvent", "environment", tool_name="terminal", tool_call_id=call_id,
        observation={"kind": "TerminalObservation", **observation}, action_id="e",
    )  # fmt: skip


TERMINAL = {
    "kind": "TerminalTool", "title": "terminal", "description": "Runs.",
    "annotations": {"readOnlyHint": False, "destructiveHint": True},
}  # fmt: skip
FETCH = {
    "kind": "MCPToolDefinition", "title": "Fetch it",
    "mcp_tool": {
        "name": "fetch", "description": "Fetches.",
        "inputSchema": {"type": "object", "properties": {}, "required": ["url"]},
        "annotations": {"readOnlyHint": True},
    },
}  # fmt: skip
CHAT = {"type": "function", "function": {"name": "find", "parameters": {"type": "object"}}}
SYSTEM = event(
    0, "SystemPromptEvent", system_prompt=text("You are an agent."),
    dynamic_context=text("Host: a."), tools=[TERMINAL, FETCH, CHAT],
)  # fmt: skip
ASK = said(1, "user", "What is here?", extended_content=[text("Use ls.")])
WENT = {"exit_code": 0, "is_error": False, "metadata": {"suffix": "\n[exit code 0]", "prefix": ""}}
SESSION = [
    SYSTEM,
    ASK,
    event(2, "ConversationStateUpdateEvent", "environment", key="execution_status", value="x"),
    act(
        3, "r1", "c1", "terminal", {"command": "ls"}, thought=[text("I look.")],
        reasoning_content="hm",
    ),
    act(4, "r1", "c2", "terminal", {"command": "lss"}),
    seen(5, "c1", content=[text("a.txt")], **WENT),
    seen(6, "c2", content=[text("lss: not found")], exit_code=127, is_error=False),
    act(7, "r2", "c3", "finish", {"message": "Done."}, action={"kind": "FinishAction"}),
    seen(8, "c3", content=[text("Done.")]),
]  # fmt: skip


def used(answer: str, spent: int) -> dict[str, Any]:
    return {
        "model": "m-1", "response_id": answer, "prompt_tokens": spent, "completion_tokens": 5,
        "cache_read_tokens": 4, "cache_write_tokens": 0, "reasoning_tokens": 2,
    }  # fmt: skip


METRICS = {
    "token_usages": [used("r1", 100), used("r2", 200)],
    "costs": [{"cost": 0.25}, {"cost": 0.5}],
}
STATE = {
    "id": "conv-1", "execution_status": "finished",
    "agent": {"llm": {"model": "lite/m-1", "api_key": "**********"}, "kind": "Agent"},
    "stats": {"usage_to_metrics": {"agent": METRICS}},
}  # fmt: skip


def read(*events: Any, state: Any = None) -> Reading:
    listed = [*events, *([state] if state else [])]
    founds = [Found(one, f"f#L{at}", f"s{at}", f"r{at}", "f", "c") for at, one in enumerate(listed)]
    (piece,) = EVENTS.read("f", founds)
    assert isinstance(piece.result, Reading)
    return piece.result


def conversation(*events: Any, state: Any = None) -> Conversation:
    return read(*events, state=state).conversation


def shape(found: Conversation) -> list[tuple[str, str, list[str], list[str]]]:
    return [
        (
            turn.role,
            turn.text(),
            [call.name for call in turn.calls()],
            [result.status for result in turn.results()],
        )
        for turn in found.turns
    ]
