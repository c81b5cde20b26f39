"""A conversation while a dialect reads it: pieces in, joined and parsed turns out."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from benchmarks.contract.rejection import result_status
from benchmarks.intake.drafting.arguments import parse_arguments
from benchmarks.intake.drafting.joining import Joiner
from benchmarks.records.conversation import (
    CallRef,
    Issue,
    JsonPart,
    Media,
    Part,
    Reasoning,
    Refusal,
    ResultPart,
    Text,
    ToolCall,
    ToolResult,
    Turn,
    UnknownPart,
)

Role = Literal["system", "user", "assistant", "tool"]
Origin = Literal["request", "response"]
UNNAMED = "unnamed"


@dataclass(frozen=True, slots=True)
class CallFound:
    """A call as a dialect found it; `arguments` is a text, a value or None when absent.

    A `silent` call is one of a provider's own tool that need not show what it came to.
    """

    raw_id: str | None
    name: str | None
    arguments: Any
    executed_by: str | None = None
    server: str | None = None
    silent: bool = False


@dataclass(frozen=True, slots=True)
class ResultFound:
    """A result as a dialect found it; `failed` is the dialect's own word, None when it has none."""

    raw_id: str | None
    name: str | None
    parts: Sequence[ResultPart]
    failed: bool | None = None


Plain = Text | Reasoning | JsonPart | Media | Refusal | UnknownPart
Piece = Plain | CallFound | ResultFound


@dataclass(slots=True)
class Draft:
    """Turns in order; calls parsed and results joined as they come."""

    turns: list[Turn] = field(default_factory=list)
    issues: list[Issue] = field(default_factory=list)
    joiner: Joiner = field(default_factory=Joiner)
    blobs: dict[str, bytes] = field(default_factory=dict)
    """Bytes found inside messages, by digest."""
    _silent: set[tuple[int, int]] = field(default_factory=set)
    """Where the calls stand that may stay without a result."""

    def add(
        self,
        role: Role,
        pieces: Sequence[Piece],
        *,
        origin: Origin = "request",
        source_index: int | None = None,
        **about: Any,
    ) -> Turn:
        """Append one turn; `about` are optional fields of a Turn."""
        index = len(self.turns)
        parts: list[Part] = []
        for piece in pieces:
            self._place(piece, index, parts)
        turn = Turn(
            index=index, role=role, origin=origin, parts=parts, source_index=source_index, **about
        )
        self.turns.append(turn)
        return turn

    def add_user(self, pieces: Sequence[Piece], *, source_index: int) -> None:
        """Append a message of the user: its results as one tool turn, then a turn with the rest."""
        results = [piece for piece in pieces if isinstance(piece, ResultFound)]
        rest = [piece for piece in pieces if not isinstance(piece, ResultFound)]
        if results:
            self.add("tool", results, source_index=source_index)
        if rest or not results:
            self.add("user", rest, source_index=source_index)

    def note(self, code: str, turn: int | None, part: int | None, detail: str = "") -> None:
        """Record something odd that cost nothing."""
        self.issues.append(Issue(code=code, turn=turn, part=part, detail=detail))

    def close(self) -> None:
        """Name the calls that were never answered though the assistant went on.

        Of a silent call nothing was there to be recorded: the model alone saw the answer.
        """
        last = max((turn.index for turn in self.turns if turn.role == "assistant"), default=-1)
        for call in self.joiner.waiting:
            if call.at.turn < last and (call.at.turn, call.at.part) not in self._silent:
                self.note("missing_result", call.at.turn, call.at.part, call.name)

    def _place(self, piece: Piece, index: int, parts: list[Part]) -> None:
        if isinstance(piece, CallFound):
            self._place_call(piece, index, parts)
        elif isinstance(piece, ResultFound):
            parts.append(self._joined(piece, CallRef(turn=index, part=len(parts))))
        else:
            if isinstance(piece, UnknownPart):
                self.note("unknown_part", index, len(parts), piece.source_type)
            parts.append(piece)

    def _place_call(self, found: CallFound, index: int, parts: list[Part]) -> None:
        name = found.name or UNNAMED
        if not found.name:
            self.note("unnamed_call", index, len(parts))
        arguments = parse_arguments(found.arguments)
        if arguments.glued:
            self.note("glued_arguments", index, len(parts), f"{len(arguments.objects)} calls")
        if arguments.literal:
            self.note("arguments_literal", index, len(parts), "a literal of Python")
        if arguments.error is not None:
            self.note("arguments_unparsed", index, len(parts), arguments.error.kind)
        for position, value in enumerate(arguments.objects or (None,)):
            at = CallRef(turn=index, part=len(parts))
            # The further halves of a glued text are calls without an id of their own.
            call_id, repeated = self.joiner.open(at, found.raw_id if position == 0 else None, name)
            if found.silent:
                self._silent.add((at.turn, at.part))
            if repeated:
                self.note("duplicate_call_id", at.turn, at.part, call_id)
            parts.append(
                ToolCall(
                    call_id=call_id,
                    name=name,
                    arguments=value,
                    arguments_raw=arguments.raw,
                    arguments_error=arguments.error,
                    executed_by=found.executed_by,
                    server=found.server,
                )
            )

    def _joined(self, found: ResultFound, at: CallRef) -> ToolResult:
        call = self.joiner.answer(found.raw_id, found.name)
        if call is None:
            self.note("orphan_result", at.turn, at.part, found.name or found.raw_id or "")
        call_id = call.call_id if call else found.raw_id or ""
        failed = bool(found.failed) or says_error(found.parts)
        return ToolResult(
            call_id=call_id,
            name=found.name or (call.name if call else UNNAMED),
            status="error" if failed else "ok",
            parts=list(found.parts),
            call=call.at if call else None,
            orphan=None if call else True,
        )


def says_error(parts: Sequence[ResultPart]) -> bool:
    """Whether a result reads as a rejection whatever the class of its tool.

    The status keys that count for writes only are left to whoever knows the class.
    """
    texts = [part.text for part in parts if isinstance(part, Text)]
    values: list[Any] = [part.value for part in parts if isinstance(part, JsonPart)]
    if texts:
        values.append("\n".join(texts))
    return any(result_status(value, is_write=False) == "error" for value in values)
