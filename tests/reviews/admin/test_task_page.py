"""The page of one task: what it shows in which order, and what its buttons write."""

from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client

from benchmarks.artifacts import layout
from benchmarks.artifacts.home import AUDIT, Home
from benchmarks.artifacts.roots import Located
from benchmarks.records.caller import Caller
from benchmarks.records.environment import EnvironmentTask, Gold, GoldTask, ScriptedUser
from reviews.services.noting import submit_feedback
from reviews.services.recording import submit_review
from tests.factories import NOW
from tests.reviews.admin.conftest import SLUG, moved
from tests.reviews.admin.pages import Seen, get, post
from tests.reviews.captures import SESSION_KEY, make_session
from tests.reviews.desks import add_rows, make_desk, make_promoted_desk
from tests.reviews.factories import (
    BENCHMARK_ID,
    STAMPS,
    make_contract,
    make_flag,
    make_row,
    make_task,
)
from tests.verifier_factories import make_verification, make_verifier_report

pytestmark = pytest.mark.django_db
ADA = Caller("user:ada", "admin")


def at(task_id: str, slug: str = SLUG) -> str:
    return f"/admin/tasks/{slug}/{quote(task_id)}/"


HERE = at("t1")


def written(desk: Located, file: Any) -> list[dict[str, Any]]:
    return [line.dump() for line in desk.directory.read(file).records]


def digest(page: Seen) -> str:
    return page.values("digest")[0]


@pytest.fixture
def told(root: Path) -> Located:
    """A task with a captured conversation, its environment, and a task that follows it."""
    refund = {
        "id": "o1",
        "type": "state_effect",
        "tool": "issue_refund",
        "arguments": {
            "order_id": {"match": "exact", "value": "A-1007"},
            "amount": {"match": "number", "value": 25},
        },
    }
    contract = make_contract(
        refund,
        {"id": "o2", "type": "response_obligation", "kind": "answered"},
        forbidden=[{"tool": "close_account", "reason": "nobody asked"}],
        preserved=[{"entity": {"type": "order", "id": "A-1008"}, "reason": "another order"}],
    )
    task = make_task(
        "t1",
        machine_confidence="low",
        outcome_contract=contract,
        source={
            "node_ids": [SESSION_KEY],
            "captures": [{"capture_key": SESSION_KEY, "pointer": "talks.jsonl#L1"}],
        },
    )
    desk = make_desk(root, task, make_task("t2"))
    desk.directory.append(layout.CAPTURES, make_session())
    rows = desk.directory.load_list(layout.ENV_TASKS)
    shown = EnvironmentTask(
        task_id="t1",
        prompt="Refund A-1007.",
        candidate_prompt=[{"role": "user", "content": "Refund A-1007."}],
        system_prompt="You handle refunds.",
        user=ScriptedUser(mode="scripted", turns=["Yes, all of it."]),
    )
    desk.directory.replace(layout.ENV_TASKS, [shown, *rows[1:]])
    return desk


def test_sections_stand_in_the_order_in_which_people_judge(told: Located, mira: Client) -> None:
    ids = [found.get("id") for found in get(mira, HERE).every("section")]
    assert ids == [
        "statement", "decision", "contract", "verifier", "conversation", "world", "fixtures",
        "gold", "scores", "lineage", "feedback",
    ]  # fmt: skip
    assert len(get(mira, HERE).every("h1")) == 1


def test_contract_is_in_sentences(told: Located, mira: Client) -> None:
    text = get(mira, HERE).text
    section = text[text.index("Contract in plain words") : text.index("Verifier judges")]
    assert "o1 calls issue_refund with order_id exactly A-1007, amount 25 by value" in section
    assert "o2 comes to its own end with an answer" in section
    assert "extra writes any other accepted write fails" in section
    assert "forbidden any close_account (nobody asked)" in section
    assert "preserved order A-1008 (another order)" in section
    assert "proven by ○ UNKNOWN no fixture has tested an obligation of this task" in section


def test_conversation_marks_what_the_candidate_sees_apart(told: Located, mira: Client) -> None:
    page = get(mira, HERE)
    turns = [found["class"] for found in page.every("li") if "turn " in str(found.get("class"))]
    assert turns == [
        "turn system side-seen",
        "turn user side-seen",
        "turn assistant side-recorded",
        "turn tool side-recorded",
        "turn user side-later",
        "turn assistant side-recorded",
    ]
    assert 'calls get_order ○ unknown { "order_id": "A-1007" }' in page.text
    assert 'result of get_order ok { "order_id": "A-1007", "total": 25.00 }' in page.text
    assert "said later by the scripted user Yes, all of it." in page.text


