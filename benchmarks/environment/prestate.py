"""Which recorded results belong to the state before the task, row by row (spec/build.md 6.1).

One cut at the first write would take away look-ups of things that no write touched.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from benchmarks.contract.mutating import Policy, is_closing
from benchmarks.contract.observed import ObservedCall, observed_calls
from benchmarks.environment.made_ids import new_ids, stands_in
from benchmarks.environment.overlay import entity_of_call, id_text
from benchmarks.records.conversation import Conversation
from benchmarks.records.digest import canonical
from benchmarks.records.vocabulary import Effect


@dataclass(frozen=True, slots=True)
class JudgedCall:
    """One recorded call, what it does, and whether its result may be served."""

    call: ObservedCall
    effect: Effect
    closing: bool
    pre_state: bool
    """Its result may stand in fixtures.json; all else is gold."""
    made_ids: Mapping[str, str] = field(default_factory=dict)
    """Ids that an accepted write made, by their JSON pointer in its reply."""

    @property
    def is_write(self) -> bool:
        """Whether the call is a write; a hand-off and a finish are not."""
        return self.effect is Effect.WRITE and not self.closing

    @property
    def is_lookup(self) -> bool:
        """Whether the call is a read: what is unknown is none."""
        return self.effect is Effect.READ and not self.closing


@dataclass(slots=True)
class Touched:
    """What the accepted writes so far touched and made."""

    entities: set[str] = field(default_factory=set)
    ids: set[str] = field(default_factory=set)

    def is_behind(self, call: ObservedCall) -> bool:
        """Whether a result may show the work of a write: by what was asked or what it says."""
        if self.entities.intersection(leaf_texts(call.arguments or {})):
            return True
        said = as_text(call.result) if self.ids else ""
        return any(stands_in(id_, said) for id_ in self.ids)


def judge_calls(conversation: Conversation, policy: Policy) -> list[JudgedCall]:
    """Every call of a conversation in order, with whether its result is pre-state.

    A read's result is pre-state unless an earlier accepted write has as its entity one of the
    read's argument values, or an id first made by such a write stands in the result. Rejected
    writes are pre-state: their errors are served. A result that was never captured is none.
    """
    calls = observed_calls(conversation, policy)
    texts = texts_by_turn(conversation)
    touched = Touched()
    known: list[str] = []
    judged = []
    spoken_to = 0
    for call in calls:
        turn = call.turn if call.turn is not None else len(texts)
        known.extend(texts[spoken_to : turn + 1])
        spoken_to = max(spoken_to, turn + 1)
        known.append(as_text(call.arguments or call.arguments_raw or ""))
        judged.append(judged_call(call, policy, touched, known))
        known.append(as_text(call.result))
    return judged


def judged_call(
    call: ObservedCall, policy: Policy, touched: Touched, known: list[str]
) -> JudgedCall:
    """One call judged after what came before it; an accepted write adds what it touched."""
    entry = policy.get(call.tool)
    effect, closing = call.effect(policy), is_closing(entry)
    if effect is not Effect.WRITE or closing:
        pre_state = call.confirmed and not closing and not touched.is_behind(call)
        return JudgedCall(call, effect, closing, pre_state)
    if not call.accepted:
        return JudgedCall(call, effect, closing, pre_state=True)
    entity = entity_of_call(entry, call.arguments or {})
    if entity is not None:
        touched.entities.add(entity.id)
    made = new_ids(call.result, known)
    touched.ids.update(made.values())
    return JudgedCall(call, effect, closing, pre_state=False, made_ids=made)


def texts_by_turn(conversation: Conversation) -> list[str]:
    """What was said in each turn, by its index; calls and results are met on their own."""
    texts = [""] * (max((turn.index for turn in conversation.turns), default=-1) + 1)
    for turn in conversation.turns:
        texts[turn.index] = turn.text()
    return texts


def leaf_texts(value: Any) -> Iterator[str]:
    """Every id-like leaf of a value as text."""
    if isinstance(value, Mapping):
        for item in value.values():
            yield from leaf_texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from leaf_texts(item)
    elif spelled := id_text(value):
        yield spelled


def as_text(value: Any) -> str:
    """A value as the text that ids are looked for in."""
    return value if isinstance(value, str) else canonical(value).decode()
