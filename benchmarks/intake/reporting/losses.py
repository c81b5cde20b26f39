"""The three losses of an intake, each as a count of a count (spec/build.md 1.10)."""

from collections import Counter
from dataclasses import dataclass

from benchmarks.intake.reasons import Kind, Reason
from benchmarks.intake.reporting.tally import Tally
from benchmarks.intake.reporting.totals import Totals
from benchmarks.intake.told import Counts
from benchmarks.records.base import JsonObject

WITHOUT_CONTENT = frozenset({Reason.NO_MESSAGES, Reason.CONTENT_MASKED})


@dataclass(frozen=True, slots=True)
class Loss:
    """How many of how many are lost."""

    lost: int
    of: int

    @property
    def share(self) -> float:
        """The share that is lost; none of nothing."""
        return round(self.lost / self.of, 4) if self.of else 0.0

    def dump(self) -> JsonObject:
        """Both counts, as the report holds them."""
        return {"lost": self.lost, "of": self.of}


def losses_of(tally: Tally, totals: Totals) -> dict[str, Loss]:
    """The record, the message and the join loss, by name."""
    return {
        "record": record_loss(tally, totals),
        "message": message_loss(tally, totals),
        "join": join_loss(totals.whole),
    }


def record_loss(tally: Tally, totals: Totals) -> Loss:
    """Lost over lost and kept, over the files that held at least one capture."""
    lost = sum(_all_lost(tally).values()) - sum(lost_apart(tally, totals).values())
    return Loss(lost, lost + totals.captures)


def lost_apart(tally: Tally, totals: Totals) -> Counter[Reason]:
    """What is lost in files that held no capture, by reason: no loss is a share of these."""
    held = totals.captures_by_file.keys() | tally.repeating()
    return Counter(
        drop.reason
        for drop in tally.dropped
        if drop.reason.kind is Kind.LOSS and drop.local_path not in held
    )


def message_loss(tally: Tally, totals: Totals) -> Loss:
    """Model calls without any content, over all model calls."""
    empty = _empty_calls(tally)
    superseded = totals.captures - totals.whole.conversations
    return Loss(empty, empty + totals.whole.inferences + superseded)


def is_wordless(tally: Tally, totals: Totals) -> bool:
    """Whether calls of a model were found, and not one message."""
    return not totals.captures and _empty_calls(tally) > 0


def join_loss(counts: Counts) -> Loss:
    """The calls and results that found no other half."""
    orphans = counts.results - counts.joined
    return Loss(orphans + counts.unanswered, counts.calls + orphans)


def _all_lost(tally: Tally) -> Counter[Reason]:
    return Counter(drop.reason for drop in tally.dropped if drop.reason.kind is Kind.LOSS)


def _empty_calls(tally: Tally) -> int:
    return sum(drop.reason in WITHOUT_CONTENT for drop in tally.dropped)
