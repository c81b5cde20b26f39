"""Values that were asked for in a task that also writes (spec/build.md 4.5, 4.9).

The writes carry such a task, and users ask in passing: a value counts only where the question and
the answer stand so close that another right rollout has to say it too.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.contract.asked import (
    MAX_VALUES,
    QUANTITY_CUE,
    QUESTION_MARK,
    Asked,
    Said,
    asked_entry,
    keys_of,
    number_said,
)
from benchmarks.contract.claims import CAP_CUT, doubt
from benchmarks.contract.lexicon import words
from benchmarks.contract.literals import parse_json
from benchmarks.contract.mutating import Policy
from benchmarks.contract.observed import ObservedCall, result_content, said_by_turn, spoken
from benchmarks.contract.plain_text import folded, says
from benchmarks.contract.prepared_text import prepared
from benchmarks.contract.said import is_said, leaves
from benchmarks.contract.shapes import id_tokens
from benchmarks.contract.source_text import as_text, definitions_text, given_text, turn_text
from benchmarks.contract.text_numbers import Number, numbers_in
from benchmarks.contract.values import read_decimal
from benchmarks.records.base import JsonObject
from benchmarks.records.contract import Entry
from benchmarks.records.conversation import Conversation, Turn

DETERMINERS = words(
    "the a an my your his her its our their this that these those any some no each every which"
    " what new same other another correct right wrong"
)
NAMED = re.compile(
    r"(?P<kind>[^\W\d_]+)[ -](?:number|code|id|identifier|reference)\b"
    r"|\b[^\W\d_]{3,}(?:nummer|kennung|code)\b"
    r"|\b(?:num[ée]ro|número|code|código|codice) (?:de la |de l['’]|del |de |d['’]|di |do |da )"
    r"[^\W\d_]+"
    r"|[^\W\d_a-z]{1,6}(?:号码|號碼|编号|番号|コード|번호)"
)
"""A thing asked for by its name: `invoice number`, `Rechnungsnummer`, `numéro de facture`."""
SENTENCE_END = re.compile(r"\n|(?<=[.!?])\s|(?<=[。！？])")
RANGE = re.compile(r"\s*(?:[-\u2012-\u2014~]|to|bis|à|tot)\s*")


def asked_beside_writes(
    conversation: Conversation, calls: Sequence[ObservedCall], policy: Policy
) -> Asked:
    """The quantities, and the things asked for by name, that a closed conversation gave."""
    asking = Asking.of(conversation, calls, policy)
    entries: list[Entry] = []
    claims: list[JsonObject] = []
    for answer in (asking.quantities(), asking.named()):
        if len(answer) > MAX_VALUES:
            say = f"{len(answer)} values answer the question: none is required"
            claims.append(doubt(CAP_CUT, say, "medium"))
        else:
            entries.extend(answer)
    return Asked(tuple(entries), tuple(claims))


@dataclass(frozen=True, slots=True)
class Asking:
    """The questions of a conversation and what answered them."""

    conversation: Conversation
    calls: tuple[ObservedCall, ...]
    arguments: str
    """The arguments of every call as text."""
    given: str
    """What the user and the system said."""
    last_write: int
    """The turn of the last accepted write."""

    @classmethod
    def of(
        cls, conversation: Conversation, calls: Sequence[ObservedCall], policy: Policy
    ) -> "Asking":
        """A conversation with its texts read once."""
        arguments = (
            as_text(call.arguments_raw if call.arguments is None else call.arguments)
            for call in calls
        )
        writes = (call.turn or 0 for call in calls if call.accepted and call.is_write(policy))
        return cls(
            conversation=conversation,
            calls=tuple(calls),
            arguments="\n".join(arguments),
            given=given_text(conversation),
            last_write=max(writes, default=-1),
        )

    def quantities(self) -> list[Entry]:
        """The new numbers of each text that directly follows a user turn with a quantity cue.

        New is what stands nowhere before, bare results of sums aside, and in no argument at all. A
        number said before the last write is a forecast, and counts if it is said again after it.
        A range is no value, and a negative one is left out: prose says its sign in words.
        """
        if not any(asks_quantity(turn) for turn in self.conversation.turns):
            return []
        defined = definitions_text(self.conversation.tools)
        known = keys_of([*numbers_in(defined), *numbers_in(self.arguments)])
        found: list[Said] = []
        cued = False
        for turn in self.conversation.turns:
            if turn.role == "user":
                cued = asks_quantity(turn)
            if turn.role == "assistant" and cued:
                new = [one for one in single_numbers(turn) if known.isdisjoint(keys_of([one]))]
                cued = not new
                found.extend(number_said(one) for one in new if one.value >= 0)
            if not is_sum(turn):
                known |= keys_of(numbers_in(turn_text(turn)))
        return [asked_entry(one, {"kind": "answer"}) for one in self.said_at_the_end(found)]

    def said_at_the_end(self, values: Sequence[Said]) -> list[Said]:
        """The values that are said after the last write, each once."""
        said = said_by_turn(self.conversation.turns)
        closing = "\n".join(text for turn, text in said if turn > self.last_write)
        return [one for one in dict.fromkeys(values) if is_said(closing, one.value, one.kind)]

    def named(self) -> list[Entry]:
        """The ids that stand in one sentence with the name that a user asked for them by.

        The last time a thing is asked for counts, and the first answer from then on. Each value
        stands in a result, as a code and not as a figure, in no user turn or system text and in
        no argument.
        """
        found: dict[str, Entry] = {}
        for name, asked_at in self.names_asked().items():
            found |= self.first_answer(name, asked_at)
        return list(found.values())

    def names_asked(self) -> dict[str, int]:
        """The names that user turns with a question mark ask for, each with its last turn."""
        return {
            match[0]: turn.index
            for turn in self.conversation.turns
            if turn.role == "user" and QUESTION_MARK.search(turn.text())
            for match in NAMED.finditer(folded(turn.text()))
            if match["kind"] not in DETERMINERS
        }

    def first_answer(self, name: str, asked_at: int) -> dict[str, Entry]:
        """The values of the first text after a turn that says some beside their name."""
        for turn in self.conversation.turns:
            if turn.role == "assistant" and turn.index > asked_at:
                sentences = (one for one in SENTENCE_END.split(spoken(turn)) if says(one, name))
                tokens = dict.fromkeys(token for one in sentences for token in id_tokens(one))
                sources = {token: self.source_of(token) for token in tokens}
                answer = {
                    token: asked_entry(Said(token, "exact"), source)
                    for token, source in sources.items()
                    if source is not None
                }
                if answer:
                    return answer
        return {}

    def source_of(self, token: str) -> JsonObject | None:
        """The result that a token was looked up in; None when it was given or used otherwise."""
        if says(self.given, token) or says(self.arguments, token):
            return None
        for call in self.calls:
            if call.accepted and holds_code(call.result, token):
                return {"kind": "tool_result", "call_id": call.call_id}
        return None


def asks_quantity(turn: Turn) -> bool:
    """Whether a user asks how much or how many in a turn."""
    return turn.role == "user" and QUANTITY_CUE.search(folded(turn.text())) is not None


def single_numbers(turn: Turn) -> Iterator[Number]:
    """The numbers of a turn that stand for one value: no numbering of lists, no end of a range."""
    numbers = numbers_in(spoken(turn))
    text = prepared(spoken(turn))
    ends = {
        place
        for one, other in zip(numbers, numbers[1:], strict=False)
        if RANGE.fullmatch(text[one.end : other.start])
        for place in (one.start, other.start)
    }
    return (one for one in numbers if not one.listed and one.start not in ends)


def is_sum(turn: Turn) -> bool:
    """Whether a turn holds nothing but results that are one bare number each."""
    contents = [result_content(part.parts) for part in turn.results()]
    return bool(contents) and all(read_decimal(content) is not None for content in contents)


def holds_code(result: Any, token: str) -> bool:
    """Whether a result holds a token as a code: with a letter, or a text of digits alone."""
    value = parse_json(result) if isinstance(result, str) else result
    texts = [leaf for leaf in leaves(value) if isinstance(leaf, str)]
    if numbers_in(token):
        return token.isdigit() and isinstance(value, list | dict) and token in texts
    return any(token in id_tokens(text) for text in texts or [as_text(result)])
