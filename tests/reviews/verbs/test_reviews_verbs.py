"""The verbs of `reviews`, and `traces promote`, in a shell."""

import json
from pathlib import Path

import pytest

from benchmarks.artifacts.roots import Located
from tests.driving import Shell
from tests.reviews.desks import make_promoted_desk

SLUG = "local--refund-desk"
STATUS = f"understudy benchmarks status {SLUG}\n"
"""What every verb that changed something ends with."""


def test_submit_decides_on_several_tasks(shell: Shell, desk: Located) -> None:
    ran = shell("reviews", "submit", SLUG, "t1", "t2", "reject", "--note", "not for us")
    assert ran.code == 0
    assert [line["task_id"] for line in ran.document["reviews"]] == ["t1", "t2"]
    shown = shell("reviews", "submit", "--benchmark", SLUG, "t3", "accept", "--format", "text")
    assert shown.out == f"t3: accept\n{STATUS}"


@pytest.mark.parametrize(
    ("words", "code", "exit_code"),
    [
        (["t1", "maybe"], "invalid_arguments", 2),
        (["t9", "accept"], "unknown_task", 2),
        (["accept"], "invalid_arguments", 2),
        (["t1", "accept", "--note", "x" * 2001], "too_large", 2),
    ],
)
def test_submit_refuses_whole(
    shell: Shell, desk: Located, words: list[str], code: str, exit_code: int
) -> None:
    ran = shell("reviews", "submit", SLUG, *words)
    assert (ran.code, ran.out, ran.error["code"]) == (exit_code, "", code)
    assert not (desk.directory.path / "reviews.jsonl").exists()


def test_submit_with_a_key_is_replayed(shell: Shell, desk: Located) -> None:
    words = ["reviews", "submit", SLUG, "t1", "accept", "--idempotency-key", "k1"]
    assert shell(*words).document["replayed"] is False
    assert shell(*words).document["replayed"] is True
    other = shell("reviews", "submit", SLUG, "t1", "reject", "--idempotency-key", "k1")
    assert (other.code, other.error["code"]) == (1, "idempotency_conflict")


def test_list_says_who_decided_what(shell: Shell, desk: Located) -> None:
    shell("reviews", "submit", SLUG, "t1", "accept", "--actor", "os:mira")
    shell("reviews", "submit", SLUG, "t1", "reject")
    document = shell("reviews", "list", SLUG).document
    assert [row["effective_decision"]["decision"] for row in document["tasks"]] == [
        "reject",
        "accept",
        "accept",
    ]
    assert document["summary"]["reject"] == 1
    assert document["summary"]["unreviewed"] == 2
    history = shell("reviews", "list", SLUG, "--task", "t1", "--history").document
    assert [line["decision"] for line in history["tasks"][0]["history"]] == ["accept", "reject"]
    assert history["tasks"][0]["history"][0]["actor"] == "os:mira"
    assert "1 reject, 2 unreviewed" in shell("reviews", "list", SLUG, "--format", "text").out


def test_undecided_tasks_are_accepted_where_clean(shell: Shell, desk: Located) -> None:
    shell("reviews", "policy", SLUG, "--default-decision", "pending")
    undecided = shell("reviews", "list", SLUG, "--undecided").document
    assert [row["task_id"] for row in undecided["tasks"]] == ["t1", "t2", "t3"]
    dry = shell("reviews", "accept-clean", SLUG, "--dry-run")
    assert dry.document["applied"] == ["t1"]
    shown = shell("reviews", "accept-clean", SLUG, "--format", "text")
    assert shown.out == f"t1: accept\n1 accepted, 2 need a person\n{STATUS}"
    assert len(shell("reviews", "list", SLUG, "--undecided").document["tasks"]) == 2


def test_accept_clean_says_why_it_writes_nothing(shell: Shell, desk: Located) -> None:
    assert "born accepted" in shell("reviews", "accept-clean", SLUG).document["why"]


def test_policy_is_shown_and_set_field_by_field(shell: Shell, desk: Located) -> None:
    assert shell("reviews", "policy", SLUG).document["min_confidence"] == "high"
    assert not (desk.directory.path / "review-policy.json").exists()
    ran = shell("reviews", "policy", SLUG, "--no-require-incumbent-pass", "--min-fidelity", "0.9")
    assert (ran.document["require_incumbent_pass"], ran.document["min_fidelity"]) == (False, 0.9)
    kept = json.loads((desk.directory.path / "review-policy.json").read_text(encoding="utf-8"))
    assert (kept["min_fidelity"], kept["min_confidence"]) == (0.9, "high")
    assert shell("reviews", "policy", SLUG, "--min-fidelity", "2").code == 2
    shown = shell("reviews", "policy", SLUG, "--format", "text").out
    assert "min_fidelity" in shown
    assert shown.endswith(f"0 undecided tasks would be accepted, 0 need a person\n{STATUS}")


def test_a_policy_that_leaves_tasks_pending_leads_to_those_it_would_accept(
    shell: Shell, desk: Located
) -> None:
    words = ("--default-decision", "pending", "--format", "text")
    shown = shell("reviews", "policy", SLUG, *words).out
    assert shown.splitlines()[-1] == f"understudy reviews accept-clean {SLUG} --dry-run"


