"""The intake report: what was read, recovered, redacted and dropped, and what was lost."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from benchmarks.contract.mutating import is_closing, merge_policy
from benchmarks.intake.reasons import Dropped, Kind, Reason
from benchmarks.intake.reporting.findings import findings_of
from benchmarks.intake.reporting.leaves import leaves
from benchmarks.intake.reporting.tally import Tally
from benchmarks.records.base import JsonObject
from benchmarks.records.capture import Capture
from benchmarks.records.conversation import Conversation, ToolCall, ToolResult
from benchmarks.records.intake import IntakeReport
from benchmarks.records.times import stamp
from benchmarks.records.vocabulary import Effect

EXAMPLES = 5
TEXT_REPAIRS = ("decode_replaced", "surrogate_replaced", "non_finite")


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """What the report is measured against."""

    now: datetime
    max_loss: float
    redacted: bool


@dataclass(frozen=True, slots=True)
class Joins:
    """How calls and results found each other, over whole conversations."""

    calls: int
    results: int
    joined: int
    unanswered: int
    """Calls without a result after which the assistant went on."""
    reused_ids: int
    inferred: int

    @property
    def orphans(self) -> int:
        """Results for nothing."""
        return self.results - self.joined

    @property
    def loss(self) -> float:
        """The share of calls and results that found no other half."""
        return _share(self.orphans + self.unanswered, self.calls + self.orphans)


def intake_report(
    tally: Tally, captures: Sequence[Capture], duplicates: int, options: ReportOptions
) -> IntakeReport:
    """The report of one pass over the sources."""
    whole = [capture.conversation for capture in leaves(captures)]
    joins = joins_of(whole)
    losses = {
        "record": record_loss(tally, captures),
        "message": message_loss(tally.dropped, captures),
        "join": joins.loss,
    }
    loss = max(losses.values())
    tools = tool_counts(captures)
    issues = Counter(issue.code for item in captures for issue in item.conversation.issues)
    report = IntakeReport(
        generated_at=stamp(options.now),
        verdict="pass" if loss <= options.max_loss else "fail",
        loss=_rounded(loss),
        bar=options.max_loss,
        sources=_sources(tally),
        dialects=_counts(tally.dialects),
        records=tally.records,
        captures=len(captures),
        conversations=len(whole),
        turns=sum(len(conversation.turns) for conversation in whole),
        tool_calls=joins.calls,
        tool_results=joins.results,
        joined_results=joins.joined,
        dropped=_counts(Counter(drop.reason.value for drop in tally.dropped)),
        examples=_examples(tally.dropped),
        duplicates=duplicates,
        repaired=_counts(tally.repairs),
        secrets=_counts(tally.secrets),
        redacted=options.redacted,
        issues=_counts(issues),
        by_dialect=_by_dialect(tally, captures),
        files=_files(tally),
        joins={
            "orphan_results": joins.orphans,
            "calls_without_result": joins.unanswered,
            "orphan_spans": 0,
            "reused_call_ids": joins.reused_ids,
            "inferred_calls": joins.inferred,
        },
        losses={name: _rounded(value) for name, value in losses.items()},
        text={**{name: tally.repairs[name] for name in TEXT_REPAIRS}, "truncated_values": 0},
        tools=tools,
    )
    return report.with_(findings=findings_of(report, tally.dropped))


def record_loss(tally: Tally, captures: Sequence[Capture]) -> float:
    """Lost over lost and kept, over the files that held at least one capture."""
    held = {capture.source.local_path for capture in captures}
    lost = sum(drop.reason.kind is Kind.LOSS and drop.local_path in held for drop in tally.dropped)
    return _share(lost, lost + len(captures))


def message_loss(dropped: Sequence[Dropped], captures: Sequence[Capture]) -> float:
    """Model calls without any content, over all model calls."""
    empty = sum(drop.reason in {Reason.NO_MESSAGES, Reason.CONTENT_MASKED} for drop in dropped)
    return _share(empty, empty + len(captures))


def joins_of(conversations: Sequence[Conversation]) -> Joins:
    """How calls and results found each other."""
    parts = [part for item in conversations for turn in item.turns for part in turn.parts]
    results = [part for part in parts if isinstance(part, ToolResult)]
    issues = Counter(issue.code for item in conversations for issue in item.issues)
    return Joins(
        calls=sum(isinstance(part, ToolCall) for part in parts),
        results=len(results),
        joined=sum(result.call is not None for result in results),
        unanswered=issues["missing_result"],
        reused_ids=issues["duplicate_call_id"],
        inferred=issues["call_inferred"],
    )


def tool_counts(captures: Sequence[Capture]) -> JsonObject:
    """How the offered and called tools are classed by what they say about themselves."""
    conversations = [capture.conversation for capture in captures]
    calls: dict[str, list[JsonObject]] = {}
    for conversation in conversations:
        for turn in conversation.turns:
            for call in turn.calls():
                calls.setdefault(call.name, []).append(call.arguments or {})
    offered = [tool for conversation in conversations for tool in conversation.tools]
    entries = merge_policy(offered, calls).tools
    open_entries = {name: entry for name, entry in entries.items() if not is_closing(entry)}
    by_effect = Counter(entry.effect for entry in open_entries.values())
    unknown = [name for name, entry in open_entries.items() if entry.effect is Effect.UNKNOWN]
    return {
        "read": by_effect[Effect.READ],
        "write": by_effect[Effect.WRITE],
        "unknown": by_effect[Effect.UNKNOWN],
        "control": len(entries) - len(open_entries),
        "unknown_names": sorted(unknown),
    }


def _by_dialect(tally: Tally, captures: Sequence[Capture]) -> dict[str, JsonObject]:
    """One row per recognised dialect, whether it was read or not."""
    rows: dict[str, JsonObject] = {}
    for name in sorted(tally.dialects):
        whole = leaves([item for item in captures if item.conversation.dialect == name])
        turns = [turn for item in whole for turn in item.conversation.turns]
        rows[name] = {
            "files": len(tally.dialect_files[name]),
            "records": tally.dialects[name],
            "conversations": len(whole),
            "turns": len(turns),
            "calls": sum(len(turn.calls()) for turn in turns),
        }
    return rows


def _sources(tally: Tally) -> list[JsonObject]:
    return [
        {
            "path": item.file.local_path,
            "sha256": item.file.content_sha256,
            "bytes": item.file.size,
            "dialects": sorted(item.dialects),
        }
        for item in tally.files.values()
        if item.file.content_sha256
    ]


def _files(tally: Tally) -> JsonObject:
    recognised = sum(bool(item.dialects) for item in tally.files.values())
    seen = len(tally.files)
    return {"seen": seen, "recognised": recognised, "other": seen - recognised}


def _examples(dropped: Sequence[Dropped]) -> list[JsonObject]:
    shown: Counter[Reason] = Counter()
    examples: list[JsonObject] = []
    for drop in dropped:
        shown[drop.reason] += 1
        if shown[drop.reason] <= EXAMPLES:
            examples.append({
                "reason": drop.reason.value,
                "pointer": drop.pointer,
                "detail": drop.detail,
            })
    return examples


def _counts(found: Counter[Any]) -> dict[str, int]:
    return {name: found[name] for name in sorted(found) if found[name]}


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _rounded(share: float) -> float:
    return round(share, 4)
