"""The reading verbs through the shell: documents in a pipe, tables for people, exit codes."""

from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts.home import home
from benchmarks.artifacts.roots import Located
from tests.driving import Shell
from tests.factories import make_desk
from tests.reviews.desks import add_rows, make_promoted_desk
from tests.reviews.factories import make_row, make_trivial_row
from tests.runs.services import benches
from tests.runs.services.requests import make_request, queue
from tests.runs.services.test_rollouts import keep, refund

DESK = "refund-desk"


@pytest.fixture
def desk(lab_home: Path) -> Located:
    """A promoted benchmark with two arms, a floor and a run."""
    located = make_promoted_desk(home().benchmarks)
    queue(located, make_request("run-1", "done", models=["m1", "m2"], spend={"recorded_usd": 1.5}))
    keep(located, refund(), refund("A-9", model="m2"))
    add_rows(
        located,
        make_row("t2", 0, cost=0.25, latency_ms=1500),
        make_trivial_row("null_agent", "t1"),
    )
    return located


def test_the_leaderboard_is_one_document_in_a_pipe(desk: Located, shell: Shell) -> None:
    ran = shell("benchmarks", "leaderboard", DESK)
    assert ran.code == 0
    assert [arm["label"] for arm in ran.document["arms"]] == ["m2", "m1"]
    assert ran.document["muted"][0]["label"] == "null_agent"


def test_the_leaderboard_for_people_ranks_ties_and_names_what_is_out(
    desk: Located, shell: Shell
) -> None:
    add_rows(desk, make_row("t2", None, model="m2", rollout=1))
    ran = shell("benchmarks", "leaderboard", DESK, "--format", "text")
    assert "\x1b[" not in ran.out
    lines = ran.out.splitlines()
    assert any(line.split()[:3] == ["m1", "0.500", "0.000-1.000"] for line in lines)
    assert any(line.split()[:1] == ["null_agent"] for line in lines)
    assert "tied in front: m2, m1 (arms that share a letter cannot be told apart)" in ran.out
    assert "outside the figures, missing, by blame: 1 infra" in ran.out
    assert "m1: 1 of 2 priced, lower bound" in ran.out


def test_a_leaderboard_without_rows_is_not_measured(lab_home: Path, shell: Shell) -> None:
    make_promoted_desk(home().benchmarks)
    ran = shell("benchmarks", "leaderboard", DESK)
    assert ran.code == 3
    assert ran.document["arms"] == []


