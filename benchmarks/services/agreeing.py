"""How far verifiers agree with the outcomes that the traces carry (spec/build.md 8.4).

Offline, and nothing is written but `output`.
"""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from benchmarks.artifacts import document
from benchmarks.contract.agreement import CELLS, Pairs, PerGroup, Sourcing, judge_pairs
from benchmarks.errors import NothingSelected
from benchmarks.intake.ingest import Intake, IntakeOptions, ingest
from benchmarks.records.base import JsonObject
from benchmarks.services.labelled_traces import Labels, Study
from benchmarks.stats.agreement import accuracy, cohen_kappa, kappa_interval
from benchmarks.stats.bootstrap import RESAMPLES
from benchmarks.stats.estimates import rounded
from benchmarks.stats.intervals import wilson
from benchmarks.stats.seeding import TaskKey, seed_of

SCHEMA = "understudy.verifier_agreement.v1"
MIN_PAIRS = 10
"""Below this many pairs nothing is measured."""


def agreement(
    *,
    sources: Sequence[Path],
    label: str | None = None,
    positive: str | None = None,
    group: str | None = None,
    per_group: PerGroup = "all",
    successes: int = 1,
    limit: int | None = None,
    output: Path | None = None,
    now: datetime,
) -> JsonObject:
    """The agreement document of the sources: confusion, kappa with its interval, disagreements.

    For each successful trace of a group a contract is compiled from that trace alone and judges
    every other trace of the group; with more `successes` contracts are learned from so many,
    drawn by seed. `limit` keeps the first groups only.

    Raises:
        SourceNotFound: a source does not exist.
        NothingSelected: the sources hold no conversation.
        InvalidArguments: no label was found, or `positive` is not one comparison.
    """
    intake = conversations_of(sources, now)
    study = Study.of(intake, label)
    labels = study.labels(label, positive)
    groups = study.groups(labels, group)
    sourcing = Sourcing(successes, per_group, seed=seed_of(SCHEMA, "", labels.key, []))
    solved = [one for one in groups if one.good]
    alone = [one for one in solved if len(one.traces) == 1]
    used = [one for one in solved if sourcing.can_use(one)]
    chosen = used[:limit]
    judged = judge_pairs(chosen, study.policy, study.structured, sourcing)
    pairs = Pairs(tuple(pair for found in judged for pair in found))
    written: JsonObject = {
        "schema_version": SCHEMA,
        "source": [source.name for source in sources],
        "label": labels.key,
        "positive": labels.meaning,
        "per_group": per_group,
        "from": successes,
        "draws": pairs.contracts(),
        "traces": len(study.threads),
        "unlabelled": len(study.threads) - len(labels.positive),
        "dropped": dropped(intake),
        "duplicates": intake.gathered.duplicates,
        "groups": len(groups),
        "groups_used": len(chosen),
        "groups_without_success": len(groups) - len(solved),
        "groups_of_one": len(alone),
        "groups_with_too_few_successes": len(solved) - len(alone) - len(used),
        **figures(pairs, labels.key),
        "disagreements": pairs.disagreements(study.policy),
    }
    written["notes"] = [*shortage(written, labels), *written["notes"]]
    if output is not None:
        document.replace(output, written)
    return written


def conversations_of(sources: Sequence[Path], now: datetime) -> Intake:
    """The conversations of the sources with the records that they were read from.

    Raises:
        SourceNotFound: a source does not exist.
        NothingSelected: the sources hold no conversation.
    """
    intake = ingest(sources, options=IntakeOptions(now=now, keep_records=True))
    if not intake.captures:
        raise NothingSelected(
            f"no conversation in {', '.join(source.name for source in sources)}",
            hint="understudy traces doctor says what was seen instead",
            details={"dropped": intake.report.dropped},
        )
    return intake


def dropped(intake: Intake) -> list[JsonObject]:
    """The records that hold no conversation, each named with its reason."""
    return [
        {"pointer": drop.pointer, "reason": str(drop.reason), "detail": drop.detail}
        for drop in intake.dropped
    ]


def figures(pairs: Pairs, label: str) -> JsonObject:
    """Accuracy and kappa over the judgeable pairs, with what has to be said about them."""
    confusion, groups = pairs.confusion(), pairs.by_group()
    cells = [confusion[cell] for cell in CELLS]
    share, kappa = accuracy(cells), cohen_kappa(cells)
    seed = seed_of(SCHEMA, "", label, [TaskKey(name) for name in groups])
    bounds = kappa_interval(list(groups.values()), seed=seed) if kappa is not None else None
    spread = wilson(share, len(groups)) if share is not None else None
    return {
        "pairs": len(pairs.pairs),
        "judgeable": sum(cells),
        "agree": cells[0] + cells[3],
        "accuracy": rounded_or_none(share),
        "accuracy_low": rounded_or_none(spread.low if spread else None),
        "accuracy_high": rounded_or_none(spread.high if spread else None),
        "kappa": rounded_or_none(kappa),
        "kappa_low": rounded_or_none(bounds.low if bounds else None),
        "kappa_high": rounded_or_none(bounds.high if bounds else None),
        "seed": seed,
        "iterations": RESAMPLES,
        "confusion": confusion,
        "notes": notes(len(pairs.pairs), cells, len(groups)),
    }


def rounded_or_none(value: float | None) -> float | None:
    """Six decimals, or nothing."""
    return None if value is None else rounded(value)


def shortage(found: JsonObject, labels: Labels) -> list[str]:
    """Why so few pairs are there that nothing is measured; empty where there are enough."""
    if found["pairs"] >= MIN_PAIRS:
        return []
    lacking = {
        "without a success": found["groups_without_success"],
        "of one trace": found["groups_of_one"],
        "with too few successes": found["groups_with_too_few_successes"],
    }
    why = ", ".join(f"{count} {words}" for words, count in lacking.items() if count)
    said = [
        f"fewer than {MIN_PAIRS} pairs ({found['pairs']}): not measured"
        + (f"; of {found['groups']} groups {why}" if why else "")
    ]
    if labels.undecided:
        said.append(
            f"{labels.undecided} traces carry {labels.key}, which says neither success nor failure"
        )
    return said


def notes(pairs: int, cells: Sequence[int], groups: int) -> list[str]:
    """What a reader of the figures must know."""
    true_pass, false_pass, false_fail, true_fail = cells
    said = []
    if pairs > sum(cells):
        said.append(f"{pairs - sum(cells)} pairs are not judgeable: counted, never guessed")
    if not pairs:
        return said
    if not (true_pass + false_fail) * (false_pass + true_fail):
        said.append("the labels of the scored trials all agree: kappa says nothing of them")
    elif not false_pass + false_fail:
        said.append(
            f"no disagreement in {groups} groups: resampling gives kappa no width; "
            "accuracy_low says how sure that is"
        )
    return said
