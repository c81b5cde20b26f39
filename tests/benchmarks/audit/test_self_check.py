"""Every check of the self-check: silent on a sound build, and each fault is found by its name."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from benchmarks.audit.self_check import broken_sums, check_tasks, self_check
from benchmarks.audit.written import Witness, Written
from benchmarks.environment.package import TaskSource
from benchmarks.environment.validation import validate
from benchmarks.records.contract import Contract
from benchmarks.records.dag import IndexRow
from benchmarks.records.environment import FixtureRow
from benchmarks.records.intake import IntakeReport
from benchmarks.records.task import TaskSource as Captured
from benchmarks.records.task import User
from benchmarks.records.vocabulary import Split
from tests.benchmarks.environment.hotel import (
    CANCELLED,
    LEAK,
    POLICY,
    conversation,
    packaged,
    source,
)

AT = "2026-11-02T09:21:00.000Z"
ASKING = conversation(
    "Cancel booking A-7, please.",
    "> Certainly, which of your two bookings shall I cancel for you today?",
    "The first one, I will not come.",
    ("cancel_booking", {"booking_id": "A-7"}, "Cancelled."),
    "> Booking A-7 is cancelled now, we hope to see you again soon.",
)


def sources() -> list[TaskSource]:
    spoken = {"task-1": CANCELLED, "task-2": LEAK, "task-3": ASKING}
    return [
        source(
            task_id,
            one,
            execution_group=f"group-{task_id}",
            split=Split.TRAIN,
            cluster_id=f"cluster-{task_id}",
            candidate_boundary="k1",
            source=Captured(node_ids=["k1"], captures=[{"pointer": "captures.jsonl#L1"}]),
            user=User(mode="scripted" if one is ASKING else "none", turns=int(one is ASKING)),
            tool_surface=["cancel_booking"],
        )
        for task_id, one in spoken.items()
    ]


def report(**changes: Any) -> IntakeReport:
    return IntakeReport.read({
        "generated_at": AT,
        "verdict": "pass",
        "loss": 0,
        "bar": 0.05,
        "sources": [{"path": "captures.jsonl"}],
        "dialects": {"openai.chat": 4},
        "records": 4,
        "captures": 3,
        "conversations": 3,
        "turns": 12,
        "tool_calls": 5,
        "tool_results": 5,
        "joined_results": 5,
        "dropped": {"malformed_line": 1},
        "examples": [],
        "duplicates": 0,
        **changes,
    })


def line(task_id: str | None, *reasons: str) -> IndexRow:
    return IndexRow(
        execution_group=f"group-{task_id}",
        lineage_status="complete",
        capture_count=1,
        edge_count=0,
        workloads=[],
        task_id=task_id,
        exclusion_reasons=list(reasons),
    )


@pytest.fixture(scope="module")
def sound() -> Written:
    made = sources()
    built = packaged(*made)
    validation = validate(built, made, POLICY, generated_at=AT)
    return Written(
        tasks=[one.task for one in made],
        environment=built.tasks,
        fixtures=built.fixtures,
        schemas=built.schemas,
        guidance=built.guidance,
        gold=built.gold.tasks,
        validation=validation.tasks,
        witnesses={one.task.task_id: Witness(one.conversation, one.boundary) for one in made},
        intake=report(),
        index=[*(line(one.task.task_id) for one in made), line(None, "repeat_trial")],
        others={"manifest.json": {"source": "captures", "output_dir": "desk"}},
    )


def with_task(written: Written, at: int = 0, **changes: Any) -> Written:
    tasks = list(written.tasks)
    tasks[at] = tasks[at].with_(**changes)
    return replace(written, tasks=tasks)


def with_shown(written: Written, at: int = 0, **changes: Any) -> Written:
    shown = list(written.environment)
    shown[at] = shown[at].with_(**changes)
    return replace(written, environment=shown)


def test_sound_build_has_no_finding(sound: Written) -> None:
    result = self_check(sound)
    assert (result.checked, result.failed, result.environment_failures) == (3, 0, [])
    assert result.tasks["task-1"] == {"ok": True, "failures": []}
    assert result.cap_warnings == 0
    assert broken_sums(result) == []


SHOWN = [{"role": "user", "content": "Cancel booking A-7, please."}]
SAID = "Booking A-7 is cancelled now, we hope to see you again soon."
CALLED = 'For instance {"booking_id":"A-7"}.'
FAULTS: list[tuple[str, str, Callable[[Written], Written]]] = [
    ("prompt_missing", "task-1", lambda w: replace(w, environment=w.environment[1:])),
    ("prompt_missing", "task-1", lambda w: with_shown(w, candidate_prompt=[])),
    (
        "prompt_empty",
        "task-1",
        lambda w: with_shown(w, candidate_prompt=[{"role": "user", "content": " "}]),
    ),
    ("history_mismatch", "task-1", lambda w: with_shown(w, source_messages=[])),
    ("history_mismatch", "task-1", lambda w: with_shown(w, system_prompt="You fly planes.")),
    (
        "history_mismatch",
        "task-1",
        lambda w: with_shown(w, candidate_prompt=[*SHOWN, *SHOWN], source_messages=[*SHOWN] * 2),
    ),
    (
        "incumbent_in_prompt",
        "task-3",
        lambda w: with_shown(w, 2, candidate_prompt=[{"role": "user", "content": SAID}]),
    ),
    (
        "incumbent_in_prompt",
        "task-3",
        lambda w: with_shown(w, 2, candidate_prompt=[{"role": "user", "content": CALLED}]),
    ),
    ("no_boundary", "task-1", lambda w: with_task(w, candidate_boundary=None)),
    ("no_boundary", "task-1", lambda w: with_task(w, candidate_boundary="k9")),
    (
        "no_boundary",
        "task-1",
        lambda w: replace(w, witnesses={"task-1": Witness(CANCELLED, None)}),
    ),
    ("user_script_mismatch", "task-3", lambda w: with_task(w, 2, user=User(turns=0))),
    (
        "user_script_mismatch",
        "task-3",
        lambda w: with_shown(w, 2, user={"mode": "scripted", "turns": ["The second."]}),
    ),
    ("missing_tool_definitions", "task-1", lambda w: with_task(w, tool_surface=["fly"])),
    ("tools_missing", "task-1", lambda w: with_shown(w, tools=w.environment[0].tools[1:])),
    ("schemas_missing", "task-1", lambda w: replace(w, schemas={})),
    ("empty_contract", "task-1", lambda w: with_task(w, outcome_contract=contract())),
    (
        "contract_tool_undefined",
        "task-1",
        lambda w: with_task(w, outcome_contract=contract(tool="fly")),
    ),
    (
        "fixture_post_state",
        "task-1",
        lambda w: replace(
            w,
            fixtures=[
                *w.fixtures,
                FixtureRow(
                    task_id="task-1",
                    tool="cancel_booking",
                    arguments={"booking_id": "A-7"},
                    content={"booking_id": "A-7", "status": "cancelled"},
                ),
            ],
        ),
    ),
    ("oracle_unreplayable", "task-1", lambda w: replace(w, validation=w.validation[1:])),
    ("split_invalid", "task-1", lambda w: with_task(w, split=Split.NONE)),
    ("split_invalid", "task-1", lambda w: with_task(w, split=Split.DEV)),
]


def contract(**entry: Any) -> Contract:
    required = [{"id": "o1", "type": "state_effect", **entry}] if entry else []
    return Contract.read({"status": "operator", "required": required})


@pytest.mark.parametrize(("check", "task_id", "spoil"), FAULTS)
def test_fault_of_a_task_is_found_by_its_name(
    sound: Written, check: str, task_id: str, spoil: Callable[[Written], Written]
) -> None:
    found = check_tasks(spoil(sound))[task_id]
    assert not found.ok
    assert check in {failure.check for failure in found.failures}


def test_prompt_that_is_the_title_is_found_where_the_user_said_more(sound: Written) -> None:
    said = "My name is Mia Li and I want to cancel booking A-7 that I made in May."
    spoken = conversation(said, "> Done.")
    one = source("task-1", spoken)
    written = replace(
        with_shown(with_task(sound, title="Cancel a booking"), prompt="Cancel a booking"),
        witnesses={"task-1": Witness(spoken, one.boundary)},
    )
    assert "prompt_equals_title" in checks_of(written, "task-1")


def test_short_request_may_be_its_own_title(sound: Written) -> None:
    written = with_task(sound, title="Cancel booking A-7, please.")
    assert checks_of(written, "task-1") == set()


def test_oracle_below_one_is_named(sound: Written) -> None:
    rows = list(sound.validation)
    oracle = rows[0].oracle.with_(strict=0, unmet=["o1"])
    rows[0] = rows[0].with_(oracle=oracle)
    (failure,) = check_tasks(replace(sound, validation=rows))["task-1"].failures
    assert failure.dump() == {
        "check": "oracle_unreplayable",
        "detail": "the oracle does not meet: o1",
    }
    rows[0] = rows[0].with_(oracle=oracle.with_(missing_gold=["response"]))
    assert checks_of(replace(sound, validation=rows), "task-1") == set()


def test_oracle_that_missed_a_recording_is_named(sound: Written) -> None:
    rows = list(sound.validation)
    rows[0] = rows[0].with_(oracle=rows[0].oracle.with_(fidelity={"not_recorded": 1}))
    assert checks_of(replace(sound, validation=rows), "task-1") == {"oracle_unreplayable"}


def checks_of(written: Written, task_id: str) -> set[str]:
    return {failure.check for failure in check_tasks(written)[task_id].failures}


BUILD_FAULTS: list[tuple[str, Callable[[Written], Written]]] = [
    ("id_collision", lambda w: with_task(w, 1, task_id="task-1")),
    ("id_collision", lambda w: with_task(w, 1, execution_group="group-task-1")),
    (
        "split_invalid",
        lambda w: with_task(with_task(w, 1, cluster_id="cluster-task-1"), split=Split.DEV),
    ),
    ("absolute_path", lambda w: replace(w, others={"manifest.json": {"source": "/home/x/in"}})),
    ("absolute_path", lambda w: replace(w, others={"manifest.json": {"source": "C:\\in"}})),
    (
        "absolute_path",
        lambda w: replace(w, others={"m.json": {"artifacts": {"tasks": "/x/tasks.jsonl"}}}),
    ),
    (
        "absolute_path",
        lambda w: replace(w, others={"c.jsonl": [{"source": {"local_path": "/tmp/c.jsonl"}}]}),
    ),
    (
        "unredacted_secret",
        lambda w: replace(w, others={"c.jsonl": ["key: " + "sk-" + "a1" * 12]}),
    ),
    ("unredacted_secret", lambda w: with_task(w, title="use Bearer abcdef0123456789xyz")),
    ("counts_do_not_add_up", lambda w: replace(w, intake=report(captures=2))),
    ("counts_do_not_add_up", lambda w: replace(w, index=w.index[1:])),
    ("counts_do_not_add_up", lambda w: replace(w, index=[*w.index, line(None)])),
    ("counts_do_not_add_up", lambda w: replace(w, gold=w.gold[1:])),
]


@pytest.mark.parametrize(("check", "spoil"), BUILD_FAULTS)
def test_fault_of_the_build_is_found_by_its_name(
    sound: Written, check: str, spoil: Callable[[Written], Written]
) -> None:
    found = [one["check"] for one in self_check(spoil(sound)).environment_failures]
    assert found[0] == check


def test_sums_that_do_not_add_up_break_the_build(sound: Written) -> None:
    result = self_check(replace(sound, intake=report(captures=2)))
    assert broken_sums(result) == ["4 records, but 3 captures, drops and duplicates"]


def test_secret_is_no_finding_where_redaction_was_off(sound: Written) -> None:
    written = with_task(sound, title="use Bearer abcdef0123456789xyz")
    off = replace(written, redacted=False)
    assert self_check(off).environment_failures == []


def test_name_of_a_secret_in_a_schema_is_no_secret(sound: Written) -> None:
    schema = sound.schemas["get_booking"].with_(properties={"password": "string"})
    told = sound.guidance.with_(
        tools={"get_booking": {"missing_required:password": "password is missing. Ask for it."}}
    )
    written = replace(sound, schemas={**sound.schemas, "get_booking": schema}, guidance=told)
    assert self_check(written).environment_failures == []


def test_path_inside_captured_content_is_no_recorded_path(sound: Written) -> None:
    rows = [*sound.fixtures, FixtureRow(tool="cat", arguments={"path": "/etc/hosts"}, content="x")]
    assert self_check(replace(sound, fixtures=rows)).environment_failures == []


def test_failed_tasks_are_counted(sound: Written) -> None:
    result = self_check(with_task(sound, candidate_boundary=None))
    assert (result.checked, result.failed) == (3, 1)
    assert result.tasks["task-1"]["failures"][0]["check"] == "no_boundary"
