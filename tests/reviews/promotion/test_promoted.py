"""What a promotion writes."""

from typing import Any

from benchmarks.records.caller import Caller
from benchmarks.records.environment import OfflineValidation
from benchmarks.versioning.hashing import splits_sha256
from reviews.promotion.promoted import (
    Occasion,
    first_version_line,
    kept_splits,
    kept_validation,
    promoted_manifest,
)
from tests.reviews.desks import make_world
from tests.reviews.factories import NOW, make_manifest, make_task, make_validation

OCCASION = Occasion(Caller("os:mira", "shell"), NOW, {})


def test_world_keeps_accepted_tasks_and_what_is_shared() -> None:
    world = make_world(["t1", "t2"])
    kept = world.keeping(["t2"])
    assert [task.task_id for task in kept.tasks] == ["t2"]
    assert [row.task_id for row in kept.fixtures] == ["t2", None]
    assert [task.task_id for task in kept.gold.tasks] == ["t2"]
    assert kept.digest != world.digest
    assert kept.keeping(["t2"]).digest == kept.digest


def test_validation_keeps_accepted_rows() -> None:
    rows = [make_validation("t1"), make_validation("t2")]
    kept = kept_validation(OfflineValidation(tasks=rows), ["t2"])
    assert [row.task_id for row in kept.tasks] == ["t2"]


def promoted(**changes: Any) -> Any:
    proposal = make_manifest(
        tasks=[
            {"task_id": "t1", "category_id": "cap-1", "split": "train"},
            {"task_id": "t2", "category_id": "cap-2", "split": "holdout"},
        ],
        taxonomy=[{"category_id": "cap-1"}, {"category_id": "cap-2"}],
        promotion_blockers=["human_final_judgment"],
        x_team="blue",
        **changes,
    )
    tasks = {"t1": make_task("t1"), "t2": make_task("t2", tool_surface=["b", "a"])}
    return promoted_manifest(proposal, tasks, ["t2"], version="1.0.0", package_sha256="p")


def test_the_description_counts_the_tasks_that_are_left() -> None:
    said = promoted(description="2 tasks from 9 captures").description
    assert said == "1 of 2 tasks from 9 captures"
    assert promoted(description="Mine.").description == "Mine."
    assert promoted(description=None).description is None


def test_promoted_manifest_is_of_the_accepted_tasks_alone() -> None:
    found = promoted()
    assert found.schema_version == "understudy.benchmark.v1"
    assert (found.status, found.executable, found.promotion_blockers) == ("promoted", True, [])
    assert [task.task_id for task in found.tasks] == ["t2"]
    assert [category.category_id for category in found.taxonomy] == ["cap-2"]
    assert found.environment["package_sha256"] == "p"
    assert found.environment["tool_surface"] == ["a", "b"]
    assert found.environment["format"] == "verifiers.v1"
    assert found.splits["boundary"] == "train 0 / dev 0 / holdout 1"
    assert found.splits["splits_sha256"] == splits_sha256([("t2", "holdout")])
    assert found.dump()["x_team"] == "blue"


PAIR = {"a": "t1", "b": "t2", "similarity": 0.9}


def test_pair_of_which_one_is_gone_no_longer_contaminates() -> None:
    splits = {
        "contamination": "contaminated",
        "near_duplicates": [PAIR],
        "near_duplicates_total": 1,
    }
    both = make_manifest("t1", "t2").tasks
    assert kept_splits(splits, both)["contamination"] == "contaminated"
    one = kept_splits(splits, both[:1])
    assert (one["contamination"], one["near_duplicates"], one["near_duplicates_total"]) == (
        "clean",
        [],
        0,
    )


def test_cut_list_of_pairs_proves_nothing() -> None:
    splits = {
        "contamination": "contaminated",
        "near_duplicates": [PAIR],
        "near_duplicates_total": 60,
    }
    kept = kept_splits(splits, make_manifest("t1").tasks)
    assert (kept["contamination"], kept["near_duplicates_total"]) == ("contaminated", 60)


def test_asserted_splits_gain_no_measurement() -> None:
    kept = kept_splits({"contamination": "clean"}, make_manifest("t1").tasks)
    assert "near_duplicates" not in kept


def test_first_version_line_is_a_snapshot_without_bumps() -> None:
    manifest = promoted()
    tasks = {"t1": make_task("t1"), "t2": make_task("t2")}
    line = first_version_line(manifest, tasks, OCCASION)
    assert (line.version, line.cause, line.note, line.task_bumps) == (
        "1.0.0",
        "promote",
        "promoted",
        [],
    )
    assert [stamp.task_id for stamp in line.tasks or []] == ["t2"]
    assert (line.actor, line.door, line.created_at) == ("os:mira", "shell", NOW)
    assert line.splits_sha256 == manifest.splits["splits_sha256"]
