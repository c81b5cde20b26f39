"""What of the incumbent's work a candidate is shown, and which answers come too late for it."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from benchmarks.audit.written import Subject, answer_key
from benchmarks.contract.literals import parse_json
from benchmarks.foundry.wording import normal
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import Turn
from benchmarks.records.digest import canonical
from benchmarks.records.environment import FixtureRow, RecordedCall

PROSE_WORDS = 8
"""An incumbent's text as short as this may be anybody's."""


@dataclass(frozen=True, slots=True)
class Exposed:
    """Something that the incumbent said or called after the boundary and that is shown."""

    is_call: bool
    text: str


def incumbent_shown(subject: Subject) -> Iterator[Exposed]:
    """The incumbent's later texts and calls that stand in what is shown.

    What the source itself holds before the boundary is nobody's later word, though it is repeated.
    """
    shown, witness = subject.shown, subject.witness
    if shown is None or witness is None or witness.boundary is None:
        return
    boundary = witness.boundary
    later = [turn for turn in witness.conversation.turns if turn not in boundary.shown]
    before = as_json([boundary.system, *(turn.dump() for turn in boundary.shown)])
    given = as_json(boundary.user_text) + before
    called = [spelled_arguments(message) for message in shown.candidate_prompt]
    surface = as_json([shown.candidate_prompt, shown.prompt, called])
    for text in incumbent_texts(later):
        bare = as_json(text)
        if len(bare.split()) >= PROSE_WORDS and bare in surface and bare not in given:
            yield Exposed(False, text)
    for arguments in incumbent_arguments(later):
        bare = as_json(arguments)
        if bare in surface and bare not in before:
            yield Exposed(True, arguments)


def post_state_rows(subject: Subject) -> list[FixtureRow]:
    """The task's fixture rows, own and shared, that show the state after a write of its source."""
    if subject.gold is None:
        return []
    told = Counter(answer_key(one.tool, one.arguments, one.content) for one in subject.gold.calls)
    apart = subject.gold.post_state_observations
    told -= Counter(answer_key(one.tool, one.arguments, one.content) for one in apart)
    late = []
    for row in subject.own:
        key = answer_key(row.tool, row.arguments, row.content)
        told[key] -= 1
        if told[key] < 0:
            late.append(row)
    return [*late, *late_shared_rows(subject, apart)]


def late_shared_rows(subject: Subject, apart: Iterable[RecordedCall]) -> Iterator[FixtureRow]:
    """Shared rows that answer as the task's source was answered after its own write.

    Another conversation read it before any write of its own: it came to a world where this one had
    been at work. Where the task has an answer of its own the shared one is not reached.
    """
    asked = {(row.tool, canonical(row.arguments)) for row in subject.own}
    for key in dict.fromkeys(answer_key(one.tool, one.arguments, one.content) for one in apart):
        row = subject.shared.get(key)
        if row is not None and (row.tool, canonical(row.arguments)) not in asked:
            yield row


def as_json(value: Any) -> str:
    """A value as JSON text, normalised; a text without its quotes."""
    spelled = canonical(value).decode()
    return normal(spelled[1:-1] if isinstance(value, str) else spelled)


def incumbent_texts(turns: Iterable[Turn]) -> Iterator[str]:
    """What the incumbent said."""
    for turn in turns:
        if turn.role == "assistant" and turn.text().strip():
            yield turn.text()


def incumbent_arguments(turns: Iterable[Turn]) -> Iterator[str]:
    """The arguments of the incumbent's calls in their canonical spelling."""
    for turn in turns:
        for call in turn.calls():
            if call.arguments:
                yield canonical(call.arguments).decode()


def spelled_arguments(message: JsonObject) -> list[str]:
    """The arguments of a message's calls in their canonical spelling."""
    functions = (call.get("function") or {} for call in message.get("tool_calls") or ())
    parsed = (parse_json(str(function.get("arguments"))) for function in functions)
    return [canonical(value).decode() for value in parsed if value]
