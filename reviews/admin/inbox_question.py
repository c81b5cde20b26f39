"""What the inbox asks the mirror, from what its address asks."""

from collections import Counter
from collections.abc import Collection, Mapping

from benchmarks.artifacts import layout
from benchmarks.artifacts.parsing import BadJson, parse_json
from benchmarks.models import DocumentEntry
from benchmarks.records.vocabulary import Stage
from reviews.admin.inbox_filter import ANY, NOBODY, InboxFilter
from reviews.models import BenchmarkStandingEntry
from reviews.selectors import InboxQuestion, standings

NO_BENCHMARK = -1
"""An id that no entry has: a benchmark that is not mirrored has no tasks here."""
MOST_TAXONOMIES = 256
TAXONOMIES: dict[str, dict[str, str]] = {}
"""Names of categories by the digest of their manifest: each manifest is parsed once."""
Standings = Mapping[str, BenchmarkStandingEntry]
"""How every benchmark stands, by slug."""


def standings_by_slug() -> dict[str, BenchmarkStandingEntry]:
    """How every benchmark stands, without what only its own page shows."""
    found = standings().defer("listing", "floors", "errors", "warnings", "review_summary")
    return {entry.benchmark.slug: entry for entry in found}


def question_of(asked: InboxFilter, benchmarks: Standings) -> InboxQuestion:
    """The same question; without a benchmark it is about those that are proposed."""
    found = benchmarks.get(asked.slug)
    chosen = (found.benchmark_id if found else NO_BENCHMARK,) if asked.slug else ()
    return InboxQuestion(
        benchmarks=chosen,
        stages=() if asked.slug else (Stage.PROPOSED.value,),
        flags=_given(asked.flag, but=ANY),
        flagged=True if asked.flag == ANY else None,
        decisions=_given(asked.decision),
        explicit=False if asked.source == NOBODY else None,
        sources=_given(asked.source, but=NOBODY),
        splits=_given(asked.split),
        categories=_given(asked.category),
        verifiers=_given(asked.verifier),
        changed=True if asked.changed else None,
        words=asked.q,
        actors=_given(asked.by),
        decided_at=asked.at,
    )


def offered(asked: InboxFilter, benchmarks: Standings) -> dict[str, BenchmarkStandingEntry]:
    """The benchmarks on which decisions can be taken, and the one that is asked about."""
    return {
        slug: entry
        for slug, entry in benchmarks.items()
        if entry.stage == Stage.PROPOSED.value or slug == asked.slug
    }


def flag_counts(asked: InboxFilter, benchmarks: Standings) -> Counter[str]:
    """How many tasks carry each flag, over the benchmarks that are asked about."""
    counts: Counter[str] = Counter()
    for slug, entry in offered(asked, benchmarks).items():
        if asked.slug in {"", slug}:
            counts.update(entry.attention_counts)
            counts[ANY] += entry.attention
    return counts


def category_names(slugs: Collection[str]) -> dict[tuple[str, str], str]:
    """The names of the categories of these benchmarks, by slug and id."""
    manifests = DocumentEntry.objects.filter(file=layout.BENCHMARK.path)
    known = dict(
        manifests.filter(benchmark__slug__in=list(slugs)).values_list("benchmark__slug", "sha256")
    )
    unread = set(known.values()) - set(TAXONOMIES)
    if unread:
        if len(TAXONOMIES) > MOST_TAXONOMIES:
            TAXONOMIES.clear()
        bodies = manifests.filter(sha256__in=unread).values_list("sha256", "body")
        TAXONOMIES.update({sha256: _taxonomy(body) for sha256, body in bodies})
    return {
        (slug, key): name
        for slug, sha256 in known.items()
        for key, name in TAXONOMIES.get(sha256, {}).items()
    }


def _taxonomy(body: str) -> dict[str, str]:
    """Names by id, as a manifest has them."""
    try:
        manifest = parse_json(body.encode()).value
    except BadJson:
        return {}
    listed = manifest.get("taxonomy") if isinstance(manifest, dict) else None
    return {
        str(each["category_id"]): str(each.get("name") or each["category_id"])
        for each in (listed if isinstance(listed, list) else [])
        if isinstance(each, dict) and each.get("category_id")
    }


def _given(value: str, *, but: str = "") -> tuple[str, ...]:
    return (value,) if value and value != but else ()
