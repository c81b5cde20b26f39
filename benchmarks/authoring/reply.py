"""A model's reply as typed parts: grounding rule 1, every complaint at once."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from benchmarks.authoring.prompt import SYSTEM
from benchmarks.contract.contract_words import (
    wrong_in_forbidden,
    wrong_in_preserved,
    wrong_in_required,
)
from benchmarks.contract.entries import Demand, ready
from benchmarks.contract.inferring import infer_arguments
from benchmarks.contract.json_text import extract_json
from benchmarks.contract.plain_text import folded
from benchmarks.records.authoring import AuthoredParts
from benchmarks.records.base import JsonObject
from benchmarks.records.contract import Entry

STATEMENT_CHARS = 1200
SUMMARY_CHARS = 160
MOST_CRITERIA = 8
ECHO_CHARS = 8
"""A text as long as this that stands in the instructions describes them, not the task."""
INSTRUCTIONS = folded(SYSTEM)
LEVELS = ("high", "medium", "low")
DIFFICULTIES = ("easy", "medium", "hard")
NOT_AN_AUTHORS = ("optional", "any_of", "support")
"""Keys of an entry that loosen a contract; an author only adds to it."""
WITH_ARGUMENTS = frozenset({"state_effect", "read_obligation", "forbidden"})
SECTIONS = {"required": "state_effect", "preserved": "preserved", "forbidden": "forbidden"}
"""The parts of a contract, and the type of an entry without one."""
WRONG_WORDS = {
    "required": wrong_in_required,
    "preserved": wrong_in_preserved,
    "forbidden": wrong_in_forbidden,
}


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model proposes for a task."""

    statement: str
    success_criteria: tuple[str, ...]
    intent_summary: str
    difficulty: str
    difficulty_reason: str
    confidence: str
    category_proposal: JsonObject
    ambiguities: tuple[str, ...]
    parts: AuthoredParts

    def demands(self, section: str) -> tuple[Demand, ...]:
        """The entries of a part, each named by its place in the reply."""
        entries: Sequence[Entry] = getattr(self.parts, section)
        named = [
            entry.with_(id=f"{section}[{place}]", type=entry.type or SECTIONS[section])
            for place, entry in enumerate(entries)
        ]
        return ready(named, section, SECTIONS[section])


def read_reply(text: str) -> tuple[Reply | None, list[str]]:
    """The reply in a text, or everything that rule 1 finds wrong with it."""
    value = extract_json(text)
    if not isinstance(value, dict):
        return None, ["rule 1: the reply holds no JSON object"]
    reading = Reading(value)
    reply = reading.reply()
    if reading.wrong:
        return None, [f"rule 1: {words}" for words in reading.wrong]
    return reply, []


