"""What is accepted without a person, on disk; and the policy that says so."""

import json
from datetime import datetime
from pathlib import Path

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.roots import Located
from benchmarks.errors import InvalidArguments, WrongStage
from benchmarks.records.caller import Caller
from reviews.services.accepting import apply_auto_accepts
from reviews.services.policing import set_policy, show_policy
from tests.reviews.desks import make_desk, make_promoted_desk
from tests.reviews.factories import make_task


@pytest.fixture
def pending(tmp_path: Path, mira: Caller, now: datetime) -> Located:
    desk = make_desk(tmp_path, make_task("t1"), make_task("t2", machine_confidence="low"))
    set_policy(located=desk, default_decision="pending", caller=mira, now=now)
    return desk


def test_clean_undecided_tasks_are_accepted_by_the_lab(
    pending: Located, agent: Caller, now: datetime
) -> None:
    answer = apply_auto_accepts(located=pending, caller=agent, now=now)
    assert (answer["applied"], answer["applied_count"]) == (["t1"], 1)
    assert (answer["exceptions"], answer["exceptions_by_flag"]) == (1, {"low_confidence": 1})
    line = pending.directory.read(layout.REVIEWS).records[0]
    assert (line.task_id, line.decision, line.source, line.actor) == (
        "t1",
        "accept",
        "auto",
        "mcp:claude-code@mira",
    )


def test_applying_twice_writes_once(pending: Located, mira: Caller, now: datetime) -> None:
    apply_auto_accepts(located=pending, caller=mira, now=now)
    again = apply_auto_accepts(located=pending, caller=mira, now=now)
    assert (again["applied"], again["reviews"]) == ([], [])
    assert len(pending.directory.read(layout.REVIEWS).records) == 1


def test_key_gives_the_first_answer_again(pending: Located, now: datetime) -> None:
    keyed = Caller("os:mira", "shell", idempotency_key="k")
    first = apply_auto_accepts(located=pending, caller=keyed, now=now)
    second = apply_auto_accepts(located=pending, caller=keyed, now=now)
    assert (second["replayed"], second["applied"]) == (True, first["applied"])


def test_dry_run_writes_nothing(pending: Located, mira: Caller, now: datetime) -> None:
    answer = apply_auto_accepts(located=pending, dry_run=True, caller=mira, now=now)
    assert (answer["applied"], answer["dry_run"]) == (["t1"], True)
    assert not pending.directory.exists(layout.REVIEWS)


def test_born_accepted_tasks_need_nothing_and_it_says_why(
    desk: Located, mira: Caller, now: datetime
) -> None:
    answer = apply_auto_accepts(located=desk, caller=mira, now=now)
    assert answer["applied"] == []
    assert "born accepted" in answer["why"]
    assert not desk.directory.exists(layout.REVIEWS)


def test_promoted_benchmark_is_refused(tmp_path: Path, mira: Caller, now: datetime) -> None:
    with pytest.raises(WrongStage):
        apply_auto_accepts(located=make_promoted_desk(tmp_path), caller=mira, now=now)


def test_policy_shows_what_it_would_let_through(pending: Located) -> None:
    shown = show_policy(located=pending)
    assert shown["default_decision"] == "pending"
    assert shown["min_fidelity"] == 0.8
    assert shown["effect"] == {
        "auto_acceptable": ["t1"],
        "exceptions": {"t2": ["low_confidence"]},
    }


def test_typo_in_the_file_keeps_the_bar_and_unknown_keys_stay(
    desk: Located, mira: Caller, now: datetime
) -> None:
    path = desk.directory.path / "review-policy.json"
    body = {
        "schema_version": "understudy.review_policy.v1",
        "min_confidence": "hihg",
        "x_team": "blue",
    }
    path.write_text(json.dumps(body), encoding="utf-8")
    answer = set_policy(located=desk, default_decision="pending", caller=mira, now=now)
    assert answer["min_confidence"] == "high"
    written = json.loads(path.read_text(encoding="utf-8"))
    assert (written["x_team"], written["default_decision"]) == ("blue", "pending")


def test_policy_refuses_every_wrong_value_at_once(
    desk: Located, mira: Caller, now: datetime
) -> None:
    with pytest.raises(InvalidArguments) as caught:
        set_policy(located=desk, default_decision="yes", min_fidelity=1.5, caller=mira, now=now)
    assert [complaint.path for complaint in caught.value.errors] == [
        "default_decision",
        "min_fidelity",
    ]
    assert not desk.directory.exists(layout.REVIEW_POLICY)


def test_lower_bar_lets_more_through(pending: Located, mira: Caller, now: datetime) -> None:
    set_policy(located=pending, min_confidence="low", caller=mira, now=now)
    assert show_policy(located=pending)["effect"]["auto_acceptable"] == ["t1", "t2"]
