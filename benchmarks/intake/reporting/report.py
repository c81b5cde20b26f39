"""The intake report: what was read, recovered, redacted and dropped, and what was lost."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from benchmarks.contract.mutating import is_closing, merge_policy, unclassified
from benchmarks.intake.reasons import Dropped, Reason
from benchmarks.intake.reporting.findings import findings_of
from benchmarks.intake.reporting.losses import is_wordless, losses_of, lost_apart
from benchmarks.intake.reporting.tally import Tally
from benchmarks.intake.reporting.totals import Totals
from benchmarks.intake.told import Counts
from benchmarks.records.base import JsonObject
from benchmarks.records.intake import IntakeReport
from benchmarks.records.times import stamp
from benchmarks.records.vocabulary import Effect

EXAMPLES = 5
ORPHAN_SPANS = "orphan_spans"
WRAPPER_USAGE = {
    "spans": "wrapper_spans",
    "input_tokens": "wrapper_input_tokens",
    "output_tokens": "wrapper_output_tokens",
}
"""Keys of the report by the codes of what spans count out in `conversation.loss`."""
TEXT_REPAIRS = ("decode_replaced", "surrogate_replaced", "non_finite")


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """What the report is measured against."""

    now: datetime
    max_loss: float
    redacted: bool


def intake_report(tally: Tally, totals: Totals, options: ReportOptions) -> IntakeReport:
    """The report of one pass over the sources."""
    whole = totals.whole
    losses = losses_of(tally, totals)
    loss = max(each.share for each in losses.values())
    orphan_spans = totals.losses[ORPHAN_SPANS] + tally.empty_spans.total()
    report = IntakeReport(
        generated_at=stamp(options.now),
        verdict="fail" if loss > options.max_loss or is_wordless(tally, totals) else "pass",
        loss=loss,
        bar=options.max_loss,
        sources=_sources(tally),
        dialects=_counts(tally.dialects),
        records=tally.records,
        captures=totals.captures,
        conversations=whole.conversations,
        turns=whole.turns,
        tool_calls=whole.calls,
        tool_results=whole.results,
        joined_results=whole.joined,
        dropped=_counts(Counter(drop.reason.value for drop in tally.dropped)),
        examples=_examples(tally.dropped),
        duplicates=totals.duplicates,
        repaired=_counts(tally.repairs),
        secrets=_counts(totals.secrets),
        redacted=options.redacted,
        orphan_spans=orphan_spans,
        wrapper_usage={key: totals.losses[code] for key, code in WRAPPER_USAGE.items()},
        cut=_cut(tally.dropped),
        issues=_counts(totals.issues),
        by_dialect=_by_dialect(tally, totals),
        files=_files(tally, totals),
        joins={
            "orphan_results": whole.results - whole.joined,
            "calls_without_result": whole.unanswered,
            "orphan_spans": orphan_spans,
            "reused_call_ids": whole.reused_ids,
            "inferred_calls": whole.inferred,
        },
        losses={name: each.share for name, each in losses.items()},
        lost={
            **{name: each.dump() for name, each in losses.items()},
            "apart": _counts(lost_apart(tally, totals)),
        },
        text={
            **{name: tally.repairs[name] for name in TEXT_REPAIRS},
            "truncated_values": totals.cut_texts,
        },
        tools=tool_counts(totals),
    )
    return report.with_(findings=[one.dump() for one in findings_of(report, tally)])


def tool_counts(totals: Totals) -> JsonObject:
    """How the offered and called tools are classed by what they say about themselves.

    One that is classed by each call, as a shell is by its command, counts among those that write.
    """
    calls: dict[str, list[JsonObject]] = {name: [] for name in totals.called}
    entries = merge_policy(list(totals.tools.values()), calls).tools
    open_entries = {name: entry for name, entry in entries.items() if not is_closing(entry)}
    by_effect = Counter(
        Effect.WRITE if entry.per_call else entry.effect for entry in open_entries.values()
    )
    return {
        "read": by_effect[Effect.READ],
        "write": by_effect[Effect.WRITE],
        "unknown": by_effect[Effect.UNKNOWN],
        "control": len(entries) - len(open_entries),
        "unknown_names": unclassified(entries, entries),
    }


def _by_dialect(tally: Tally, totals: Totals) -> dict[str, JsonObject]:
    """One row per recognised dialect, whether it was read or not."""
    rows: dict[str, JsonObject] = {}
    files = tally.files_of()
    for name in sorted(tally.dialects):
        counts = totals.by_dialect.get(name, Counts())
        rows[name] = {
            "files": files[name],
            "records": tally.dialects[name],
            "conversations": counts.conversations,
            "turns": counts.turns,
            "calls": counts.calls,
        }
    return rows


def _sources(tally: Tally) -> list[JsonObject]:
    return [
        {
            "path": file.local_path,
            "sha256": file.content_sha256,
            "bytes": file.size,
            "dialects": sorted(item.dialects),
        }
        for item in tally.files.values()
        for file in item.files
        if file.content_sha256
    ]


def _files(tally: Tally, totals: Totals) -> JsonObject:
    recognised = sum(len(item.files) for item in tally.files.values() if item.dialects)
    seen = sum(len(item.files) for item in tally.files.values())
    return {
        "seen": seen,
        "recognised": recognised,
        "other": seen - recognised,
        "with_captures": len(totals.captures_by_file),
    }


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


def _cut(dropped: Sequence[Dropped]) -> list[JsonObject]:
    """Which lists of this report are shorter than what they list."""
    found = Counter(drop.reason for drop in dropped)
    return [
        {"what": f"examples of {reason.value}", "kept": EXAMPLES, "of": count}
        for reason, count in sorted(found.items())
        if count > EXAMPLES
    ]


def _counts(found: Counter[Any]) -> dict[str, int]:
    return {name: found[name] for name in sorted(found) if found[name]}
