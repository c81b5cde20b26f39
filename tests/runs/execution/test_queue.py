"""What an executor does with the queue of a directory: order, poison, what it leaves alone."""

from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.records.vocabulary import Split
from runs.executor.shutdown import Shutdown
from runs.trust.posture import Posture
from tests.executing import Heard, ask_to_end, execute
from tests.factories import make_desk, make_items, make_request, queue
from tests.stub_model import StubModel

MODEL: dict[str, Any] = {"models": ["stub-model"]}


def test_a_look_at_the_holdout_is_recorded_once(tmp_path: Path) -> None:
    items = make_items(4, (Split.DEV, Split.HOLDOUT))
    desk = make_desk(tmp_path / "desk", items)
    queue(desk, **MODEL, actor="os:mira", door="shell")
    shutdown = Shutdown()
    with StubModel() as stub:
        after = ask_to_end(shutdown, lambda event: event.type == "rollout")
        execute(desk, stub.url, shutdown=shutdown, listener=after, widths=(1,))
        execute(desk, stub.url)
    (look,) = desk.directory.read(layout.HOLDOUT).records
    assert (look.kind, look.run_id, look.arms) == ("run", "run-1", ["stub-model"])
    assert look.task_ids == [desk.task_ids[1], desk.task_ids[3]]
    assert look.actor == "os:mira"


def test_a_request_beyond_this_version_stays_queued_and_is_said_once(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 1)
    queue(desk, trivial_arms=["majority_class"])
    assert execute(desk) == []
    assert execute(desk) == []
    request = desk.request("run-1")
    assert request.status == "queued"
    assert request.unsupported is not None
    assert request.unsupported["missing"] == ["majority_class"]
    assert [event.type for event in desk.events()] == ["run_unsupported"]


def test_a_spending_request_that_nobody_was_asked_about_is_blocked_below_the_posture(
    tmp_path: Path,
) -> None:
    desk = make_desk(tmp_path / "desk", 2)
    queue(desk, **MODEL, confirmed=None)
    with StubModel() as stub:
        assert execute(desk, stub.url, posture=Posture()) == []
        assert execute(desk, stub.url, posture=Posture()) == []
        assert stub.calls == 0
        assert [event.type for event in desk.events()] == ["run_blocked"]
        (ended,) = execute(desk, stub.url)
    assert ended.status == "done"


def test_a_request_of_the_reference_s_live_executor_is_left_to_it(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 1)
    held = {"pid": 1, "host": None, "claimed_at": "2999-01-01T00:00:00.000Z"}
    queue(desk, **MODEL, status="running", claimed_by=held)
    heard = Heard()
    with StubModel() as stub:
        assert execute(desk, stub.url, heard=heard) == []
    assert heard.texts == ["run-1 is left to pid 1 on None"]


def test_a14_poison_among_good_requests_fails_by_itself(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 2)
    good = {"reference_arms": ["oracle"]}
    queue(desk, "run-a", **good)
    queue(desk, "run-b", models=["no-key"])
    queue(desk, "run-c", models=["scripted/reckless"])
    queue(desk, "run-d", reference_arms=["oracle"], tasks=["task-gone"])
    queue(desk, "run-f", **good)
    (desk.path / "runs/queue/run-e.json").write_text("{", encoding="utf-8")
    ended = {request.run_id: request for request in execute(desk)}
    assert {run: request.status for run, request in ended.items()} == {
        "run-a": "done",
        "run-b": "failed",
        "run-c": "failed",
        "run-d": "failed",
        "run-f": "done",
    }
    assert {run: (ended[run].error or {}).get("class") for run in ("run-b", "run-c", "run-d")} == {
        "run-b": "CredentialsMissing",
        "run-c": "UnknownModel",
        "run-d": "UnknownTask",
    }
    failed = [event for event in desk.events("run-b") if event.type == "run_failed"]
    assert len(failed) == 1
    assert "no key for model no-key" in failed[0].error["message"]
    assert {run: ended[run].missing for run in ("run-b", "run-c", "run-d")} == {
        "run-b": {"provider": 2},
        "run-c": {"provider": 2},
        "run-d": {"infra": 1},
    }
    assert {run: (ended[run].spend or {})["recorded_usd"] for run in ended} == dict.fromkeys(
        ended, 0
    )


