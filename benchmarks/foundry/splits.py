"""train, dev and holdout: seeded, stratified by category, near duplicates together.

A cluster keeps its split in later builds and new members join it. Contamination is measured
afterwards, independent of what put tasks together.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product

from benchmarks.foundry.similarity import LOOSE, NEAR, Alike, Pair, alike, jaccard
from benchmarks.foundry.wording import masked, shingles
from benchmarks.records.base import JsonObject
from benchmarks.records.digest import json_digest
from benchmarks.records.vocabulary import Contamination, Split
from benchmarks.versioning.hashing import splits_sha256

DRAWN = (Split.TRAIN, Split.DEV, Split.HOLDOUT)
PAIRS_SHOWN = 50
LOWER_FLOORS = (0.5, 0.3, 0.1)
"""Thresholds at which the greatest similarity is sought, until one pair is found."""
SOUGHT_IN_FULL = 2000
"""Tasks up to which lower floors are tried; above, they cost minutes and say little."""


@dataclass(frozen=True, slots=True)
class Ratios:
    """The wanted share of each split; they sum to 1."""

    train: float = 0.7
    dev: float = 0.2
    holdout: float = 0.1

    def of(self, split: Split) -> float:
        """The share of one split."""
        return {Split.TRAIN: self.train, Split.DEV: self.dev, Split.HOLDOUT: self.holdout}[split]

    def document(self) -> dict[str, float]:
        """The shares by name."""
        return {split.value: self.of(split) for split in DRAWN}


@dataclass(frozen=True)
class Contender:
    """A task as contamination sees it."""

    task_id: str
    split: Split
    user_text: str
    asked_text: str
    demand: str | None


@dataclass(frozen=True)
class Measured:
    """How far the splits hold the same tasks."""

    contamination: Contamination
    pairs: tuple[Pair, ...]
    over_loose: int
    greatest: float | None

    def document(self) -> JsonObject:
        """The keys of benchmark.json's splits that say it."""
        shown = self.pairs[:PAIRS_SHOWN]
        document: JsonObject = {
            "contamination": self.contamination.value,
            "near_duplicates": [
                {"a": pair.a, "b": pair.b, "similarity": round(pair.similarity, 4)}
                for pair in shown
            ],
            "near_duplicates_total": len(self.pairs),
            "near_duplicates_over_0_7": self.over_loose,
        }
        if self.greatest is not None:
            document["max_similarity"] = round(self.greatest, 4)
        return document


def assign(
    clusters: Sequence[tuple[str, ...]],
    categories: Mapping[str, str],
    *,
    seed: int,
    ratios: Ratios,
    kept: Mapping[str, Split],
) -> dict[str, Split]:
    """The split of every task; `kept` are the splits of earlier builds.

    Category by category the next cluster goes where the relative deficit is largest, ties in the
    order train, dev, holdout.
    """
    drawing = _Drawing(clusters, categories, ratios)
    kept = {task_id: split for task_id, split in kept.items() if split in DRAWN}
    waiting = []
    for cluster in clusters:
        old = next((kept[task_id] for task_id in cluster if task_id in kept), None)
        if old is None:
            waiting.append(cluster)
        else:
            drawing.place(cluster, old)
    waiting.sort(key=lambda cluster: (categories[cluster[0]], json_digest([seed, cluster[0]])))
    for cluster in waiting:
        drawing.place(cluster, drawing.neediest(categories[cluster[0]]))
    if len(clusters) >= len(DRAWN):
        drawing.fill_empty(waiting)
    return {**drawing.assigned(), **{t: s for t, s in kept.items() if t in categories}}


def measure(contenders: Sequence[Contender], offered: Sequence[Split] = DRAWN) -> Measured:
    """Near duplicates and equal demands across splits.

    Unknown when one of the splits that were to be drawn is empty, or only one was.
    """
    split_of = {one.task_id: one.split for one in contenders}
    texts = {one.task_id: one.user_text for one in contenders}
    near = _near_across(texts, LOOSE, split_of)
    found = {(pair.a, pair.b): pair for pair in near if pair.similarity >= NEAR}
    for pair in _across(_same_demand(contenders), split_of):
        found.setdefault((pair.a, pair.b), pair)
    present = {one.split for one in contenders}
    if found:
        verdict = Contamination.CONTAMINATED
    elif len(offered) < 2 or not present.issuperset(offered):
        verdict = Contamination.UNKNOWN
    else:
        verdict = Contamination.CLEAN
    return Measured(
        contamination=verdict,
        pairs=tuple(found[key] for key in sorted(found)),
        over_loose=len(near),
        greatest=_greatest(near, texts, split_of),
    )


def splits_document(
    splits: Sequence[tuple[str, Split]], measured: Measured, *, seed: int, ratios: Ratios
) -> JsonObject:
    """The `splits` of benchmark.json, in the order of its tasks."""
    counts = Counter(split for _, split in splits)
    boundary = " / ".join(f"{split.value} {counts[split]}" for split in DRAWN)
    head = {"boundary": boundary, "splits_sha256": splits_sha256(splits)}
    return {**head, **measured.document(), "seed": seed, "ratios": ratios.document()}


