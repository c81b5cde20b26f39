"""The dashboard: what needs somebody, how the benchmarks stand, what runs and what was written."""

from pathlib import Path

import pytest
from django.test import Client

from benchmarks.artifacts import layout
from benchmarks.records.caller import Caller
from reviews.services.recording import submit_review
from tests.factories import NOW, Desk, Item, make_desk, make_items, queue
from tests.reviews.admin.pages import picks, seen
from tests.reviews.factories import make_flag, make_review
from tests.runs.admin.seeing import fresh
from tests.runs.services import benches

pytestmark = pytest.mark.django_db
HERE = "/admin/"


def needs(text: str) -> str:
    """The words of the first block."""
    return text.partition("Needs you ")[2].partition(" Benchmarks")[0]


def test_fresh_install_says_what_will_be_here_and_how_to_make_the_first(
    root: Path, operator: Client
) -> None:
    page = fresh(operator, HERE)
    assert "Nothing here yet" in page.text
    assert [found["data-copy"] for found in page.every("button") if "data-copy" in found] == [
        "understudy demo",
        "understudy traces build-benchmark --source CAPTURES --slug NAME",
    ]
    assert page.every("table") == []


def test_clean_benchmark_needs_nobody(items: Desk, operator: Client) -> None:
    assert needs(fresh(operator, HERE).text) == "Nothing needs you."


def test_each_need_is_counted_and_leads_to_its_list(root: Path, operator: Client) -> None:
    items = make_desk(root / "items", make_items(2))
    items.directory.append(layout.FLAGS, make_flag(items.task_ids[0]))
    queue(items, "run-bad", status="failed")
    queue(items, "run-waits")
    benches.with_open_feedback(root)
    benches.invalid(root.parent / "elsewhere")
    (root.parent / "elsewhere" / "refund-desk").rename(root / "broken")
    page = fresh(operator, HERE)
    assert needs(page.text) == (
        "1 open piece of feedback 1 open flag 1 run failed or stopped 1 run without an executor"
        " 1 invalid directory"
    )
    links = [str(found["href"]) for found in page.every("a")]
    assert {
        "/admin/benchmarks/benchmarkentry/?feedback=open",
        "/admin/benchmarks/benchmarkentry/?flags=open",
        "/admin/benchmarks/benchmarkentry/?stage=invalid",
        "/admin/runs/?status=ended_badly",
        "/admin/runs/?status=under_way",
    } <= set(links)


def test_flagged_task_that_nobody_decided_leads_to_the_inbox(root: Path, operator: Client) -> None:
    benches.with_a_flagged_task(root)
    page = fresh(operator, HERE)
    assert needs(page.text) == "1 flagged task undecided"
    assert page.every("a", href="/admin/inbox/?flag=any&source=nobody")


def test_count_of_flagged_tasks_is_that_of_the_list_it_leads_to(
    root: Path, operator: Client
) -> None:
    benches.with_a_flagged_task(root)
    make_desk(root / "items", [Item(1, changes={"machine_confidence": "low"})])
    page = fresh(operator, HERE)
    assert needs(page.text) == "1 flagged task undecided"
    inbox = fresh(operator, "/admin/inbox/?flag=any&source=nobody")
    assert len(picks(inbox)) == 1


def test_flagged_task_of_a_promoted_benchmark_waits_for_nobody(
    root: Path, operator: Client
) -> None:
    doubted = [Item(1, changes={"machine_confidence": "low"})]
    make_desk(root / "items", doubted)
    assert needs(fresh(operator, HERE).text) == "Nothing needs you."


def test_failed_run_that_was_asked_again_needs_nobody(items: Desk, operator: Client) -> None:
    queue(items, "run-bad", status="failed")
    queue(items, "run-again", status="done", retry_of="run-bad")
    assert needs(fresh(operator, HERE).text) == "Nothing needs you."


def test_benchmark_is_one_line_with_its_next_command(root: Path, operator: Client) -> None:
    benches.promoted(root)
    text = fresh(operator, HERE).text
    assert (
        "refund-desk local--refund-desk · 1.0.0 ✓ promoted 2 0 ✓ pass ✓ pass –"
        " understudy benchmarks leaderboard local--refund-desk"
    ) in text


def test_run_under_way_is_shown_with_its_progress(items: Desk, operator: Client) -> None:
    queue(items, "run-1", status="running", progress={"completed": 1, "total": 8})
    page = fresh(operator, HERE)
    assert "run-1 local--items ! interrupted 0 of 8 – – $0.00 none" in page.text
    assert page.every("a", href="/admin/runs/run-1/?slug=local--items")


def test_request_that_cannot_be_read_any_more_costs_only_its_line(
    items: Desk, operator: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue(items, "run-1", status="running")
    assert "run-1 local--items" in fresh(operator, HERE).text
    (items.path / layout.request("run-1").path).write_text("{", encoding="utf-8")
    monkeypatch.setattr("benchmarks.admin.base.catch_up", lambda *_, **__: {"complete": True})
    page = seen(operator.get(HERE))
    assert "No run is under way." in page.text


def test_last_writes_say_who_and_through_which_door(root: Path, operator: Client) -> None:
    desk = benches.proposal(root)
    mira = Caller("mcp:agent@mira", "mcp")
    submit_review(
        located=desk, task_ids=["t1"], decision="needs_more", note="", caller=mira, now=NOW
    )
    text = fresh(operator, HERE).text
    assert "decided needs more t1 local--refund-desk mcp:agent@mira mcp" in text


def test_a_write_about_a_task_that_is_gone_leads_nowhere(root: Path, operator: Client) -> None:
    items = make_desk(root / "items", make_items(1))
    for task_id in ("task-gone", items.task_ids[0]):
        items.directory.append(layout.REVIEWS, make_review(task_id, "reject"))
    page = fresh(operator, HERE)
    assert "decided reject task-gone" in page.text
    links = [str(found["href"]) for found in page.every("a")]
    assert f"/admin/tasks/local--items/{items.task_ids[0]}/" in links
    assert not any("task-gone" in link for link in links)