def test_a_benchmark_that_cannot_be_read_fails_its_request(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 1)
    queue(desk, reference_arms=["oracle"])
    (desk.path / "environment/understudy_trace_env/tasks.json").write_text("[{}]", encoding="utf-8")
    (ended,) = execute(desk)
    assert ended.missing == {"infra": 1}
    assert ended.status == "failed"
    assert (ended.error or {})["class"] == "InvalidBenchmark"


def test_where_nobody_can_say_what_was_asked_for_the_requests_own_progress_counts(
    tmp_path: Path,
) -> None:
    desk = make_desk(tmp_path / "desk", 1)
    said = {"completed": 1, "total": 3, "arms": {"m": {"completed": 1, "total": 3}}}
    queue(desk, "run-a", trivial_arms=["nobody"], progress={"completed": 0, "total": 4})
    queue(desk, "run-b", trivial_arms=["nobody"], progress=said)
    first, second = execute(desk)
    assert (first.status, first.missing) == ("failed", {"infra": 4})
    assert first.progress == {"completed": 0, "total": 4}
    assert (first.spend or {})["recorded_usd"] == 0
    assert (second.missing, second.progress) == ({"infra": 2}, said)


def test_calibration_is_derived_when_a_run_of_incumbents_and_floors_ends(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 4)
    arms = {"trivial_arms": ["null_agent", "spam_agent"], "reference_arms": ["oracle"]}
    queue(desk, **MODEL, **arms, incumbent_models=["stub-model"])
    with StubModel() as stub:
        execute(desk, stub.url)
    calibration = desk.directory.load(layout.CALIBRATION)
    assert calibration is not None
    assert (calibration.passed_count, calibration.failed_count) == (4, 0)
    assert calibration.null_floor is not None
    assert (calibration.null_floor.floor, calibration.null_floor.measured) == (0, 4)
    assert calibration.oracle_ceiling is not None
    assert calibration.oracle_ceiling.floor == 1


def test_f08_a_newer_calibration_is_left_as_it_is_and_the_run_ends_done(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 1)
    newer = b'{"schema_version": "understudy.calibration.v2", "x": 1}\n'
    (desk.path / "calibration.json").write_bytes(newer)
    queue(desk, trivial_arms=["null_agent"])
    heard = Heard()
    (ended,) = execute(desk, heard=heard)
    assert ended.status == "done"
    assert (desk.path / "calibration.json").read_bytes() == newer
    assert "calibration.json is understudy.calibration.v2" in heard.texts[0]


def test_an_empty_queue_takes_no_claim(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 1)
    assert execute(desk) == []
    assert not (desk.path / layout.CLAIM_LOCK).exists()


def test_one_run_may_be_asked_for(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 1)
    queue(desk, "run-a", reference_arms=["oracle"])
    queue(desk, "run-b", reference_arms=["oracle"])
    (ended,) = execute(desk, run_id="run-b")
    assert ended.run_id == "run-b"
    assert desk.request("run-a").status == "queued"


def test_a_request_that_asks_for_nothing_fails(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 1)
    desk.directory.create(layout.request("run-1"), make_request(models=[]))
    (ended,) = execute(desk)
    assert (ended.error or {})["class"] == "NothingSelected"


@pytest.mark.parametrize(
    ("fields", "class_"),
    [
        ({"trivial_arms": ["bogus"]}, "UnknownArm"),
        ({"reference_arms": ["oracle"], "tasks": "some"}, "UnknownTask"),
        ({"reference_arms": ["oracle"], "rollouts_per_task": 10**9}, "InvalidArguments"),
    ],
)
def test_what_no_door_would_have_let_through_fails_by_name(
    tmp_path: Path, fields: dict[str, Any], class_: str
) -> None:
    desk = make_desk(tmp_path / "desk", 1)
    queue(desk, **fields, requires=[])
    (ended,) = execute(desk)
    assert ended.status == "failed"
    assert (ended.error or {})["class"] == class_
