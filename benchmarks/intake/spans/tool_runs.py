"""Runs of tools as spans tell them: which tool, with what, and what came back."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from benchmarks.intake.drafting.draft import Draft
from benchmarks.intake.drafting.langchain import unwrapped
from benchmarks.intake.drafting.loose_parts import decoded, result_parts
from benchmarks.intake.drafting.media import Blobs
from benchmarks.intake.spans.attributes import first_value, first_word
from benchmarks.intake.spans.messages import arguments_key
from benchmarks.intake.spans.span import Span
from benchmarks.records.conversation import ResultPart, Text

NAMES = (
    "gen_ai.tool.name", "traceloop.entity.name", "tool.name", "tool_call.function.name",
    "ai.toolCall.name", "mcp.tool.name",
)  # fmt: skip
IDS = ("gen_ai.tool.call.id", "tool_call.id", "tool.id", "ai.toolCall.id")
ARGUMENTS = (
    "gen_ai.tool.call.arguments", "traceloop.entity.input", "tool.parameters",
    "tool_call.function.arguments", "ai.toolCall.args", "tool_arguments",
    "gcp.vertex.agent.tool_call_args", "langfuse.observation.input", "mlflow.spanInputs",
    "input.value", "input",
)  # fmt: skip
RESULTS = (
    "gen_ai.tool.call.result", "traceloop.entity.output", "ai.toolCall.result", "tool_response",
    "gcp.vertex.agent.tool_response", "langfuse.observation.output", "mlflow.spanOutputs",
    "output.value", "output",
)  # fmt: skip
STARTS = ("execute_tool ", "running tool: ", "tool.")
WRAPPED_ARGUMENTS = ("input", "inputs", "args", "arguments", "kwargs", "tool_input")
"""Keys that hold all arguments where they stand alone."""
NO_RESULT = frozenset({"null", "None", "undefined"})


@dataclass(frozen=True)
class ToolRun:
    """One run of a tool; `arguments` and `parts` are None where the span does not hold them."""

    place: int
    span: Span
    name: str
    call_id: str | None
    arguments: Any
    parts: tuple[ResultPart, ...] | None
    failed: bool | None

    @cached_property
    def argument_keys(self) -> tuple[str, ...]:
        """Its arguments as text, as they stand and without the key they stand under."""
        keys = [arguments_key(self.arguments)]
        found = decoded(self.arguments)
        if isinstance(found, dict) and len(found) == 1:
            name, inner = next(iter(found.items()))
            if name in WRAPPED_ARGUMENTS:
                keys.append(arguments_key(inner))
        return tuple(keys)


def run_of(span: Span, place: int, blobs: Blobs) -> ToolRun:
    """The run that a span of a tool tells; a span without a name for it is named after itself."""
    found = span.attributes
    parts = _parts(span, blobs)
    return ToolRun(
        place=place,
        span=span,
        name=first_word(found, *NAMES) or _own_name(span),
        call_id=first_word(found, *IDS),
        arguments=_arguments(span),
        parts=parts,
        failed=True if span.error is not None else None,
    )


def _own_name(span: Span) -> str:
    said = span.attributes.get("logfire.msg")
    if isinstance(said, str) and said.startswith("running tool: "):
        return said.removeprefix("running tool: ")
    name = span.name
    for start in STARTS:
        if len(name) > len(start) and name.startswith(start):
            return name.removeprefix(start)
    return name


def _arguments(span: Span) -> Any:
    for name in ARGUMENTS:
        value = span.attributes.get(name)
        if value is not None and not (name == "tool.parameters" and _is_schema(value)):
            return _called_with(value) if name == "traceloop.entity.input" else value
    return span.input


def _is_schema(value: Any) -> bool:
    """Whether it defines what a tool takes, and is not what a run took."""
    found = decoded(value)
    return isinstance(found, dict) and (
        isinstance(found.get("properties"), dict) or found.get("type") == "object"
    )


def _called_with(value: Any) -> Any:
    """The arguments inside a record of how a function was called."""
    found = decoded(value)
    if not isinstance(found, Mapping):
        return value
    for key in ("inputs", "kwargs"):
        inner = found.get(key)
        if isinstance(inner, dict) and inner and not found.get("args"):
            return inner
    return value


def _parts(span: Span, blobs: Blobs) -> tuple[ResultPart, ...] | None:
    value = first_value(span.attributes, *RESULTS)
    value = span.output if value is None else value
    if value is None or (isinstance(value, str) and value.strip() in NO_RESULT):
        return (Text(text=span.error),) if span.error else None
    scratch = Draft()
    parts = result_parts(scratch, _shown(value))
    blobs.update(scratch.blobs)
    return tuple(parts)


def _shown(value: Any) -> Any:
    """What was handed to the model, out of the message or the envelope it was handed in."""
    found = unwrapped(decoded(value))
    if not isinstance(found, dict):
        return value
    if found is not value and "tool_call_id" in found and "content" in found:
        return found["content"]
    content = found.get("content")
    is_envelope = found.keys() <= {"content", "isError", "structuredContent", "_meta"}
    return content if is_envelope and isinstance(content, list) else value
