"""The checks of one task: each gives what is wrong in a few words, or nothing."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from benchmarks.audit.exposed import incumbent_shown, post_state_rows
from benchmarks.audit.messages import content_text, has_media
from benchmarks.audit.written import Subject
from benchmarks.contract.contract_words import wrong_words
from benchmarks.records.contract import Entry
from benchmarks.records.conversation import JsonPart, Refusal, Text, Turn
from benchmarks.records.digest import canonical
from benchmarks.records.vocabulary import Split

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
    found = list(incumbent_shown(subject))
    for one in found:
        if not one.is_call:
            yield f"an answer of the incumbent is shown: {one.text[:60]}"
    if any(one.is_call for one in found):
        yield "a call of the incumbent is shown with its arguments"


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


def contract_word_unknown(subject: Subject) -> Iterator[str]:
    """The contract uses only words that a rule knows."""
    yield from map(str, wrong_words(subject.task.outcome_contract))


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
    late = {row.tool for row in post_state_rows(subject)}
    if late:
        yield f"fixtures.json holds results of after a write: {listed(late)}"


def oracle_unreplayable(subject: Subject) -> Iterator[str]:
    """The source solves its own task in its own world."""
    row = subject.validation
    if row is None:
        yield "offline validation has no row for the task"
    elif not row.oracle.judgeable:
        yield "the contract cannot be judged"
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
        contract_word_unknown,
        fixture_post_state,
        oracle_unreplayable,
        split_invalid,
    )
}


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


def listed(names: Iterable[str]) -> str:
    """The first few names in order, and how many more there are."""
    ordered = sorted(names)
    more = f" and {len(ordered) - LISTED} more" if len(ordered) > LISTED else ""
    return ", ".join(ordered[:LISTED]) + more
