"""What of a conversation the candidate is shown, and what the user says afterwards.

The boundary is the earliest defensible one (spec/build.md 2.4): system text, tool definitions and
the first user turn. No later turn of the incumbent, no call and no result is ever in it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.foundry.turns import History, history_of, system_text
from benchmarks.foundry.wording import normal
from benchmarks.records.conversation import Conversation, Media, Text, Turn
from benchmarks.records.digest import json_digest
from benchmarks.records.environment import ScriptedUser

STOP_MARKER = "###STOP###"
COMMAND_ARGUMENTS = frozenset({"command", "cmd", "script"})
RESTATED_CHARS = 20
"""A user turn as short as this is the user's own word, though a result says the same."""
SHARED_BY = 3
"""Conversations that must open with one block before it counts as a demonstration."""


@dataclass(frozen=True, slots=True)
class Boundary:
    """The candidate's side of a conversation."""

    system: str
    """Empty when the source has no system text."""
    shown: tuple[Turn, ...]
    """Demonstrations, a fixed greeting, and the user's turns before the first answer."""
    asked: tuple[Turn, ...]
    """The user turns among `shown` that are the task; the first of them is the prompt."""
    script: tuple[str, ...]
    """What the user says later, verbatim, in order."""
    stop: bool
    """Whether the source's user closed the conversation."""

    @property
    def prompt(self) -> str:
        """The text of the first user turn that is the task."""
        return said(self.asked[0])

    @property
    def asked_text(self) -> str:
        """All that the user says before the first answer."""
        return "\n".join(said(turn) for turn in self.asked)

    @property
    def user_text(self) -> str:
        """All that the user ever says."""
        return "\n".join([self.asked_text, *self.script])

    @property
    def user(self) -> ScriptedUser:
        """The user after the boundary, as the environment plays it."""
        return ScriptedUser(
            mode="scripted" if self.script else "none",
            turns=list(self.script),
            stop=True if self.stop else None,
        )


def boundary_of(conversation: Conversation, demonstration: int = 0) -> Boundary | None:
    """The boundary of a conversation; None when no user turn stands in it.

    `demonstration` is how many leading turns, the system's aside, are worked examples.
    """
    body = [turn for turn in conversation.turns if turn.role != "system"]
    first = _first_user(body, demonstration)
    if first is None:
        return None
    after = _first_answer(body, first)
    opening = body[:first]
    if any(turn.calls() or turn.results() for turn in opening[demonstration:]):
        opening = opening[:demonstration]
    asked = tuple(turn for turn in body[first:after] if turn.role == "user")
    script, marked = _script(body, after)
    end = conversation.end
    return Boundary(
        system=_system_before(conversation.turns, body[first:after]),
        shown=(*opening, *asked),
        asked=asked,
        script=script,
        stop=marked or (end is not None and end.reason == "user_stop"),
    )


def said(turn: Turn) -> str:
    """The words of a user turn; a turn of pictures alone is named, never empty."""
    words = turn.text()
    if words.strip():
        return words
    media = [part.mime for part in turn.parts if isinstance(part, Media)]
    return " ".join(f"[{mime}]" for mime in media) or words


def demonstrations(
    conversations: Mapping[str, Conversation], alike: Mapping[str, str]
) -> dict[str, int]:
    """How many leading turns of each conversation are worked examples, by its name.

    A block counts that at least three conversations of one system text open with, each followed
    by another user turn. Trials of one task, named alike in `alike`, open alike by nature: they
    count as one.
    """
    histories = {name: history_of(found.turns) for name, found in conversations.items()}
    systems = {
        name: json_digest(normal(system_text(found.turns))) for name, found in conversations.items()
    }
    followed: dict[tuple[str, str], dict[str, str]] = {}
    for name, history in histories.items():
        for length in _block_ends(history):
            key = (systems[name], history.prefixes[length - 1])
            followed.setdefault(key, {})[alike.get(name, name)] = history.marks[length].content
    return {
        name: max(
            (
                length
                for length in _block_ends(history)
                if _shared(followed[systems[name], history.prefixes[length - 1]])
            ),
            default=0,
        )
        for name, history in histories.items()
    }


def _shared(next_turns: Mapping[str, str]) -> bool:
    return len(set(next_turns.values())) >= SHARED_BY


def _block_ends(history: History) -> Iterable[int]:
    """Where a block of user and assistant turns may end: before a user turn."""
    seen: set[str] = set()
    for length, mark in enumerate(history.marks):
        if mark.role == "user" and {"user", "assistant"} <= seen:
            yield length
        seen.add(mark.role)


def _first_user(body: Sequence[Turn], start: int) -> int | None:
    return next((at for at in range(start, len(body)) if body[at].role == "user"), None)


def _first_answer(body: Sequence[Turn], start: int) -> int:
    return next((at for at in range(start, len(body)) if body[at].role != "user"), len(body))


def _system_before(turns: Sequence[Turn], asked: Sequence[Turn]) -> str:
    """What the system says before the user's first turn is answered."""
    last = asked[-1].index
    return system_text([turn for turn in turns if turn.index <= last])


def _script(body: Sequence[Turn], after: int) -> tuple[tuple[str, ...], bool]:
    """The later user turns, the stop marker cut; and whether one stood there."""
    script: list[str] = []
    marked = any(STOP_MARKER in turn.text() for turn in body if turn.role == "user")
    for at in range(after, len(body)):
        turn = body[at]
        if turn.role != "user":
            continue
        words = said(turn)
        if STOP_MARKER in words:
            words = words[: words.index(STOP_MARKER)].rstrip()
        if words.strip() and not _restates(words, body[:at]):
            script.append(words)
    return tuple(script), marked


def _restates(words: str, before: Sequence[Turn]) -> bool:
    """Whether a user turn only echoes a command or repeats a tool result."""
    bare = normal(words)
    for turn in before:
        for call in turn.calls():
            for name, value in (call.arguments or {}).items():
                if name in COMMAND_ARGUMENTS and isinstance(value, str) and normal(value) == bare:
                    return True
        if len(bare) < RESTATED_CHARS:
            continue
        for result in turn.results():
            texts = [part.text for part in result.parts if isinstance(part, Text)]
            if texts and normal("\n".join(texts)) == bare:
                return True
    return False
