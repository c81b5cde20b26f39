"""The world of real airline trajectories: all look-ups pre-state, every source solves its task."""

from collections import Counter
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.contract.compiling import SourceContext, compile_contract, recorded_structures
from benchmarks.contract.mutating import Policy, effective_policy, merge_policy
from benchmarks.environment.package import Package, TaskSource, package
from benchmarks.environment.prestate import JudgedCall, judge_calls
from benchmarks.environment.validation import is_solvable, passing_sentinels, validate
from benchmarks.environment.world import World
from benchmarks.foundry.boundary import boundary_of
from benchmarks.foundry.definitions import with_inferred_tools
from benchmarks.foundry.grouping import threads_of
from benchmarks.foundry.tasks import Draft, task_of
from benchmarks.foundry.trials import Case, cases_of
from benchmarks.intake.ingest import IntakeOptions, ingest
from benchmarks.records.conversation import Conversation
from benchmarks.records.environment import OfflineValidation

OPTIONS = IntakeOptions(now=datetime(2026, 11, 2, tzinfo=UTC))


@dataclass(frozen=True)
class Built:
    recordings: list[Conversation]
    policy: Policy
    sources: list[TaskSource]
    package: Package
    validation: OfflineValidation

    def judged(self) -> list[JudgedCall]:
        return [call for one in self.recordings for call in judge_calls(one, self.policy)]


def built(path: Path) -> Built:
    captures = ingest([path], options=OPTIONS).captures
    threads = threads_of(captures, lambda spoken: bool(spoken.end and spoken.end.closed))
    spoken = with_inferred_tools({one.execution_group: one.conversation for one in threads})
    threads = [replace(one, conversation=spoken[one.execution_group]) for one in threads]
    tools = [tool for one in spoken.values() for tool in one.tools]
    calls: dict[str, list[dict[str, object]]] = {}
    for one in spoken.values():
        for turn in one.turns:
            for call in turn.calls():
                calls.setdefault(call.name, []).append(call.arguments or {})
    policy = effective_policy(merge_policy(tools, calls), tools, calls)
    context = SourceContext(structured=recorded_structures(calls))
    cases = enumerate(cases_of(threads))
    sources = [source for n, case in cases for source in sources_of(n, case, policy, context)]
    recordings = list(spoken.values())
    made = package(sources, recordings, policy)
    found = validate(made, sources, policy, generated_at="2026-11-02T00:00:00.000Z")
    return Built(recordings, policy, sources, made, found)


def sources_of(n: int, case: Case, policy: Policy, context: SourceContext) -> list[TaskSource]:
    source = case.source
    boundary = boundary_of(source.conversation) if source else None
    if source is None or boundary is None:
        return []
    draft = Draft(
        thread=source,
        conversation=source.conversation,
        boundary=boundary,
        compiled=compile_contract(source.conversation, policy, context=context),
        policy=policy,
    )
    task = task_of(draft, f"task-{n:016d}", f"Task {n}")
    trials = tuple(one.conversation for one in case.trials if one is not source)
    return [TaskSource(task, boundary, source.conversation, trials)]


@pytest.fixture(scope="module")
def airline(data_dir: Path) -> Built:
    return built(data_dir / "tau-bench" / "gpt-4o-airline.trials01.json")


@pytest.fixture(scope="module")
def retail(data_dir: Path) -> Built:
    return built(data_dir / "tau-retail" / "final_results.visible.json")


def test_all_look_ups_are_pre_state(airline: Built) -> None:
    lookups = [item for item in airline.judged() if item.is_lookup]
    assert len(lookups) == 429
    assert all(item.pre_state for item in lookups)


def test_31_of_31_sources_solve_their_task_and_miss_nothing(airline: Built) -> None:
    assert len(airline.validation.tasks) == 31
    assert [row.task_id for row in airline.validation.tasks if not is_solvable(row)] == []


def test_no_sentinel_passes(airline: Built) -> None:
    assert Counter(name for row in airline.validation.tasks for name in row.sentinels) == {
        "noop": 31,
        "write_everything": 31,
        "wrong_value": 14,
    }
    assert [row.task_id for row in airline.validation.tasks if passing_sentinels(row)] == []


def test_own_rows_serve_two_thirds_of_other_trials_and_shared_rows_more(airline: Built) -> None:
    measured = [row.trials_fidelity or {} for row in airline.validation.tasks]
    total = {key: sum(one[key] for one in measured) for key in ("own_served", "served", "lookups")}
    assert total == {"own_served": 67, "served": 78, "lookups": 96}


def test_calculator_and_constant_are_known_by_their_records(airline: Built) -> None:
    schemas = airline.package.schemas
    computed = {name: one.builtin_format for name, one in schemas.items() if one.builtin}
    assert computed == {"calculate": {"decimals": None, "style": "float"}}
    assert [name for name, one in schemas.items() if one.constant] == ["think"]


def test_ids_that_writes_make_have_their_recorded_prefix(airline: Built) -> None:
    prefixes = {name: one.id_prefix for name, one in airline.package.schemas.items()}
    assert {name: found for name, found in prefixes.items() if found is not None} == {
        "book_reservation": "",
        "send_certificate": "certificate_",
    }


def test_package_is_the_same_over_another_order_of_recordings(airline: Built) -> None:
    again = package(airline.sources, airline.recordings[::-1], airline.policy)
    assert again.environment_ref == airline.package.environment_ref
    assert again.environment_sha256 == airline.package.environment_sha256


def test_no_gold_stands_in_the_fixtures(airline: Built) -> None:
    apart = {task.task_id: task.post_state_observations for task in airline.package.gold.tasks}
    for row in airline.package.fixtures:
        told = [(one.tool, one.content) for one in apart.get(row.task_id or "", ())]
        assert (row.tool, row.content) not in told


def test_retail_sources_solve_their_tasks(retail: Built) -> None:
    assert len(retail.validation.tasks) == 73
    assert [row.task_id for row in retail.validation.tasks if not is_solvable(row)] == []
    assert [row.task_id for row in retail.validation.tasks if passing_sentinels(row)] == []


def test_retail_calculator_rounds_to_two_decimals(retail: Built) -> None:
    (form,) = [one.builtin_format for one in retail.package.schemas.values() if one.builtin]
    assert form == {"decimals": 2, "style": "shortest"}


def test_every_recorded_sum_comes_out_of_the_world(retail: Built) -> None:
    (name,) = [one for one, schema in retail.package.schemas.items() if schema.builtin]
    scene = next(iter(retail.package.scenes.values()))
    bare = replace(scene, own={})
    asked = [item.call for item in retail.judged() if item.call.tool == name]
    answers = [World.of(bare).call(name, call.arguments or {}).content for call in asked]
    assert answers == [call.result for call in asked]
