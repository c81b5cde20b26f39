"""What a rejected call is told: in the words of the guidance, in the style of its tool."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from benchmarks.contract.literals import parse_literal
from benchmarks.environment.breaches import Breach
from benchmarks.records.base import JsonObject
from benchmarks.records.environment import Guidance

MESSAGE_CHARS = 500
NEAREST = 3

CLASSES = {
    "missing_required": "missing_required",
    "type": "type_mismatch",
    "enum": "enum_violation",
}


@dataclass(frozen=True, slots=True)
class Rejection:
    """Why a call was not let in: the agent's fault, in a closed list of classes."""

    kind: str
    message: str

    def document(self) -> JsonObject:
        """The form kept on a call of a trajectory."""
        return {"class": self.kind, "message": self.message}


def unknown_tool(name: str, offered: Sequence[str]) -> Rejection:
    """The rejection of a call to a tool that was not offered; names the nearest three."""
    nearest = sorted(offered, key=lambda other: (-likeness(name, other), other))[:NEAREST]
    known = f" The nearest: {', '.join(nearest)}." if nearest else " No tool is offered."
    return Rejection("unknown_tool", cut(f"There is no tool {name[:80]}.{known}"))


def malformed(tool: str, reason: str) -> Rejection:
    """The rejection of a call whose arguments are not a JSON object."""
    message = f"arguments of {tool} are not a JSON object: {reason}"
    return Rejection("malformed_arguments", cut(message))


def declared_breach(tool: str, breach: Breach, guidance: Guidance) -> Rejection:
    """The rejection of a call that breaks a declared rule, in the words of the guidance."""
    words = guidance.tools.get(tool, {}).get(breach.key)
    return Rejection(CLASSES[breach.kind], cut(words or default_message(tool, breach)))


def default_message(tool: str, breach: Breach) -> str:
    """What a broken rule says where no guidance does."""
    again = f"Call {tool} again with it."
    match breach.kind:
        case "missing_required":
            return cut(f"{breach.path} is missing. {again}")
        case "enum":
            return cut(f"{breach.path} must be one of: {breach.expected}.")
    return cut(f"{breach.path} must be of type {breach.expected}.")


def cut(message: str) -> str:
    """The message in at most 500 characters."""
    return message if len(message) <= MESSAGE_CHARS else message[: MESSAGE_CHARS - 1] + "…"


def likeness(name: str, other: str) -> float:
    """How alike two names are, from 0 to 1, case aside."""
    return SequenceMatcher(
        None, name[:80].casefold(), other[:80].casefold(), autojunk=False
    ).ratio()


def styled(rejection: Rejection, style: str | None) -> str | JsonObject:
    """The rejection as the tool would have put it; in our own form where its style is unknown.

    Arguments that are no object never reached the tool, so their form is always ours.
    """
    if rejection.kind == "malformed_arguments":
        return {"ok": False, "error": rejection.message}
    match style:
        case "string":
            return f"Error: {rejection.message}"
        case "error":
            return {"error": rejection.message}
        case "ok_false":
            return {"ok": False, "error": rejection.message}
        case "success_false":
            return {"success": False, "error": rejection.message}
    return {"error": rejection.kind, "message": rejection.message}


def style_of(errors: Iterable[Any]) -> str | None:
    """The style of a tool's recorded errors, the commonest one; None where none was recorded."""
    seen: dict[str, int] = {}
    for content in errors:
        style = one_style(content)
        seen[style] = seen.get(style, 0) + 1
    return max(seen, key=lambda style: seen[style]) if seen else None


def one_style(content: Any) -> str:
    """The style of one recorded error."""
    value = parse_literal(content) if isinstance(content, str) else content
    if not isinstance(value, Mapping):
        return "string"
    if value.get("ok") is False:
        return "ok_false"
    return "success_false" if value.get("success") is False else "error"
