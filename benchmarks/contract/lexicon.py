"""What the name of a tool says about it (spec/build.md 3).

The lists are the weakest source of a tool's class: an operator, an annotation and an HTTP method
beat them. A name that says nothing is unknown, never a read.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from benchmarks.records.vocabulary import Effect, Role


def words(text: str) -> frozenset[str]:
    """The blank-separated words of `text`."""
    return frozenset(text.split())


READ = words(
    "get fetch read list ls search find lookup look query show view display describe check verify"
    " validate count calculate calc compute estimate quote compare convert translate summarize"
    " summarise analyze analyse inspect explain preview retrieve browse scan grep glob cat head"
    " tail stat ping poll peek watch monitor think reason classify detect extract parse diff load"
    " filter sort rank recommend suggest predict evaluate measure ask whoami is has can know recall"
    " download divide multiply subtract sum average sample"
)
WRITE = words(
    "create add insert new register enroll buy purchase pay refund deposit withdraw transfer cancel"
    " delete remove drop destroy erase clear purge archive unarchive restore update edit modify"
    " change adjust set unset reset patch put replace overwrite rename move write save store append"
    " prepend upload import publish unpublish send resend reply respond forward notify invite share"
    " unshare grant revoke assign unassign reassign approve reject accept decline confirm submit"
    " apply enable disable activate deactivate suspend start stop restart reboot pause resume"
    " launch deploy rollback terminate kill install uninstall upgrade downgrade merge close reopen"
    " reschedule unschedule unregister subscribe unsubscribe follow unfollow unmark untag lock"
    " unlock redeem exchange promote demote ban unban unblock mute unmute unlink attach detach"
    " connect disconnect increment decrement provision commit push void settle toggle draft"
)
NOUN_VERBS = words(
    "book order reserve charge bill credit debit post email message page mark tag sign issue return"
    " ship dispatch block link schedule"
)
AMBIGUOUS = words(
    "run execute exec call invoke process handle do perform make manage use bash shell terminal"
    " python sql code eval browser navigate click type press scroll request http api sync trigger"
    " generate record log track report open complete resolve build match map batch release claim"
    " checkout test switch escalate route select"
)
READ_NOUNS = words(
    "status state details detail info information list history summary count total balance schema"
    " metadata policy policies catalog stats statistics logs results options availability price"
    " prices version health usage help docs"
)
FINISH = words(
    "finish done final_answer final_result attempt_completion complete_task task_complete"
    " submit_answer end_conversation exit_plan_mode"
)
HANDOFF_STARTS = ("transfer_to_", "handoff_to_", "hand_off_to_", "escalate_to_")
HANDOFF_VERBS = words("transfer handoff escalate forward route")
HANDOFF_TARGETS = words(
    "human humans agent agents representative operator supervisor specialist person support"
)
HANDOFF_FILLERS = words("call chat conversation session customer user caller to the a live")
DELEGATE = words("delegate spawn subagent")
CONJUNCTIONS = words("and or then")
PER_CALL = {
    "sql": "sql",
    "http": "http_method",
    "bash": "command",
    "shell": "command",
    "terminal": "command",
}

PREFIX = re.compile(r"^(?:functions\.|default_api:|mcp__.+?__)")
HUMPS = re.compile(r"(?<=[^\W_A-Z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
SEPARATORS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class NameReading:
    """What a name says: an effect, a role, and by which word."""

    effect: Effect
    evidence: str
    role: Role | None = None
    verb: str | None = None
    """The word that decided, where it is a verb."""
    per_call: str | None = None
    commands: Mapping[str, Effect] = field(default_factory=dict)


def known(effect: Effect, role: Role | None = None) -> NameReading:
    """The reading of a name that is known as a whole."""
    return NameReading(effect, "known name", role)


RUNNER = NameReading(Effect.UNKNOWN, "known name", Role.CARRIER, per_call="command")
EDITOR = NameReading(
    Effect.UNKNOWN,
    "known name",
    Role.CARRIER,
    per_call="command",
    commands={"view": Effect.READ, "*": Effect.WRITE},
)
KNOWN_NAMES: Mapping[str, NameReading] = {
    **dict.fromkeys(
        words(
            "Read Grep Glob LS NotebookRead WebFetch WebSearch BashOutput TodoRead"
            " web_search file_search web_fetch"
        ),
        known(Effect.READ),
    ),
    **dict.fromkeys(words("TodoWrite update_plan think"), known(Effect.READ, Role.SCRATCH)),
    **dict.fromkeys(
        words("Write Edit MultiEdit NotebookEdit apply_patch replace write_file save_memory"),
        known(Effect.WRITE),
    ),
    **dict.fromkeys(words("Task Agent"), known(Effect.UNKNOWN, Role.DELEGATE)),
    **dict.fromkeys(
        words("Bash KillShell shell exec_command run_shell_command execute_bash"), RUNNER
    ),
    **dict.fromkeys(words("code_interpreter code_execution computer"), known(Effect.UNKNOWN)),
    "ExitPlanMode": known(Effect.READ, Role.FINISH),
    "str_replace_editor": EDITOR,
}


def bare_name(name: str) -> str:
    """The name without the prefix of a protocol or a server."""
    return PREFIX.sub("", name, count=1) or name


def tokens(name: str) -> tuple[str, ...]:
    """The words of a name: snake_case, camelCase, kebab-case or dotted; digits stay."""
    spaced = HUMPS.sub(" ", bare_name(name))
    return tuple(word.lower() for word in SEPARATORS.split(spaced) if word)


def read_name(name: str) -> NameReading:
    """What `name` says about the tool: unknown when it says nothing."""
    exact = KNOWN_NAMES.get(bare_name(name))
    if exact is not None:
        return exact
    parts = tokens(name)
    return role_reading(parts) or joined_reading(parts) or verb_reading(parts)


def role_reading(parts: Sequence[str]) -> NameReading | None:
    """Finish, hand-off or delegation, where the words say so."""
    whole = "_".join(parts)
    if whole in FINISH:
        return NameReading(Effect.READ, f"name: {whole}", Role.FINISH)
    if whole.startswith(HANDOFF_STARTS) or hands_off(parts):
        return NameReading(Effect.READ, f"name: {whole}", Role.HANDOFF)
    return None


def hands_off(parts: Sequence[str]) -> bool:
    """Whether a hand-off verb meets somebody to hand to, and nothing else is handed."""
    verb = next((word for word in parts[:2] if word in HANDOFF_VERBS), None)
    if verb is None or not HANDOFF_TARGETS.intersection(parts):
        return False
    rest = set(parts) - {verb} - HANDOFF_TARGETS
    return rest <= HANDOFF_FILLERS


def joined_reading(parts: Sequence[str]) -> NameReading | None:
    """A write verb behind a conjunction, or a delegation."""
    for word, after in zip(parts, parts[1:], strict=False):
        if word in CONJUNCTIONS and after in WRITE:
            return NameReading(Effect.WRITE, f"verb: {after}", verb=after)
    for word, after in zip_longest(parts, parts[1:], fillvalue=""):
        if word in DELEGATE or (word in {"invoke", "run"} and after == "agent"):
            return NameReading(Effect.UNKNOWN, f"verb: {word}", Role.DELEGATE)
    return None


def verb_reading(parts: Sequence[str]) -> NameReading:
    """The first verb that decides: the first word, then the last, then the rest."""
    for place in places(len(parts)):
        effect = effect_at(parts, place)
        if effect is None:
            continue
        if effect is Effect.UNKNOWN:
            return ambiguous(parts, parts[place])
        return NameReading(effect, f"verb: {parts[place]}", verb=parts[place])
    if parts and parts[-1] in READ_NOUNS:
        return NameReading(Effect.READ, f"noun: {parts[-1]}")
    return NameReading(Effect.UNKNOWN, "no known verb")


def places(count: int) -> list[int]:
    """The order in which the words of a name are looked at."""
    return list(dict.fromkeys([0, count - 1, *range(count)])) if count else []


def effect_at(parts: Sequence[str], place: int) -> Effect | None:
    """What the word at `place` decides, or None."""
    word = parts[place]
    after = parts[place + 1] if place + 1 < len(parts) else ""
    if word in WRITE:
        return Effect.WRITE
    if word in AMBIGUOUS or (word == "check" and after in {"in", "out"}):
        return Effect.UNKNOWN
    if word in READ:
        return Effect.READ
    if word in NOUN_VERBS and place == 0 and after and after not in READ_NOUNS:
        return Effect.WRITE
    return None


def ambiguous(parts: Sequence[str], word: str) -> NameReading:
    """An unknown tool, classed by call where its words name what it carries."""
    carried = next((PER_CALL[part] for part in parts if part in PER_CALL), None)
    role = Role.CARRIER if carried else None
    return NameReading(Effect.UNKNOWN, f"ambiguous: {word}", role, verb=word, per_call=carried)
