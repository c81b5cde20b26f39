"""What the events of the OpenHands SDK say: pieces of turns, results, tools and what was spent."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks.intake.drafting.draft import CallFound, Draft, Piece, ResultFound
from benchmarks.intake.drafting.loose_parts import loose_pieces, result_parts
from benchmarks.intake.drafting.responses_items import item_pieces
from benchmarks.intake.values import number, objects, one_object, word
from benchmarks.intake.wires.inclusive_usage import inclusive_usage
from benchmarks.intake.wires.tools import chat_tools
from benchmarks.records.base import JsonObject
from benchmarks.records.blocks import Usage
from benchmarks.records.conversation import JsonPart, Reasoning, ResultPart, Text, Tool

STILL_RUNNING = -1
"""The exit code of a command that has not ended."""
REFUSED = "UserRejectObservation"
BROKEN = "AgentErrorEvent"
WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
KIND_ENDS = ("ToolDefinition", "Tool")
COUNTS = {
    "input_tokens": ("prompt_tokens",),
    "output_tokens": ("completion_tokens",),
    "cache_read_tokens": ("cache_read_tokens",),
    "cache_write_tokens": ("cache_write_tokens",),
    "reasoning_tokens": ("reasoning_tokens",),
}


def said_in(draft: Draft, event: Mapping[str, Any]) -> list[Piece]:
    """What a message says, its thought first, and what the program added to it."""
    message = one_object(event.get("llm_message"))
    return [
        *thoughts_of(draft, message),
        *_content(draft, message.get("content")),
        *_content(draft, event.get("extended_content")),
        *(_call(found, None) for found in objects(message.get("tool_calls"))),
    ]


def thoughts_of(draft: Draft, holder: Mapping[str, Any]) -> list[Piece]:
    """The hidden thought of an answer: the provider's own words for it, else one text."""
    item = holder.get("responses_reasoning_item")
    if isinstance(item, dict) and item:
        return item_pieces(draft, {**item, "type": "reasoning"})
    blocks = loose_pieces(draft, objects(holder.get("thinking_blocks")))
    text = word(holder.get("reasoning_content"))
    return blocks or ([Reasoning(text=text)] if text else [])


def asked_in(draft: Draft, events: Sequence[JsonObject]) -> list[Piece]:
    """One answer of the model that made several actions: its words once, then every call."""
    first = events[0]
    pieces = [*thoughts_of(draft, first), *_content(draft, first.get("thought"))]
    for event in events:
        pieces += _calls(event)
    return pieces


def _calls(event: JsonObject) -> list[CallFound]:
    several = objects(event.get("tool_calls"))
    if several:
        return [_call(found, None) for found in several]
    return [_call(one_object(event.get("tool_call")), event)]


def _call(found: JsonObject, event: JsonObject | None) -> CallFound:
    """A call as the model made it; what the program made of it only where that is lost."""
    about = event or {}
    inner = one_object(found.get("function")) or found
    arguments = inner.get("arguments")
    if arguments is None and isinstance(about.get("action"), dict):
        arguments = {key: value for key, value in about["action"].items() if key != "kind"}
    raw_id = word(found.get("id")) or word(about.get("tool_call_id"))
    return CallFound(raw_id, word(inner.get("name")) or word(about.get("tool_name")), arguments)


def result_in(draft: Draft, event: Mapping[str, Any]) -> ResultFound:
    """What came back of a call, a refusal and an error of the program among it."""
    raw_id, name = word(event.get("tool_call_id")), word(event.get("tool_name"))
    kind = word(event.get("kind"))
    if kind in {REFUSED, BROKEN}:
        said = event.get("rejection_reason") if kind == REFUSED else event.get("error")
        return ResultFound(raw_id, name, result_parts(draft, said), failed=True)
    found = event.get("observation")
    parts = [*_observed(draft, found), *result_parts(draft, event.get("extended_content"))]
    return ResultFound(raw_id, name, parts, failed=_failed(found))


def _observed(draft: Draft, found: Any) -> list[ResultPart]:
    """The content with what the program puts around it; without any the fields that are left."""
    if not isinstance(found, dict):
        return result_parts(draft, found)
    content = found.get("content")
    listed = result_parts(draft, found.get("output") if content is None else content)
    around = one_object(found.get("metadata"))
    before, after = word(around.get("prefix")) or "", word(around.get("suffix")) or ""
    parts = [part for part in listed if not isinstance(part, Text) or part.text]
    if all(isinstance(part, Text) for part in parts):
        text = "\n".join(part.text for part in parts if isinstance(part, Text))
        parts = [Text(text=whole)] if (whole := f"{before}{text}{after}") else []
    rest = {key: value for key, value in found.items() if key not in {"kind", "content"}}
    if rest.get("exit_code") == STILL_RUNNING:
        del rest["exit_code"]
    return parts or ([JsonPart(value=rest)] if rest else [])