def test_the_leaderboard_is_written_as_csv_too(desk: Located, shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "board.csv"
    assert shell("benchmarks", "leaderboard", DESK, "--csv", file).code == 0
    lines = file.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("arm,kinds,route,ranked,tasks")
    assert [line.split(",")[0] for line in lines[1:]] == ["m2", "m1", "null_agent"]
    assert [line.split(",")[3] for line in lines[1:]] == ["yes", "yes", "no"]


def test_an_unknown_arm_is_a_usage_error(desk: Located, shell: Shell) -> None:
    ran = shell("benchmarks", "leaderboard", DESK, "--arms", "m1,m9")
    assert (ran.code, ran.out) == (2, "")
    assert ran.error["code"] == "unknown_arm"


def test_the_status_ends_with_the_next_command_alone(desk: Located, shell: Shell) -> None:
    ran = shell("benchmarks", "status", DESK, "--format", "text")
    assert ran.code == 0
    document = shell("benchmarks", "status", DESK).document
    assert ran.out.splitlines()[-1] == document["next"]["command"]
    labels = [line.split(" ")[0] for line in ran.out.splitlines() if not line.startswith(" ")]
    assert labels[:9] == [
        "stage",
        "rows",
        "ledgers",
        "calibration",
        "runs",
        "results",
        "gate",
        "artifacts",
        "next",
    ]


def test_no_next_leaves_the_command_out(desk: Located, shell: Shell) -> None:
    assert "next" not in shell("benchmarks", "status", DESK, "--no-next").document


def test_the_status_of_an_invalid_directory_exits_one(lab_home: Path, shell: Shell) -> None:
    benches.invalid(home().benchmarks)
    ran = shell("benchmarks", "status", DESK)
    assert ran.code == 1
    assert ran.document["benchmark"]["errors"]


def test_runs_are_listed_and_paged(desk: Located, shell: Shell) -> None:
    queue(desk, make_request("run-2", created_at="2026-11-04T08:30:00.000Z"))
    first = shell("runs", "list", "--limit", "1").document
    assert [run["run_id"] for run in first["runs"]] == ["run-2"]
    cursor = first["page"]["next_cursor"]
    rest = shell("runs", "list", "--limit", "1", "--cursor", cursor).document
    assert [run["run_id"] for run in rest["runs"]] == ["run-1"]
    assert rest["page"]["next_cursor"] is None
    other = shell("runs", "list", DESK, "--status", "done", "--cursor", cursor)
    assert (other.code, other.error["code"]) == (2, "cursor_invalid")


def test_a_list_for_people_has_progress_status_and_cost(desk: Located, shell: Shell) -> None:
    ran = shell("runs", "list", DESK, "--format", "text")
    row = next(line for line in ran.out.splitlines() if "run-1" in line)
    assert row.split() == ["run-1", "local--refund-desk", "m1,", "m2", "0/2", "done", "-", "$1.50"]


def test_a_run_of_which_no_cost_is_known_did_not_cost_nothing(desk: Located, shell: Shell) -> None:
    queue(desk, make_request("run-2", "done", spend={"recorded_usd": 0, "unpriced_rows": 31}))
    listed = shell("runs", "list", DESK, "--format", "text")
    row = next(line for line in listed.out.splitlines() if "run-2" in line)
    assert row.split()[-1] == "unknown"
    told = shell("runs", "status", DESK, "run-2", "--format", "text")
    assert "unknown, 31 unpriced" in told.out


def test_cells_that_never_began_are_told_apart(desk: Located, shell: Shell) -> None:
    progress = {"completed": 0, "total": 34}
    queue(desk, make_request("run-2", "cancelled", progress=progress))
    told = shell("runs", "status", DESK, "run-2", "--format", "text")
    assert "34 cancelled (34 never started)" in told.out


def test_the_status_of_a_run_is_the_document_of_the_service(desk: Located, shell: Shell) -> None:
    ran = shell("runs", "status", DESK, "run-1")
    assert (ran.code, ran.document["status"]) == (0, "done")
    assert ran.document["rows"]["total"] == 4
    assert shell("runs", "status", "run-1", "--benchmark", DESK).code == 0


def test_a_run_is_found_by_its_id_where_no_benchmark_is_named(desk: Located, shell: Shell) -> None:
    assert shell("runs", "status", "run-1").document["slug"] == "local--refund-desk"
    assert shell("runs", "rollout", "run-1", "t1", "--arm", "m1").document["run_id"] == "run-1"
    unknown = shell("runs", "status", "run-9")
    assert (unknown.code, unknown.error["code"]) == (2, "unknown_run")


def test_a_run_that_several_benchmarks_have_is_ambiguous(desk: Located, shell: Shell) -> None:
    other = make_desk(home().benchmarks / "items")
    queue(other.located, make_request("run-1", "done"))
    several = shell("runs", "status", "run-1")
    assert (several.code, several.error["code"]) == (2, "ambiguous")


def test_a_run_is_cancelled_by_its_id_alone(desk: Located, shell: Shell) -> None:
    queue(desk, make_request("run-2"))
    assert shell("runs", "cancel", "run-2").document["run"]["status"] == "cancelled"
    assert shell("runs", "cancel").error["code"] == "invalid_arguments"


def test_a_failed_run_exits_one_and_says_why(desk: Located, shell: Shell) -> None:
    error = {"class": "PoisonRequest", "message": "tasks.jsonl is gone"}
    queue(desk, make_request("run-2", "failed", error=error))
    ran = shell("runs", "status", DESK, "run-2", "--format", "text")
    assert ran.code == 1
    assert "PoisonRequest, tasks.jsonl is gone" in ran.out
    assert shell("runs", "status", DESK, "run-9").error["code"] == "unknown_run"


@pytest.mark.parametrize("wait", ["-1", "601", "soon"])
def test_a_wait_outside_its_bounds_is_refused(desk: Located, shell: Shell, wait: str) -> None:
    assert shell("runs", "status", DESK, "run-1", f"--wait={wait}").code == 2


def test_a_rollout_is_told_step_by_step(desk: Located, shell: Shell) -> None:
    found = shell("runs", "rollout", DESK, "run-1", "t1", "--arm", "m1").document
    assert [event["kind"] for event in found["events"]][:2] == ["user", "call"]
    ran = shell("runs", "rollout", DESK, "run-1", "t1", "--arm", "m1", "--format", "text")
    assert "verdict: pass; recall 1.00, precision 1.00, 0 unexpected writes" in ran.out
    ambiguous = shell("runs", "rollout", DESK, "run-1", "t1")
    assert (ambiguous.code, ambiguous.error["code"]) == (2, "ambiguous")


def test_steps_are_paged(desk: Located, shell: Shell) -> None:
    words = ("runs", "rollout", DESK, "run-1", "t1", "--arm", "m1", "--limit", "2")
    first = shell("runs", "rollout", *words[2:]).document
    assert [event["index"] for event in first["events"]] == [0, 1]
    cursor = first["page"]["next_cursor"]
    rest = shell("runs", "rollout", *words[2:], "--cursor", cursor).document
    assert [event["index"] for event in rest["events"]] == [2, 3]


def test_two_rollouts_are_told_apart_in_words(desk: Located, shell: Shell) -> None:
    arms: tuple[Any, ...] = ("t1", "run-1", "run-1", "--arm-a", "m1", "--arm-b", "m2")
    found = shell("runs", "diff", DESK, *arms).document
    assert found["tool_sequence"]["arguments_diverge_at"] == 0
    ran = shell("runs", "diff", DESK, *arms, "--format", "text")
    assert "they call the same tools, 1 in all; arguments differ first at call 0" in ran.out
    assert "<- differs" in ran.out


def test_a_rollout_for_people_has_the_final_text_once(desk: Located, shell: Shell) -> None:
    ran = shell("runs", "rollout", DESK, "run-1", "t1", "--arm", "m1", "--format", "text")
    assert ran.out.count("Done.") == 1