def test_feedback_prints_the_hand_off(shell: Shell, desk: Located, tmp_path: Path) -> None:
    ran = shell("reviews", "feedback", SLUG, "t1", "the amount is wrong")
    assert ran.document["feedback"]["feedback"] == "the amount is wrong"
    path = tmp_path / "words.txt"
    path.write_text("from a file\n", encoding="utf-8")
    shown = shell("reviews", "feedback", SLUG, "t1", f"@{path}", "--format", "text")
    assert shown.out.startswith("Change one task of a benchmark in place, and nothing else.")
    assert "from a file" in shown.out
    assert "the amount is wrong" in shown.out


def test_feedback_is_resolved_once(shell: Shell, desk: Located) -> None:
    line = shell("reviews", "feedback", SLUG, "t1", "wrong").document["feedback"]
    ran = shell("reviews", "resolve", SLUG, line["feedback_id"], "--note", "fixed")
    assert ran.document["feedback"]["status"] == "addressed"
    again = shell("reviews", "resolve", SLUG, line["feedback_id"])
    assert (again.code, again.error["code"]) == (1, "finished")
    unknown = shell("reviews", "resolve", SLUG, "fb-nope")
    assert (unknown.code, unknown.error["code"]) == (2, "unknown_note")


def test_flag_needs_a_promoted_benchmark(shell: Shell, desk: Located) -> None:
    ran = shell("reviews", "flag", SLUG, "t1", "--reason", "bad-gold")
    assert (ran.code, ran.error["code"]) == (1, "wrong_stage")
    assert ran.error["details"] == {"stage": "proposed", "needs": "promoted"}


def test_flag_is_raised_and_resolved(shell: Shell, lab_home: Path) -> None:
    make_promoted_desk(lab_home / "benchmarks")
    flag = shell("reviews", "flag", SLUG, "--reason", "leakage", "--note", "all of it").document
    assert flag["flag"]["task_id"] is None
    shown = shell("reviews", "flag", SLUG, "t1", "--reason", "other", "--format", "text")
    assert shown.out.endswith(f": other on t1\n{STATUS}")
    ref = flag["flag"]["flag_id"]
    ran = shell("reviews", "resolve", SLUG, ref, "--format", "text")
    assert ran.out == f"{ref}: resolved\n{STATUS}"
    assert shell("reviews", "submit", SLUG, "t1", "accept").error["code"] == "wrong_stage"


def test_promote_lists_every_refusal_and_writes_nothing(shell: Shell, desk: Located) -> None:
    ran = shell("traces", "promote", "--benchmark", SLUG)
    assert (ran.code, ran.out, ran.error["code"]) == (1, "", "gate_failed")
    assert [complaint["path"] for complaint in ran.error["errors"]] == ["null_floor"]
    assert not (desk.directory.path / "promotion-record.json").exists()


def test_promote_after_the_passed_task_is_rejected(shell: Shell, desk: Located) -> None:
    shell("reviews", "submit", SLUG, "t2", "reject")
    dry = shell("traces", "promote", SLUG, "--dry-run")
    assert (dry.code, dry.document["dry_run"]) == (0, True)
    ran = shell("traces", "promote", SLUG)
    assert ran.code == 0
    assert ran.document["accepted_tasks"] == ["t1", "t3"]
    assert ran.document["excluded_tasks"] == [{"task_id": "t2", "decision": "reject"}]
    assert shell("benchmarks", "list").document["benchmarks"][0]["stage"] == "promoted"
    assert shell("traces", "promote", SLUG).document["replayed"] is True


def test_override_is_noticed_on_stderr_and_drawn(shell: Shell, desk: Located) -> None:
    ran = shell(
        "traces", "promote", SLUG, "--override-rigor", "refusals are real", "--format", "text"
    )
    assert ran.code == 0
    assert "notice: promoted over rigor: refusals are real" in ran.err
    assert "overridden" in ran.out
    assert "waived rigor: refusals are real" in ran.out


def test_import_reviews_keeps_good_lines_and_exits_one_for_bad_ones(
    shell: Shell, desk: Located, tmp_path: Path
) -> None:
    path = tmp_path / "old.jsonl"
    good = {"task_id": "t1", "decision": "reject", "reviewed_at": "2026-01-02T03:04:05Z"}
    path.write_text(json.dumps(good) + "\n" + '{"task_id": "t9", "decision": "accept"}\n')
    words = ["--benchmark", SLUG, "--reviews", path]
    ran = shell("traces", "import-reviews", *words)
    assert ran.code == 1
    assert {key: ran.document[key] for key in ("imported", "unchanged", "rejected")} == {
        "imported": 1,
        "unchanged": 0,
        "rejected": [{"line": 2, "reason": "unknown task 't9'"}],
    }
    again = shell("traces", "import-reviews", *words, "--format", "text")
    assert (again.code, again.out) == (
        1,
        f"0 imported, 1 unchanged, 1 rejected\nline 2: unknown task 't9'\n{STATUS}",
    )
    path.write_text(json.dumps(good) + "\n")
    assert shell("traces", "import-reviews", *words).code == 0