def _failed(found: Any) -> bool | None:
    """The program's own word on a result, None where it says nothing."""
    held = one_object(found)
    if held.get("is_error") is True or held.get("error"):
        return True
    code = number(held.get("exit_code"))
    if code is None:
        code = number(one_object(held.get("metadata")).get("exit_code"))
    return None if code is None else code not in {0, STILL_RUNNING}


def outside_call(event: JsonObject) -> CallFound:
    """A call that another agent's server made."""
    name = word(event.get("tool_kind")) or word(event.get("title"))
    raw_id = word(event.get("tool_call_id"))
    return CallFound(raw_id, name, event.get("raw_input"))


def outside_result(draft: Draft, event: JsonObject) -> ResultFound | None:
    """What came of such a call; None while it runs."""
    value = event.get("raw_output")
    value = event.get("content") if value is None else value
    failed = event.get("is_error") is True or event.get("status") == "failed"
    if value is None and not failed and event.get("status") != "completed":
        return None
    parts = result_parts(draft, value)
    return ResultFound(word(event.get("tool_call_id")), None, parts, failed=failed or None)


def _content(draft: Draft, content: Any) -> list[Piece]:
    return [
        piece
        for piece in loose_pieces(draft, content)
        if not (isinstance(piece, Text) and not piece.text)
    ]


def system_in(draft: Draft, event: Mapping[str, Any]) -> list[Piece]:
    """What the model is told before all else."""
    told = (event.get("system_prompt"), event.get("dynamic_context"))
    return [piece for content in told for piece in _content(draft, content)]


def tools_in(event: Mapping[str, Any], called: Iterable[str]) -> list[Tool]:
    """The tools that were offered: defined in full, or by their class and what it says."""
    names = frozenset(called)
    found = [_tool(item, names) for item in objects(event.get("tools"))]
    return [tool for tool in found if tool is not None]


def _tool(item: JsonObject, called: frozenset[str]) -> Tool | None:
    if isinstance(item.get("function"), dict):
        return next(iter(chat_tools({"tools": [item]})), None)
    outside = one_object(item.get("mcp_tool"))
    possible = [word(outside.get("name")), word(item.get("name")), _by_kind(item.get("kind"))]
    names = [name for name in [*possible, word(item.get("title"))] if name]
    name = next((name for name in names if name in called), names[0] if names else None)
    if name is None:
        return None
    schema = outside.get("inputSchema") or item.get("parameters") or item.get("input_schema")
    whole = {
        "name": name,
        "description": outside.get("description") or item.get("description"),
        "annotations": outside.get("annotations") or item.get("annotations"),
        **({"parameters": schema} if isinstance(schema, dict) else {}),
    }
    (tool,) = chat_tools({"tools": [{"type": "function", "function": whole}]})
    return tool if tool.parameters is not None else tool.with_(inferred=True)


def _by_kind(kind: Any) -> str | None:
    """The name that the class of a tool gives it."""
    text = word(kind) or ""
    end = next((end for end in KIND_ENDS if text.endswith(end) and text != end), None)
    return WORD_START.sub("_", text.removesuffix(end)).lower() if end else None


def usage_by_answer(stats: Any) -> dict[str, tuple[Usage, str | None]]:
    """What each answer cost and which model gave it, by the id of the answer."""
    held = one_object(stats)
    named = one_object(held.get("usage_to_metrics")) or {"": held}
    found: dict[str, tuple[Usage, str | None]] = {}
    for metrics in named.values():
        spent = objects(one_object(metrics).get("token_usages"))
        costs = [item.get("cost") for item in objects(one_object(metrics).get("costs"))]
        told = costs if len(costs) == len(spent) else [None] * len(spent)
        for item, cost in zip(spent, told, strict=True):
            answer_id = word(item.get("response_id"))
            usage = inclusive_usage(item, COUNTS, cost=cost).usage
            if answer_id is not None and usage is not None:
                found[answer_id] = (usage, word(item.get("model")))
    return found