def test_doubts_and_failed_grounding_come_with_the_statement(root: Path, mira: Client) -> None:
    authored = {
        "statement": "Refund everything the customer ever bought.",
        "grounding": "failed",
        "grounding_violations": ["amount 999 stands nowhere in the trace"],
    }
    make_desk(root, make_task("t1", authored=authored, machine_confidence="low"))
    text = get(mira, HERE).text
    assert text.index("Grounding failed.") < text.index("Refund t1", text.index("Grounding"))
    assert "amount 999 stands nowhere in the trace" in text
    assert "Refund everything the customer ever bought." not in text
    assert "! low confidence machine confidence low, the bar is high" in text


def test_authored_statement_stands_for_the_first_turn(root: Path, mira: Client) -> None:
    authored = {"statement": "Refund the broken item only.", "grounding": {"status": "verified"}}
    make_desk(root, make_task("t1", authored=authored))
    text = get(mira, HERE).text
    assert "written by a model, grounded in the trace Refund the broken item only." in text


def test_decision_is_one_line_with_person_and_door(
    told: Located, mira: Client, lab_home: Path
) -> None:
    page = get(mira, HERE)
    after = post(
        mira, HERE, action="review", decision="restrict", note="only in March", digest=digest(page)
    )
    line = written(told, layout.REVIEWS)[0]
    assert {
        key: line[key] for key in ("task_id", "decision", "note", "source", "actor", "door")
    } == {
        "task_id": "t1",
        "decision": "restrict",
        "note": "only in March",
        "source": "human",
        "actor": "user:mira",
        "door": "admin",
    }
    assert "Recorded: restrict." in after.text
    assert "! restrict human user:mira admin only in March" in after.text
    audit = Home(lab_home).read(AUDIT).records
    assert [(each.service, each.slug, each.ref) for each in audit] == [
        ("submit_review", SLUG, "t1")
    ]


def test_changed_task_is_not_decided_on(told: Located, mira: Client) -> None:
    page = get(mira, HERE)
    lines = told.directory.read(layout.TASKS).records
    told.directory.replace(layout.TASKS, [lines[0].with_(title="Other"), *lines[1:]])
    after = post(mira, HERE, action="review", decision="accept", digest=digest(page))
    assert "the task was changed after this page was drawn: nothing was recorded" in after.text
    assert written(told, layout.REVIEWS) == []
    post(mira, HERE, action="review", decision="accept", digest=digest(after))
    assert len(written(told, layout.REVIEWS)) == 1


def test_history_names_every_line_and_the_second_reviewer_learns_of_the_first(
    told: Located, mira: Client
) -> None:
    agent = Caller("mcp:claude-code@ada", "mcp")
    submit_review(located=told, task_ids=["t1"], decision="reject", caller=agent, now=NOW)
    page = get(mira, HERE)
    assert "✕ reject agent mcp:claude-code@ada mcp –" in page.text
    after = post(mira, HERE, action="review", decision="accept", digest=digest(page))
    assert (
        "Before, mcp:claude-code@ada had decided reject: both lines are kept, the newest counts."
        in after.text
    )
    assert [line["decision"] for line in written(told, layout.REVIEWS)] == ["reject", "accept"]


def test_feedback_is_kept_and_hands_off(told: Located, mira: Client) -> None:
    page = post(mira, HERE, action="feedback", feedback="Only the item, not the shipping.")
    line = written(told, layout.FEEDBACK)[0]
    assert (line["feedback"], line["actor"], line["door"], line["status"]) == (
        "Only the item, not the shipping.", "user:mira", "admin", "open",
    )  # fmt: skip
    assert page.every("textarea", **{"class": "handoff mono"})[0]["readonly"] is None
    assert "Change one task of a benchmark in place, and nothing else." in page.text
    copies = [button["data-copy"] for button in page.every("button") if button.get("data-copy")]
    assert any("Only the item, not the shipping." in str(copy) for copy in copies)
    ref = line["feedback_id"]
    after = post(mira, HERE, action="resolve_feedback", ref=ref, note="amount corrected")
    closed = written(told, layout.FEEDBACK)[1]
    assert (closed["status"], closed["addressed_by"], closed["door"]) == (
        "addressed", "user:mira", "admin",
    )  # fmt: skip
    assert "addressed by user:mira: amount corrected" in after.text
    assert "Change one task" not in after.text


