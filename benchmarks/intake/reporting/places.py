"""Where the first capture stands of which a finding speaks."""

from collections.abc import Callable, Collection, Iterable, Mapping

from benchmarks.intake.reporting.oddities import ISSUES
from benchmarks.intake.told import told_of
from benchmarks.records.capture import Capture
from benchmarks.records.conversation import ToolResult

Shows = Callable[[Capture], bool]


def first_places(captures: Iterable[Capture], codes: Collection[str]) -> dict[str, str]:
    """The first place of each of these findings, where a capture shows it."""
    wanted = {code: SHOWS[code] for code in codes if code in SHOWS}
    found: dict[str, str] = {}
    for capture in captures:
        if len(found) == len(wanted):
            break
        for code, shows in wanted.items():
            if code not in found and shows(capture):
                found[code] = capture.source.pointer
    return found


def _of_issue(code: str) -> Shows:
    return lambda capture: any(issue.code == code for issue in capture.conversation.issues)


def _of_loss(name: str) -> Shows:
    return lambda capture: bool((capture.conversation.loss or {}).get(name))


def _answers_nothing(capture: Capture) -> bool:
    return any(
        isinstance(part, ToolResult) and part.call is None
        for turn in capture.conversation.turns
        for part in turn.parts
    )


def _is_unanswered(capture: Capture) -> bool:
    """Whether a call lacks its result that is not the conversation's last."""
    if not _of_issue("missing_result")(capture):
        return False
    return told_of(capture).counts.unanswered > 0


SHOWS: Mapping[str, Shows] = {
    **{code: _of_issue(code) for code, *_ in ISSUES},
    "orphan_results": _answers_nothing,
    "missing_results": _is_unanswered,
    "orphan_spans": _of_loss("orphan_spans"),
    "wrapper_usage": _of_loss("wrapper_spans"),
    "cut_texts": lambda capture: told_of(capture).cut_texts > 0,
    "secrets_redacted": lambda capture: bool(capture.secrets),
}
"""How a capture shows what a finding is about; what is about records names its own first one."""
