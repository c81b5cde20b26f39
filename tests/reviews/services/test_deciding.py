from datetime import datetime
from pathlib import Path

import pytest

from benchmarks.artifacts.roots import Located
from benchmarks.records.caller import Caller
from reviews.services.deciding import deciding
from reviews.services.dossier import Dossier
from reviews.services.noting import submit_feedback
from reviews.services.reading import read_benchmark
from reviews.services.recording import submit_review
from tests.reviews.desks import make_desk
from tests.reviews.factories import ANSWERED, make_contract, make_task

SLUG = "local--refund-desk"
STATUS = f"understudy benchmarks status {SLUG}"


@pytest.fixture
def desk(tmp_path: Path, mira: Caller, now: datetime) -> Located:
    """Two flagged tasks, one of them rejected, and one whose contract requires nothing."""
    desk = make_desk(
        tmp_path,
        make_task("t1", outcome_contract=make_contract(ANSWERED)),
        make_task("t2", machine_confidence="low"),
        make_task("t3", outcome_contract={**make_contract(), "required": []}),
    )
    submit_review(located=desk, task_ids=["t2"], decision="reject", note="no", caller=mira, now=now)
    return desk


def commands(desk: Located, task_id: str) -> list[str]:
    return [action.command for action in deciding(Dossier(desk.directory, slug=SLUG), task_id)]


def test_a_task_that_nobody_decided_is_kept_or_taken_out(desk: Located) -> None:
    assert commands(desk, "t1") == [
        f"understudy reviews submit {SLUG} t1 accept",
        f"understudy reviews submit {SLUG} t1 reject",
    ]


def test_a_task_that_nothing_can_judge_can_only_be_taken_out(desk: Located) -> None:
    assert commands(desk, "t3") == [f"understudy reviews submit {SLUG} t3 reject"]


def test_open_feedback_is_closed_first(desk: Located, mira: Caller, now: datetime) -> None:
    assert commands(desk, "t2") == [STATUS]
    said = submit_feedback(located=desk, task_id="t2", feedback="why", caller=mira, now=now)
    ref = said["feedback"]["feedback_id"]
    assert commands(desk, "t2") == [f"understudy reviews resolve {SLUG} {ref}"]


def test_flagged_tasks_come_with_the_commands_that_decide_the_first(desk: Located) -> None:
    actions = read_benchmark(located=desk, attention=True)["next_actions"]
    assert [action["command"] for action in actions] == [
        f"understudy benchmarks tasks {SLUG} t1",
        *commands(desk, "t1"),
    ]
    assert [action["tool"] for action in actions] == ["read_task", "submit_review", "submit_review"]
    assert "next_actions" not in read_benchmark(located=desk)


def test_where_nobody_needs_to_decide_the_status_is_next(desk: Located) -> None:
    found = read_benchmark(located=desk, attention="low_confidence", decision="reject")
    assert [task["task_id"] for task in found["tasks"]] == ["t2"]
    assert [action["command"] for action in found["next_actions"]] == [STATUS]
