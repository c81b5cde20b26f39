"""Where words stand in a captured conversation: who said them, and when."""

from collections.abc import Iterator, Sequence

from benchmarks.contract.observed import result_content, spoken
from benchmarks.records.conversation import Conversation, Tool, ToolCall, ToolResult, Turn
from benchmarks.records.digest import canonical


def boundary_user_text(conversation: Conversation) -> str:
    """What the user said before the assistant did anything, a fixed greeting aside."""
    said: list[str] = []
    for turn in conversation.turns:
        if turn.role == "user":
            said.append(turn.text())
        elif turn.role == "assistant" and (said or turn.calls()):
            break
    return "\n".join(said)


def is_dialogue(conversation: Conversation) -> bool:
    """Whether the user said anything new after the assistant did anything."""
    known = boundary_user_text(conversation)
    return any(turn.role == "user" and turn.text() not in known for turn in conversation.turns)


def given_text(conversation: Conversation) -> str:
    """Everything the user and the system said."""
    return "\n".join(turn.text() for turn in conversation.turns if turn.role in {"user", "system"})


def definitions_text(tools: Sequence[Tool]) -> str:
    """The tool definitions as text."""
    defined = (tool for tool in tools if not tool.inferred)
    return "\n".join(canonical(tool.dump()).decode() for tool in defined)


def turn_text(turn: Turn) -> str:
    """Every word of a turn: what was said, the arguments of calls, the results."""
    return "\n".join(part_texts(turn))


def part_texts(turn: Turn) -> Iterator[str]:
    """The words of a turn, part by part."""
    yield spoken(turn)
    for part in turn.parts:
        if isinstance(part, ToolCall):
            arguments = part.arguments_raw if part.arguments is None else part.arguments
            yield as_text(arguments)
        elif isinstance(part, ToolResult):
            yield as_text(result_content(part.parts))


def as_text(value: object) -> str:
    """A value as text: texts as they are, the rest as JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else canonical(value).decode()
