"""An executor reads a directory's environment once, and never the scorer's side."""

from pathlib import Path

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.environment.loading import load_world_data
from benchmarks.environment.package import Package
from benchmarks.errors import EnvironmentMissing, InvalidBenchmark
from benchmarks.records.tool_policy import ToolEntry, ToolPolicy
from benchmarks.records.vocabulary import Effect
from tests.benchmarks.environment.hotel import BOOKING, CANCELLED, LEAK, packaged, source


def written(path: Path, built: Package) -> BenchmarkDir:
    directory = BenchmarkDir(path)
    directory.replace(layout.ENV_TASKS, list(built.tasks))
    directory.replace(layout.FIXTURES, list(built.fixtures))
    directory.replace(layout.SCHEMAS, dict(built.schemas))
    directory.replace(layout.GUIDANCE, built.guidance)
    return directory


@pytest.fixture
def desk(tmp_path: Path) -> BenchmarkDir:
    return written(tmp_path, packaged(source("t1", CANCELLED), source("t2", LEAK)))


def test_world_on_disk_answers_as_the_one_in_memory(desk: BenchmarkDir) -> None:
    data = load_world_data(desk)
    world = data.world("t1")
    assert world.call("get_booking", {"booking_id": "A-7"}).content == BOOKING
    assert world.call("cancel_booking", {"booking_id": "A-7"}).counted == "echoed"
    again = world.call("get_booking", {"booking_id": "A-7"})
    assert again.content == {**BOOKING, "status": "cancelled"}


def test_worlds_of_one_load_share_the_scene_and_no_state(desk: BenchmarkDir) -> None:
    data = load_world_data(desk)
    one, other = data.world("t1"), data.world("t1")
    one.call("cancel_booking", {"booking_id": "A-7"})
    assert one.scene is other.scene
    assert other.call("get_booking", {"booking_id": "A-7"}).content == BOOKING


def test_task_is_served_by_its_own_rows_and_the_shared_ones(desk: BenchmarkDir) -> None:
    world = load_world_data(desk).world("t2")
    assert world.call("get_booking", {"booking_id": "A-7"}).source == "shared"
    assert world.call("list_rooms", {"hotel": "Adler"}).source == "fixture"


def test_tool_policy_of_the_directory_decides_what_is_a_write(desk: BenchmarkDir) -> None:
    entry = ToolEntry(effect=Effect.READ, source="operator")
    desk.replace(layout.TOOL_POLICY, ToolPolicy(tools={"cancel_booking": entry}))
    world = load_world_data(desk).world("t1")
    assert world.call("cancel_booking", {"booking_id": "A-7"}).status == "not_recorded"


def test_posture_absent_in_an_older_file_is_the_suggested_one(tmp_path: Path) -> None:
    built = packaged(source("t1", CANCELLED))
    desk = written(tmp_path, built)
    desk.replace(layout.ENV_TASKS, [task.with_(posture=None) for task in built.tasks])
    assert load_world_data(desk).scene("t1").simulated


def test_frozen_posture_is_kept(tmp_path: Path) -> None:
    desk = written(tmp_path, packaged(source("t1", CANCELLED, posture="frozen")))
    assert not load_world_data(desk).scene("t1").simulated


def test_directory_without_environment_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentMissing, match="has no environment"):
        load_world_data(BenchmarkDir(tmp_path))


def test_task_without_environment_is_named(desk: BenchmarkDir) -> None:
    with pytest.raises(EnvironmentMissing, match="no task t9"):
        load_world_data(desk).world("t9")


def test_broken_document_is_named(desk: BenchmarkDir) -> None:
    (desk.path / layout.FIXTURES.path).write_text('[{"arguments": {}}]', encoding="utf-8")
    with pytest.raises(InvalidBenchmark):
        load_world_data(desk)


def test_gold_is_never_needed(desk: BenchmarkDir) -> None:
    assert not desk.exists(layout.GOLD)
    assert load_world_data(desk).world("t1").fidelity().calls == 0
