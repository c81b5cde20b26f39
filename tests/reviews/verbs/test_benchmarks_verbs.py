"""`benchmarks list, show, tasks` in a shell."""

from io import StringIO
from pathlib import Path

import pytest

from benchmarks.artifacts.roots import Located
from benchmarks.doors.page import Page
from reviews.verbs.benchmarks_tasks import draw_reasons
from tests.driving import Shell

SLUG = "local--refund-desk"


def test_list_is_one_document_in_a_pipe_and_a_table_as_text(shell: Shell, desk: Located) -> None:
    piped = shell("benchmarks", "list")
    assert (piped.code, piped.err) == (0, "")
    assert [each["slug"] for each in piped.document["benchmarks"]] == [SLUG]
    shown = shell("benchmarks", "list", "--format", "text")
    assert shown.code == 0
    assert SLUG in shown.out
    assert "\x1b" not in shown.out


def test_list_of_nothing_says_where_it_looked(shell: Shell, lab_home: Path) -> None:
    shown = shell("benchmarks", "list", "--format", "text")
    assert f"no benchmark under {lab_home / 'benchmarks'}" in shown.out.replace("\n", "")
    assert shell("benchmarks", "list", "--stage", "promoted").document["benchmarks"] == []


def test_invalid_benchmark_stands_in_the_list_with_its_error(
    shell: Shell, desk: Located, lab_home: Path
) -> None:
    broken = lab_home / "benchmarks" / "broken"
    broken.mkdir()
    (broken / "benchmark.json").write_text("[]", encoding="utf-8")
    shown = shell("benchmarks", "list", "--format", "text")
    assert "invalid" in shown.out
    assert "benchmark.json" in shown.out


def test_same_name_in_two_roots_is_ambiguous(
    shell: Shell, desk: Located, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "more" / "refund-desk"
    other.mkdir(parents=True)
    (other / "benchmark.json").write_text("{}", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    ran = shell("benchmarks", "show", "refund-desk", "--root", tmp_path / "more")
    assert ran.code == 2
    assert ran.error["code"] == "ambiguous"
    assert ran.error["details"]["candidates"] == [SLUG, "data--refund-desk"]


@pytest.mark.parametrize("name", ["local--nope", "nope--x", "nope"])
def test_unknown_benchmark_leaves_stdout_empty(shell: Shell, desk: Located, name: str) -> None:
    ran = shell("benchmarks", "show", name)
    assert (ran.code, ran.out, ran.error["code"]) == (2, "", "unknown_benchmark")


def test_show_gives_the_whole_document_and_no_colour_from_a_title(
    shell: Shell, desk: Located
) -> None:
    document = shell("benchmarks", "show", SLUG).document
    assert [task["task_id"] for task in document["tasks"]] == ["t1", "t2", "t3"]
    assert document["page"]["total"] == 3
    shown = shell("benchmarks", "show", "--benchmark", SLUG, "--format", "text")
    assert shown.code == 0
    assert "\x1b" not in shown.out
    assert "\\x1b[31mA-1007\\x07" in shown.out.replace("\n", "")
    assert "calibration" in shown.out


def test_tasks_page_by_cursor(shell: Shell, desk: Located) -> None:
    first = shell("benchmarks", "tasks", SLUG, "--limit", 2).document
    assert [task["task_id"] for task in first["tasks"]] == ["t1", "t2"]
    cursor = first["page"]["next_cursor"]
    rest = shell("benchmarks", "tasks", SLUG, "--limit", 2, "--cursor", cursor).document
    assert [task["task_id"] for task in rest["tasks"]] == ["t3"]
    assert rest["page"]["next_cursor"] is None
    other = shell("benchmarks", "tasks", SLUG, "--attention", "--cursor", cursor)
    assert (other.code, other.error["code"]) == (2, "cursor_invalid")


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (["--attention"], ["t2", "t3"]),
        (["--attention", "low_confidence"], ["t3"]),
        (["--passed-by", "null_agent"], ["t2"]),
        (["--failed-by", "m1"], ["t3"]),
        (["--split", "holdout"], []),
        (["--decision", "accept", "--sort", "score"], ["t3", "t1", "t2"]),
    ],
)
def test_tasks_are_filtered(
    shell: Shell, desk: Located, flags: list[str], expected: list[str]
) -> None:
    document = shell("benchmarks", "tasks", SLUG, *flags).document
    assert [task["task_id"] for task in document["tasks"]] == expected


