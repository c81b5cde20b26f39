"""The captures that the demo ships: what is read, what is lost, and what a build makes of them."""

from collections import Counter
from datetime import UTC, datetime

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.environment.loading import load_world_data
from benchmarks.environment.validation import is_solvable, passing_sentinels
from benchmarks.intake.ingest import IntakeOptions, ingest
from benchmarks.records.caller import Caller
from benchmarks.records.vocabulary import Effect, Role, Split
from benchmarks.services.building import build_benchmark
from understudy_site import demo_captures

NOW = datetime(2026, 11, 2, tzinfo=UTC)
SOURCES = [demo_captures.FOLDER / name for name in demo_captures.FILES]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> BenchmarkDir:
    directory = BenchmarkDir(tmp_path_factory.mktemp("home") / "demo")
    build_benchmark(
        directory=directory,
        slug="local--demo",
        source=SOURCES,
        waive_pilot="the demo shows the whole lifecycle",
        confirm=True,
        caller=Caller(actor="demo", door="shell"),
        now=NOW,
    )
    return directory


def test_46_records_are_read_two_are_broken_on_purpose_and_one_secret_is_taken_out() -> None:
    report = ingest(SOURCES, options=IntakeOptions(now=NOW)).report
    assert (report.records, report.captures, report.duplicates) == (46, 44, 0)
    assert report.records == demo_captures.RECORDS
    assert report.dropped == demo_captures.BROKEN == {"malformed_line": 1, "no_response": 1}
    assert report.secrets == demo_captures.SECRETS == {"connection_string": 1}
    assert report.dialects == {"openai.chat": 32, "anthropic.messages": 8, "tau_bench": 5}
    assert (report.conversations, report.verdict) == (14, "pass")
    assert report.joined_results == report.tool_results == report.tool_calls


def test_build_makes_ten_tasks_and_says_why_four_conversations_make_none(
    demo: BenchmarkDir,
) -> None:
    rows = demo.read(layout.EXECUTION_INDEX).records
    conversations = [row for row in rows if row.execution_group is not None]
    reasons = Counter(reason for row in conversations for reason in row.exclusion_reasons)
    assert len(conversations) == demo_captures.CONVERSATIONS == 14
    assert len(demo.tasks()) == demo_captures.TASKS == 10
    assert reasons == demo_captures.WITHOUT_TASK
    assert reasons == {"repeat_trial": 2, "no_successful_trajectory": 1, "no_user_turn": 1}


def test_folder_holds_the_captures_and_nothing_else() -> None:
    names = {path.name for path in demo_captures.FOLDER.iterdir()}
    assert names == set(demo_captures.FILES)


def test_every_split_has_tasks(demo: BenchmarkDir) -> None:
    assert {task.split for task in demo.tasks().values()} == {
        Split.TRAIN,
        Split.DEV,
        Split.HOLDOUT,
    }


def test_tools_read_write_and_hand_over_and_none_is_unknown(demo: BenchmarkDir) -> None:
    policy = demo.load(layout.TOOL_POLICY)
    assert policy is not None
    effects = Counter(entry.effect for entry in policy.tools.values() if entry.role is None)
    assert effects == {Effect.READ: 6, Effect.WRITE: 9}
    assert [name for name, entry in policy.tools.items() if entry.role is Role.HANDOFF] == [
        "transfer_to_human_agents"
    ]


def test_eight_tasks_change_something_two_ask_for_values_and_all_have_a_scripted_user(
    demo: BenchmarkDir,
) -> None:
    tasks = demo.tasks().values()
    demands = [{entry.type for entry in task.outcome_contract.required} for task in tasks]
    assert sum("state_effect" in types for types in demands) == 8
    assert sum("value_propagation" in types for types in demands) == 2
    assert all(task.user and task.user.mode == "scripted" for task in tasks)


def test_every_task_is_solved_by_its_source_and_no_sentinel_passes(demo: BenchmarkDir) -> None:
    validation = demo.load(layout.VALIDATION)
    assert validation is not None
    assert len(validation.tasks) == 10
    assert [row.task_id for row in validation.tasks if not is_solvable(row)] == []
    assert [row.task_id for row in validation.tasks if passing_sentinels(row)] == []


def test_self_check_of_the_build_finds_nothing(demo: BenchmarkDir) -> None:
    manifest = demo.load(layout.MANIFEST)
    assert manifest is not None
    assert manifest.self_check is not None
    assert (manifest.self_check.checked, manifest.self_check.failed) == (10, 0)
    assert manifest.self_check.environment_failures == []


def test_no_file_of_the_build_holds_the_secret(demo: BenchmarkDir) -> None:
    secret = b"q8Zr1vK0pWm3xT6b"
    assert secret in SOURCES[0].read_bytes()
    written = [path for path in demo.path.rglob("*") if path.is_file()]
    assert [path.name for path in written if secret in path.read_bytes()] == []


def test_every_task_has_a_world(demo: BenchmarkDir) -> None:
    data = load_world_data(demo)
    assert [data.world(task_id).fidelity().calls for task_id in demo.tasks()] == [0] * 10
