"""A task as its page shows it: the document of `read_task` in the order in which people judge."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.contract.words import (
    extra_writes_in_words,
    forbidden_in_words,
    preserved_in_words,
    sentence,
)
from benchmarks.records.base import JsonObject
from benchmarks.records.contract import Contract
from reviews.admin.layout import shown_value
from reviews.services.reading_task import PARTS

GOLD = "gold"
SHOWN_PARTS = frozenset(PARTS) - {GOLD, "world", "captures"}
"""What a page reads; the gold only when somebody asks for it."""
PERSON = "human"
Link = Callable[[str], str]
"""The plain-text page of what stands at a JSON pointer of the document."""


@dataclass(frozen=True, slots=True)
class Statement:
    """What the task asks, and what was found wrong with how a model put it."""

    text: str
    rest: str
    authored: bool
    grounding_failed: bool
    violations: tuple[str, ...]
    criteria: tuple[str, ...]
    ambiguities: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Doubting:
    """One attention flag with its reason."""

    flag: str
    reason: str


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the history of decisions."""

    decision: str
    source: str
    actor: str
    door: str
    at: str
    note: str


@dataclass(frozen=True, slots=True)
class Obligation:
    """One entry of the contract as a sentence."""

    name: str
    sentence: str
    note: str


@dataclass(frozen=True, slots=True)
class ContractView:
    """What must happen, what else may, what must not, and what has to stay as it is."""

    required: tuple[Obligation, ...]
    extra_writes: str
    forbidden: tuple[Obligation, ...]
    preserved: tuple[Obligation, ...]
    status: str


@dataclass(frozen=True, slots=True)
class Note:
    """A piece of feedback or a flag."""

    ref: str
    words: str
    status: str
    is_open: bool
    actor: str
    at: str
    about: str
    closing: str
    """Who or what closed it, and what was said."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """One recorded answer: of the pre-state, or of the gold."""

    tool: str
    arguments: str
    status: str
    content: str
    rest: str
    arguments_rest: str
    shared: bool = False
    write: bool = False


def statement_of(document: Mapping[str, Any], link: Link) -> Statement:
    """The authored statement, else the first user turn; failed grounding comes with it."""
    authored = document.get("authored")
    block: Mapping[str, Any] = authored if isinstance(authored, dict) else {}
    failed = _grounding(block) == "failed"
    written = block.get("statement") if not failed else None
    return Statement(
        text=str(written or document.get("prompt") or ""),
        rest=link("/authored/statement" if written else "/prompt"),
        authored=bool(written),
        grounding_failed=failed,
        violations=_texts(block.get("grounding_violations")),
        criteria=_texts(document.get("success_criteria")),
        ambiguities=_texts(block.get("ambiguities")),
    )


def worries_of(document: Mapping[str, Any]) -> list[str]:
    """What a reviewer must know of the line itself: a hand edit, an answer that can be read."""
    said = []
    if document["edited"]:
        said.append("edited by hand since it was stamped: regenerate the environment")
    said += [
        f"leak ({one.get('tier') or 'verbatim'}) at {one.get('location')}: {one.get('kind')}"
        for one in document["leaks"] or ()
    ]
    return said


def doubts_of(document: Mapping[str, Any]) -> tuple[Doubting, ...]:
    """The attention flags with their reasons."""
    return tuple(Doubting(flag, why) for flag, why in document["attention_reasons"].items())


def history_of(document: Mapping[str, Any]) -> tuple[Line, ...]:
    """Every explicit decision, the newest first."""
    return tuple(decision_line(line) for line in reversed(document["review_history"]))


def decision_line(line: Mapping[str, Any]) -> Line:
    """One review; a line that names no source is a person's."""
    return Line(
        decision=str(line.get("decision") or ""),
        source=str(line.get("source") or PERSON),
        actor=str(line.get("actor") or "unknown"),
        door=str(line.get("door") or "unknown"),
        at=str(line.get("created_at") or ""),
        note=str(line.get("note") or ""),
    )


def contract_view(document: Mapping[str, Any]) -> ContractView:
    """The contract, one sentence per entry."""
    contract = Contract.read(document["outcome_contract"])
    return ContractView(
        required=tuple(
            Obligation(entry.id or f"#{at}", sentence(entry), _support(entry.dump()))
            for at, entry in enumerate(contract.required, start=1)
        ),
        extra_writes=extra_writes_in_words(contract),
        forbidden=tuple(
            Obligation(entry.id or f"#{at}", forbidden_in_words(entry), "")
            for at, entry in enumerate(contract.forbidden, start=1)
        ),
        preserved=tuple(
            Obligation(entry.id or f"#{at}", preserved_in_words(entry), "")
            for at, entry in enumerate(contract.preserved, start=1)
        ),
        status=contract.status,
    )


