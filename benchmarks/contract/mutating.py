"""Which tools read, write or are unknown: one rule, overridable by tool-policy.json.

Precedence: operator, annotation, HTTP method, known names, lexicon (spec/build.md 3).
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks.contract.entities import argument_names, entity_of, id_argument, is_idempotent
from benchmarks.contract.lexicon import NameReading, read_name
from benchmarks.records.conversation import Tool
from benchmarks.records.tool_policy import EffectSource, ToolEntry, ToolPolicy
from benchmarks.records.vocabulary import Effect, Role

Policy = Mapping[str, ToolEntry]
"""The class of every tool by name; a tool without an entry is unknown."""

STRENGTH = {"lexicon": 0, "http": 1, "annotation": 2, "operator": 3}
READ_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
WRITE_METHODS = frozenset({"PUT", "PATCH", "DELETE"})
CLOSING_ROLES = frozenset({Role.HANDOFF, Role.FINISH})
METHOD_ARGUMENTS = ("method", "http_method", "verb")
SQL_ARGUMENTS = ("sql", "query", "statement", "command")
COMMAND_ARGUMENTS = ("command", "cmd", "script", "input")
SQL_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)
SQL_READS = frozenset({"SELECT", "SHOW", "EXPLAIN", "DESCRIBE"})
SQL_CHANGE = re.compile(r"\b(?:INSERT|UPDATE|DELETE|MERGE)\b", re.IGNORECASE)
SQL_TEXT = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"")
SHELL_JOINTS = re.compile(r"&&|\|\||[;|\n&]")


def classify(
    name: str,
    *,
    annotations: Mapping[str, Any] | None = None,
    http: Mapping[str, Any] | None = None,
) -> ToolEntry:
    """How one tool is classed by what it says about itself; disagreement is in the evidence."""
    reading = read_name(name)
    said = [
        *annotation_effects(annotations or {}),
        *http_effects(http or {}, reading),
        (reading.effect, "lexicon", reading.evidence),
    ]
    effect, source, evidence = said[0]
    others = [
        f"{weaker} says {other} ({why})"
        for other, weaker, why in said[1:]
        if other not in {effect, Effect.UNKNOWN}
    ]
    agrees = effect is reading.effect
    return ToolEntry(
        effect=effect,
        source=source,
        evidence="; ".join([evidence, *others]),
        role=reading.role if agrees else None,
        per_call=reading.per_call if agrees else None,
        commands=dict(reading.commands) or None if agrees else None,
    )


def annotation_effects(annotations: Mapping[str, Any]) -> list[tuple[Effect, str, str]]:
    """What MCP annotations say, at most one thing."""
    if annotations.get("destructiveHint") is True:
        return [(Effect.WRITE, "annotation", "destructiveHint=true")]
    hint = annotations.get("readOnlyHint")
    if not isinstance(hint, bool):
        return []
    effect = Effect.READ if hint else Effect.WRITE
    return [(effect, "annotation", f"readOnlyHint={str(hint).lower()}")]


def http_effects(http: Mapping[str, Any], reading: NameReading) -> list[tuple[Effect, str, str]]:
    """What an HTTP method says; a POST under the name of a read says nothing sure."""
    method = http.get("method")
    method = method.upper() if isinstance(method, str) else ""
    if method in READ_METHODS:
        return [(Effect.READ, "http", method)]
    if method in WRITE_METHODS:
        return [(Effect.WRITE, "http", method)]
    if method != "POST":
        return []
    effect = Effect.UNKNOWN if reading.effect is Effect.READ else Effect.WRITE
    return [(effect, "http", method)]


def effect_of_call(entry: ToolEntry | None, arguments: Mapping[str, Any] | None) -> Effect:
    """What one call does: the class of its tool, or of what a carrier carries in this call."""
    if entry is None:
        return Effect.UNKNOWN
    if entry.effect is not Effect.UNKNOWN or not entry.per_call or arguments is None:
        return entry.effect
    if entry.per_call == "sql":
        return sql_effect(first_text(arguments, SQL_ARGUMENTS))
    if entry.per_call == "http_method":
        return method_effect(first_text(arguments, METHOD_ARGUMENTS))
    if entry.per_call == "command":
        return command_effect(first_text(arguments, COMMAND_ARGUMENTS), entry.commands or {})
    return Effect.UNKNOWN


def is_closing(entry: ToolEntry | None) -> bool:
    """Whether a tool hands over or finishes: neither a read nor a write."""
    return entry is not None and entry.role in CLOSING_ROLES


def is_unclassified(entry: ToolEntry | EffectSource | None) -> bool:
    """Whether nobody knows what a tool does: no effect, no role, and no way to tell by the call."""
    if entry is None:
        return True
    carries = isinstance(entry, ToolEntry) and entry.per_call is not None
    return entry.effect is Effect.UNKNOWN and entry.role is None and not carries


def unclassified(names: Iterable[str], policy: Policy) -> list[str]:
    """Those of these tools that cannot be classed, by name."""
    return sorted(name for name in names if is_unclassified(policy.get(name)))


def first_text(arguments: Mapping[str, Any], names: Sequence[str]) -> str:
    """The first text argument of these names; else the only text argument; else empty."""
    for name in names:
        if isinstance(arguments.get(name), str):
            return str(arguments[name])
    texts = [value for value in arguments.values() if isinstance(value, str)]
    return texts[0] if len(texts) == 1 else ""


def sql_effect(statement: str) -> Effect:
    """Read when every statement is a look-up by its first verb, else write; unknown when empty."""
    bare = SQL_TEXT.sub("''", SQL_COMMENT.sub(" ", statement))
    parts = [part.strip(" \t\r\n(") for part in bare.split(";")]
    effects = {statement_effect(part) for part in parts if part}
    if not effects:
        return Effect.UNKNOWN
    return Effect.WRITE if Effect.WRITE in effects else Effect.READ


def statement_effect(statement: str) -> Effect:
    """Read for SELECT, WITH ... SELECT, SHOW, EXPLAIN and DESCRIBE, else write."""
    verb = statement.split(None, 1)[0].upper()
    if verb in SQL_READS or (verb == "WITH" and not SQL_CHANGE.search(statement)):
        return Effect.READ
    return Effect.WRITE


def method_effect(method: str) -> Effect:
    """Read or write by an HTTP method; unknown for any other word."""
    word = method.strip().upper()
    if word in READ_METHODS:
        return Effect.READ
    return Effect.WRITE if word in WRITE_METHODS | {"POST"} else Effect.UNKNOWN


def command_effect(line: str, commands: Mapping[str, Effect]) -> Effect:
    """What a command line does by a list of commands: every part of it must be listed."""
    parts = [part.split() for part in SHELL_JOINTS.split(line) if part.strip()]
    effects = {listed_effect(part, commands) for part in parts} or {Effect.UNKNOWN}
    for worst in (Effect.UNKNOWN, Effect.WRITE):
        if worst in effects:
            return worst
    return Effect.READ


def listed_effect(part: Sequence[str], commands: Mapping[str, Effect]) -> Effect:
    """The effect of the longest listed beginning of a command; `*` stands for any other."""
    for count in range(len(part), 0, -1):
        effect = commands.get(" ".join(part[:count]))
        if effect is not None:
            return effect
    return commands.get("*", Effect.UNKNOWN)


def merge_policy(
    tools: Sequence[Tool],
    calls: Mapping[str, Sequence[Mapping[str, Any]]],
    existing: ToolPolicy | None = None,
) -> ToolPolicy:
    """The policy of these tools and every called name, over what an existing file says.

    An entry with source `operator` is never touched; a weaker one is refreshed by an equal or
    stronger source. `calls` are the arguments of every recorded call, by tool.
    """
    entries = dict(existing.tools) if existing else {}
    defined = definitions(tools)
    for name in sorted({*defined, *calls}):
        entry = describe_tool(name, defined.get(name), calls.get(name, ()))
        entries[name] = refreshed(entries.get(name), entry)
    changes = {"tools": dict(sorted(entries.items()))}
    return existing.with_(**changes) if existing else ToolPolicy(**changes)


def describe_tool(name: str, tool: Tool | None, calls: Sequence[Mapping[str, Any]]) -> ToolEntry:
    """The class of one tool with its entity, id argument and whether repeats fold."""
    annotations = tool.annotations if tool else None
    entry = classify(name, annotations=annotations, http=tool.http if tool else None)
    return completed(name, entry, tool, calls)


def completed(
    name: str, entry: ToolEntry, tool: Tool | None, calls: Sequence[Mapping[str, Any]]
) -> ToolEntry:
    """The entry with what it leaves open filled in: id argument, entity, idempotent.

    What an operator wrote stands; the result is for use, not for writing over their line.
    """
    reading = read_name(name)
    names = argument_names(tool.parameters if tool else None, calls)
    argument = entry.id_argument or id_argument(name, names.top)
    entity = entry.entity or (entity_of(name, argument, reading) if argument else None)
    idempotent = entry.idempotent
    if idempotent is None and entry.effect is Effect.WRITE:
        idempotent = is_idempotent(reading, names, tool.annotations if tool else None)
    return entry.with_(id_argument=argument, entity=entity, idempotent=idempotent)


def refreshed(old: ToolEntry | None, new: ToolEntry) -> ToolEntry:
    """The entry that stands: the old one where its source is stronger, else the new one."""
    if old is None:
        return new
    if STRENGTH.get(old.source, 0) > STRENGTH.get(new.source, 0):
        return old
    return new.with_(note=old.note) if old.note is not None else new


def effective_policy(
    policy: ToolPolicy | None,
    tools: Sequence[Tool],
    calls: Mapping[str, Sequence[Mapping[str, Any]]] | None = None,
) -> Policy:
    """The policy to compile and score by: what the file says stands, as it was written.

    What an entry leaves open is filled in memory; tools that the file does not name, and every
    tool where there is no file, are classed by what they say about themselves.
    """
    recorded = calls or {}
    filed = policy.tools if policy else {}
    defined = definitions(tools)
    found: dict[str, ToolEntry] = {}
    for name in sorted({*filed, *defined, *recorded}):
        tool, made = defined.get(name), recorded.get(name, ())
        entry = filed.get(name)
        found[name] = (
            describe_tool(name, tool, made) if entry is None else completed(name, entry, tool, made)
        )
    return found


def definitions(tools: Sequence[Tool]) -> dict[str, Tool]:
    """The tools by name; of several definitions the first that has parameters."""
    defined: dict[str, Tool] = {}
    for tool in tools:
        kept = defined.get(tool.name)
        if kept is None or (not kept.parameters and tool.parameters):
            defined[tool.name] = tool
    return defined
