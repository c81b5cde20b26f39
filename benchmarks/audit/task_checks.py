"""The checks of one task: each gives what is wrong in a few words, or nothing."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from benchmarks.audit.written import Subject
from benchmarks.foundry.wording import normal
from benchmarks.records.base import JsonObject
from benchmarks.records.contract import Entry
from benchmarks.records.conversation import JsonPart, Refusal, Text, Turn
from benchmarks.records.digest import canonical
from benchmarks.records.vocabulary import Split

PROSE_WORDS = 8
"""An incumbent's text as short as this may be anybody's."""
TITLE_CHARS = 32
LISTED = 3

Check = Callable[[Subject], Iterator[str]]


def prompt_missing(subject: Subject) -> Iterator[str]:
    """The environment has a row for the task, with something to show."""
    if subject.shown is None:
        yield "the environment has no row for the task"
    elif not subject.shown.candidate_prompt:
        yield "candidate_prompt holds no message"


def prompt_empty(subject: Subject) -> Iterator[str]:
    """What the user says is not blank."""
    messages = subject.shown.candidate_prompt if subject.shown else []
    if messages and not any(content_text(m).strip() or has_media(m) for m in messages):
        yield "every shown message is blank"


def prompt_equals_title(subject: Subject) -> Iterator[str]:
    """The prompt is what the user said, not the title of the task."""
    if subject.shown is None or subject.witness is None or subject.witness.boundary is None:
        return
    said = subject.witness.boundary.prompt
    if subject.shown.prompt == subject.task.title != said and len(said) >= TITLE_CHARS:
        yield "the prompt is the title, and the user said something else"


def history_mismatch(subject: Subject) -> Iterator[str]:
    """What is shown is what stands before the boundary of the source."""
    shown, witness = subject.shown, subject.witness
    if shown is None:
        return
    if shown.candidate_prompt != shown.source_messages:
        yield "candidate_prompt and source_messages differ"
    if witness is None or witness.boundary is None:
        return
    told = [said(turn) for turn in witness.boundary.shown if said(turn).strip()]
    messages = [m for m in shown.candidate_prompt if m.get("role") != "tool"]
    if [text for m in messages if (text := content_text(m)).strip()] != told:
        yield "the shown messages are not those before the boundary of the source"
    if (shown.system_prompt or "") != witness.boundary.system:
        yield "the system prompt is not that of the source"


def incumbent_in_prompt(subject: Subject) -> Iterator[str]:
    """Nothing that the incumbent said or called later is shown."""
    shown, witness = subject.shown, subject.witness
    if shown is None or witness is None or witness.boundary is None:
        return
    boundary = witness.boundary
    later = [turn for turn in witness.conversation.turns if turn not in boundary.shown]
    given = as_json(boundary.user_text) + as_json(boundary.system)
    surface = as_json([shown.candidate_prompt, shown.prompt])
    for text in incumbent_texts(later):
        if len(text.split()) >= PROSE_WORDS and text in surface and text not in given:
            yield f"an answer of the incumbent is shown: {text[:60]}"
    if any(arguments in surface for arguments in incumbent_arguments(later)):
        yield "a call of the incumbent is shown with its arguments"


def as_json(value: Any) -> str:
    """A value as JSON text, normalised; a text without its quotes."""
    spelled = canonical(value).decode()
    return normal(spelled[1:-1] if isinstance(value, str) else spelled)


def incumbent_texts(turns: Iterable[Turn]) -> Iterator[str]:
    """What the incumbent said, as it stands inside JSON text."""
    for turn in turns:
        if turn.role == "assistant" and turn.text().strip():
            yield as_json(turn.text())


def incumbent_arguments(turns: Iterable[Turn]) -> Iterator[str]:
    """The arguments of the incumbent's calls, as they stand inside JSON text."""
    for turn in turns:
        for call in turn.calls():
            if call.arguments:
                yield as_json(canonical(call.arguments).decode())


def tools_missing(subject: Subject) -> Iterator[str]:
    """The candidate is offered what the incumbent was, in that order."""
    if subject.shown is None or subject.witness is None:
        return
    offered = [tool.dump() for tool in subject.shown.tools]
    captured = [tool.dump() for tool in subject.witness.conversation.tools]
    if offered != captured:
        names = {tool["name"] for tool in captured} ^ {tool["name"] for tool in offered}
        yield f"offered tools are not those captured: {listed(names) or 'definitions differ'}"


def missing_tool_definitions(subject: Subject) -> Iterator[str]:
    """Every tool that the incumbent called is defined."""
    absent = set(subject.task.tool_surface) - defined(subject)
    if absent:
        yield f"called and not defined: {listed(absent)}"


def schemas_missing(subject: Subject) -> Iterator[str]:
    """Every offered tool has a schema in the world."""
    absent = defined(subject) - subject.schemas.keys()
    if absent:
        yield f"no entry in schemas.json: {listed(absent)}"