def feedback_of(document: Mapping[str, Any]) -> tuple[Note, ...]:
    """Earlier feedback, the newest first."""
    return tuple(_feedback(line) for line in reversed(document["feedback"]))


def flags_of(document: Mapping[str, Any]) -> tuple[Note, ...]:
    """Published flags on the task and on the whole benchmark, the newest first."""
    return tuple(_flag(line) for line in reversed(document["flags"]))


def fixtures_of(document: Mapping[str, Any], link: Link) -> tuple[Recorded, ...]:
    """The recorded answers that a candidate can reach: the task's own first."""
    rows = [
        _recorded(row, link, f"/fixtures/{at}", shared=row.get("task_id") is None)
        for at, row in enumerate(document["fixtures"])
    ]
    return tuple(sorted(rows, key=lambda row: row.shared))


def gold_of(document: Mapping[str, Any], link: Link) -> tuple[Recorded, ...]:
    """The calls of the source, as only the scorer sees them.

    What a write answered stands among the observations of the state afterwards.
    """
    gold: Mapping[str, Any] = document[GOLD] or {}
    after = {
        row.get("call_id"): (row, f"/gold/post_state_observations/{at}")
        for at, row in enumerate(gold.get("post_state_observations") or ())
    }
    found = []
    for at, call in enumerate(gold.get("calls") or ()):
        own = (call, f"/gold/calls/{at}")
        answer, place = own if "content" in call else after.get(call.get("call_id"), own)
        found.append(_recorded({**answer, **call}, link, own[1], answered_at=place))
    return tuple(found)


def _recorded(
    row: Mapping[str, Any],
    link: Link,
    place: str,
    *,
    answered_at: str = "",
    shared: bool = False,
) -> Recorded:
    return Recorded(
        tool=row["tool"],
        arguments=shown_value(row.get("arguments") or {}),
        status=row["status"],
        content=shown_value(row.get("content")),
        rest=link(f"{answered_at or place}/content"),
        arguments_rest=link(f"{place}/arguments"),
        shared=shared,
        write=row.get("write") is True,
    )


def _grounding(block: Mapping[str, Any]) -> object:
    grounding = block.get("grounding")
    return grounding.get("status") if isinstance(grounding, dict) else grounding


def _texts(value: Any) -> tuple[str, ...]:
    items = value if isinstance(value, list) else []
    return tuple(item if isinstance(item, str) else shown_value(item) for item in items)


def _support(entry: JsonObject) -> str:
    """How often an obligation was seen, where it was learned from several successes."""
    support = entry.get("support")
    if not isinstance(support, dict):
        return ""
    return f"seen in {support.get('seen')} of {support.get('of')} successes"


def _feedback(line: Mapping[str, Any]) -> Note:
    said = [f"by {line['addressed_by']}"] if line.get("addressed_by") else []
    said += [str(line["note"])] if line.get("note") else []
    return Note(
        ref=str(line.get("feedback_id") or ""),
        words=str(line["feedback"]),
        status=str(line["status"]),
        is_open=line["status"] == "open",
        actor=str(line.get("actor") or line.get("source") or "unknown"),
        at=str(line["created_at"]),
        about="",
        closing=": ".join(said),
    )


def _flag(line: Mapping[str, Any]) -> Note:
    return Note(
        ref=str(line["flag_id"]),
        words=str(line.get("note") or ""),
        status=str(line["status"]),
        is_open=line["status"] == "open",
        actor=str(line.get("actor") or "unknown"),
        at=str(line["created_at"]),
        about=str(line["reason"]) + ("" if line.get("task_id") else ", whole benchmark"),
        closing=str(line.get("resolution") or ""),
    )


Effects = Mapping[str, str]


def effects_of(document: Mapping[str, Any]) -> Effects:
    """What each tool does, as the policy of today says."""
    tools: Sequence[JsonObject] = document["surroundings"]["tools"]
    conversation = document.get("conversation") or {}
    classed = {tool["name"]: tool["effect"] for tool in tools}
    return {
        **classed,
        **{name: word for name, word in (conversation.get("effects") or {}).items() if word},
    }
