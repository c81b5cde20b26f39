"""What a capability card says: its name out of its tools, and what its tests would check."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from benchmarks.contract.lexicon import READ_NOUNS, bare_name, read_name, tokens
from benchmarks.contract.mutating import Policy, is_closing
from benchmarks.records.contract import Contract, Entry
from benchmarks.records.vocabulary import Effect, Role

OBJECTS, VERBS = 2, 3
"""How many of each a name holds."""
LINKS = frozenset({"a", "an", "and", "by", "for", "from", "in", "of", "or", "the", "to", "with"})
WITHIN = frozenset({Role.SCRATCH, Role.DELEGATE})
NO_TOOLS = "Answer without tools"
ID_CHARS = 60
UNFIT = re.compile(r"[^a-z0-9]+")

DEMANDS: Mapping[str, str] = {
    "state_effect": "the right change is made, once, with the right values",
    "no_state_change": "nothing is changed",
    "read_obligation": "what must be looked up is looked up",
    "value_propagation": "a value that was found reaches where it belongs",
    "answered": "the user gets an answer",
    "consulted": "something is looked up before the answer",
    "json_parses": "the answer is JSON",
    "schema_valid": "the answer has the right shape",
    "contains_category": "the answer names the right category",
    "value": "the answer holds the right value",
    "token_f1": "the answer says the same",
    "preserved": "what must be left alone is left alone",
    "forbidden": "what must not happen does not",
    "extra_writes": "no other change is made",
}
"""One sentence for each kind of obligation, in the order in which a card lists them."""


def card_name(tools: Mapping[str, int], policy: Policy) -> str:
    """What these tools do, by how many conversations use each: what they change, else look up."""
    used = sorted(tools, key=lambda name: (-tools[name], name))
    working = [name for name in used if _reaches_out(name, policy)]
    writes = [name for name in working if _effect(name, policy) is Effect.WRITE]
    if writes:
        return _sentence(_phrases(writes, policy))
    reads = [name for name in working if _effect(name, policy) is Effect.READ]
    objects = list(dict.fromkeys(word for name in reads if (word := _object(name, policy))))
    if objects:
        return _sentence([f"look up {_listed([plural(word) for word in objects[:VERBS]])}"])
    if working:
        return f"Use {_listed([bare_name(name) for name in working[:VERBS]])}"
    return NO_TOOLS


def direction_id(name: str) -> str:
    """A card's id: its name in lower case, words joined by hyphens."""
    return UNFIT.sub("-", name.casefold()).strip("-")[:ID_CHARS].rstrip("-") or "direction"


def told_apart(name: str, words: Sequence[str]) -> str:
    """A name with the words that only its own conversations hold."""
    return f"{name}: {_listed(list(words))}" if words else name


def demands_of(contracts: Sequence[Contract]) -> list[str]:
    """One sentence for each kind of obligation, with how many tasks have it."""
    counts = Counter(kind for contract in contracts for kind in set(_kinds(contract)))
    return [
        f"{sentence} ({counts[kind]} of {len(contracts)})"
        for kind, sentence in DEMANDS.items()
        if counts[kind]
    ]


def plural(word: str) -> str:
    """The plural of a noun, as most English ones have it."""
    if word.endswith("s") and not word.endswith("ss"):
        return word
    if word.endswith(("ch", "sh", "ss", "x", "z")):
        return f"{word}es"
    if word.endswith("y") and word[-2:-1] not in set("aeiou"):
        return f"{word[:-1]}ies"
    return f"{word}s"


def _reaches_out(name: str, policy: Policy) -> bool:
    """Whether a tool does something beyond the agent itself."""
    entry = policy.get(name)
    return entry is None or not (is_closing(entry) or entry.role in WITHIN)


def _effect(name: str, policy: Policy) -> Effect:
    entry = policy.get(name)
    return entry.effect if entry is not None else Effect.UNKNOWN


def _phrases(writes: Iterable[str], policy: Policy) -> list[str]:
    """The verbs by what they act on, the most used first."""
    verbs: dict[str, list[str]] = {}
    for name in writes:
        verb = read_name(name).verb or next(iter(tokens(name)), name)
        found = verbs.setdefault(_object(name, policy), [])
        if verb not in found:
            found.append(verb)
    return [
        f"{_listed(found[:VERBS])} {plural(thing)}" if thing else _listed(found[:VERBS])
        for thing, found in list(verbs.items())[:OBJECTS]
    ]


def _object(name: str, policy: Policy) -> str:
    """What a tool acts on: its entity where its name says so, else the rest of its name."""
    entry = policy.get(name)
    entity = (entry.entity or "").replace("_", " ") if entry is not None else ""
    parts, verb = list(tokens(name)), read_name(name).verb
    if parts and verb is None:
        verb = parts[0]
    rest = [word for word in parts if word != verb and word not in LINKS]
    nouns = [word for word in rest if word not in READ_NOUNS] or rest
    words = " ".join(nouns)
    return entity if entity and (not words or entity.split()[0] in nouns) else words


def _sentence(phrases: Sequence[str]) -> str:
    words = ", ".join(phrases)
    return words[:1].upper() + words[1:]


def _listed(words: Sequence[str]) -> str:
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def _kinds(contract: Contract) -> Iterable[str]:
    for entry in contract.required:
        yield _kind(entry)
    if contract.preserved:
        yield "preserved"
    if contract.forbidden:
        yield "forbidden"
    if contract.writes == "forbid":
        yield "extra_writes"


def _kind(entry: Entry) -> str:
    kind = entry.type or "state_effect"
    return entry.kind or kind if kind == "response_obligation" else kind