def contract_tool_undefined(subject: Subject) -> Iterator[str]:
    """The contract speaks of offered tools only."""
    contract = subject.task.outcome_contract
    entries = [*contract.required, *contract.preserved, *contract.forbidden]
    absent = {name for entry in entries for name in tools_of(entry)} - defined(subject)
    if absent:
        yield f"the contract names tools that are not offered: {listed(absent)}"


def empty_contract(subject: Subject) -> Iterator[str]:
    """The contract requires something."""
    if not subject.task.outcome_contract.required:
        yield "the contract requires nothing"


def no_boundary(subject: Subject) -> Iterator[str]:
    """The boundary is a capture of the source."""
    boundary = subject.task.candidate_boundary
    if subject.witness is not None and subject.witness.boundary is None:
        yield "the source has no user turn"
    elif not boundary:
        yield "no capture is named as the boundary"
    elif subject.task.source.node_ids and boundary not in subject.task.source.node_ids:
        yield f"the boundary {boundary} is no capture of the source"


def user_script_mismatch(subject: Subject) -> Iterator[str]:
    """The scripted user says what the source's user said, turn by turn."""
    shown, user = subject.shown, subject.task.user
    if shown is None:
        return
    turns = shown.user.turns
    if user is not None and user.mode != "simulated" and user.turns != len(turns):
        yield f"the task counts {user.turns} later user turns, the script has {len(turns)}"
    boundary = subject.witness.boundary if subject.witness else None
    if boundary is not None and list(boundary.script) != turns:
        yield "the script is not what the source's user said"


def fixture_post_state(subject: Subject) -> Iterator[str]:
    """No fixture row shows the state after a write."""
    if subject.gold is None:
        return
    told = Counter(answer_key(one.tool, one.arguments, one.content) for one in subject.gold.calls)
    apart = subject.gold.post_state_observations
    told -= Counter(answer_key(one.tool, one.arguments, one.content) for one in apart)
    rows = Counter(answer_key(one.tool, one.arguments, one.content) for one in subject.own)
    over = sorted({key[0] for key, count in rows.items() if count > told[key]})
    if over:
        yield f"fixtures.json holds results of after a write: {listed(over)}"


def oracle_unreplayable(subject: Subject) -> Iterator[str]:
    """The source solves its own task in its own world."""
    row = subject.validation
    if row is None:
        yield "offline validation has no row for the task"
    elif row.oracle.strict != 1 and not row.oracle.missing_gold:
        yield f"the oracle does not meet: {listed(row.oracle.unmet) or 'the contract'}"
    elif (row.oracle.fidelity or {}).get("not_recorded"):
        yield "the oracle asked for what was never recorded"


def split_invalid(subject: Subject) -> Iterator[str]:
    """The task stands in one split, in every file the same."""
    if subject.task.split is Split.NONE:
        yield "the task is in no split"
    elif subject.shown is not None and subject.shown.split is not subject.task.split:
        yield f"{subject.task.split} in tasks.jsonl, {subject.shown.split} in the environment"


TASK_CHECKS: Mapping[str, Check] = {
    check.__name__: check
    for check in (
        prompt_missing,
        prompt_empty,
        prompt_equals_title,
        history_mismatch,
        incumbent_in_prompt,
        no_boundary,
        user_script_mismatch,
        missing_tool_definitions,
        tools_missing,
        schemas_missing,
        empty_contract,
        contract_tool_undefined,
        fixture_post_state,
        oracle_unreplayable,
        split_invalid,
    )
}


def content_text(message: JsonObject) -> str:
    """The words of a chat message."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(str(part["text"]) for part in parts if part.get("type") == "text")


def has_media(message: JsonObject) -> bool:
    """Whether a chat message holds more than text."""
    content = message.get("content")
    return isinstance(content, list) and any(part.get("type") != "text" for part in content)


def said(turn: Turn) -> str:
    """The words of a turn, structured values among them."""
    words = [part.text for part in turn.parts if isinstance(part, Text | Refusal)]
    values = [canonical(part.value).decode() for part in turn.parts if isinstance(part, JsonPart)]
    return "\n".join([*words, *values])


def defined(subject: Subject) -> set[str]:
    """The names of the task's tool definitions."""
    return {tool.name for tool in subject.task.tool_definitions}


def tools_of(entry: Entry) -> Iterator[str]:
    """Every tool that an entry names."""
    reach = (entry.must_reach or {}).get("tool")
    for name in (entry.tool, reach, *(entry.tools or ())):
        if name:
            yield str(name)


def answer_key(tool: str, arguments: Any, content: Any) -> tuple[str, bytes]:
    """What makes two recorded answers one."""
    return tool, canonical([arguments, content])


def listed(names: Iterable[str]) -> str:
    """The first few names in order, and how many more there are."""
    ordered = sorted(names)
    more = f" and {len(ordered) - LISTED} more" if len(ordered) > LISTED else ""
    return ", ".join(ordered[:LISTED]) + more
