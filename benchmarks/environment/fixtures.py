"""fixtures.json: the recorded answers that a candidate can reach, pre-state only."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from benchmarks.contract.call_keys import CallKey, CallKeys
from benchmarks.contract.mutating import Policy
from benchmarks.environment.overlay import entity_of_call
from benchmarks.environment.prestate import JudgedCall
from benchmarks.records.digest import canonical
from benchmarks.records.environment import FixtureRow


def own_rows(
    task_id: str, judged: Iterable[JudgedCall], keys: CallKeys, policy: Policy
) -> list[FixtureRow]:
    """The pre-state of a task's source, in order.

    `seq` counts every recorded call of a key, those whose results are gold too, so that an error
    that followed an accepted write is not served before it.
    """
    counts: dict[CallKey, int] = {}
    rows = []
    for item in judged:
        if item.call.arguments is None:
            continue
        key = keys.key(item.call.tool, item.call.arguments)
        counts[key] = counts.get(key, 0) + 1
        if item.pre_state:
            row = row_of(item, policy)
            rows.append(
                row.with_(task_id=task_id, seq=counts[key], call_id=item.call.call_id or None)
            )
    return rows


def row_of(item: JudgedCall, policy: Policy) -> FixtureRow:
    """One recorded answer, nobody's own."""
    arguments = item.call.arguments or {}
    return FixtureRow(
        tool=item.call.tool,
        arguments=arguments,
        status="ok" if item.call.accepted else "error",
        content=item.call.result,
        entity=entity_of_call(policy.get(item.call.tool), arguments),
    )


@dataclass(slots=True)
class Answered:
    """One answer to a key: how often it was recorded, and the row that tells it."""

    row: FixtureRow
    count: int = 0


@dataclass(slots=True)
class SharedRows:
    """Pre-state reads of all conversations, by key; one disagreement and a key is not shared.

    Nor is an answer that some conversation got only after its own write: it may show that work.
    """

    keys: CallKeys
    answers: dict[CallKey, dict[bytes, Answered]] = field(default_factory=dict)
    late: set[tuple[CallKey, bytes]] = field(default_factory=set)
    """Answers that a conversation got after its own write and not before it."""

    def add(self, judged: Iterable[JudgedCall], policy: Policy) -> None:
        """Take in the reads of one conversation."""
        judged = list(judged)
        before = {(key, answer_of(row)) for key, row in lookups(judged, self.keys, policy)}
        after = late_lookups(judged, self.keys, policy)
        self.late |= {(key, answer_of(row)) for key, row in after} - before
        for key, row in lookups(judged, self.keys, policy):
            told = self.answers.setdefault(key, {})
            answered = told.setdefault(answer_of(row), Answered(row))
            answered.count += 1
            if spelling(row) < spelling(answered.row):
                answered.row = row

    def agreed(self) -> list[FixtureRow]:
        """The rows of all keys whose every record agrees, by tool and key."""
        return [
            one.row
            for key, told in sorted(self.answers.items())
            if len(told) == 1
            for said, one in told.items()
            if (key, said) not in self.late
        ]

    def agreed_without(
        self, judged: Iterable[JudgedCall], policy: Policy
    ) -> list[tuple[FixtureRow, FixtureRow | None]]:
        """The rows of one conversation, each with what would be shared had it not been recorded."""
        rows = list(lookups(judged, self.keys, policy))
        taken = Counter((key, answer_of(row)) for key, row in rows)
        return [(row, self.left(key, taken)) for key, row in rows]

    def left(self, key: CallKey, taken: Mapping[tuple[CallKey, bytes], int]) -> FixtureRow | None:
        """The row of a key once some of its records are taken away, where the rest agrees."""
        told = self.answers.get(key, {})
        left = [said for said, one in told.items() if one.count > taken.get((key, said), 0)]
        return told[left[0]].row if len(left) == 1 and (key, left[0]) not in self.late else None


def lookups(
    judged: Iterable[JudgedCall], keys: CallKeys, policy: Policy
) -> Iterator[tuple[CallKey, FixtureRow]]:
    """The pre-state reads of a conversation with their keys."""
    for item in judged:
        if item.is_lookup and item.pre_state and item.call.arguments is not None:
            yield keys.key(item.call.tool, item.call.arguments), row_of(item, policy)


def late_lookups(
    judged: Iterable[JudgedCall], keys: CallKeys, policy: Policy
) -> Iterator[tuple[CallKey, FixtureRow]]:
    """The reads of a conversation that may show the work of its own writes."""
    for item in judged:
        told = item.is_lookup and item.call.confirmed and item.call.arguments is not None
        if told and not item.pre_state:
            yield keys.key(item.call.tool, item.call.arguments or {}), row_of(item, policy)


def answer_of(row: FixtureRow) -> bytes:
    """What makes two answers one: status and content."""
    return canonical([row.status, row.content])


def spelling(row: FixtureRow) -> bytes:
    """An order among rows of one key that no order of sources changes."""
    return canonical(row.arguments)
