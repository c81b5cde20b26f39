"""`understudy traces author-tasks` through the shell, against a gateway that follows a script."""

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.home import home
from benchmarks.artifacts.roots import Located
from benchmarks.records.caller import Caller
from runs.services.authoring import Wish, queue_authoring
from runs.verbs.traces_author_tasks import written_back
from tests.authors import author
from tests.benchmarks.services.factories import build, desk, files, task_lines
from tests.driving import Shell
from tests.stub_model import Behaviour, StubModel

MODEL = "stub-model"
AUTHOR = ("traces", "author-tasks", "--benchmark", "desk")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("authored")
    build(folder / "desk", desk(folder / "source"))
    return folder / "desk"


@pytest.fixture
def bench(built: Path, lab_home: Path) -> BenchmarkDir:
    folder = home().benchmarks
    folder.mkdir(parents=True)
    return BenchmarkDir(Path(shutil.copytree(built, folder / "desk")))


@pytest.fixture
def gateway(monkeypatch: pytest.MonkeyPatch) -> Any:
    with StubModel(Behaviour(script=author())) as stub:
        monkeypatch.setenv("UNDERSTUDY_GATEWAY_URL", stub.url)
        monkeypatch.setenv("UNDERSTUDY_API_KEY", "sk-author-author")
        yield stub


def test_what_the_recording_bears_out_is_merged(
    bench: BenchmarkDir, gateway: StubModel, shell: Shell
) -> None:
    before = {line["task_id"]: line for line in task_lines(bench.path)}
    ran = shell(*AUTHOR, "--model", MODEL, "--confirm")
    assert ran.code == 0, ran.err
    assert gateway.calls == 6
    assert len(ran.document["verified"]) == 6
    assert ran.document["written_back"] is True
    for line in task_lines(bench.path):
        old = before[line["task_id"]]
        assert line["authored"]["grounding"] == "verified"
        assert line["status"] == old["status"]
        *kept, added = line["outcome_contract"]["required"]
        assert kept == old["outcome_contract"]["required"]
        assert added["type"] == "read_obligation"
        assert added["provenance"]["proposed_by"] == MODEL
        assert added["provenance"]["grounded"] is True


def test_one_line_is_said_before_anything_is_sent_and_one_a_task_after(
    bench: BenchmarkDir, gateway: StubModel, shell: Shell
) -> None:
    ran = shell(*AUTHOR, "--model", MODEL, "--confirm")
    first, second, *rest = ran.err.splitlines()
    run_id = ran.document["run_id"]
    assert first.startswith("notice: local_sandbox: authoring 6 tasks with stub-model, 6 calls;")
    assert second == f"authoring 6 tasks with stub-model: cost unknown: stub-model ({run_id})"
    assert ran.err.count("notice:") == 1
    told = [line for line in rest if line.startswith("[")]
    assert len(told) == 6
    assert told[0].startswith("[1/6] task-")
    assert told[-1].endswith(" s verified")
    assert ran.document["notices"][0]["rollouts"] == 6


def test_a_dry_run_quotes_and_neither_sends_nor_writes(
    bench: BenchmarkDir, gateway: StubModel, shell: Shell
) -> None:
    before = files(bench.path)
    ran = shell(*AUTHOR, "--model", MODEL, "--dry-run", "--limit", "2")
    assert ran.code == 0
    quoted = ran.document["quote"]
    assert (quoted["calls"], quoted["most_calls"], quoted["unpriced"]) == (2, 4, [MODEL])
    assert quoted["tokens"]["input"] > 1500
    assert quoted["tokens"]["output"] == 1800
    assert ran.document["dry_run"] is True
    assert gateway.calls == 0
    assert files(bench.path) == before


def test_a_price_makes_the_quote_a_sum(
    bench: BenchmarkDir, gateway: StubModel, shell: Shell
) -> None:
    table = {"version": "t", "per_tokens": 1000000, "models": {MODEL: {"input": 1, "output": 10}}}
    home().prices_file.write_text(json.dumps(table), encoding="utf-8")
    ran = shell(*AUTHOR, "--model", MODEL, "--confirm")
    quoted = ran.document["quote"]
    tokens = quoted["tokens"]
    assert quoted["cost_usd"] == pytest.approx((tokens["input"] + 10 * tokens["output"]) / 1e6)
    assert quoted["cost_high_usd"] == pytest.approx(2 * quoted["cost_usd"])
    assert ran.document["cost_usd"] == pytest.approx(6 * (1000 + 10 * 100) / 1e6)
    request = bench.request(ran.document["run_id"])
    assert request.spend is not None
    assert request.spend["recorded_usd"] == pytest.approx(0.012)


