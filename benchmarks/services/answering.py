"""What an operator answers to the cards: which one, and how each dependency is played."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import get_args

from benchmarks.errors import ApprovalRequired, Complaint, InvalidArguments
from benchmarks.records.base import JsonObject
from benchmarks.records.caller import Caller
from benchmarks.records.direction import (
    Dependencies,
    Dependency,
    Directions,
    Picked,
    PostureWord,
)
from benchmarks.records.endpoint import NotAnEndpoint, read_endpoint

POSTURES: tuple[PostureWord, ...] = get_args(PostureWord)
LIVE, SIMULATED = "live", "simulated"
NOTE_CHARS = 2000
NO_MODEL_USER = "this version has no model play the user; frozen says again what the user said"


@dataclass(frozen=True)
class Answer:
    """The words of one call; nothing of it need be given."""

    pick: str | None = None
    postures: Mapping[str, str] = field(default_factory=dict)
    endpoints: Mapping[str, str] = field(default_factory=dict)
    """Where each live dependency is, by its name."""
    note: str | None = None
    confirm: bool = False
    """A person agreed to every live posture."""

    @property
    def is_given(self) -> bool:
        """Whether anything is answered."""
        return self.pick is not None or bool(self.postures)

    @property
    def wants_live(self) -> bool:
        """Whether calls are to reach something real."""
        return LIVE in self.postures.values()

    def need(self) -> None:
        """Return when something is answered.

        Raises:
            InvalidArguments: nothing is.
        """
        if not self.is_given:
            _raise([Complaint("pick", None, "a card to pick, or postures, are wanted")])

    def document(self) -> JsonObject:
        """What was said, for telling a repeated call from another one."""
        said = {"pick": self.pick, "postures": dict(self.postures), "note": self.note}
        return {**said, "endpoints": dict(self.endpoints)} if self.endpoints else said

    def check(self) -> None:
        """Every word that is wrong whatever stands, in one error.

        Raises:
            InvalidArguments: some are.
            ApprovalRequired: a live posture without a person's word, whoever calls.
        """
        found = [
            Complaint(f"postures.{name}", word, f"one of {', '.join(POSTURES)} is wanted")
            for name, word in self.postures.items()
            if word not in POSTURES
        ]
        found += [
            Complaint(f"endpoints.{name}", text, f"goes with postures.{name} live")
            for name, text in self.endpoints.items()
            if self.postures.get(name) != LIVE
        ]
        if self.note is not None and len(self.note) > NOTE_CHARS:
            found.append(Complaint("note", self.note, f"at most {NOTE_CHARS} characters"))
        if self.note is not None and not self.is_given:
            found.append(Complaint("note", self.note, "a note goes with a pick or a posture"))
        _raise(found)
        if self.wants_live and not self.confirm:
            live = sorted(name for name, word in self.postures.items() if word == LIVE)
            raise ApprovalRequired(
                f"a live posture of {', '.join(live)} is a person's decision",
                hint="calls would reach something real; ask the person, then repeat with confirm",
                details={"gate": "live_posture", "dependencies": live},
            )

    def picked_in(self, directions: Directions, caller: Caller, at: str) -> Directions:
        """The cards with the pick; the same pick again changes nothing.

        Raises:
            InvalidArguments: there is no such card; those that are there are named.
        """
        if self.pick is None:
            return directions
        ids = [card.direction_id for card in directions.directions]
        if self.pick not in ids:
            _raise([Complaint("pick", self.pick, f"one of {', '.join(ids)} is wanted")])
        before = directions.picked
        same = before is not None and before.direction_id == self.pick
        if same and self.note in {None, before.operator_note if before else None}:
            return directions
        picked = Picked(
            direction_id=self.pick,
            actor=caller.actor,
            door=caller.door,
            at=at,
            operator_note=self.note,
        )
        return directions.with_(picked=picked)

    def approved_in(
        self, dependencies: Dependencies, caller: Caller, at: str, *, seed: int
    ) -> Dependencies:
        """The dependencies with the postures that were given; the same again changes nothing.

        Raises:
            InvalidArguments: there is no such dependency, or it cannot be played so.
        """
        if not self.postures:
            return dependencies
        known = {one.name: one for one in dependencies.dependencies}
        names = ", ".join(known) or "no dependency"
        _raise([
            Complaint(f"postures.{name}", word, f"one of {names} is wanted")
            if name not in known
            else Complaint(f"postures.{name}", word, NO_MODEL_USER)
            for name, word in self.postures.items()
            if name not in known or (known[name].kind == "model" and word != "frozen")
        ])
        _raise([
            Complaint(f"endpoints.{name}", text, why)
            for name, text in self.endpoints.items()
            if (why := _no_place(text, known[name].kind)) is not None
        ])
        return dependencies.with_(
            dependencies=[
                self._approved(one, self.postures[one.name], caller, at, seed)
                if one.name in self.postures
                else one
                for one in dependencies.dependencies
            ]
        )

    def _approved(
        self, one: Dependency, word: str, caller: Caller, at: str, seed: int
    ) -> Dependency:
        endpoint = self.endpoints.get(one.name, one.endpoint) if word == LIVE else None
        same = one.posture == word and one.endpoint == endpoint
        if one.is_approved and same and self.note in {None, one.operator_note}:
            return one
        return one.with_(
            posture=word,
            approved_by=caller.actor,
            door=caller.door,
            at=at,
            endpoint=endpoint,
            seed=seed if word == SIMULATED else None,
            operator_note=self.note,
        )


def _raise(found: list[Complaint]) -> None:
    if found:
        said = "; ".join(f"{one.path}: {one.message}" for one in found)
        raise InvalidArguments(said, errors=found)


def _no_place(text: str, kind: str) -> str | None:
    """Why a text is no endpoint; None where it is one."""
    try:
        read_endpoint(text, kind)
    except NotAnEndpoint as error:
        return str(error)
    return None
