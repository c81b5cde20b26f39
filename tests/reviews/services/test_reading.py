"""A benchmark as it is read: rows with decisions, doubts and scores."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.roots import Located, Root
from benchmarks.errors import InvalidArguments, UnknownArm, UnknownTask
from benchmarks.records.build import BuildManifest
from benchmarks.records.caller import Caller
from benchmarks.records.holdout import HoldoutLook
from benchmarks.versioning.hashing import restamp
from reviews.services.listing import list_benchmarks
from reviews.services.noting import submit_feedback
from reviews.services.reading import read_benchmark
from reviews.services.reading_task import read_task
from reviews.services.recording import submit_review
from tests.reviews.desks import add_rows, make_desk, make_promoted_desk
from tests.reviews.factories import (
    ANSWERED,
    NOW,
    make_contract,
    make_row,
    make_task,
    make_trivial_row,
)


@pytest.fixture
def shop(tmp_path: Path, mira: Caller, now: datetime) -> Located:
    """Four tasks: one clean, one trivial, one doubtful and rejected, one in the holdout."""
    desk = make_desk(
        tmp_path,
        make_task("t1", title="Beta"),
        make_task("t2", title="alpha", outcome_contract=make_contract(ANSWERED)),
        make_task("t3", title="Gamma", machine_confidence="low", close_call=True),
        make_task("t4", title="Delta", split="holdout"),
    )
    submit_review(located=desk, task_ids=["t3"], decision="reject", note="no", caller=mira, now=now)
    add_rows(
        desk,
        make_row("t1", 1),
        make_row("t1", 0, rollout=1),
        make_row("t2", 1),
        make_row("t4", 0),
        make_trivial_row("null_agent", "t1", 0),
        make_trivial_row("null_agent", "t2", 1),
    )
    return desk


def ids(located: Located, **asked: Any) -> list[str]:
    return [row["task_id"] for row in read_benchmark(located=located, **asked)["tasks"]]


def test_benchmark_document_has_the_keys_of_the_page(shop: Located) -> None:
    document = read_benchmark(located=shop)
    assert {
        "slug",
        "stage",
        "dir",
        "manifest",
        "review_summary",
        "review_policy",
        "calibration",
        "experiments",
        "cross_check_errors",
        "warnings",
        "tasks",
    } <= document.keys()
    assert (document["slug"], document["stage"]) == ("local--refund-desk", "proposed")
    assert "tasks" not in document["manifest"]
    assert document["calibration"] is None
    assert document["experiments"] == []
    assert document["review_summary"] == {
        "accept": 0,
        "restrict": 0,
        "needs_more": 0,
        "reject": 1,
        "unreviewed": 3,
        "auto": 0,
        "agent": 0,
    }
    assert document["attention_counts"] == {
        "trivial_pass": 1,
        "weak_verifier": 1,
    }


def test_task_row_says_what_is_decided_doubted_and_scored(shop: Located) -> None:
    row = read_benchmark(located=shop)["tasks"][1]
    assert row["effective_decision"] == {"decision": "accept", "explicit": False}
    assert row["review"] is None
    assert row["attention_flags"] == ["trivial_pass", "weak_verifier"]
    assert row["attention_reasons"]["trivial_pass"] == "passes without doing anything: null_agent"
    assert row["scores"] == {
        "rows": 2,
        "tasks": 1,
        "anomalous": 0,
        "stale": 0,
        "flagged": 0,
        "mean_score": 1,
        "by_model": {
            "m1": {
                "rows": 1,
                "tasks": 1,
                "mean_score": 1,
                "ok": 1,
                "error": 0,
                "anomalous": 0,
                "arm_kind": "candidate",
            },
            "null_agent": {
                "rows": 1,
                "tasks": 1,
                "mean_score": 1,
                "ok": 1,
                "error": 0,
                "anomalous": 0,
                "arm_kind": "null_agent",
            },
        },
    }


def test_mean_is_over_task_means_of_arms_that_can_spend(shop: Located) -> None:
    scores = read_benchmark(located=shop)["tasks"][0]["scores"]
    assert (scores["mean_score"], scores["by_model"]["null_agent"]["mean_score"]) == (0.5, 0)


def test_explicit_review_is_on_the_row(shop: Located) -> None:
    row = read_benchmark(located=shop)["tasks"][2]
    assert row["effective_decision"] == {"decision": "reject", "explicit": True}
    assert row["review"]["note"] == "no"


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({}, ["t1", "t2", "t3", "t4"]),
        ({"attention": True}, ["t2"]),
        ({"attention": False}, ["t1", "t2", "t3", "t4"]),
        ({"attention": "trivial_pass"}, ["t2"]),
        ({"attention": "low_confidence"}, []),
        ({"attention": "low_confidence", "decision": "reject"}, ["t3"]),
        ({"split": "holdout"}, ["t4"]),
        ({"split": "all"}, ["t1", "t2", "t3", "t4"]),
        ({"category": "cap-1"}, ["t1", "t2", "t3", "t4"]),
        ({"category": "cap-2"}, []),
        ({"decision": "reject"}, ["t3"]),
        ({"decision": "pending"}, []),
        ({"passed_by": "null_agent"}, ["t2"]),
        ({"failed_by": "null_agent"}, ["t1"]),
        ({"passed_by": "m1"}, ["t2"]),
        ({"failed_by": "m1"}, ["t1", "t4"]),
        ({"failed_by": "candidate"}, ["t1", "t4"]),
        ({"sort": "name"}, ["t2", "t1", "t4", "t3"]),
        ({"sort": "attention"}, ["t2", "t3", "t1", "t4"]),
        ({"sort": "score"}, ["t4", "t1", "t2", "t3"]),
        ({"attention": True, "decision": "reject"}, ["t3"]),
    ],
)
def test_filters_and_orders(shop: Located, asked: dict[str, Any], expected: list[str]) -> None:
    assert ids(shop, **asked) == expected


@pytest.mark.parametrize(
    "asked",
    [{"attention": "odd"}, {"split": "test"}, {"decision": "maybe"}, {"sort": "size"}],
)
def test_filter_that_no_task_can_have_is_refused(shop: Located, asked: dict[str, Any]) -> None:
    with pytest.raises(InvalidArguments, match=repr(next(iter(asked.values())))):
        read_benchmark(located=shop, **asked)


def test_arm_without_rows_is_unknown(shop: Located) -> None:
    with pytest.raises(UnknownArm) as caught:
        read_benchmark(located=shop, passed_by="gpt-9")
    assert caught.value.hint == "arms with rows: m1, null_agent"


def test_of_flagged_tasks_the_undecided_come_first(
    tmp_path: Path, mira: Caller, now: datetime
) -> None:
    weak = make_contract(ANSWERED)
    desk = make_desk(
        tmp_path,
        make_task("t1", machine_confidence="low", outcome_contract=weak),
        make_task("t2", machine_confidence="low"),
    )
    assert ids(desk, sort="attention") == ["t1", "t2"]
    submit_review(located=desk, task_ids=["t1"], decision="reject", note="no", caller=mira, now=now)
    assert ids(desk, sort="attention") == ["t2", "t1"]


def test_holdout_figures_come_with_the_number_of_looks(shop: Located) -> None:
    look = {"at": NOW, "kind": "run", "run_id": "run-1", "arms": ["m1"], "task_ids": ["t4"]}
    shop.directory.append(layout.HOLDOUT, HoldoutLook.read(look))
    assert read_benchmark(located=shop)["notices"] == [
        {"kind": "holdout", "text": "holdout figures: 1 look at the holdout so far"}
    ]


def test_no_notice_where_no_holdout_figure_is(desk: Located) -> None:
    assert "notices" not in read_benchmark(located=desk)


def test_more_can_be_included(shop: Located) -> None:
    (shop.directory.path / "benchmark-overview.json").write_text(
        '{"schema_version": "understudy.benchmark_overview.v1", "model": "m"}', encoding="utf-8"
    )
    document = read_benchmark(located=shop, include=["overview", "versions", "holdout_ledger"])
    assert document["overview"]["model"] == "m"
    assert (document["versions"], document["holdout_ledger"]) == ([], [])
    assert "overview" not in read_benchmark(located=shop)


def test_experiments_of_an_older_release_are_shown_newest_line_each(shop: Located) -> None:
    lines = [
        {"experiment_id": "exp-1", "data_selection": {}, "status": "draft"},
        {"experiment_id": "exp-2", "data_selection": {}, "status": "draft"},
        {"experiment_id": "exp-1", "data_selection": {}, "status": "concluded"},
        {"experiment_id": "exp-3"},
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (shop.directory.path / "experiments.jsonl").write_text(text, encoding="utf-8")
    found = read_benchmark(located=shop)["experiments"]
    assert [(line["experiment_id"], line["status"]) for line in found] == [
        ("exp-1", "concluded"),
        ("exp-2", "draft"),
    ]


def test_conflict_is_named_and_flagged_on_its_own_task(shop: Located) -> None:
    manifest = shop.directory.load(layout.BENCHMARK)
    assert manifest is not None
    shop.directory.replace(layout.BENCHMARK, manifest.with_(tasks=manifest.tasks[:3]))
    document = read_benchmark(located=shop)
    assert document["cross_check_errors"] == ["t4: benchmark.json does not list it"]
    assert ids(shop, attention="schema_conflict") == ["t4"]


def test_task_document_has_the_keys_of_the_page(shop: Located, mira: Caller, now: datetime) -> None:
    submit_feedback(located=shop, task_id="t1", feedback="too strict", caller=mira, now=now)
    document = read_task(located=shop, task_id="t1")
    assert {
        "task_id",
        "name",
        "title",
        "prompt",
        "success_criteria",
        "split",
        "status",
        "machine_confidence",
        "tool_surface",
        "outcome_contract",
        "contract_in_words",
        "world_model_summary",
        "claims",
        "review",
        "effective_decision",
        "attention_flags",
        "review_history",
        "feedback",
        "verifier",
        "scores",
    } <= document.keys()
    assert document["prompt"] == "Refund t1"
    assert document["verifier"]["judgeability"] == "full"
    assert document["verifier"]["oracle"]["strict"] == 1
    assert document["verifier"]["sentinels"] == {"wrong_value": 0}
    assert [line["feedback"] for line in document["feedback"]] == ["too strict"]
    assert document["contract_in_words"][-1] == "any other accepted write fails"
    assert "manifest_task" not in document
    assert "gold" not in document


def test_review_history_is_whole(shop: Located, mira: Caller, now: datetime) -> None:
    submit_review(located=shop, task_ids=["t3"], decision="accept", caller=mira, now=now)
    document = read_task(located=shop, task_id="t3")
    assert [line["decision"] for line in document["review_history"]] == ["reject", "accept"]
    assert document["effective_decision"] == {"decision": "accept", "explicit": True}


def test_parts_are_included_when_asked_for(shop: Located) -> None:
    document = read_task(
        located=shop,
        task_id="t1",
        include=["conversation", "fixtures", "gold", "world", "captures"],
    )
    assert document["conversation"]["messages"] == [{"role": "user", "content": "Refund t1"}]
    assert [row.get("task_id") for row in document["fixtures"]] == ["t1", None]
    assert document["gold"]["final_response"] == "Done."
    assert (document["world"], document["captures"]) == (None, [])


def test_long_text_is_read_in_pieces(shop: Located) -> None:
    found = read_task(located=shop, task_id="t1", field="/prompt", offset=7)
    piece = found["piece"]
    assert (piece["text"], piece["next_offset"], piece["total_chars"]) == ("t1", None, 9)
    assert found["task_id"] == "t1"


def test_unknown_task_is_named_with_the_count(shop: Located) -> None:
    with pytest.raises(UnknownTask) as caught:
        read_task(located=shop, task_id="t9")
    assert caught.value.hint.startswith("it holds 4 tasks")


def test_promoted_task_adds_manifest_and_sidecar(tmp_path: Path) -> None:
    document = read_task(located=make_promoted_desk(tmp_path), task_id="t1")
    assert document["manifest_task"]["task_id"] == "t1"
    assert document["sidecar"]["title"] == "Refund t1"


def test_list_gives_a_line_each_and_invalid_ones_in_place(tmp_path: Path) -> None:
    make_promoted_desk(tmp_path)
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "benchmark.json").write_text("{nope", encoding="utf-8")
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")
    document = list_benchmarks(roots=[Root("local", tmp_path)])
    first, second = document["benchmarks"]
    assert (first["slug"], first["stage"]) == ("local--broken", "invalid")
    assert first["errors"][0].startswith("benchmark.json")
    assert {key: second[key] for key in ("slug", "stage", "tasks", "rows", "attention")} == {
        "slug": "local--refund-desk",
        "stage": "promoted",
        "tasks": 2,
        "rows": 0,
        "attention": 0,
    }
    assert second["read_only"] is False
    assert document["warnings"] == ["local--gone is a link to nothing"]
    assert document["roots"] == [{"prefix": "local", "path": str(tmp_path), "read_only": False}]


def test_list_can_be_narrowed_to_a_stage(tmp_path: Path) -> None:
    make_desk(tmp_path)
    roots = [Root("local", tmp_path)]
    assert len(list_benchmarks(roots=roots, stage="proposed")["benchmarks"]) == 1
    assert list_benchmarks(roots=roots, stage="promoted")["benchmarks"] == []


def test_broken_line_of_tasks_costs_itself_and_is_said(shop: Located) -> None:
    with (shop.directory.path / "tasks.jsonl").open("ab") as file:
        file.write(b'{"task_id": "t5"\n')
    document = read_benchmark(located=shop)
    assert [row["task_id"] for row in document["tasks"]] == ["t1", "t2", "t3", "t4"]
    assert any("tasks.jsonl line 5" in warning for warning in document["warnings"])


def test_broken_benchmark_json_is_said_and_the_tasks_stand(shop: Located) -> None:
    (shop.directory.path / "benchmark.json").write_text("{nope", encoding="utf-8")
    document = read_benchmark(located=shop)
    assert document["manifest"] is None
    assert [row["task_id"] for row in document["tasks"]] == ["t1", "t2", "t3", "t4"]
    assert any("benchmark.json" in warning for warning in document["warnings"])


def test_task_says_where_its_answer_can_be_read_and_that_it_was_edited(shop: Located) -> None:
    found = read_task(located=shop, task_id="t1")
    assert (found["edited"], found["leaks"]) == (False, None)
    assert found["self_check"] == {"ok": True, "failures": []}
    leak = {"task_id": "t1", "location": "title", "kind": "argument", "tier": "verbatim"}
    audit = {"findings": [leak, {**leak, "task_id": "t2"}]}
    build = BuildManifest.read({
        "schema_version": "understudy.trace_foundry.v1",
        "leakage_audit": audit,
    })
    shop.directory.replace(layout.MANIFEST, build)
    lines = shop.directory.read(layout.TASKS).records
    stamped = [restamp(None, line.with_(boundary_rule="earliest")) for line in lines]
    edited = [one.with_(title="By hand") if one.task_id == "t1" else one for one in stamped]
    shop.directory.replace(layout.TASKS, edited)
    found = read_task(located=shop, task_id="t1")
    assert (found["edited"], found["leaks"]) == (True, [leak])
    assert read_task(located=shop, task_id="t3")["leaks"] == []
    assert read_benchmark(located=shop)["warnings"] == [
        "leakage audit: the answer of 2 tasks (t1, t2) can be read by a candidate",
        "edited by hand since it was stamped: 1 task (t1): "
        f"understudy traces regenerate-env --benchmark {shop.slug}",
    ]
