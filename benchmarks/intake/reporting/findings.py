"""What a person should know after intake, each with its cure (spec/build.md 1.10)."""

from collections import Counter
from collections.abc import Sequence

from benchmarks.intake.reasons import Dropped, Reason
from benchmarks.records.base import JsonObject
from benchmarks.records.intake import IntakeReport

NAMES_SHOWN = 8


def findings_of(report: IntakeReport, dropped: Sequence[Dropped]) -> list[JsonObject]:
    """The findings of one report, the gravest first."""
    found = [
        *_loss(report),
        *_masked(report),
        *_not_redacted(report),
        *_unsupported(dropped),
        *_crashed(report),
        *_tools(report),
        *_secrets(report),
        *_orphans(report),
    ]
    order = {"error": 0, "warning": 1, "info": 2}
    return sorted(found, key=lambda finding: order[finding["severity"]])


def _finding(code: str, severity: str, text: str, next_step: str) -> JsonObject:
    return {"code": code, "severity": severity, "text": text, "next": next_step}


def _loss(report: IntakeReport) -> list[JsonObject]:
    if report.verdict == "pass":
        return []
    worst = max(
        report.losses or {"record": report.loss},
        key=lambda name: report.losses[name] if report.losses else 0.0,
    )
    text = f"{report.loss:.1%} of the {worst}s are lost; the bar is {report.bar:.1%}"
    return [_finding("loss_above_bar", "error", text, "mend the sources, or raise --max-loss")]


def _masked(report: IntakeReport) -> list[JsonObject]:
    masked = report.dropped.get(Reason.CONTENT_MASKED, 0)
    empty = report.dropped.get(Reason.NO_MESSAGES, 0)
    if not masked + empty:
        return []
    text = f"{masked + empty} model calls carry no content: content capture is off"
    cure = "turn content capture on where the traces are recorded"
    return [_finding("no_content", "warning", text, cure)]


def _not_redacted(report: IntakeReport) -> list[JsonObject]:
    if report.redacted:
        return []
    text = "secrets are kept as they are: redaction is off"
    return [_finding("not_redacted", "warning", text, "leave out --no-redact")]


def _unsupported(dropped: Sequence[Dropped]) -> list[JsonObject]:
    names = Counter(d.detail for d in dropped if d.reason is Reason.UNSUPPORTED_DIALECT)
    if not names:
        return []
    listed = ", ".join(f"{name} ({count})" for name, count in sorted(names.items()))
    text = f"recognised, not readable by this version: {listed}"
    return [_finding("unsupported_dialect", "info", text, "nothing: this is no loss")]


def _crashed(report: IntakeReport) -> list[JsonObject]:
    failed = report.dropped.get(Reason.FAILED_CALL, 0)
    if not failed:
        return []
    text = f"{failed} records are calls or rollouts that failed before any answer"
    return [_finding("failed_calls", "info", text, "nothing: each is named among the examples")]


def _tools(report: IntakeReport) -> list[JsonObject]:
    names = (report.tools or {}).get("unknown_names", [])
    if not names:
        return []
    shown = ", ".join(names[:NAMES_SHOWN]) + (" …" if len(names) > NAMES_SHOWN else "")
    noun = "tool" if len(names) == 1 else "tools"
    text = f"{len(names)} {noun} cannot be classed as read or write: {shown}"
    return [_finding("unclassified_tools", "warning", text, "say so in tool-policy.json")]


def _secrets(report: IntakeReport) -> list[JsonObject]:
    if not report.secrets:
        return []
    listed = ", ".join(f"{count} {kind}" for kind, count in report.secrets.items())
    text = f"secrets redacted: {listed}"
    return [_finding("secrets_redacted", "info", text, "rotate keys that reached a trace")]


def _orphans(report: IntakeReport) -> list[JsonObject]:
    joins = report.joins or {}
    orphans, unanswered = joins.get("orphan_results", 0), joins.get("calls_without_result", 0)
    if not orphans + unanswered:
        return []
    text = f"{orphans} results answer no call, {unanswered} calls were never answered"
    return [_finding("unjoined", "warning", text, "check that whole conversations are captured")]
