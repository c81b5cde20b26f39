"""What a model is shown of a task, cut to a cap by one ladder; what was cut is said in words.

Captured text stands in fenced blocks that are marked as data, and no word inside can close its
fence. System text, user turns and the final text are never cut.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchmarks.authoring.evidence import Evidence
from benchmarks.contract.source_text import as_text
from benchmarks.records.base import JsonObject
from benchmarks.records.digest import bytes_digest, json_digest
from benchmarks.records.fencing import fenced_text
from benchmarks.records.json_bytes import json_bytes
from benchmarks.records.wording import many

CAP_CHARS = 60_000
MARK_CHARS = 12
LONG_RESULT, SHORT_RESULT, SCANT_RESULT = 4_000, 1_000, 200
DESCRIPTION_CHARS, ARGUMENT_CHARS = 200, 200
EDGE_CALLS = 10
CUT = "…"


@dataclass(frozen=True, slots=True)
class ShownCall:
    """One call of the source as the model reads it."""

    call_id: str
    tool: str
    arguments: Any
    status: str
    result: str
    is_write: bool

    def line(self) -> str:
        """One line of JSON."""
        return compact({
            "call_id": self.call_id,
            "tool": self.tool,
            "arguments": self.arguments,
            "status": self.status,
            "result": self.result,
        })


@dataclass(frozen=True, slots=True)
class Parts:
    """What may be cut."""

    definitions: tuple[JsonObject, ...]
    calls: tuple[ShownCall, ...]
    claims: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Context:
    """The evidence as text, and what was cut from it."""

    text: str
    truncated: tuple[str, ...] = ()


Step = Callable[[Parts], tuple[Parts, str]]
"""Cuts something; says what in words, nothing where there was nothing to cut."""


def context_of(evidence: Evidence, cap: int = CAP_CHARS) -> Context:
    """The evidence of a task, at most `cap` characters where the ladder can reach that.

    What is never cut may be longer than the cap; then that is said too.
    """
    parts = parts_of(evidence)
    said: list[str] = []
    text = rendered(evidence, parts)
    for step in LADDER:
        if len(text) <= cap:
            return Context(text, tuple(said))
        parts, words = step(parts)
        if words:
            said.append(words)
            text = rendered(evidence, parts)
    if len(text) > cap:
        said.append(f"still {len(text)} characters, over the cap of {cap}: nothing more may be cut")
    return Context(text, tuple(said))


def parts_of(evidence: Evidence) -> Parts:
    """Everything that may be cut, whole."""
    return Parts(
        definitions=tuple(
            {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
            for tool in evidence.shown.tools
        ),
        calls=tuple(
            ShownCall(
                call.call_id or "",
                call.tool,
                call.arguments,
                call.status,
                as_text(call.result),
                call.is_write(evidence.policy),
            )
            for call in evidence.observed.calls
        ),
        claims=tuple(compact(claim) for claim in evidence.task.claims),
    )


def rendered(evidence: Evidence, parts: Parts) -> str:
    """The sections in their order, each block under a mark that only this text has."""
    task = evidence.task
    sections = [
        ("System text that the agent was given", evidence.shown.system_prompt or ""),
        ("What the user asks (the boundary)", evidence.boundary_text),
        ("What the user says later", "\n".join(evidence.shown.user.turns)),
        ("Tools that were offered", "\n".join(map(compact, parts.definitions))),
        (
            "What the agent called, and what came back",
            "\n".join(call.line() for call in parts.calls),
        ),
        ("What the agent said last", evidence.final_text),
        ("The contract that was compiled by rule", compact(task.outcome_contract.dump())),
        ("Claims about the evidence", "\n".join(parts.claims)),
    ]
    mark = json_digest([list(section) for section in sections])[:MARK_CHARS]
    return "\n\n".join(
        f"## {title}\n{fenced_text(text, mark, source='capture')}"
        if text
        else f"## {title}\n(none)"
        for title, text in sections
    )


def compact(value: Any) -> str:
    """A value as one line of JSON."""
    return json_bytes(value).decode()


def results_to(chars: int) -> Step:
    """Every result cut to so many characters."""

    def step(parts: Parts) -> tuple[Parts, str]:
        long = sum(len(call.result) > chars for call in parts.calls)
        calls = tuple(replace(call, result=cut(call.result, chars)) for call in parts.calls)
        words = f"{many(long, 'result')} cut to {chars} characters" if long else ""
        return replace(parts, calls=calls), words

    return step


def short_descriptions(parts: Parts) -> tuple[Parts, str]:
    """The descriptions of tools cut."""
    found = [len(as_text(tool["description"])) > DESCRIPTION_CHARS for tool in parts.definitions]
    definitions = tuple(
        {**tool, "description": cut(as_text(tool["description"]), DESCRIPTION_CHARS)}
        for tool in parts.definitions
    )
    words = f"{many(sum(found), 'tool description')} cut to {DESCRIPTION_CHARS} characters"
    return replace(parts, definitions=definitions), words if any(found) else ""


def names_of_uncalled(parts: Parts) -> tuple[Parts, str]:
    """Tools that were never called by their names alone."""
    called = {call.tool for call in parts.calls}
    others = [tool for tool in parts.definitions if tool["name"] not in called and len(tool) > 1]
    definitions = tuple(
        tool if tool["name"] in called else {"name": tool["name"]} for tool in parts.definitions
    )
    words = f"{many(len(others), 'tool definition')} cut to the name (never called)"
    return replace(parts, definitions=definitions), words if others else ""


def short_arguments(parts: Parts) -> tuple[Parts, str]:
    """Long texts in arguments cut, those of writes too."""
    calls = tuple(replace(call, arguments=shortened(call.arguments)) for call in parts.calls)
    moved = sum(one.arguments != other.arguments for one, other in zip(calls, parts.calls))  # noqa: B905
    words = f"arguments of {many(moved, 'call')} cut to {ARGUMENT_CHARS} characters a text"
    return replace(parts, calls=calls), words if moved else ""


def without_claims(parts: Parts) -> tuple[Parts, str]:
    """No claims."""
    words = f"{many(len(parts.claims), 'claim')} left out" if parts.claims else ""
    return replace(parts, claims=()), words


def without_middle(parts: Parts) -> tuple[Parts, str]:
    """The first and last calls, and every write; the reads between them left out."""
    last = len(parts.calls) - EDGE_CALLS
    calls = tuple(
        call
        for place, call in enumerate(parts.calls)
        if place < EDGE_CALLS or place >= last or call.is_write
    )
    left_out = len(parts.calls) - len(calls)
    words = f"{many(left_out, 'call')} in the middle left out" if left_out else ""
    return replace(parts, calls=calls), words


def without_results(parts: Parts) -> tuple[Parts, str]:
    """No results at all."""
    found = sum(bool(call.result) for call in parts.calls)
    calls = tuple(replace(call, result="") for call in parts.calls)
    return replace(parts, calls=calls), f"{many(found, 'result')} left out" if found else ""


LADDER: Sequence[Step] = (
    results_to(LONG_RESULT),
    short_descriptions,
    results_to(SHORT_RESULT),
    names_of_uncalled,
    results_to(SCANT_RESULT),
    without_claims,
    short_arguments,
    without_middle,
    without_results,
)


def cut(text: str, chars: int) -> str:
    """The first characters of a text that is longer."""
    return text if len(text) <= chars else text[: chars - len(CUT)] + CUT


def shortened(value: Any) -> Any:
    """The value with its long texts cut."""
    if isinstance(value, str):
        return cut(value, ARGUMENT_CHARS)
    if isinstance(value, list):
        return [shortened(item) for item in value]
    if isinstance(value, dict):
        return {name: shortened(item) for name, item in value.items()}
    return value


def prompt_digest(messages: Sequence[JsonObject]) -> str:
    """What was asked, as a digest."""
    return bytes_digest(json_bytes(list(messages)))
