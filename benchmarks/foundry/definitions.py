"""Definitions of tools that were called and never defined (spec/build.md 6.2).

They are inferred from the calls in all conversations with the same system text, and shown to all
of these: what one candidate is offered must not depend on which trace became its task.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks.foundry.stitching import tools_of
from benchmarks.foundry.turns import system_text
from benchmarks.foundry.wording import normal
from benchmarks.records.conversation import Conversation, Tool

JSON_TYPES: tuple[tuple[type, str], ...] = (
    (bool, "boolean"),
    (int, "integer"),
    (float, "number"),
    (str, "string"),
    (list, "array"),
    (dict, "object"),
)


def with_inferred_tools(conversations: Mapping[str, Conversation]) -> dict[str, Conversation]:
    """Each conversation with every tool of its family defined, given definitions first.

    Conversations of one system text are a family; without a system text each stands alone.
    """
    families: dict[str, list[Conversation]] = {}
    family_of = {name: _family(found) or f"alone {name}" for name, found in conversations.items()}
    for name, conversation in conversations.items():
        families.setdefault(family_of[name], []).append(conversation)
    more = {family: (tools_of(found), inferred_tools(found)) for family, found in families.items()}
    return {
        name: _completed(conversation, *more[family_of[name]])
        for name, conversation in conversations.items()
    }


def inferred_tools(conversations: Sequence[Conversation]) -> list[Tool]:
    """A definition for each tool that none of these conversations defines, by name."""
    offered = [tool for conversation in conversations for tool in conversation.tools]
    defined = {tool.name for tool in offered if not is_bare(tool)}
    calls: dict[str, list[Mapping[str, Any]]] = {}
    for name, arguments in _calls(conversations):
        if name not in defined:
            calls.setdefault(name, []).append(arguments)
    return [inferred_tool(name, calls[name]) for name in sorted(calls)]


def is_bare(tool: Tool) -> bool:
    """Whether a source only names a tool, as logs of sessions do: its definition is to infer."""
    return tool.inferred is True and tool.parameters is None


def inferred_tool(name: str, calls: Sequence[Mapping[str, Any]]) -> Tool:
    """The definition that these calls show: keys in every call are required, types from values."""
    keys = sorted({key for arguments in calls for key in arguments}, key=_code_units)
    required = [key for key in keys if all(key in arguments for arguments in calls)]
    properties = {
        key: _schema([arguments[key] for arguments in calls if key in arguments]) for key in keys
    }
    return Tool(
        name=name,
        parameters={"type": "object", "properties": properties, "required": required},
        required=required,
        inferred=True,
    )


def _family(conversation: Conversation) -> str:
    return normal(system_text(conversation.turns))


def _completed(
    conversation: Conversation, given: Sequence[Tool], inferred: Sequence[Tool]
) -> Conversation:
    """With what it called though only others define it, and with all that nobody defines."""
    known = {tool.name for tool in conversation.tools if not is_bare(tool)}
    named = {tool.name: tool for tool in conversation.tools if is_bare(tool)}
    called = {name for name, _ in _calls([conversation])}
    more = [
        *(tool for tool in given if tool.name in called - known and not is_bare(tool)),
        *(_described(tool, named.get(tool.name)) for tool in inferred if tool.name not in known),
    ]
    if not more:
        return conversation
    names = {tool.name for tool in more}
    own = [tool for tool in conversation.tools if tool.name not in names]
    return conversation.with_(tools=[*own, *more])


def _described(inferred: Tool, named: Tool | None) -> Tool:
    """What calls show of a tool, with all that the source says of it beside its name."""
    if named is None:
        return inferred
    return named.with_(parameters=inferred.parameters, required=inferred.required)


def _calls(conversations: Iterable[Conversation]) -> Iterable[tuple[str, Mapping[str, Any]]]:
    for conversation in conversations:
        for turn in conversation.turns:
            for call in turn.calls():
                if call.arguments is not None:
                    yield call.name, call.arguments


def _code_units(key: str) -> bytes:
    return key.encode("utf-16-be", "surrogatepass")


def _schema(values: Sequence[Any]) -> dict[str, Any]:
    """The type that all values have; none where they differ."""
    types = {_type(value) for value in values if value is not None}
    if types == {"integer", "number"}:
        types = {"number"}
    if len(types) != 1:
        return {}
    (only,) = types
    if only != "array":
        return {"type": only}
    items = [item for value in values if isinstance(value, list) for item in value]
    inner = _schema(items)
    return {"type": "array", "items": inner} if inner else {"type": "array"}


def _type(value: Any) -> str:
    return next(word for kind, word in JSON_TYPES if isinstance(value, kind))
