"""What a call of a model said and was told, by every convention (the table of spec/build.md 1.4).

For each field the first name that is present and says something wins, in the order of the columns
of that table. A convention is one row here, so that the order can be read.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from benchmarks.intake.drafting.loose_parts import decoded
from benchmarks.intake.spans.attributes import first_value, first_word, indexed
from benchmarks.intake.spans.events import choices, event_value, prompt_messages
from benchmarks.intake.spans.inputs import NOTHING, Heard, heard_in, system_message
from benchmarks.intake.spans.messages import Memory, Message, read_messages
from benchmarks.intake.spans.openinference import chat_messages_of
from benchmarks.intake.spans.outputs import NOTHING as NO_ANSWER
from benchmarks.intake.spans.outputs import Answer, answer_in, calls_in
from benchmarks.intake.spans.span import Span
from benchmarks.intake.values import objects, word
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import Reasoning, Text

GENAI = "otel_genai"
OPENLLMETRY = "openllmetry"
OPENINFERENCE = "openinference"
AI_SDK = "ai_sdk"
CONTAINER = ""
"""No convention of its own: the container's name is the dialect."""

VALUE_INPUTS = (
    "langfuse.observation.input", "pydantic_ai.all_messages", "request_data",
    "gcp.vertex.agent.llm_request", "mlflow.spanInputs", "traceloop.entity.input",
)  # fmt: skip
VALUE_OUTPUTS = (
    "langfuse.observation.output", "response_data", "gcp.vertex.agent.llm_response",
    "mlflow.spanOutputs", "traceloop.entity.output",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Content:
    """What one span holds of a conversation."""

    heard: Heard = NOTHING
    answer: Answer = NO_ANSWER
    convention: str = CONTAINER

    @property
    def messages(self) -> list[Message]:
        """What went in, then what came out."""
        out = [self.answer.message] if self.answer.message else []
        return [*self.heard.messages, *out]

    @property
    def size(self) -> int:
        """How many pieces were parsed."""
        return sum(len(message.pieces) for message in self.messages)


@dataclass(slots=True)
class Reader:
    """Reads the contents of spans."""

    memory: Memory = field(default_factory=Memory)

    def content(self, span: Span) -> Content:
        """What a span holds of a conversation."""
        heard, by_input = self._heard(span)
        answer, by_output = self._answer(span)
        convention = by_input if heard.messages else by_output
        return Content(self._with_system(span, heard), answer, convention)

    def _heard(self, span: Span) -> tuple[Heard, str]:
        for read, convention in INPUTS:
            heard = read(span, self.memory)
            if any(message.pieces for message in heard.messages):
                return heard, _spoken_by(convention, span, "input.value")
        return NOTHING, CONTAINER

    def _answer(self, span: Span) -> tuple[Answer, str]:
        for read, convention in OUTPUTS:
            answer = read(span, self.memory)
            if answer.message is not None and answer.message.pieces:
                return answer, _spoken_by(convention, span, "output.value")
        return NO_ANSWER, CONTAINER

    def _with_system(self, span: Span, heard: Heard) -> Heard:
        """The input with the system text that stands in an attribute of its own."""
        value = first_value(span.attributes, "gen_ai.system_instructions")
        value = event_value(span, "gen_ai.system_instructions") if value is None else value
        system = system_message(value, self.memory)
        if system is None or any(message.role == "system" for message in heard.messages):
            return heard
        return Heard([system, *heard.messages], heard.lossy)


def _spoken_by(convention: str, span: Span, name: str) -> str:
    """The convention; a plain value belongs to that one whose words the span's kind is in."""
    if convention == CONTAINER and name in span.attributes:
        return OPENINFERENCE if "openinference.span.kind" in span.attributes else CONTAINER
    return convention


def _genai_input(span: Span, memory: Memory) -> Heard:
    value = first_value(span.attributes, "gen_ai.input.messages")
    value = event_value(span, "gen_ai.input.messages") if value is None else value
    return NOTHING if value is None else heard_in(value, memory)


def _event_input(span: Span, memory: Memory) -> Heard:
    found = prompt_messages(span)
    if found:
        return Heard(read_messages(found, memory), lossy=False)
    value = first_value(span.attributes, "gen_ai.content.prompt")
    return NOTHING if value is None else heard_in(value, memory)


def _indexed_input(span: Span, memory: Memory) -> Heard:
    for prefix in ("gen_ai.prompt", "llm.prompts"):
        items = objects(indexed(span.attributes, prefix))
        if items:
            return Heard(read_messages([_spoken(item, "user") for item in items], memory), False)
    return NOTHING


def _openinference_input(span: Span, memory: Memory) -> Heard:
    items = chat_messages_of(indexed(span.attributes, "llm.input_messages"))
    return Heard(read_messages(items, memory), lossy=False) if items else NOTHING


def _sdk_input(span: Span, memory: Memory) -> Heard:
    value = first_value(span.attributes, "ai.prompt.messages", "ai.prompt")
    return NOTHING if value is None else heard_in(value, memory)


def _value_input(span: Span, memory: Memory) -> Heard:
    for name in VALUE_INPUTS:
        if span.attributes.get(name) is not None:
            heard = heard_in(span.attributes[name], memory)
            if heard.messages:
                return heard
    return NOTHING


def _plain_input(span: Span, memory: Memory) -> Heard:
    value = first_value(span.attributes, "input.value", "input")
    return heard_in(span.input if value is None else value, memory)


def _container_input(span: Span, memory: Memory) -> Heard:
    return heard_in(span.input, memory)


Input = Callable[[Span, Memory], Heard]
INPUTS: tuple[tuple[Input, str], ...] = (
    (_genai_input, GENAI),
    (_event_input, GENAI),
    (_indexed_input, OPENLLMETRY),
    (_openinference_input, OPENINFERENCE),
    (_sdk_input, AI_SDK),
    (_value_input, CONTAINER),
    (_plain_input, CONTAINER),
    (_container_input, CONTAINER),
)


def _genai_output(span: Span, memory: Memory) -> Answer:
    value = first_value(span.attributes, "gen_ai.output.messages")
    value = event_value(span, "gen_ai.output.messages") if value is None else value
    return NO_ANSWER if value is None else answer_in(value, memory)


def _event_output(span: Span, memory: Memory) -> Answer:
    found = choices(span)
    if found:
        return answer_in(found, memory)
    value = first_value(span.attributes, "gen_ai.content.completion")
    return NO_ANSWER if value is None else answer_in(value, memory)


def _indexed_output(span: Span, memory: Memory) -> Answer:
    for prefix in ("gen_ai.completion", "llm.completions"):
        items = objects(indexed(span.attributes, prefix))
        if items:
            return answer_in([_spoken(item, "assistant") for item in items], memory)
    return NO_ANSWER


def _openinference_output(span: Span, memory: Memory) -> Answer:
    items = chat_messages_of(indexed(span.attributes, "llm.output_messages"))
    return answer_in([_spoken(item, "assistant") for item in items], memory) if items else NO_ANSWER


def _sdk_output(span: Span, _: Memory) -> Answer:
    found = span.attributes
    pieces: list[Any] = []
    thought = first_word(found, "ai.response.reasoning")
    if thought:
        pieces.append(Reasoning(text=thought))
    text = first_word(found, "ai.response.text", "ai.response.object")
    if text:
        pieces.append(Text(text=text))
    pieces += calls_in(found.get("ai.response.toolCalls"))
    finish = first_word(found, "ai.response.finishReason")
    return Answer(Message("assistant", tuple(pieces), finish=finish)) if pieces else NO_ANSWER


def _value_output(span: Span, memory: Memory) -> Answer:
    for name in VALUE_OUTPUTS:
        if span.attributes.get(name) is not None:
            answer = answer_in(span.attributes[name], memory)
            if answer.message is not None:
                return answer
    return NO_ANSWER


def _plain_output(span: Span, memory: Memory) -> Answer:
    value = first_value(span.attributes, "output.value", "output")
    return answer_in(span.output if value is None else value, memory)


def _container_output(span: Span, memory: Memory) -> Answer:
    return answer_in(span.output, memory)


Output = Callable[[Span, Memory], Answer]
OUTPUTS: tuple[tuple[Output, str], ...] = (
    (_genai_output, GENAI),
    (_event_output, GENAI),
    (_indexed_output, OPENLLMETRY),
    (_openinference_output, OPENINFERENCE),
    (_sdk_output, AI_SDK),
    (_value_output, CONTAINER),
    (_plain_output, CONTAINER),
    (_container_output, CONTAINER),
)


def _spoken(item: JsonObject, role: str) -> JsonObject:
    """An indexed message, with the role it has where it names none."""
    return item if word(item.get("role")) else {**item, "role": role}


def metadata_response_id(found: Mapping[str, Any]) -> str | None:
    """The provider's id of an answer, which a wrapper keeps among its provider's metadata."""
    metadata = decoded(found.get("ai.response.providerMetadata"))
    for inner in metadata.values() if isinstance(metadata, dict) else ():
        if isinstance(inner, dict) and word(inner.get("responseId")):
            return str(inner["responseId"])
    return None