def test_all_tasks_need_the_posture(bench: BenchmarkDir, gateway: StubModel, shell: Shell) -> None:
    ran = shell(*AUTHOR, "--model", MODEL)
    assert ran.code == 1
    assert ran.error["code"] == "posture_too_low"
    assert ran.error["details"]["rule_id"] == "benchmark.queue-run-below-posture"
    assert gateway.calls == 0
    assert bench.requests().requests == []


def test_captured_content_goes_to_a_provider_only_with_somebodys_word(
    bench: BenchmarkDir, gateway: StubModel, shell: Shell
) -> None:
    one = ("--tasks", next(iter(bench.tasks())))
    ran = shell(*AUTHOR, "--model", MODEL, *one)
    assert ran.code == 1
    assert ran.error["code"] == "approval_required"
    assert ran.error["details"]["gate"] == "customer_data_upload"
    assert [action["command"] for action in ran.error["next_actions"]] == [
        "understudy trust set local_sandbox --allow-provider-upload"
    ]
    assert shell("trust", "set", "bounded_experiments").code == 0
    assert shell(*AUTHOR, "--model", MODEL, *one).error["code"] == "approval_required"
    assert gateway.calls == 0
    assert shell("trust", "set", "local_sandbox", "--allow-provider-upload").code == 0
    assert shell(*AUTHOR, "--model", MODEL, *one).code == 0
    assert gateway.calls == 1


def test_hosted_ops_allows_both(bench: BenchmarkDir, gateway: StubModel, shell: Shell) -> None:
    assert shell("trust", "set", "hosted_ops").code == 0
    ran = shell(*AUTHOR, "--model", MODEL)
    assert ran.code == 0
    assert ran.document["notices"][0]["level"] == "hosted_ops"