def test_who_asks_for_a_flag_reads_why_each_task_carries_it(shell: Shell, desk: Located) -> None:
    shown = shell("benchmarks", "tasks", SLUG, "--attention", "weak_verifier", "--format", "text")
    said = " ".join(shown.out.split())
    assert "t2: weak_verifier: the contract asks only for an ending" in said
    assert "t2: trivial_pass" not in said
    assert shown.out.splitlines()[-3:] == [
        f"understudy benchmarks tasks {SLUG} t2",
        f"understudy reviews submit {SLUG} t2 accept",
        f"understudy reviews submit {SLUG} t2 reject",
    ]
    assert "weak_verifier:" not in shell("benchmarks", "tasks", SLUG, "--format", "text").out


def test_unknown_flag_value_is_a_usage_error(shell: Shell, desk: Located) -> None:
    ran = shell("benchmarks", "tasks", SLUG, "--attention", "odd")
    assert (ran.code, ran.out) == (2, "")
    assert ran.error["code"] == "invalid_arguments"


def test_one_task_is_read_whole(shell: Shell, desk: Located) -> None:
    document = shell("benchmarks", "tasks", SLUG, "t2").document
    assert document["attention_flags"] == ["trivial_pass", "weak_verifier"]
    shown = shell("benchmarks", "tasks", "t2", "--benchmark", SLUG, "--format", "text")
    assert shown.code == 0
    assert "what the candidate is asked" in shown.out
    assert "trivial_pass: passes without doing anything: null_agent" in shown.out
    assert "null_agent" in shown.out


def test_a_reviewer_sees_the_whole_conversation_and_tools_with_effects(
    shell: Shell, demo_home: Path
) -> None:
    listed = shell("benchmarks", "tasks", "demo").document["tasks"]
    documents = [
        shell("benchmarks", "tasks", "demo", task["task_id"], "--include", "conversation").document
        for task in listed
    ]
    task = next(each for each in documents if each["conversation"]["user"]["turns"])
    words = ("benchmarks", "tasks", "demo", task["task_id"])
    shown = shell(*words, "--format", "text", "--include", "gold").out
    flat = " ".join(shown.replace("│", " ").split())
    for turn in task["conversation"]["user"]["turns"]:
        assert " ".join(turn.split()) in flat
    assert "the system text" in shown
    assert "the oracle passes" in shown
    assert " gold " in shown
    rows = [line.split()[:2] for line in shown.splitlines()]
    assert all(row in rows for row in map(list, task["conversation"]["effects"].items()))
    assert "conversation" not in shell(*words).document
    assert shell(*words, "--include", "wrong").code == 2
    assert shell("benchmarks", "tasks", "demo", "--include", "gold").code == 2


def test_unknown_task_names_the_count(shell: Shell, desk: Located) -> None:
    ran = shell("benchmarks", "tasks", SLUG, "t9")
    assert (ran.code, ran.error["code"]) == (2, "unknown_task")
    assert "3 tasks" in ran.error["hint"]


def test_inbox_as_text_has_every_id_whole(shell: Shell, desk: Located) -> None:
    shown = shell("benchmarks", "tasks", SLUG, "--format", "text", "--limit", 1)
    assert "t1" in shown.out
    assert "1 of 3; more: --cursor" in shown.out


def test_equal_reasons_are_said_once_with_their_tasks(shell: Shell, desk: Located) -> None:
    row = {"attention_reasons": {"low_confidence": "medium", "flaky": "half"}}
    tasks = [{**row, "task_id": "t1"}, {**row, "task_id": "t2"}]
    stream = StringIO()
    draw_reasons(Page(stream, width=100), tasks, "low_confidence")
    assert stream.getvalue() == "2 tasks: low_confidence: medium (t1, t2)\n"


def test_a_task_is_read_with_the_commands_that_decide_it(shell: Shell, desk: Located) -> None:
    shown = shell("benchmarks", "tasks", SLUG, "t1", "--format", "text").out
    assert shown.splitlines()[-2:] == [
        f"understudy reviews submit {SLUG} t1 accept",
        f"understudy reviews submit {SLUG} t1 reject",
    ]
    shell("reviews", "submit", SLUG, "t1", "accept")
    shell("reviews", "feedback", SLUG, "t1", "the amount is wrong")
    document = shell("benchmarks", "tasks", SLUG, "t1").document
    ref = document["feedback"][0]["feedback_id"]
    assert [action["command"] for action in document["next_actions"]] == [
        f"understudy reviews resolve {SLUG} {ref}"
    ]


def test_the_report_ends_with_the_status(shell: Shell, desk: Located) -> None:
    shown = shell("benchmarks", "rigor", SLUG, "--format", "text").out
    assert shown.startswith(f"{SLUG}: gate ")
    assert shown.splitlines()[-1] == f"understudy benchmarks status {SLUG}"
