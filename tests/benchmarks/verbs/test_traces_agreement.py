import json
from io import StringIO
from pathlib import Path

import pytest

from benchmarks.doors.page import Page
from benchmarks.verbs.traces_agreement import draw_disagreements
from tests.benchmarks.services.test_agreeing import trial, trials
from tests.driving import Shell


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "trials.json"
    records = [*trials(1), *trials(2), trial(1, "T-1", 0.0, number=5)]
    path.write_text(json.dumps(records), encoding="utf-8")
    return path


def test_traces_agreement_prints_the_document(shell: Shell, source: Path) -> None:
    ran = shell("traces", "agreement", source)
    assert ran.code == 0
    assert ran.document["confusion"] == {
        "true_pass": 12, "false_pass": 3, "false_fail": 0, "true_fail": 12,
    }  # fmt: skip


def test_flags_reach_the_service(shell: Shell, source: Path, tmp_path: Path) -> None:
    output = tmp_path / "found.json"
    ran = shell(
        "traces", "agreement", source, "--label", "reward", "--positive", ">=1", "--group",
        "task_id", "--per-group", "first", "--from", "1", "--limit", "1", "--output", output,
    )  # fmt: skip
    assert ran.document["positive"] == ">=1"
    assert (ran.document["groups_used"], ran.document["pairs"]) == (1, 5)
    assert ran.code == 3
    assert json.loads(output.read_text(encoding="utf-8")) == ran.document


def test_contracts_of_two_successes(shell: Shell, source: Path) -> None:
    ran = shell("traces", "agreement", source, "--from", "2")
    assert (ran.code, ran.document["from"], ran.document["draws"]) == (0, 2, 6)
    assert ran.document["pairs"] == 3 * 4 + 3 * 3
    text = shell("traces", "agreement", source, "--from", "2", "--format", "text").out
    assert "6, each made from 2 successes" in text


def test_fewer_than_ten_pairs_exit_3_and_still_print(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "few.json"
    path.write_text(json.dumps(trials(1)[:3]), encoding="utf-8")
    ran = shell("traces", "agreement", path)
    assert (ran.code, ran.document["pairs"]) == (3, 6)


@pytest.mark.parametrize(
    ("flags", "code"),
    [
        (("--label", "mood"), "invalid_arguments"),
        (("--positive", "yes"), "invalid_arguments"),
        (("--from", "0"), "invalid_arguments"),
        (("--per-group", "some"), "invalid_arguments"),
        (("--limit", "0"), "invalid_arguments"),
    ],
)
def test_wrong_flags_exit_2(shell: Shell, source: Path, flags: tuple[str, ...], code: str) -> None:
    ran = shell("traces", "agreement", source, *flags)
    assert (ran.code, ran.error["code"], ran.out) == (2, code, "")


def test_no_label_lists_the_keys_seen(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "bare.json"
    path.write_text(json.dumps([trial(1, "T-1", None)]), encoding="utf-8")
    ran = shell("traces", "agreement", path)
    assert ran.code == 2
    assert ran.error["details"]["keys"] == ["task_id", "trial", "traj"]


def test_people_see_the_confusion_kappa_and_each_disagreement(shell: Shell, source: Path) -> None:
    out = shell("traces", "agreement", source, "--format", "text").out
    assert "3 false passes" in out
    assert "kappa" in out
    assert "27 judgeable of 27" in out
    assert out.count("passed by the contract of") == 3
    assert out.splitlines()[-1] == f"understudy traces build-benchmark {source}"


@pytest.mark.parametrize(("count", "last"), [
    (20, "1: a failed by the contract of b, its outcome is good (every entry met)"),
    (21, "and 1 disagreement more: --format json names each"),
])  # fmt: skip
def test_people_see_twenty_disagreements_and_how_many_more_there_are(count: int, last: str) -> None:
    one = {"group": "1", "scored": "a", "built_from": "b", "label": True, "strict": False,
           "unmet": [], "unexpected_writes": []}  # fmt: skip
    stream = StringIO()
    draw_disagreements(Page(stream, width=120), [one] * count)
    lines = stream.getvalue().splitlines()
    assert (len(lines), lines[-1]) == (count, last)