def test_promoted_task_has_flags_in_place_of_decisions(
    root: Path, lab_home: Path, mira: Client
) -> None:
    desk = moved(make_promoted_desk(lab_home / "x", make_task("t1")), root / "published")
    desk.directory.append(layout.FLAGS, make_flag(None, "leakage", actor="user:ada"))
    here = at("t1", "local--published")
    page = get(mira, here)
    assert page.every("button", name="decision") == []
    assert "leakage, whole benchmark" in page.text
    post(mira, here, action="flag", reason="bad-gold", note="includes shipping")
    line = written(desk, layout.FLAGS)[1]
    assert {key: line[key] for key in ("task_id", "reason", "note", "actor", "door")} == {
        "task_id": "t1",
        "reason": "bad-gold",
        "note": "includes shipping",
        "actor": "user:mira",
        "door": "admin",
    }
    post(mira, here, action="resolve_flag", ref=line["flag_id"], note="corrected in 1.1.0")
    closed = written(desk, layout.FLAGS)[2]
    assert (closed["status"], closed["resolution"], closed["actor"]) == (
        "resolved", "corrected in 1.1.0", "user:mira",
    )  # fmt: skip
    refused = post(mira, here, action="review", decision="accept", digest="")
    assert "a review needs a proposed benchmark" in refused.text
    assert written(desk, layout.REVIEWS) == []


def test_previous_and_next_keep_the_filter_and_go_on_after_a_decision(
    root: Path, mira: Client
) -> None:
    make_desk(
        root, *(make_task(f"t{n}", machine_confidence="low") for n in range(3)), make_task("t9")
    )
    query = f"?slug={SLUG}&flag=any"
    page = get(mira, at("t1") + query)
    assert page.every("a", rel="prev")[0]["href"] == at("t0") + query
    assert page.every("a", rel="next")[0]["href"] == at("t2") + query
    after = post(mira, at("t1") + query, action="review", decision="accept", digest=digest(page))
    assert after.every("a", rel="next")[0]["href"] == at("t2") + query
    last = get(mira, at("t2") + query)
    assert [a["href"] for a in last.every("a", rel="next")] == [at("t1") + query]


def test_scores_have_an_interval_and_every_rollout_a_mark(told: Located, mira: Client) -> None:
    odd = {"kind": "low_fidelity", "detail": "0.5"}
    add_rows(
        told,
        make_row("t1", 1.0, rollout=0),
        make_row("t1", 0.5, rollout=1),
        make_row("t1", 0.0, rollout=2),
        make_row("t1", 1.0, rollout=3, anomaly=odd),
        make_row("t1", 1.0, model="m2"),
    )
    text = get(mira, HERE).text
    assert (
        "m1 candidate 50.0 % 12.5 % to 87.5 % 3"
        " ✓ pass 1.000: rollout 0 of run-1 ◐ part 0.500: rollout 1 of run-1"
        " ✕ fail 0.000: rollout 2 of run-1 anomalous ! anomaly, low fidelity: rollout 3 of run-1"
        in text
    )
    assert "m2 candidate 100.0 % insufficient 1" in text


def test_stale_and_flagged_rollouts_stand_apart(root: Path, lab_home: Path, mira: Client) -> None:
    desk = moved(make_promoted_desk(lab_home / "x", make_task("t1")), root / "published")
    add_rows(desk, make_row("t1", 1.0, rollout=1))
    stale = {"task_version": "0.9.0", "task_content_hashes": {**STAMPS, "env_sha256": "0" * 64}}
    old = make_row("t1", 1.0, rollout=0, benchmark_id=BENCHMARK_ID, provenance=stale)
    desk.directory.append(layout.rows("run-1", "m1"), old)
    here = at("t1", "local--published")
    assert (
        "1 ✓ pass 1.000: rollout 1 of run-1 stale – stale: rollout 0 of run-1"
        in get(mira, here).text
    )
    desk.directory.append(layout.FLAGS, make_flag("t1"))
    assert "– insufficient 0 flagged – flagged: rollout 1 of run-1" in get(mira, here).text


