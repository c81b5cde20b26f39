"""ATIF trajectories: one agent's steps, its helpers, and its continuation in other files.

A trajectory that goes on elsewhere is one conversation; what the next part copied from the one
before is not told twice. A part or a helper that is nowhere is named.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any

from benchmarks.gateway.usage import total_usage
from benchmarks.intake.dialect import GroupDialect, Piece
from benchmarks.intake.dialects.atif_steps import Started, add_step, references, step_usage
from benchmarks.intake.drafting.draft import Draft
from benchmarks.intake.drafting.ending import end_of
from benchmarks.intake.drafting.sessions import SessionParts, session_reading
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.found import Found
from benchmarks.intake.values import id_text, objects, word
from benchmarks.intake.wires.tools import chat_tools
from benchmarks.records.base import JsonObject
from benchmarks.records.blocks import Usage
from benchmarks.records.capture import Identity, Routing
from benchmarks.records.conversation import Issue

NAME = "atif"
VERSION = "ATIF-"
EMBEDDED = "subagent_trajectories"
TOLERANCE = 0.01


class Atif(GroupDialect):
    """A trajectory, or several under names in one document."""

    name = NAME
    lacks = "schema_version ATIF-"

    def detect(self, record: Any) -> bool:
        """Whether a record is a trajectory, or holds some under its keys."""
        if not isinstance(record, dict):
            return False
        return _is_trajectory(record) or any(_listed(value) for value in record.values())

    linked = True

    def keys(self, found: Found) -> Iterable[str]:
        """The names that its trajectories go by: of files in a folder, of ids and sessions."""
        for place in _places(0, found):
            yield from (_of_file(found, name) for name in place.names)
            yield from _ids(place.trajectory)
        yield found.pointer

    def refers(self, found: Found) -> Iterable[str]:
        """The names of the helpers and further parts that its trajectories speak of."""
        for place in _places(0, found):
            refs = [ref for step in place.steps for ref in references(step)]
            for ref in (*refs, continuation(place.trajectory)):
                path = word(ref.get("trajectory_path"))
                if path is not None:
                    yield _of_file(found, PurePosixPath(path).name)
                    yield f"session {path}"
                yield from _ids(ref)

    def read(self, key: str, records: Sequence[Found]) -> Iterable[Piece]:
        """Every conversation: those that nothing refers to first, helpers after their parents."""
        return _Group([
            place for at, one in enumerate(records) for place in _places(at, one)
        ]).read()


def _of_file(found: Found, name: str) -> str:
    return f"file {PurePosixPath(found.local_path).parent}/{name}"


def _ids(found: Mapping[str, Any]) -> Iterator[str]:
    for kind in ("trajectory", "session"):
        value = id_text(found.get(f"{kind}_id"))
        if value is not None:
            yield f"{kind} {value}"


def _is_trajectory(value: Any) -> bool:
    return isinstance(value, dict) and str(value.get("schema_version", "")).startswith(VERSION)


def _listed(value: Any) -> list[tuple[str, JsonObject]]:
    """The trajectories that a value is or lists, with their pointers from it."""
    if _is_trajectory(value):
        return [("", value)]
    items = value if isinstance(value, list) else []
    return [(f"/{at}", item) for at, item in enumerate(items) if _is_trajectory(item)]


@dataclass(frozen=True, slots=True)
class _Place:
    """One trajectory, where it stands, and the names that it goes by."""

    at: int
    within: str
    digest: str
    trajectory: JsonObject
    names: frozenset[str]

    @property
    def made_from(self) -> list[str]:
        return [self.digest, self.within]

    @property
    def steps(self) -> list[JsonObject]:
        return objects(self.trajectory.get("steps"))


def _places(at: int, found: Found) -> Iterator[_Place]:
    """Every trajectory of a record, those embedded in others too."""
    record = found.record
    file = PurePosixPath(found.local_path.removesuffix(".gz"))
    waiting: list[tuple[str, JsonObject, frozenset[str]]] = []
    if _is_trajectory(record):
        waiting.append(("", record, frozenset({file.name})))
    else:
        for name, value in record.items():
            names = frozenset({name, PurePosixPath(name).name})
            place = f"/{_escaped(name)}"
            waiting += [(f"{place}{rest}", one, names) for rest, one in _listed(value)]
    waiting.reverse()
    while waiting:
        within, trajectory, names = waiting.pop()
        yield _Place(at, within, found.record_sha256, trajectory, names)
        inner = _listed(trajectory.get(EMBEDDED))
        waiting += [
            (f"{within}/{EMBEDDED}{rest}", one, frozenset()) for rest, one in reversed(inner)
        ]


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


@dataclass(slots=True)
class _Chain:
    """The parts of one conversation in order, and what its last part still refers to."""

    parts: list[_Place]
    missing: str = ""


@dataclass(slots=True)
class _Group:
    """Trajectories that may refer to one another."""

    places: list[_Place]
    pieces: list[Piece] = field(default_factory=list)
    _taken: set[int] = field(default_factory=set)
    _by_name: dict[str, _Place] = field(default_factory=dict)
    _by_id: dict[str, _Place] = field(default_factory=dict)
    _by_session: dict[str, list[_Place]] = field(default_factory=dict)
    _inside: dict[tuple[int, str], list[_Place]] = field(default_factory=dict)

    def read(self) -> list[Piece]:
        """The pieces of all trajectories, each trajectory in exactly one."""
        self._index()
        referred = self._referred()
        for place in [*(one for one in self.places if id(one) not in referred), *self.places]:
            if id(place) not in self._taken:
                self._take(place, None, None)
        return self.pieces

    def _index(self) -> None:
        for place in self.places:
            for name in place.names:
                self._by_name.setdefault(name, place)
            trajectory_id = id_text(place.trajectory.get("trajectory_id"))
            if trajectory_id is not None:
                self._by_id.setdefault(trajectory_id, place)
            session = id_text(place.trajectory.get("session_id"))
            if session is not None:
                self._by_session.setdefault(session, []).append(place)
            owner, embedded, _ = place.within.rpartition(f"/{EMBEDDED}")
            if embedded:
                self._inside.setdefault((place.at, owner), []).append(place)

    def _referred(self) -> set[int]:
        """Those that another goes on with, or started as its helper."""
        found: set[int] = set()
        for place in self.places:
            refs = [ref for step in place.steps for ref in references(step)]
            refs.append(continuation(place.trajectory))
            targets = (self._resolved(ref, place) for ref in refs if ref)
            found.update(id(target) for target in targets if target is not None)
            found.update(id(one) for one in self._embedded(place))
        return found

    def _embedded(self, place: _Place) -> list[_Place]:
        return self._inside.get((place.at, place.within), [])

    def _resolved(self, ref: Mapping[str, Any], place: _Place) -> _Place | None:
        """What a reference means: by file name, by trajectory id, else by session id."""
        path = word(ref.get("trajectory_path"))
        if path is not None:
            found = self._by_name.get(PurePosixPath(path).name) or self._by_name.get(path)
            if found is not None and found is not place:
                return found
        found = self._by_id.get(id_text(ref.get("trajectory_id")) or "")
        if found is not None and found is not place:
            return found
        session = id_text(ref.get("session_id")) or path
        others = [one for one in self._by_session.get(session or "", ()) if one is not place]
        return others[0] if len(others) == 1 else None

    def _take(self, place: _Place, parent: int | None, call_id: str | None) -> None:
        """The conversation that starts at a place, then its helpers and theirs."""
        waiting: list[tuple[_Place, int | None, str | None]] = [(place, parent, call_id)]
        while waiting:
            start, parent, call_id = waiting.pop()
            if id(start) in self._taken:
                continue
            chain = self._chain(start)
            number = len(self.pieces)
            reading, started = self._read(chain)
            self.pieces.append(
                Piece(
                    reading,
                    within=start.within,
                    at=start.at,
                    made_from=[one.made_from for one in chain.parts],
                    parent=parent,
                    call_id=call_id if parent is not None else None,
                )
            )
            helpers = [
                (target, number, one.call_id)
                for part, one in started
                if (target := self._resolved(one.ref, part)) is not None
            ]
            helpers += [(one, number, None) for part in chain.parts for one in self._embedded(part)]
            waiting += reversed(helpers)

    def _chain(self, start: _Place) -> _Chain:
        chain = _Chain([start])
        self._taken.add(id(start))
        while True:
            last = chain.parts[-1]
            ref = continuation(last.trajectory)
            if not ref:
                return chain
            following = self._resolved(ref, last)
            if following is None:
                chain.missing = named(ref)
            if following is None or id(following) in self._taken:
                return chain
            self._taken.add(id(following))
            chain.parts.append(following)

    def _read(self, chain: _Chain) -> tuple[Reading | Refused, list[tuple[_Place, Started]]]:
        """The conversation of a chain, and the helpers that it names."""
        draft = Draft()
        started: list[tuple[_Place, Started]] = []
        for number, part in enumerate(chain.parts):
            for position, step in enumerate(part.steps):
                is_history = step.get("is_copied_context") is True
                if number and is_history:
                    continue
                found = add_step(draft, step, source_index=position, is_history=is_history)
                started += [(part, one) for one in found]
        draft.close()
        if not draft.turns:
            return Refused(Reason.NO_MESSAGES, "a trajectory without steps"), []
        for part, one in started:
            if self._resolved(one.ref, part) is None:
                draft.note("missing_continuation", one.turn, None, f"helper {named(one.ref)}")
        if chain.missing:
            draft.note("missing_continuation", None, None, chain.missing)
        return _reading(draft, [part.trajectory for part in chain.parts]), started


def continuation(trajectory: Mapping[str, Any]) -> JsonObject:
    """The reference to the part that a trajectory goes on in; empty when there is none."""
    ref = trajectory.get("continued_trajectory_ref")
    if isinstance(ref, str) and ref:
        return {"trajectory_path": ref}
    return ref if isinstance(ref, dict) else {}


def named(ref: Mapping[str, Any]) -> str:
    """How a reference names what it means."""
    keys = ("trajectory_path", "trajectory_id", "session_id")
    return next((found for key in keys if (found := id_text(ref.get(key)))), "without a name")


def _reading(draft: Draft, parts: Sequence[JsonObject]) -> Reading:
    first = parts[0]
    agent = first["agent"] if isinstance(first.get("agent"), dict) else {}
    offered = {
        str(number): tool
        for part in parts
        if isinstance(part.get("agent"), dict)
        for number, tool in enumerate(objects(part["agent"].get("tool_definitions")))
    }
    model = word(agent.get("model_name"))
    provider, slash, _ = (model or "").partition("/")
    frame = Frame(
        identity=Identity(session_id=id_text(first.get("session_id"))),
        routing=Routing(provider=provider if slash else None, requested_model=model),
        captured_at=next((turn.at for turn in draft.turns if turn.at), None),
    )
    said = SessionParts(
        dialect=NAME,
        end=end_of(draft.turns),
        tools=chat_tools({"tools": list(offered.values())}),
    )
    reading = session_reading(draft, frame, said)
    return _with_totals(reading, [_totals(part) for part in parts])


def _totals(part: Mapping[str, Any]) -> Usage | None:
    """What a part says that it spent altogether, its helpers mostly in it."""
    found = part.get("final_metrics")
    if not isinstance(found, dict):
        return None
    names = ("prompt_tokens", "completion_tokens", "cached_tokens", "cost_usd")
    usage = step_usage({name: found.get(f"total_{name}") for name in names}).usage
    return usage.with_(calls=None) if usage else None


def _with_totals(reading: Reading, totals: Sequence[Usage | None]) -> Reading:
    """The steps are the truth: totals count only where no step says anything."""
    known = [usage for usage in totals if usage is not None]
    conversation = reading.conversation
    if not known or len(known) < len(totals):
        return reading
    whole = total_usage(known)
    spent = conversation.usage
    if whole is None:
        return reading
    if spent is None:
        return replace(reading, conversation=conversation.with_(usage=whole))
    if not _differ(spent, whole):
        return reading
    detail = f"steps sum to {_tokens(spent)}, totals say {_tokens(whole)}"
    issue = Issue(code="usage_conflict", turn=None, part=None, detail=detail)
    issues = [*conversation.issues, issue]
    return replace(reading, conversation=conversation.with_(issues=issues))


def _differ(spent: Usage, whole: Usage) -> bool:
    pairs = (
        (spent.input_tokens, whole.input_tokens),
        (spent.output_tokens, whole.output_tokens),
    )
    return any(
        one is not None and other is not None and abs(one - other) > TOLERANCE * max(one, other)
        for one, other in pairs
    )


def _tokens(usage: Usage) -> str:
    return f"{usage.input_tokens} + {usage.output_tokens}"
