"""From a proposal to a promoted benchmark, through the doors that people and agents use."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.home import home
from benchmarks.artifacts.roots import Located
from benchmarks.errors import ReviewRequired
from benchmarks.records.build import DATASET_FOUNDRY
from benchmarks.records.caller import Caller
from reviews.services.dossier import Dossier
from runs.services.queueing import queue_run
from tests.driving import Shell
from tests.reviews.desks import add_rows, make_desk
from tests.reviews.factories import (
    ANSWERED,
    make_contract,
    make_review,
    make_task,
    make_trivial_row,
)

SLUG = "local--refund-desk"


@pytest.fixture
def desk(lab_home: Path) -> Located:
    """Three tasks: one sound, one that doing nothing passes, one that nobody is sure of."""
    return make_desk(
        lab_home / "benchmarks",
        make_task("t1"),
        make_task("t2", outcome_contract=make_contract(ANSWERED)),
        make_task("t3", machine_confidence="low"),
    )


def run_free_arms(desk: Located) -> None:
    for task in ("t1", "t2", "t3"):
        add_rows(
            desk,
            make_trivial_row("oracle", task, 1),
            make_trivial_row("null_agent", task, int(task == "t2")),
            make_trivial_row("spam_agent", task, 0),
        )


def test_doubtful_task_is_found_refused_and_left_out(shell: Shell, desk: Located) -> None:
    run_free_arms(desk)
    flagged = shell("benchmarks", "tasks", SLUG, "--attention").document["tasks"]
    assert {task["task_id"]: task["attention_flags"] for task in flagged} == {
        "t2": ["trivial_pass", "weak_verifier"],
        "t3": ["low_confidence"],
    }

    gate = shell("benchmarks", "rigor", SLUG, "--ci")
    assert (gate.code, gate.document[0]["failures"]) == (1, ["trivial-floors"])
    refused = shell("traces", "promote", SLUG)
    assert refused.error["details"]["refusals"][0]["task_ids"] == ["t2"]

    said = shell("reviews", "feedback", SLUG, "t2", "it asks for nothing").document
    assert "trivial_pass: passes without doing anything: null_agent" in said["handoff"]
    shell("reviews", "submit", SLUG, "t2", "reject", "--note", "asks for nothing")
    shell("reviews", "submit", SLUG, "t3", "restrict")

    assert shell("benchmarks", "rigor", SLUG, "--ci").code == 0
    promoted = shell("traces", "promote", SLUG).document
    assert (promoted["accepted_tasks"], promoted["gate"]["status"]) == (["t1", "t3"], "passed")
    assert promoted["record"]["decisions"]["t3"]["decision"] == "restrict"
    assert promoted["record"]["decisions"]["t1"]["explicit"] is False

    [entry] = shell("benchmarks", "list").document["benchmarks"]
    assert (entry["stage"], entry["tasks"], entry["reviews"]) == ("promoted", 2, 2)
    flag = shell("reviews", "flag", SLUG, "t3", "--reason", "ambiguous").document["flag"]
    scores = shell("benchmarks", "tasks", SLUG, "t3").document["scores"]
    assert (scores["rows"], scores["flagged"]) == (3, 3)
    shell("reviews", "resolve", SLUG, flag["flag_id"])
    assert shell("benchmarks", "tasks", SLUG, "t3").document["scores"]["flagged"] == 0


def test_pending_proposal_waits_until_everything_is_decided(shell: Shell, desk: Located) -> None:
    shell("reviews", "policy", SLUG, "--default-decision", "pending")
    waiting = shell("traces", "promote", SLUG).error["details"]["codes"]
    assert waiting == ["nothing_accepted", "human_final_judgment"]
    shell("reviews", "accept-clean", SLUG)
    still = shell("traces", "promote", SLUG).error["details"]["refusals"]
    assert [refusal["code"] for refusal in still] == ["human_final_judgment"]
    assert still[0]["task_ids"] == ["t2", "t3"]
    shell("reviews", "submit", SLUG, "t2", "t3", "needs_more")
    promoted = shell("traces", "promote", SLUG).document
    assert promoted["accepted_tasks"] == ["t1"]
    assert promoted["record"]["decisions"]["t1"]["source"] == "auto"


def test_override_stands_in_the_record_for_ever(shell: Shell, desk: Located) -> None:
    shell("traces", "promote", SLUG, "--override-rigor", "the refusals are what we sell")
    record = json.loads((desk.directory.path / "promotion-record.json").read_text("utf-8"))
    assert record["rigor_gate"]["status"] == "overridden"
    assert record["rigor_gate"]["failures"] == ["null_floor"]
    assert record["rigor_gate"]["override_reason"] == "the refusals are what we sell"
    assert {"issue": "pilot", "rationale": "no pilot yet"}.items() <= record["waivers"][1].items()


def from_table(desk: Located) -> Located:
    manifest = desk.directory.load(layout.MANIFEST)
    assert manifest is not None
    table = manifest.with_(schema_version=DATASET_FOUNDRY, pilot=None, mapping={"format": "csv"})
    desk.directory.replace(layout.MANIFEST, table)
    return desk


def queue_null(table: Located) -> dict[str, Any]:
    return queue_run(
        located=table,
        home=home(),
        body={"models": [], "trivial_arms": ["null_agent"], "tasks": ["t1"]},
        caller=Caller("os:mira", "shell"),
        now=datetime(2026, 11, 4, tzinfo=UTC),
    )


def test_proposal_from_a_table_is_not_run_before_a_persons_review(
    shell: Shell, desk: Located
) -> None:
    table = from_table(desk)
    with pytest.raises(ReviewRequired):
        queue_null(table)
    line = make_review("t1", "accept", source="agent")
    table.directory.append(layout.REVIEWS, line, line.with_(source="auto"))
    with pytest.raises(ReviewRequired):
        queue_null(table)
    assert table.directory.requests().requests == []
    shell("reviews", "submit", SLUG, "t1", "accept")
    assert queue_null(table)["run"]["status"] == "queued"


def test_proposal_from_traces_needs_no_review_to_be_run(desk: Located) -> None:
    assert queue_null(desk)["run"]["status"] == "queued"


def test_promotion_ends_the_wait_of_a_table(shell: Shell, desk: Located) -> None:
    table = from_table(desk)
    (table.directory.path / "source-dag.json").unlink()
    promoted = shell("traces", "promote", SLUG, "--override-rigor", "known").document
    gates = {gate["gate"]: gate["outcome"] for gate in promoted["record"]["gates"]}
    assert (gates["pilot"], gates["lineage"]) == ("passed", "passed")
    assert not Dossier(table.directory).review_owed