def test_holdout_figures_come_with_the_number_of_looks(root: Path, mira: Client) -> None:
    desk = make_desk(root, make_task("t1", split="holdout"))
    assert "looks at the holdout" not in get(mira, HERE).text
    add_rows(desk, make_row("t1", 1.0, split="holdout"))
    assert "holdout figures: 0 looks at the holdout so far" in get(mira, HERE).text
    assert written(desk, layout.HOLDOUT) == []


def test_gold_is_shown_on_request_with_a_warning_and_the_look_is_recorded(
    told: Located, mira: Client, lab_home: Path
) -> None:
    page = get(mira, HERE)
    assert "Done." not in page.text
    link = next(a for a in page.every("a") if "gold=shown" in str(a.get("href")))
    shown = get(mira, str(link["href"]).partition("#")[0])
    assert "Do not paste this into a prompt." in shown.text
    assert "Final answer Done." in shown.text
    audit = Home(lab_home).read(AUDIT).records
    assert [(each.service, each.actor, each.door, each.ref) for each in audit] == [
        ("read_task.gold", "user:mira", "admin", "t1")
    ]


def test_answer_of_a_write_stands_with_its_call_and_leads_to_the_whole_of_it(
    told: Located, mira: Client
) -> None:
    call = {"call_id": "c1", "tool": "issue_refund", "arguments": {"amount": 25}, "status": "ok"}
    long = "refunded " * 600
    gold = GoldTask.read({
        "task_id": "t1",
        "calls": [{**call, "write": True}],
        "post_state_observations": [{**call, "content": long}],
    })
    told.directory.replace(layout.GOLD, Gold(tasks=[gold]))
    page = get(mira, f"{HERE}?gold=shown")
    rest = next(a for a in page.every("a") if "post_state" in str(a.get("href")))
    assert mira.get(str(rest["href"])).content.decode() == long


def test_long_text_shows_4000_characters_and_the_rest_as_plain_text(
    root: Path, mira: Client
) -> None:
    words = "<b>refund</b> & go on " * 500
    desk = make_desk(root, make_task("t1"))
    row = desk.directory.load_list(layout.ENV_TASKS)[0]
    desk.directory.replace(layout.ENV_TASKS, [row.with_(prompt=words)])
    page = get(mira, HERE)
    assert page.text.count("<b>refund</b>") < 200
    rest = next(a for a in page.every("a") if "task-text" in str(a.get("href")))
    whole = mira.get(str(rest["href"]))
    assert whole.content.decode() == words
    assert whole["Content-Type"] == "text/plain; charset=utf-8"
    assert whole["X-Content-Type-Options"] == "nosniff"
    attached = mira.get(str(rest["href"]) + "&download=1")
    assert attached["Content-Disposition"].startswith("attachment")


def test_unknown_task_and_benchmark_are_pages_with_a_hint(told: Located, mira: Client) -> None:
    assert "has no task 'nope'" in get(mira, at("nope"), 404).text
    assert "local--gone" in get(mira, at("t1", "local--gone"), 404).text
    assert "names no text of a task" in get(mira, f"/admin/task-text/{SLUG}/t1/?field=/x", 400).text


def test_earlier_feedback_stands_with_its_status(told: Located, mira: Client) -> None:
    submit_feedback(located=told, task_id="t1", feedback="wrong amount", caller=ADA, now=NOW)
    text = get(mira, HERE).text
    assert "● open user:ada ," in text
    assert "wrong amount What was done Mark as addressed" in text


def test_survivors_stand_on_the_page_in_words(told: Located, mira: Client) -> None:
    weak = make_verification(
        told.directory.tasks()["t1"],
        verdict="weak",
        why=["passes wrong_number"],
        survivors=[
            {
                "fixture_id": "fx-1",
                "operator": "wrong_number",
                "obligation_id": "o1",
                "say": "issue_refund with amount 250",
            }
        ],
        by_obligation={"o1": {"made": 4, "rejected": 3, "killed": True}},
    )
    report = make_verifier_report([]).with_(tasks=[weak])
    told.directory.replace(layout.VERIFIER_REPORT, report)
    text = get(mira, HERE).text
    section = text[text.index("Verifier judges") : text.index("Conversation", text.index("judges"))]
    assert "verdict ✕ weak" in section
    assert "wrong rollouts 1 of 1 refused" in section
    assert "Wrong rollouts that it passes o1 issue_refund with amount 250" in section
    assert "o1 3 of 4 faults aimed at it refused" in text
