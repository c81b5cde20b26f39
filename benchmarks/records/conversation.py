"""The one model that every dialect is normalised into (spec/files.md 6.2)."""

from typing import Annotated, Any, Literal

from pydantic import Field

from benchmarks.records.base import JsonObject, Record, nullable
from benchmarks.records.blocks import Usage


class Text(Record):
    """Words that were said."""

    type: Literal["text"] = "text"
    text: str


class Reasoning(Record):
    """Hidden thought: never shown to a candidate, never scored."""

    type: Literal["reasoning"] = "reasoning"
    text: str | None = None
    encrypted: bool | None = None


class ArgumentsError(Record):
    """Why the arguments of a call did not parse."""

    kind: Literal["invalid_json", "truncated", "trailing_data", "not_an_object"]
    message: str


class ToolCall(Record):
    """One call: parsed arguments, or the raw text with the parse error."""

    type: Literal["tool_call"] = "tool_call"
    call_id: str
    name: str
    arguments: JsonObject | None = None
    arguments_raw: str | None = None
    arguments_error: ArgumentsError | None = None
    executed_by: str | None = None
    server: str | None = None


class JsonPart(Record):
    """A structured value."""

    type: Literal["json"] = "json"
    value: Any = nullable()


class Media(Record):
    """Bytes that are not text."""

    type: Literal["media"] = "media"
    media: str
    mime: str
    name: str | None = None
    uri: str | None = None
    content: JsonObject | None = None


class Refusal(Record):
    """A model's refusal to answer."""

    type: Literal["refusal"] = "refusal"
    text: str


class UnknownPart(Record):
    """Something no rule knows: kept whole and counted."""

    type: Literal["unknown"] = "unknown"
    source_type: str
    value: Any = nullable()


class CallRef(Record):
    """Where the call stands that a result answers."""

    turn: int
    part: int


ResultPart = Annotated[Text | JsonPart | Media | UnknownPart, Field(discriminator="type")]


class ToolResult(Record):
    """What came back, joined to its call, or an orphan."""

    type: Literal["tool_result"] = "tool_result"
    call_id: str
    name: str
    status: Literal["ok", "error"]
    parts: list[ResultPart]
    call: CallRef | None = None
    orphan: bool | None = None


Part = Annotated[
    Text | Reasoning | ToolCall | ToolResult | JsonPart | Media | Refusal | UnknownPart,
    Field(discriminator="type"),
]


class Turn(Record):
    """One message of a conversation."""

    index: int
    role: Literal["system", "user", "assistant", "tool"]
    origin: Literal["request", "response"]
    parts: list[Part]
    source_index: int | None = None
    id: str | None = None
    at: str | None = None
    model: str | None = None
    name: str | None = None
    agent: str | None = None
    usage: Usage | None = None
    stop: str | None = None
    latency_ms: float | None = None

    def text(self) -> str:
        """The words of the turn, its text parts joined by newlines."""
        return "\n".join(part.text for part in self.parts if isinstance(part, Text))

    def calls(self) -> list[ToolCall]:
        """The tool calls of the turn, in order."""
        return [part for part in self.parts if isinstance(part, ToolCall)]

    def results(self) -> list[ToolResult]:
        """The tool results of the turn, in order."""
        return [part for part in self.parts if isinstance(part, ToolResult)]


class Tool(Record):
    """One tool as it was offered, called or not."""

    name: str
    description: str | None = nullable()
    parameters: JsonObject | None = nullable()
    """JSON Schema as given; None when the source has none."""
    required: list[str] = Field(default_factory=list)
    annotations: JsonObject | None = None
    kind: str = "function"
    server: str | None = None
    http: JsonObject | None = None
    strict: bool | None = None
    inferred: bool | None = None
    """True when the definition was inferred from calls (spec/build.md 6.2)."""
    extra: JsonObject | None = None


class Stop(Record):
    """Why the model stopped, in our words and as found."""

    reason: str
    raw: str | None = nullable()


class Issue(Record):
    """Something odd in a conversation that cost nothing."""

    code: str
    turn: int | None = nullable()
    part: int | None = nullable()
    detail: str = ""


class End(Record):
    """How a captured conversation ended (spec/build.md 1.6)."""

    reason: Literal["user_stop", "handoff", "finish", "limit", "reply", "error", "open", "unknown"]
    detail: str = ""

    @property
    def closed(self) -> bool:
        """Whether the conversation came to its own end."""
        return self.reason in {"user_stop", "handoff", "finish", "reply"}


class Outcome(Record):
    """What the source says about itself: never shown, never compiled."""

    reward: float | None = None
    success: bool | None = None
    source: str


class Conversation(Record):
    """Ordered turns with typed parts, whatever the dialect was."""

    schema_version: Literal["understudy.conversation.v1"] = "understudy.conversation.v1"
    dialect: str
    granularity: Literal["call", "session"]
    turns: list[Turn]
    tools: list[Tool]
    stop: Stop
    usage: Usage | None = nullable()
    issues: list[Issue] = Field(default_factory=list)
    alternatives: list[Turn] = Field(default_factory=list)
    end: End | None = None
    outcome: Outcome | None = None
    loss: dict[str, int] | None = None
