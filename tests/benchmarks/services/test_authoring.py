"""An authoring pass: what is asked, what is kept, what is asked again, and what is merged."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.errors import DirectoryBusy, NothingSelected, UnknownTask
from benchmarks.gateway.base import ChatAnswer, ChatCall
from benchmarks.gateway.failures import SERVER, CallFailed
from benchmarks.gateway.patience import Patience
from benchmarks.records.authoring import AuthoringEvent
from benchmarks.records.blocks import Usage
from benchmarks.records.vocabulary import Route
from benchmarks.services import authored
from benchmarks.services.authored import account_of, write_back
from benchmarks.services.authoring import Author, AuthoringPass, Hooks, Order, Outcome, own_events
from benchmarks.services.authoring_desk import Choice, chosen_tasks, read_desk
from benchmarks.versioning.hashing import is_edited
from tests.authors import good_reply, is_retry
from tests.benchmarks.services.factories import CALLER, LATER, edit_task, files, task_lines
from tests.benchmarks.services.test_regenerating import regenerate

MODEL = "m1"
Said = Callable[[ChatCall, int], Any]


def careful(call: ChatCall, number: int) -> Any:
    return good_reply({"messages": call.messages})


@dataclass
class Fake:
    """A model whose answers are a function; an exception is raised, a text said as it is."""

    say: Said = careful
    called_model: str = MODEL
    lane_key: str = "fake"
    route: Route = Route.LOCAL
    asked: list[ChatCall] = field(default_factory=list)
    in_flight: int = 0
    most: int = 0

    async def complete(self, call: ChatCall, patience: Patience) -> ChatAnswer:
        patience.admitted()
        self.asked.append(call)
        number = len(self.asked)
        self.in_flight += 1
        self.most = max(self.most, self.in_flight)
        await asyncio.sleep(0)
        self.in_flight -= 1
        said = self.say(call, number)
        if isinstance(said, Exception):
            raise said
        return ChatAnswer(
            text=said if isinstance(said, str) else json.dumps(said),
            calls=(),
            stop="stop",
            usage=Usage(input_tokens=1000, output_tokens=100),
            model=MODEL,
        )


@dataclass
class Told:
    """What a pass tells."""

    finished: list[Outcome] = field(default_factory=list)
    failed: list[CallFailed] = field(default_factory=list)
    halted_after: int | None = None
    recorded: int = 0


def ran(path: Path, fake: Fake, told: Told | None = None, **order: Any) -> list[Outcome]:
    """One pass over all tasks, or over those of `order`, as run-1."""
    directory, heard = BenchmarkDir(path), told or Told()
    desk = read_desk(directory)
    asked = {"run_id": "run-1", "task_ids": tuple(desk.tasks), **order}

    def record(event: AuthoringEvent) -> None:
        directory.append(layout.AUTHORING_EVENTS, event)
        heard.recorded += 1

    hooks = Hooks(
        record=record,
        finished=heard.finished.append,
        failed=lambda model, failure: heard.failed.append(failure),
        halted=lambda: heard.halted_after is not None and heard.recorded >= heard.halted_after,
        clock=lambda: LATER,
    )
    authors = {MODEL: Author(fake, lambda usage: 0.001)}
    return asyncio.run(AuthoringPass(Order(**asked), desk, authors, hooks).run())


def events(path: Path) -> list[AuthoringEvent]:
    return BenchmarkDir(path).read(layout.AUTHORING_EVENTS).records


def merged(path: Path, outcomes: list[Outcome]) -> dict[str, Any]:
    return write_back(BenchmarkDir(path), outcomes, slug="local--desk", caller=CALLER, now=LATER)


def test_one_call_a_task_each_kept_with_its_reply(bench: Path) -> None:
    fake = Fake()
    outcomes = ran(bench, fake)
    assert len(fake.asked) == 6
    assert [one.last.grounding for one in outcomes] == ["verified"] * 6
    assert {json.dumps(call.settings) for call in fake.asked} == {
        '{"temperature": 0, "max_output_tokens": 4096}'
    }
    first = events(bench)[0].dump()
    assert {key: first[key] for key in ("status", "error", "grounding", "violations")} == {
        "status": "ok",
        "error": None,
        "grounding": "verified",
        "violations": [],
    }
    assert first["tokens"] == {"prompt": 1000, "completion": 100}
    assert first["cost_estimate_usd"] == 0.001
    assert json.loads(first["reply"])["difficulty"] == "easy"
    assert account_of(events(bench)) == {
        "verified": [{"task_id": one.task_id, "model": MODEL} for one in events(bench)],
        "failed": [],
        "errors": [],
        "calls": 6,
        "retried": 0,
        "tokens": {"prompt": 6000, "completion": 600},
        "cost_usd": 0.006,
        "unpriced_calls": 0,
    }


def test_no_more_are_in_flight_than_the_width(bench: Path) -> None:
    fake = Fake()
    ran(bench, fake, width=2)
    assert fake.most == 2


def test_what_was_wrong_is_said_and_asked_once_more(bench: Path) -> None:
    def mended(call: ChatCall, number: int) -> Any:
        good = good_reply({"messages": call.messages})
        return good if is_retry({"messages": call.messages}) else {**good, "difficulty": "?"}

    fake = Fake(mended)
    (first, *_) = BenchmarkDir(bench).tasks()
    (outcome,) = ran(bench, fake, task_ids=(first,))
    assert outcome.last.grounding == "verified"
    assert "- rule 1: difficulty '?' is not one of easy, medium, hard" in str(
        fake.asked[1].messages[-1]["content"]
    )
    assert [(e.attempt, e.grounding) for e in events(bench)] == [(1, "failed"), (2, "verified")]


def test_twice_wrong_is_failed_and_merges_nothing(bench: Path) -> None:
    fake = Fake(lambda call, number: "I would rather not.")
    before = task_lines(bench)
    outcomes = ran(bench, fake)
    assert len(fake.asked) == 12
    merged(bench, outcomes)
    for line, old in zip(task_lines(bench), before, strict=True):
        assert line["outcome_contract"] == old["outcome_contract"]
        assert line["authored"]["grounding"] == "failed"
        assert line["authored"]["grounding_violations"] == [
            "rule 1: the reply holds no JSON object"
        ]
        assert line["status"] == "needs_review"
        assert line["content_hashes"]["verifier_sha256"] == old["content_hashes"]["verifier_sha256"]


def test_a_provider_that_fails_leaves_an_event_and_no_verdict(bench: Path) -> None:
    told = Told()
    fake = Fake(lambda call, number: CallFailed("HTTP 500: broken", kind=SERVER))
    before = files(bench)
    outcomes = ran(bench, fake, told)
    assert [one.verdict for one in outcomes] == [None] * 6
    assert {(e.status, e.error, e.grounding) for e in events(bench)} == {
        ("error", "HTTP 500: broken", None)
    }
    assert len(told.failed) == 6
    assert merged(bench, outcomes)["changed_tasks"] == []
    after = files(bench)
    del after["authoring-events.jsonl"]
    assert after == before


def test_what_was_answered_is_not_asked_again(bench: Path) -> None:
    ran(bench, Fake(), Told(halted_after=2), width=1)
    assert len(events(bench)) == 2
    again = Fake()
    outcomes = ran(bench, again)
    assert len(again.asked) == 4
    assert len(outcomes) == 6
    assert [one.heard[0].reused for one in outcomes] == [True, True, False, False, False, False]
    assert len(own_events(BenchmarkDir(bench), "run-1")) == 6


def test_a_first_answer_that_was_refused_is_not_asked_again_either(bench: Path) -> None:
    (first, *_) = BenchmarkDir(bench).tasks()
    wrong = Fake(lambda call, number: "no")
    assert ran(bench, wrong, Told(halted_after=1), task_ids=(first,)) == []
    fake = Fake()
    (outcome,) = ran(bench, fake, task_ids=(first,))
    assert len(fake.asked) == 1
    assert is_retry({"messages": fake.asked[0].messages})
    assert outcome.last.grounding == "verified"


def test_an_answer_to_another_question_is_asked_again(bench: Path) -> None:
    (first, *_) = BenchmarkDir(bench).tasks()
    ran(bench, Fake(), task_ids=(first,))
    edit_task(bench, first, claims=[{"kind": "inferred", "claim": "new", "confidence": "low"}])
    fake = Fake()
    ran(bench, fake, task_ids=(first,))
    assert len(fake.asked) == 1


def test_another_pass_asks_for_itself(bench: Path) -> None:
    ran(bench, Fake())
    fake = Fake()
    ran(bench, fake, run_id="run-2")
    assert len(fake.asked) == 6


def test_a_merge_brings_every_file_into_agreement(bench: Path) -> None:
    answer = merged(bench, ran(bench, Fake()))
    directory = BenchmarkDir(bench)
    tasks = directory.tasks()
    assert sorted(answer["changed_tasks"]) == sorted(tasks)
    assert {bump["bump"] for bump in answer["version_bumps"]} == {"minor"}
    validation = directory.load(layout.VALIDATION)
    manifest = directory.load(layout.BENCHMARK)
    verifiers = directory.load(layout.VERIFIER_REPORT)
    assert validation is not None
    assert manifest is not None
    assert verifiers is not None
    rows = {row.task_id: row for row in validation.tasks}
    tested = {row.task_id: row.verifier_sha256 for row in verifiers.tasks}
    shown = {row.task_id: row for row in directory.load_list(layout.ENV_TASKS)}
    listed = {row.task_id: row for row in manifest.tasks}
    for name, task in tasks.items():
        assert not is_edited(task)
        assert task.content_hashes is not None
        assert rows[name].verifier_sha256 == task.content_hashes.verifier_sha256
        assert rows[name].is_solvable
        assert rows[name].passing_sentinels == []
        assert shown[name].outcome_contract == task.outcome_contract
        assert tested[name] == task.content_hashes.verifier_sha256
        assert listed[name].content_hashes == task.content_hashes
        assert listed[name].version == task.version == "1.1.0"
    assert directory.read(layout.VERSIONS).records[-1].dump()["cause"] == "author"
    before = files(bench)
    assert regenerate(bench)["version_bumps"] == []
    assert files(bench) == before


def test_a_pass_that_was_killed_after_its_merge_asks_and_writes_nothing(bench: Path) -> None:
    merged(bench, ran(bench, Fake()))
    before = files(bench)
    fake = Fake()
    outcomes = ran(bench, fake)
    assert len(outcomes) == 6
    assert {one.last.grounding for one in outcomes} == {"verified"}
    assert fake.asked == []
    assert merged(bench, outcomes)["changed_tasks"] == []
    assert files(bench) == before


@pytest.mark.parametrize(
    "unwritten",
    [
        ("environment/gold.json", "verifier-report.json", "benchmark.json", "manifest.json"),
        ("benchmark.json", "manifest.json"),
        ("manifest.json",),
        (),
    ],
)
def test_a_pass_that_was_killed_in_its_merge_writes_the_rest(
    bench: Path, unwritten: tuple[str, ...]
) -> None:
    before = {name: (bench / name).read_bytes() for name in unwritten}
    outcomes = ran(bench, Fake())
    merged(bench, outcomes)
    whole = files(bench)
    for name, data in before.items():
        (bench / name).write_bytes(data)
    (bench / "versions.jsonl").unlink()
    assert files(bench) != whole
    merged(bench, ran(bench, Fake()))
    assert files(bench) == whole


def test_authoring_again_adds_nothing_twice(bench: Path) -> None:
    merged(bench, ran(bench, Fake()))
    contracts = [line["outcome_contract"] for line in task_lines(bench)]
    outcomes = ran(bench, Fake(), run_id="run-2")
    assert {one.last.grounding for one in outcomes} == {"verified"}
    merged(bench, outcomes)
    assert [line["outcome_contract"] for line in task_lines(bench)] == contracts


def test_somebody_elses_edit_is_not_overwritten(
    bench: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcomes = ran(bench, Fake())
    standing = authored.read_standing

    def edited_meanwhile(directory: BenchmarkDir) -> Any:
        found = standing(directory)
        edit_task(bench, found.tasks[0].task_id, title="By hand")
        return found

    monkeypatch.setattr(authored, "read_standing", edited_meanwhile)
    with pytest.raises(DirectoryBusy, match=r"tasks\.jsonl"):
        merged(bench, outcomes)
    monkeypatch.undo()
    assert task_lines(bench)[0]["title"] == "By hand"
    merged(bench, outcomes)
    assert task_lines(bench)[0]["title"] == "By hand"


def test_which_tasks_a_choice_takes(bench: Path) -> None:
    names = list(BenchmarkDir(bench).tasks())
    merged(bench, ran(bench, Fake(), task_ids=(names[0],)))
    tasks = BenchmarkDir(bench).tasks()
    assert chosen_tasks(tasks, Choice(), slug="desk") == names[1:]
    assert chosen_tasks(tasks, Choice(only_unauthored=False), slug="desk") == names
    assert chosen_tasks(tasks, Choice(limit=2), slug="desk") == names[1:3]
    assert chosen_tasks(tasks, Choice(), refused={names[1]}, slug="desk") == names[2:]
    assert chosen_tasks(tasks, Choice([names[3], names[2]]), slug="desk") == names[2:4]
    with pytest.raises(UnknownTask, match="no task nobody in desk"):
        chosen_tasks(tasks, Choice(["nobody"]), slug="desk")
    with pytest.raises(NothingSelected, match="all 1 of them are authored and verified"):
        chosen_tasks(tasks, Choice([names[0]]), slug="desk")