@dataclass
class _Drawing:
    """Counts of tasks by category and split while clusters are placed."""

    clusters: Sequence[tuple[str, ...]]
    categories: Mapping[str, str]
    ratios: Ratios
    placed: dict[tuple[str, ...], Split] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.sizes = Counter(self.categories.values())
        self.by_category: dict[str, Counter[Split]] = {name: Counter() for name in self.sizes}

    @property
    def offered(self) -> list[Split]:
        """The splits that get anything at all."""
        return [split for split in DRAWN if self.ratios.of(split) > 0]

    def place(self, cluster: tuple[str, ...], split: Split) -> None:
        """Give a cluster its split."""
        self.placed[cluster] = split
        for task_id in cluster:
            self.by_category[self.categories[task_id]][split] += 1

    def neediest(self, category: str) -> Split:
        """The split with the largest relative deficit.

        A category that can hold every split is divided by itself; a smaller one with all others.
        """
        whole = self.totals()
        size, own = sum(self.sizes.values()), self.sizes[category]
        divides = all(own * self.ratios.of(split) >= 1 for split in self.offered)

        def need(split: Split) -> tuple[float, float]:
            of_category = self._deficit(self.by_category[category][split], own, split)
            return (of_category if divides else 0.0, self._deficit(whole[split], size, split))

        return max(self.offered, key=need)

    def fill_empty(self, movable: Sequence[tuple[str, ...]]) -> None:
        """For each empty split, move the smallest new cluster of the largest split to it."""
        for split in self.offered:
            totals = self.totals()
            if totals[split]:
                continue
            largest = max(DRAWN, key=lambda one: totals[one])
            candidates = [cluster for cluster in movable if self.placed[cluster] is largest]
            if len([one for one in self.placed.values() if one is largest]) > 1 and candidates:
                cluster = min(candidates, key=lambda one: (len(one), one))
                for task_id in cluster:
                    self.by_category[self.categories[task_id]][largest] -= 1
                self.place(cluster, split)

    def totals(self) -> Counter[Split]:
        """Tasks by split."""
        return sum(self.by_category.values(), Counter())

    def assigned(self) -> dict[str, Split]:
        """The split of each task."""
        return {task_id: split for cluster, split in self.placed.items() for task_id in cluster}

    def _deficit(self, have: int, size: int, split: Split) -> float:
        wanted = self.ratios.of(split) * size
        return round((wanted - have) / wanted, 9)


def _near_across(
    texts: Mapping[str, str], threshold: float, split_of: Mapping[str, Split]
) -> list[Pair]:
    """The pairs of near duplicates across splits, by name."""
    found = [
        Pair(min(a, b), max(a, b), one.similarity)
        for one in alike(texts, threshold)
        for a, b in _apart(one, split_of)
    ]
    return sorted(found, key=lambda pair: (pair.a, pair.b))


def _apart(one: Alike, split_of: Mapping[str, Split]) -> Iterator[tuple[str, str]]:
    """The names of two alike texts that stand in two splits; those within one are not counted."""
    here, there = _by_split(one.one, split_of), _by_split(one.other, split_of)
    for split, other in product(DRAWN, DRAWN):
        if split is other or (one.one == one.other and DRAWN.index(split) > DRAWN.index(other)):
            continue
        yield from product(here[split], there[other])


def _by_split(names: Iterable[str], split_of: Mapping[str, Split]) -> dict[Split, list[str]]:
    found: dict[Split, list[str]] = {split: [] for split in DRAWN}
    for name in names:
        if split_of[name] in found:
            found[split_of[name]].append(name)
    return found


def _across(pairs: Sequence[Pair], split_of: Mapping[str, Split]) -> list[Pair]:
    return [
        pair
        for pair in pairs
        if split_of[pair.a] is not split_of[pair.b]
        and {split_of[pair.a], split_of[pair.b]} <= set(DRAWN)
    ]


def _same_demand(contenders: Sequence[Contender]) -> list[Pair]:
    """Tasks that require the same and ask alike but for ids and numbers."""
    alike: dict[tuple[str, str], list[Contender]] = {}
    for one in sorted(contenders, key=lambda one: one.task_id):
        if one.demand is not None:
            alike.setdefault((one.demand, masked(one.asked_text)), []).append(one)
    return [
        Pair(a.task_id, b.task_id, jaccard(shingles(a.user_text), shingles(b.user_text)))
        for members in alike.values()
        for a, b in combinations(members, 2)
    ]


def _greatest(
    near: Sequence[Pair], texts: Mapping[str, str], split_of: Mapping[str, Split]
) -> float | None:
    """The greatest similarity across splits, sought at falling floors."""
    across = list(near)
    for floor in LOWER_FLOORS if len(texts) <= SOUGHT_IN_FULL else ():
        across = across or _near_across(texts, floor, split_of)
    return max((pair.similarity for pair in across), default=None)
