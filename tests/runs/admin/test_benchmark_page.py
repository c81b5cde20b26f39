"""The benchmark page: what it says of each stage, and every button on it."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.home import AUDIT, Home
from benchmarks.records.version import VersionLine
from benchmarks.records.vocabulary import Split
from benchmarks.services.answering import Answer
from benchmarks.services.directing import propose_directions
from tests.benchmarks.services.factories import CALLER, NOW, build, look_up, refund
from tests.benchmarks.services.factories import desk as captures_of
from tests.factories import Desk, make_desk, make_items
from tests.reviews.admin.pages import post
from tests.reviews.factories import make_flag, make_row
from tests.runs.admin.conftest import SignIn
from tests.runs.admin.seeing import fresh, section
from tests.runs.services import benches
from tests.verifier_factories import make_verification, make_verifier_report

pytestmark = pytest.mark.django_db
ITEMS = "/admin/benchmarks/benchmarkentry/local--items/"
INTAKE = "/admin/benchmarks/benchmarkentry/local--intake/"
PRICED = {"basis": "table", "price_table_sha256": "ab12"}
REFUNDS = "/admin/benchmarks/benchmarkentry/local--refund-desk/"


def measure(desk: Desk, model: str, *scores: float | None, **changes: Any) -> None:
    """A row of this model on each task in order."""
    tasks = desk.directory.tasks()
    for task_id, score in zip(desk.task_ids, scores, strict=False):
        stamps = {"task_version": "1.0.0", "task_content_hashes": tasks[task_id].content_hashes}
        row = make_row(
            task_id, score, model=model, split=tasks[task_id].split, provenance=stamps, **changes
        )
        desk.directory.append(layout.rows(row.run_id, model), row)


def test_head_says_stage_version_origin_and_the_next_command(root: Path, operator: Client) -> None:
    benches.promoted(root)
    page = fresh(operator, REFUNDS)
    assert page.every("h1") == [{}]
    assert "refund-desk ✓ promoted version 1.0.0 made from derived-from-traces" in page.text
    assert (
        "Next everything is current understudy benchmarks leaderboard local--refund-desk"
        in page.text
    )
    assert "read now" in page.text


def test_stages_say_what_each_lacks(root: Path, operator: Client) -> None:
    benches.with_a_flagged_task(root)
    assert section(operator, REFUNDS, "stages") == (
        "Stages ✓ intake : done done ✓ pilot : done waived ▸ review : next 1 flagged undecided"
        " ○ gate : not yet not run ○ promoted : not yet not promoted"
        " ○ calibrated : not yet no incumbent run ○ measured : not yet no candidate run"
    )


def test_floor_has_its_share_interval_and_the_tasks_it_passes(root: Path, operator: Client) -> None:
    desk = benches.proposal(root)
    desk.directory.replace(layout.CALIBRATION, benches.calibration_of(True, False, floor=1.0))
    page = fresh(operator, REFUNDS)
    words = section(operator, REFUNDS, "calibration")
    assert "The incumbent passes 1 and fails 1 at a score of 1.000." in words
    assert "null agent floor ✕ exceeded 2 of 2 100.0 % 34.2 % to 100.0 % 1.000 t1 , t2" in words
    assert page.every("a", href="/admin/tasks/local--refund-desk/t1/")


def test_leaderboard_ranks_arms_and_mutes_floors(root: Path, operator: Client) -> None:
    desk = make_desk(root / "items", make_items(4, (Split.DEV,)))
    measure(desk, "glm-5.2", 1.0, 1.0, 0.5, 0.0, cost=0.02, latency_ms=1500, pricing=PRICED)
    measure(desk, "null_agent", 0.0, 0.0, 0.0, 0.0, arm_kind="null_agent")
    words = section(operator, f"{ITEMS}?split=dev", "leaderboard")
    assert "glm-5.2 candidate 0.625" in words
    assert "0.625 " in words
    assert "$0.040 1.5 s" in words
    assert words.index("glm-5.2") < words.index("null_agent")
    assert "Floors and references are shown muted and are never ranked." in words


def test_one_task_is_insufficient_and_no_interval(root: Path, operator: Client) -> None:
    desk = make_desk(root / "items", make_items(1, (Split.DEV,)))
    measure(desk, "glm-5.2", 1.0, cost=0.02, pricing=PRICED)
    words = section(operator, f"{ITEMS}?split=dev", "leaderboard")
    assert (
        "glm-5.2 candidate 1.000 ○ insufficient ○ insufficient a 1 1 1.000 ○ insufficient" in words
    )


def test_holdout_figures_carry_their_notice_at_the_top(root: Path, operator: Client) -> None:
    desk = make_desk(root / "items", make_items(2, (Split.HOLDOUT,)))
    measure(desk, "glm-5.2", 1.0, 1.0)
    text = fresh(operator, ITEMS).text
    assert "Notice holdout figures: 0 looks at the holdout so far Item desk" in text


def test_excluded_rows_are_counted_by_reason(root: Path, operator: Client) -> None:
    desk = make_desk(root / "items", make_items(3, (Split.DEV,)))
    measure(desk, "glm-5.2", 1.0, 1.0, None, error_boundary="gateway")
    desk.directory.append(layout.FLAGS, make_flag(desk.task_ids[0]))
    words = section(operator, f"{ITEMS}?split=dev", "leaderboard")
    assert "1 flagged 1 missing by infra" in words
    shown = section(operator, f"{ITEMS}?split=dev&flagged=1", "leaderboard")
    assert "with flagged rows" in shown
    assert "1 flagged" not in shown


def test_rigor_puts_what_refuses_first(root: Path, operator: Client) -> None:
    benches.with_a_failed_gate(root)
    words = section(operator, REFUNDS, "rigor")
    assert "Null-agent floor ✕ FAIL 1 of 2" in words
    assert "✕ fail" in words


def test_tasks_are_counted_by_split_and_category_with_links_to_the_inbox(
    root: Path, operator: Client
) -> None:
    make_desk(root / "items", make_items(3, (Split.DEV, Split.TRAIN)))
    page = fresh(operator, ITEMS)
    assert "By split dev 2 train 1 By category items 3" in section(operator, ITEMS, "tasks")
    assert page.every("a", href="/admin/inbox/?slug=local--items")
    assert page.every("a", href="/admin/inbox/?slug=local--items&split=dev")


def test_versions_are_newest_first_and_the_current_one_is_marked(
    items: Desk, operator: Client
) -> None:
    words = section(operator, ITEMS, "versions")
    assert "every row is current" in words
    assert "1.0.0 ✓ current · 0 tasks bumped" in words


def test_invalid_benchmark_says_what_is_wrong(root: Path, operator: Client) -> None:
    benches.invalid(root)
    page = fresh(operator, REFUNDS)
    assert "✕ invalid" in page.text
    assert len(page.every("li", **{"class": "warning"})) >= 1


def test_intake_has_a_page_too(root: Path, operator: Client) -> None:
    benches.intake(root)
    text = fresh(operator, REFUNDS).text
    assert "▸ intake : next no task is built" in text
    assert "Figures begin once tasks are built." in text


def test_unknown_benchmark_is_a_page_with_a_hint(root: Path, operator: Client) -> None:
    text = fresh(operator, ITEMS, status=404).text
    assert "Unknown benchmark no benchmark 'local--items'" in text
    assert "0 benchmarks are there: understudy benchmarks list" in text


@pytest.mark.parametrize("name", ["..", "local--..", "%2e%2e%2fetc"])
def test_name_that_leaves_the_roots_is_refused(root: Path, operator: Client, name: str) -> None:
    answer = operator.get(f"/admin/benchmarks/benchmarkentry/{name}/")
    assert answer.status_code in {400, 403, 404}


def test_policy_is_set_by_its_service(root: Path, operator: Client, lab_home: Path) -> None:
    desk = benches.proposal(root)
    form = {"default_decision": "pending", "require_incumbent_pass": "no", "min_fidelity": "0.5"}
    page = post(operator, REFUNDS, action="policy", **form)
    assert "Done The review policy is set." in page.text
    policy = desk.directory.load(layout.REVIEW_POLICY)
    assert policy is not None
    assert (policy.default_decision, policy.require_incumbent_pass, policy.min_fidelity) == (
        "pending",
        False,
        0.5,
    )
    assert [line.service for line in Home(lab_home).read(AUDIT).records] == ["set_policy"]


def test_wrong_policy_is_said_with_every_complaint_and_nothing_is_recorded(
    root: Path, operator: Client, lab_home: Path
) -> None:
    benches.proposal(root)
    form = {"default_decision": "maybe", "min_fidelity": "2"}
    page = post(operator, REFUNDS, action="policy", **form)
    assert "Error default_decision 'maybe'" in page.text
    assert "- min_fidelity: a share from 0 to 1 is wanted" in page.text
    assert "Hint: understudy reviews policy --help" in page.text
    assert Home(lab_home).read(AUDIT).records == []


def test_flag_is_raised_and_closed(items: Desk, operator: Client) -> None:
    task = items.task_ids[0]
    form = {"task_id": task, "reason": "bad-gold", "note": "the gold is one day off"}
    page = post(operator, ITEMS, action="flag", **form)
    assert "Done The flag is up: its rows leave the headlines." in page.text
    assert f"● open bad-gold {task} the gold is one day off user:operator admin Close" in page.text
    [ref] = [json.loads(value) for value in page.values("ref")]
    closed = post(operator, ITEMS, action="resolve_flag", ref=ref)
    assert f"Done {ref} is closed." in closed.text
    assert "✓ resolved" in closed.text


def test_unknown_task_in_a_flag_is_an_error_with_its_hint(items: Desk, operator: Client) -> None:
    page = post(operator, ITEMS, action="flag", task_id="t-99", reason="other")
    assert "t-99" in page.text
    assert "Error" in page.text
    assert items.directory.read(layout.FLAGS).records == []


def test_feedback_is_closed_by_a_person(root: Path, operator: Client) -> None:
    benches.with_open_feedback(root)
    page = fresh(operator, REFUNDS)
    assert "● open t1 Refund the item only." in page.text
    [ref] = [json.loads(value) for value in page.values("ref")]
    closed = post(operator, REFUNDS, action="resolve_feedback", ref=ref)
    assert "✓ addressed t1 Refund the item only." in closed.text


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_proposal_is_promoted_by_an_operator(root: Path, operator: Client) -> None:
    desk = benches.proposal(root)
    page = post(operator, REFUNDS, action="promote")
    assert "Done local--refund-desk is promoted as version 1.0.0." in page.text
    record = desk.directory.load(layout.PROMOTION)
    assert record is not None
    assert record.promoted_by == "user:operator"


@pytest.mark.slow
def test_refused_promotion_says_every_failing_gate(root: Path, operator: Client) -> None:
    benches.with_a_failed_gate(root)
    page = post(operator, REFUNDS, action="promote")
    assert "Error " in page.text
    assert "null_floor" in page.text


def test_override_needs_an_admin(root: Path, operator: Client, sign_in: SignIn) -> None:
    benches.with_a_failed_gate(root)
    assert fresh(operator, REFUNDS).values("override_rigor") == []
    assert fresh(sign_in("admin"), REFUNDS).values("override_rigor") == ["None"]
    form = {"action": "promote", "override_rigor": "the gate is wrong"}
    page = post(operator, REFUNDS, **form)
    assert "override_rigor needs the permission 'admin'" in page.text


@pytest.mark.slow
def test_effect_of_a_tool_is_a_job_that_makes_the_environment_again(
    root: Path, operator: Client
) -> None:
    benches.with_an_unknown_tool(root)
    assert "Set" in section(operator, REFUNDS, "tools")
    told = post(operator, REFUNDS, action="effect", tool="issue_refund", effect="sideways")
    assert "issue_refund" in told.text
    assert "Error" in told.text


def test_unknown_button_is_refused(items: Desk, operator: Client) -> None:
    answer = operator.post(ITEMS, {"action": "drop"})
    assert answer.status_code == 400
    assert b"there is no button" in answer.content


def test_read_only_benchmark_has_no_form_that_writes(
    root: Path, operator: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    benches.proposal(root)
    monkeypatch.setenv("UNDERSTUDY_READONLY_ROOTS", str(root))
    page = fresh(operator, REFUNDS)
    assert "○ read-only" in page.text
    actions = {str(found["value"]) for found in page.every("input", name="action")}
    assert actions <= {"gate", "sync", "promote"}


def test_bump_has_its_kind_and_moved_tasks_are_marked(items: Desk, operator: Client) -> None:
    bump = {"task_id": items.task_ids[0], "bump": "minor", "from": "1.0.0", "to": "1.1.0"}
    line = VersionLine.read({
        "created_at": "2026-11-05T08:00:00.000Z",
        "version": "1.1.0",
        "contamination": "contaminated",
        "note": "gold corrected",
        "task_bumps": [bump, {**bump, "task_id": items.task_ids[1], "bump": "patch"}],
        "actor": "user:mira",
        "door": "admin",
    })
    items.directory.append(layout.VERSIONS, line)
    words = section(operator, ITEMS, "versions")
    assert (
        "1.1.0 ✓ current · minor, 2 tasks bumped ! contaminated gold corrected user:mira , admin"
        in words
    )


# Directions


@pytest.fixture
def intake(root: Path, tmp_path: Path) -> Path:
    """An intake of four refunds and three look-ups, its cards proposed: `local--intake`."""
    talks = (*(refund(number) for number in range(1, 5)), *(look_up(n) for n in range(5, 8)))
    propose_directions(
        directory=BenchmarkDir(root / "intake"),
        slug="local--intake",
        source=[captures_of(tmp_path / "source", *talks)],
        answer=Answer(),
        caller=CALLER,
        now=NOW,
    )
    return root / "intake"


def test_an_intake_shows_its_cards_and_a_pick_is_recorded(intake: Path, operator: Client) -> None:
    page = fresh(operator, INTAKE)
    assert "Issue refunds" in page.text
    assert "Look up orders" in page.text
    assert "4, 57 % of the corpus" in page.text
    done = post(operator, INTAKE, action="pick", direction_id="issue-refunds")
    assert "Picked: issue-refunds." in done.text
    kept = BenchmarkDir(intake).load(layout.DIRECTIONS)
    assert (kept.picked.direction_id, kept.picked.door) == ("issue-refunds", "admin")


def test_a_posture_is_set_and_a_live_one_needs_an_admin_who_means_it(
    intake: Path, operator: Client, sign_in: SignIn
) -> None:
    form = {"action": "posture", "dependency": "application tools"}
    assert "live" not in section(operator, INTAKE, "directions")
    post(operator, INTAKE, **form, posture="frozen")
    kept = BenchmarkDir(intake).load(layout.DEPENDENCIES).dependencies[0]
    assert (kept.posture, kept.door) == ("frozen", "admin")
    post(operator, INTAKE, **form, posture="live", confirm="yes")
    admin = sign_in("admin")
    post(admin, INTAKE, **form, posture="live")
    assert BenchmarkDir(intake).load(layout.DEPENDENCIES).dependencies[0].posture == "frozen"
    post(admin, INTAKE, **form, posture="live", confirm="yes")
    assert BenchmarkDir(intake).load(layout.DEPENDENCIES).dependencies[0].posture == "live"


def test_cards_are_proposed_again_from_the_page(intake: Path, operator: Client) -> None:
    (intake / "directions.json").unlink()
    assert "cards of what the captures could measure" in fresh(operator, INTAKE).text
    done = post(operator, INTAKE, action="propose")
    assert "Proposed: 2 to pick from." in done.text


def test_a_benchmark_of_which_nobody_asked_has_no_such_section(
    items: Desk, operator: Client
) -> None:
    assert "Directions" not in fresh(operator, ITEMS).text


def test_weak_and_untested_verifiers_are_named_with_what_they_lack(
    root: Path, operator: Client
) -> None:
    desk = benches.proposal(root)
    tasks = desk.directory.tasks()
    survivor = {"fixture_id": "fx-1", "operator": "drop_write", "obligation_id": "o1"}
    weak = make_verification(
        tasks["t1"],
        verdict="weak",
        mutation_score=0.75,
        why=["passes drop_write"],
        survivors=[{**survivor, "say": "without issue_refund"}],
    )
    report = make_verifier_report([]).with_(tasks=[weak])
    desk.directory.replace(layout.VERIFIER_REPORT, report)
    words = section(operator, REFUNDS, "verifiers")
    assert "0 tested, 1 weak, 1 untested." in words
    assert "t1 ! weak 0.750 passes drop_write ; o1: without issue_refund" in words
    assert "t2 ! untested – nobody tested it as it is today" in words
    assert "understudy benchmarks verify local--refund-desk" in words


def test_tested_verifiers_are_counted_and_tested_again_by_a_button(
    lab_home: Path, tmp_path: Path, operator: Client
) -> None:
    bench = lab_home / "benchmarks" / "desk"
    build(bench, captures_of(tmp_path / "source"))
    here = "/admin/benchmarks/benchmarkentry/local--desk/"
    assert "6 tested, 0 weak, 0 untested." in section(operator, here, "verifiers")
    (bench / "verifier-report.json").unlink()
    page = post(operator, here, action="verify")
    assert (bench / "verifier-report.json").is_file()
    assert "The verifiers are tested: 6 tested, 0 weak, 0 untested." in page.text


def test_calibrated_tasks_of_untested_verifiers_stand_apart(root: Path, operator: Client) -> None:
    desk = benches.promoted(root)
    report = desk.directory.load(layout.VERIFIER_REPORT)
    assert report is not None
    desk.directory.replace(layout.VERIFIER_REPORT, report.with_(tasks=report.tasks[:1]))
    words = section(operator, REFUNDS, "calibration")
    assert "1 task is judged by a verifier that nobody tested as it is today" in words
    assert "proves nothing yet: t2" in words
