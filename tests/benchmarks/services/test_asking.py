from datetime import UTC, datetime

import pytest

from benchmarks.errors import InvalidArguments
from benchmarks.foundry.splits import Ratios
from benchmarks.records.build import BuildManifest
from benchmarks.records.caller import Caller
from benchmarks.records.manifest import BenchmarkManifest
from benchmarks.records.tool_policy import ToolEntry, ToolPolicy
from benchmarks.records.vocabulary import Effect
from benchmarks.services.asking import BuildRequest, build_options_of, with_operator_words

CALLER = Caller("os:mira", "shell")
NOW = datetime(2026, 11, 2, tzinfo=UTC)
BUILD = BuildManifest(seed=7, options={"refusals": "consulted", "extra_writes": "allow"})
BENCHMARK = BenchmarkManifest.read({
    "schema_version": "understudy.benchmark_proposal.v1",
    "splits": {"ratios": {"train": 0.5, "dev": 0.25, "holdout": 0.25}},
})


def test_what_is_not_asked_stays_as_the_last_build_had_it() -> None:
    options = BuildRequest().build_options(BUILD, BENCHMARK)
    assert (options.seed, options.ratios) == (7, Ratios(0.5, 0.25, 0.25))
    assert (options.contracts.refusals, options.contracts.extra_writes) == ("consulted", "allow")
    asked = BuildRequest(
        seed=0,
        refusals="plain",
        extra_writes="forbid",
        splits={"train": 1.0, "dev": 0.0, "holdout": 0.0},
    ).build_options(BUILD, BENCHMARK)
    assert (asked.seed, asked.ratios) == (0, Ratios(1.0, 0.0, 0.0))
    assert (asked.contracts.refusals, asked.contracts.extra_writes) == ("plain", "forbid")


def test_a_first_build_has_the_defaults() -> None:
    options = build_options_of(None, None)
    assert (options.seed, options.ratios) == (0, Ratios(0.7, 0.2, 0.1))
    assert (options.contracts.refusals, options.contracts.extra_writes) == ("plain", None)


def test_damaged_options_are_the_defaults() -> None:
    broken = BENCHMARK.with_(splits={"ratios": {"train": 7}})
    options = build_options_of(BUILD.with_(options={"refusals": 9}), broken)
    assert (options.contracts.refusals, options.ratios) == ("plain", Ratios(0.7, 0.2, 0.1))


@pytest.mark.parametrize(
    ("splits", "said"),
    [
        ({"train": 1.0}, "train, dev, holdout are wanted"),
        ({"train": 1.5, "dev": -0.5, "holdout": 0.0}, "a share from 0 to 1"),
        ({"train": 0.7, "dev": 0.2, "holdout": 0.2}, "they sum to 1.1, not to 1"),
    ],
)
def test_shares_that_make_no_whole_are_refused(splits: dict[str, float], said: str) -> None:
    with pytest.raises(InvalidArguments, match=said):
        BuildRequest(splits=splits).check()


def test_the_operators_word_stands_over_what_was_known() -> None:
    old = ToolPolicy(
        tools={"sync": ToolEntry(effect="unknown", per_call="sql", id_argument="id", entity="row")}
    )
    found = with_operator_words(old, {"sync": "write"}, CALLER, NOW).tools["sync"]
    assert (found.effect, found.source, found.id_argument, found.entity, found.per_call) == (
        Effect.WRITE,
        "operator",
        "id",
        "row",
        None,
    )
    assert (found.actor, found.door, found.at) == ("os:mira", "shell", "2026-11-02T00:00:00.000Z")


def test_the_same_word_again_changes_nothing() -> None:
    once = with_operator_words(None, {"sync": "write"}, CALLER, NOW)
    later = datetime(2026, 12, 1, tzinfo=UTC)
    assert with_operator_words(once, {"sync": "write"}, Caller("os:kim", "mcp"), later) == once
    assert with_operator_words(once, {}, CALLER, later) is once


def test_a_word_that_agrees_with_the_lexicon_becomes_the_operators() -> None:
    old = ToolPolicy(tools={"get": ToolEntry(effect="read", evidence="verb: get")})
    found = with_operator_words(old, {"get": "read"}, CALLER, NOW).tools["get"]
    assert (found.source, found.evidence) == ("operator", "verb: get")