class Reading:
    """One reply while it is read; `wrong` collects the complaints."""

    def __init__(self, value: Mapping[str, Any]) -> None:
        self.value = value
        self.wrong: list[str] = []

    def reply(self) -> Reply:
        """The parts; what is wrong with them stands in `wrong`."""
        return Reply(
            statement=self.text("statement", STATEMENT_CHARS),
            success_criteria=self.texts("success_criteria", 1, MOST_CRITERIA),
            intent_summary=self.text("intent_summary", SUMMARY_CHARS),
            difficulty=self.word("difficulty", DIFFICULTIES),
            difficulty_reason=self.text("difficulty_reason", STATEMENT_CHARS),
            confidence=self.word("confidence", LEVELS),
            category_proposal=self.category(),
            ambiguities=self.texts("ambiguities", 0, None),
            parts=self.parts(),
        )

    def complain(self, words: str) -> None:
        """Note one more thing that is wrong."""
        self.wrong.append(words)

    def text(self, key: str, most: int) -> str:
        """A text that says something, of at most so many characters."""
        found = self.value.get(key)
        if not isinstance(found, str) or not found.strip():
            self.complain(f"{key} is missing or no text")
            return ""
        if len(found) > most:
            self.complain(f"{key} has {len(found)} characters, at most {most} are allowed")
        self.refuse_echo(key, found)
        return found.strip()

    def refuse_echo(self, key: str, text: str) -> None:
        """Complain of words that only repeat what was asked for."""
        bare = folded(text)
        if len(bare) >= ECHO_CHARS and bare in INSTRUCTIONS:
            self.complain(f"{key} only repeats the instructions")

    def word(self, key: str, allowed: Sequence[str]) -> str:
        """One of a few words."""
        found = self.value.get(key)
        if found not in allowed:
            self.complain(f"{key} {found!r} is not one of {', '.join(allowed)}")
            return allowed[0]
        return str(found)

    def texts(self, key: str, least: int, most: int | None) -> tuple[str, ...]:
        """A list of texts; absent is an empty one."""
        found = self.value.get(key) or []
        if not isinstance(found, list) or not all(_says(item) for item in found):
            self.complain(f"{key} is no list of texts")
            return ()
        if len(found) < least or (most is not None and len(found) > most):
            self.complain(f"{key} has {len(found)} entries, {least} to {most} are allowed")
        for item in found:
            self.refuse_echo(key, item)
        return tuple(str(item) for item in found)

    def category(self) -> JsonObject:
        """The category proposed: an id and a name."""
        found = self.value.get("category_proposal")
        if not isinstance(found, dict) or not all(_says(found.get(k)) for k in ("id", "name")):
            self.complain("category_proposal needs an id and a name")
            return {}
        self.refuse_echo("category_proposal", str(found["name"]))
        return {"id": str(found["id"]), "name": str(found["name"])}

    def parts(self) -> AuthoredParts:
        """The entries of the contract, each in a form that a rule knows."""
        contract = self.value.get("contract")
        if contract is None:
            contract = {}
        if not isinstance(contract, dict):
            self.complain("contract is no object")
            return AuthoredParts()
        return AuthoredParts(**{name: list(self.entries(contract, name)) for name in SECTIONS})

    def entries(self, contract: Mapping[str, Any], section: str) -> Iterator[Entry]:
        """The entries of one part that can be read."""
        found = contract.get(section)
        if found is None:
            return
        if not isinstance(found, list):
            self.complain(f"contract.{section} is no list")
            return
        for place, item in enumerate(found):
            path = f"contract.{section}[{place}]"
            if not isinstance(item, dict):
                self.complain(f"{path} is no object")
                continue
            entry = self.entry(item, section, path)
            if entry is not None:
                yield entry

    def entry(self, item: JsonObject, section: str, path: str) -> Entry | None:
        """One entry, its arguments as matchers; None where it cannot be read."""
        for name in NOT_AN_AUTHORS:
            if item.get(name) is not None:
                self.complain(f"{path}: {name} would loosen the contract: entries are only added")
        item = {**item, "type": item.get("type") or SECTIONS[section]}
        try:
            entry = Entry.read(with_matchers(item))
        except ValidationError as error:
            first = error.errors()[0]
            self.complain(f"{path}: {'.'.join(map(str, first['loc']))}: {first['msg']}")
            return None
        for word in WRONG_WORDS[section](entry):
            self.complain(str(word.under(path)))
        return entry


def with_matchers(item: JsonObject) -> JsonObject:
    """The entry with a matcher for each argument: a plain value gets the one of its kind (4.3)."""
    if item["type"] not in WITH_ARGUMENTS:
        return item
    given = item.get("arguments", item.get("arguments_semantic"))
    if not isinstance(given, dict):
        return item
    plain = {name: value for name, value in given.items() if not is_matcher(value)}
    inferred = infer_arguments(plain)
    kept = {name: value for name, value in item.items() if name != "arguments_semantic"}
    return {
        **kept,
        "arguments": {name: inferred.get(name, value) for name, value in given.items()},
    }


def is_matcher(value: Any) -> bool:
    """Whether a value is a matcher rather than the value itself."""
    return isinstance(value, dict) and isinstance(value.get("match"), str)


def _says(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())
