"""Capability cards out of the conversations: what could be measured (spec/build.md 9.1)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmarks.contract.mutating import Policy
from benchmarks.foundry.card_words import card_name, demands_of, direction_id, told_apart
from benchmarks.foundry.ids import category_id
from benchmarks.foundry.tasks import Draft
from benchmarks.foundry.wording import MASK, masked_words
from benchmarks.records.direction import Dependency, Direction, Example
from benchmarks.records.vocabulary import Effect
from benchmarks.records.wording import many
from benchmarks.stats.clustering import central, closeness, part_texts, telling_words, tfidf

MOST_CARDS = 3
SPLIT_OVER = 0.6
FEWEST, FEWEST_SHARE = 3, 0.05
EXAMPLE_CHARS = 400
TELLING = 2
"""Words that tell two cards of the same tools apart."""
WORD_CHARS = 3


@dataclass(frozen=True)
class Proposal:
    """The cards, and what they leave out."""

    cards: tuple[Direction, ...]
    note: str | None
    others: tuple[str, ...]
    """The captures that the conversations of no card start with."""


def propose(
    drafts: Sequence[Draft], dependencies: Sequence[Dependency], policy: Policy, *, seed: int
) -> Proposal:
    """At most three cards, the largest first, the same whatever order the drafts come in."""
    return _Proposing(drafts, dependencies, policy, seed).proposal()


def nearness(drafts: Sequence[Draft], *, seed: int, whole: bool = False) -> dict[str, float]:
    """How near each conversation is to the centre of its cluster, by the key of its thread.

    `whole`: all of them are one cluster, as the conversations of a picked card are.
    """
    found = _Proposing(drafts, (), {}, seed)
    clusters = [tuple(range(len(found.drafts)))] if whole else found.clusters()
    vectors = tfidf(found.texts)
    return {
        found.drafts[at].thread.key: near
        for cluster in clusters
        for at, near in zip(cluster, closeness(vectors, cluster), strict=True)
    }


class _Proposing:
    """Conversations by position, in an order that depends on nothing but themselves."""

    def __init__(
        self,
        drafts: Sequence[Draft],
        dependencies: Sequence[Dependency],
        policy: Policy,
        seed: int,
    ) -> None:
        self.drafts = sorted(drafts, key=lambda draft: draft.thread.key)
        self.dependencies = dependencies
        self.policy = policy
        self.seed = seed
        self.texts = [_words(draft.boundary.asked_text) for draft in self.drafts]

    def proposal(self) -> Proposal:
        clusters = self.clusters()
        fewest = max(FEWEST, FEWEST_SHARE * len(self.drafts))
        large = [cluster for cluster in clusters if len(cluster) >= fewest]
        small = [cluster for cluster in clusters if len(cluster) < fewest]
        if not large and clusters:
            large, small = [tuple(range(len(self.drafts)))], []
        chosen, rest = large[:MOST_CARDS], large[MOST_CARDS:]
        left = [at for cluster in (*rest, *small) for at in cluster]
        return Proposal(
            cards=tuple(self._cards(chosen)),
            note=_note(chosen, rest, small),
            others=tuple(sorted(self.drafts[at].thread.key for at in left)),
        )

    def clusters(self) -> list[tuple[int, ...]]:
        """Conversations by the write tools they use; a set of most of them by what is asked."""
        by_writes: dict[frozenset[str], list[int]] = {}
        for at, draft in enumerate(self.drafts):
            by_writes.setdefault(write_tools(draft), []).append(at)
        clusters = [
            part
            for members in by_writes.values()
            for part in (
                self._parted(members)
                if len(members) > SPLIT_OVER * len(self.drafts)
                else [tuple(members)]
            )
        ]
        return sorted(clusters, key=lambda members: (-len(members), members))

    def _parted(self, members: Sequence[int]) -> list[tuple[int, ...]]:
        labels = part_texts([self.texts[at] for at in members], seed=self.seed).labels
        return [
            tuple(at for at, label in zip(members, labels, strict=True) if label == part)
            for part in sorted(set(labels))
        ]

    def _cards(self, clusters: Sequence[tuple[int, ...]]) -> Iterable[Direction]:
        names = [card_name(self._uses(cluster), self.policy) for cluster in clusters]
        shared = {name for name, count in Counter(names).items() if count > 1}
        taken: set[str] = set()
        for name, cluster in zip(names, clusters, strict=True):
            if name in shared:
                name = told_apart(name, telling_words(self.texts, cluster, TELLING))
            found, number = direction_id(name), 1
            while found in taken:
                number += 1
                found = direction_id(f"{name} {number}")
            taken.add(found)
            yield self._card(found, name, cluster)

    def _card(self, name_id: str, name: str, cluster: tuple[int, ...]) -> Direction:
        drafts = [self.drafts[at] for at in cluster]
        example = self.drafts[central(self.texts, cluster)]
        tools = frozenset(tool for draft in drafts for tool in draft.surface)
        speaks_again = any(draft.boundary.script for draft in drafts)
        return Direction(
            direction_id=name_id,
            name=name,
            example=Example(
                capture_key=example.thread.key,
                text=example.boundary.asked_text[:EXAMPLE_CHARS],
            ),
            tests=demands_of([draft.compiled.contract for draft in drafts]),
            needs=[
                one.name
                for one in self.dependencies
                if not tools.isdisjoint(one.tools) or (one.kind == "model" and speaks_again)
            ],
            task_count=len(drafts),
            category_ids=sorted({category_id(draft.surface) for draft in drafts}),
            tools=sorted(tools),
            share=round(len(drafts) / len(self.drafts), 4),
            conversations=sorted(draft.thread.key for draft in drafts),
        )

    def _uses(self, cluster: Iterable[int]) -> Counter[str]:
        """In how many conversations each tool is used."""
        return Counter(tool for at in cluster for tool in self.drafts[at].surface)


def write_tools(draft: Draft) -> frozenset[str]:
    """The tools by which a conversation writes."""
    return frozenset(call.tool for call in draft.calls if call.effect(draft.policy) is Effect.WRITE)


def _words(text: str) -> list[str]:
    return [word for word in masked_words(text) if word != MASK and len(word) >= WORD_CHARS]


def _note(
    chosen: Sequence[tuple[int, ...]],
    rest: Sequence[tuple[int, ...]],
    small: Sequence[tuple[int, ...]],
) -> str | None:
    said = []
    if len(chosen) == 1:
        alone = not rest and not small
        said.append(
            "one card: all conversations form one cluster"
            if alone
            else "one card: no other cluster is large enough"
        )
    if rest:
        said.append(f"{_counted(rest)} beyond the {MOST_CARDS} largest")
    if small:
        said.append(f"{_counted(small)} too small for a card")
    return "; ".join(said) or None


def _counted(clusters: Sequence[tuple[int, ...]]) -> str:
    conversations = sum(map(len, clusters))
    return f"{many(conversations, 'conversation')} in {many(len(clusters), 'cluster')}"