def test_a_model_of_this_machine_is_sent_to_nobody(
    bench: BenchmarkDir, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    with StubModel(Behaviour(script=author())) as stub:
        monkeypatch.setenv("UNDERSTUDY_LOCAL_SERVERS", stub.url)
        ran = shell(*AUTHOR, "--model", MODEL, "--tasks", next(iter(bench.tasks())))
        assert ran.code == 0, ran.err
        assert ran.document["quote"]["basis"] == "free"
        assert ran.document["cost_usd"] == 0


def test_without_a_key_nothing_is_asked_for(bench: BenchmarkDir, shell: Shell) -> None:
    ran = shell(*AUTHOR, "--model", "nobodys-model", "--confirm")
    assert ran.error["code"] == "credentials_missing"
    assert bench.requests().requests == []


def test_the_preferred_model_is_the_first_that_the_gateway_lists(
    bench: BenchmarkDir, gateway: StubModel, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = shell(*AUTHOR, "--dry-run")
    assert ran.error["code"] == "invalid_arguments"
    assert ran.error["details"]["models"] == [MODEL]
    monkeypatch.setenv("UNDERSTUDY_AUTHORS", "gemma-*,stub-*")
    again = shell("traces", "author-tasks", "--benchmark", "desk", "--dry-run")
    assert again.document["run"]["models"] == [MODEL]


def test_a_dry_run_without_a_model_needs_no_key(bench: BenchmarkDir, shell: Shell) -> None:
    ran = shell("traces", "author-tasks", "--benchmark", "desk", "--dry-run", "--limit", "2")
    assert ran.code == 0, ran.err
    assert (ran.document["run"]["models"], ran.document["quote"]["calls"]) == (["MODEL"], 2)
    assert ran.document["quote"]["cost_usd"] is None
    assert ran.document["warnings"] == [
        "no model is named, and no gateway or server of this machine lists any; name one: "
        "--model M; or set UNDERSTUDY_API_KEY with UNDERSTUDY_GATEWAY_URL",
        "no price for MODEL: its cost will be unknown",
    ]
    asked = shell("traces", "author-tasks", "--benchmark", "desk")
    assert asked.error["code"] == "credentials_missing"
    words = ("traces", "author-tasks", "--benchmark", "desk", "--dry-run", "--format", "text")
    assert shell(*words).out.rstrip().endswith(" --model MODEL")


def test_what_failed_is_told_and_is_1_only_when_strict(
    bench: BenchmarkDir, gateway: StubModel, shell: Shell
) -> None:
    gateway.behaviour.script = author(lambda body, good, number: '```json\n{"statement": ')
    ran = shell(*AUTHOR, "--model", MODEL, "--confirm", "--limit", "1")
    assert ran.code == 0
    assert gateway.calls == 2
    (failed,) = ran.document["failed"]
    assert failed["violations"] == ["rule 1: the reply holds no JSON object"]
    again = shell(*AUTHOR, "--model", MODEL, "--confirm", "--limit", "1", "--strict")
    assert again.code == 1
    assert again.document["failed"][0]["task_id"] == failed["task_id"]


def test_a_provider_that_answers_nobody_is_a_gateway_failure(
    bench: BenchmarkDir, gateway: StubModel, shell: Shell
) -> None:
    gateway.behaviour.script = lambda body, number: (401, {}, {"error": {"message": "no entry"}})
    before = task_lines(bench.path)
    ran = shell(*AUTHOR, "--model", MODEL, "--confirm", "--concurrency", "1")
    assert ran.code == 5
    assert ran.error["code"] == "gateway_failed"
    assert "no entry" in ran.error["message"]
    assert task_lines(bench.path) == before
    (request,) = bench.requests().requests
    assert request.status == "failed"


def test_one_broken_answer_costs_one_task(
    bench: BenchmarkDir, gateway: StubModel, shell: Shell
) -> None:
    def bad_request(body: dict[str, Any], good: Any, number: int) -> Any:
        return (400, {}, {"error": {"message": "odd"}}) if number == 0 else good

    gateway.behaviour.script = author(bad_request)
    ran = shell(*AUTHOR, "--model", MODEL, "--confirm", "--concurrency", "1")
    assert ran.code == 0
    assert (len(ran.document["verified"]), len(ran.document["errors"])) == (5, 1)
    (request,) = bench.requests().requests
    assert (request.status, request.missing) == ("done", {"provider": 1})
    again = shell(*AUTHOR, "--model", MODEL, "--confirm")
    assert len(again.document["verified"]) == 1


def test_a_stop_loss_ends_a_pass_and_what_was_paid_for_is_merged(
    bench: BenchmarkDir, gateway: StubModel, shell: Shell
) -> None:
    table = {"version": "t", "per_tokens": 1000, "models": {MODEL: {"input": 1, "output": 10}}}
    home().prices_file.write_text(json.dumps(table), encoding="utf-8")
    assert shell("trust", "set", "hosted_ops", "--spend-stop-loss", "2").code == 0
    ran = shell(*AUTHOR, "--model", MODEL, "--concurrency", "1")
    assert ran.code == 1
    assert ran.document["status"] == "stopped"
    assert ran.document["stop"]["reason"] == "spend"
    assert gateway.calls == 2
    verified = [t for t in task_lines(bench.path) if (t.get("authored") or {}).get("statement")]
    assert len(verified) == 2


def test_several_models_are_compared_and_nothing_is_written_back(
    bench: BenchmarkDir, gateway: StubModel, shell: Shell, tmp_path: Path
) -> None:
    def other(body: dict[str, Any], good: dict[str, Any], number: int) -> Any:
        return {**good, "difficulty": "hard"} if body["model"] == "m2" else good

    gateway.behaviour.script = author(other)
    before = files(bench.path)
    report = tmp_path / "agreement.json"
    words = ("--compare-models", "m1,m2", "--experiment-out", str(report), "--confirm")
    ran = shell(*AUTHOR, *words)
    assert ran.code == 0, ran.err
    assert ran.document["written_back"] is False
    found = json.loads(report.read_text("utf-8"))
    assert found == ran.document["agreement"]
    assert found["pairs"] == [
        {
            "models": ["m1", "m2"],
            "tasks": 6,
            "compared": 6,
            "same_grounding": 1.0,
            "same_category": 1.0,
            "same_difficulty": 0.0,
            "same_confidence": 1.0,
            "entries_in_common": 1.0,
        }
    ]
    assert found["by_model"]["m1"]["verified"] == 6
    kept = {name: data for name, data in files(bench.path).items() if name in before}
    assert kept == before


def test_an_overview_is_written_from_what_was_verified(
    bench: BenchmarkDir, gateway: StubModel, shell: Shell
) -> None:
    assert shell(*AUTHOR, "--model", MODEL, "--confirm", "--overview").code == 0
    found = bench.load(layout.OVERVIEW)
    assert found is not None
    document = found.dump()
    assert document["schema_version"] == "understudy.benchmark_overview.v1"
    assert document["model"] == MODEL
    (cluster,) = document["system_prompt_clusters"]
    assert (cluster["count"], cluster["coverage"]) == (16, 1)
    assert cluster["representative_excerpt"] == "You are the refund desk of a kitchen shop."
    assert document["tool_usage"] == [
        {"tool": "get_order", "defined": 16, "calls": 6},
        {"tool": "issue_refund", "defined": 16, "calls": 4},
    ]
    assert {one["archetype_title"] for one in document["categories"]} == {"Orders"}
    assert sum(one["task_count"] for one in document["categories"]) == 6
    assert document["workload_summary"] == "6 tasks: Orders; Orders"
    measured = next(iter(document["task_complexity"].values()))
    assert (measured["tool_call_count"], measured["distinct_tools"]) == (2, 2)
    assert (measured["turn_count"], measured["error_retry_events"]) == (6, 0)


def test_a_queued_request_is_run_by_any_executor(
    bench: BenchmarkDir, gateway: StubModel, shell: Shell
) -> None:
    request = queue_from_elsewhere(bench)
    assert request["run"]["requires"] == ["authoring"]
    assert gateway.calls == 0
    assert shell("runs", "execute", "--benchmark", "desk").code == 0
    assert gateway.calls == 6
    status = shell("runs", "status", request["run_id"]).document
    assert (status["kind"], status["status"]) == ("authoring", "done")
    assert status["progress"] == {"completed": 6, "total": 6}
    assert {line["authored"]["grounding"] for line in task_lines(bench.path)} == {"verified"}


def test_a_request_by_hand_is_held_back_until_content_may_leave(
    bench: BenchmarkDir, gateway: StubModel, shell: Shell
) -> None:
    request = queue_from_elsewhere(bench)["run"]
    path = bench.path / layout.request(request["run_id"]).path
    plain = {key: value for key, value in request.items() if key not in {"confirmed", "notices"}}
    path.write_text(json.dumps({**plain, "tasks": plain["authoring"]["task_ids"]}), "utf-8")
    assert shell("runs", "execute", "--benchmark", "desk").code == 0
    assert gateway.calls == 0
    (event,) = [e for e in bench.read(layout.EVENTS).records if e.type == "run_blocked"]
    assert event.error == "captured content may not be sent to the provider of stub-model"
    assert shell("trust", "set", "local_sandbox", "--allow-provider-upload").code == 0
    assert shell("runs", "execute", "--benchmark", "desk").code == 0
    assert gateway.calls == 6


def queue_from_elsewhere(bench: BenchmarkDir) -> dict[str, Any]:
    """The request of a door that executes nothing."""
    return queue_authoring(
        located=Located(bench, "local--desk", read_only=False),
        home=home(),
        wish=Wish(models=(MODEL,)),
        confirm=True,
        caller=Caller("mcp:claude@mira", "mcp"),
        now=datetime.now(UTC),
    )


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--model", "a", "--compare-models", "a,b"), "give one of them"),
        (("--compare-models", "a"), "two models or more"),
        (("--experiment-out", "x.json"), "--compare-models writes"),
        (("--model", "scripted/careful"), "writes no definitions"),
        (("--model", "m", "--tasks", "nobody"), "no task nobody"),
        (("--context-cap", "10"), "context"),
    ],
)
def test_a_call_that_makes_no_sense_says_why(
    words: tuple[str, ...], why: str, bench: BenchmarkDir, shell: Shell
) -> None:
    ran = shell(*AUTHOR, *words)
    assert ran.code == 2
    assert why in ran.error["message"]


@pytest.mark.parametrize(
    ("verified", "failed", "is_written", "words"),
    [
        (["a"], [], True, "the block of 1 task"),
        (["a", "b"], ["c"], True, "the block of 2 tasks, the mark of a failed one in 1 task"),
        ([], ["c"], True, "the mark of a failed one in 1 task"),
        ([], [], True, "nothing"),
        (["a"], ["c"], False, "nothing"),
    ],
)
def test_what_was_written_back_is_said(
    verified: list[str], failed: list[str], is_written: bool, words: str
) -> None:
    account = {"verified": verified, "failed": failed, "written_back": is_written}
    assert written_back(account) == words
