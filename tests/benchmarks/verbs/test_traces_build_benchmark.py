import json
import shlex
from pathlib import Path

import pytest

from benchmarks.verbs.traces_build_benchmark import kind_of
from tests.benchmarks.services.factories import REASON, desk, files, refund
from tests.driving import Shell

VERB = ("traces", "build-benchmark")
WAIVED = ("--waive-pilot", REASON)


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return desk(tmp_path / "Refund Desk")


def test_a_benchmark_is_built_under_the_first_root_and_named_by_its_source(
    shell: Shell, source: Path, lab_home: Path
) -> None:
    ran = shell("traces", "build-benchmark", source.parent, *WAIVED)
    assert ran.code == 0
    assert ran.document["slug"] == "local--refund-desk"
    assert ran.document["dir"] == str(lab_home / "benchmarks" / "refund-desk")
    assert ran.document["counts"]["tasks"] == 6
    assert (ran.document["actor"].split(":")[0], ran.document["door"]) == ("os", "shell")
    assert (lab_home / "benchmarks" / "refund-desk" / "manifest.json").is_file()


@pytest.mark.parametrize(
    ("flags", "name", "slug"),
    [
        (("--slug", "desk.v2"), "home/benchmarks/desk.v2", "local--desk.v2"),
        (("--workload", "refund-desk"), "home/benchmarks/refund-desk", "local--refund-desk"),
        (("--output", "here/desk"), "here/desk", None),
    ],
)
def test_where_a_benchmark_is_built(
    shell: Shell, source: Path, tmp_path: Path, flags: tuple[str, ...], name: str, slug: str | None
) -> None:
    ran = shell(*VERB, "--source", source, *flags, *WAIVED)
    assert ran.document["dir"] == str(tmp_path / name)
    assert ran.document["slug"] == slug or ran.document["slug"].startswith("path--desk-")
    shown = shell("traces", "build-benchmark", ran.document["slug"])
    assert (shown.code == 0) is (slug is not None)


def test_a_benchmark_that_is_named_is_built_on_its_own_captures(
    shell: Shell, source: Path, lab_home: Path
) -> None:
    shell(*VERB, source, "--slug", "desk", *WAIVED)
    before = files(lab_home / "benchmarks" / "desk")
    for name in ("desk", "local--desk", lab_home / "benchmarks" / "desk"):
        assert shell(*VERB, name).document["slug"] == "local--desk"
    assert files(lab_home / "benchmarks" / "desk") == before


def test_sources_join_a_benchmark_that_is_named(shell: Shell, source: Path, tmp_path: Path) -> None:
    shell(*VERB, source, "--slug", "desk", *WAIVED)
    more = desk(tmp_path / "more", refund(7))
    refused = shell(*VERB, "desk", "--source", more)
    assert (refused.code, refused.error["code"]) == (1, "already_exists")
    ran = shell(*VERB, "desk", "--source", more, "--rebuild")
    assert ran.document["counts"]["tasks"] == 7


def test_captures_are_looked_for_where_they_are_by_habit(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    missing = shell(*VERB, *WAIVED)
    assert (missing.code, missing.error["code"]) == (2, "source_not_found")
    assert len(missing.error["details"]["looked_in"]) == 2
    desk(tmp_path / ".understudy" / "captures")
    assert shell(*VERB, *WAIVED).document["slug"] == "local--captures"


def test_the_first_build_is_a_pilot_and_the_same_command_names_what_is_left(
    shell: Shell, source: Path
) -> None:
    first = shell(*VERB, source, "--pilot")
    assert (first.code, first.document["pilot"]["pending"]) == (0, 5)
    again = shell(*VERB, source)
    assert (again.code, again.error["code"]) == (1, "pilot_required")
    assert "--waive-pilot REASON" in again.error["hint"]
    _, *command = shlex.split(again.error["next_actions"][-1]["command"])
    assert shell(*command[:-1], "a first look").document["counts"]["tasks"] == 6


def test_people_see_the_pilot_and_how_many_wait(shell: Shell, source: Path) -> None:
    ran = shell(*VERB, source, "--format", "text")
    (line,) = [line for line in ran.out.splitlines() if line.startswith("pilot ")]
    assert line.rstrip().endswith("5 conversations wait for its audit")


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--train", "0.9"), "sum to 1.2"),
        (("--slug", "Desk!"), "is not a name"),
        (("--slug", "a", "--output", "b"), "give one"),
        (("--seed", "-1"), "not an integer"),
        (("--contract-from", "best"), "invalid choice"),
        (("--refusals", "never"), "invalid choice"),
    ],
)
def test_bad_usage_exits_2_and_names_the_value(
    shell: Shell, source: Path, flags: tuple[str, ...], said: str
) -> None:
    ran = shell(*VERB, source, *flags, *WAIVED)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.error["message"]


def test_a_name_that_is_nothing_is_one_clear_error(shell: Shell, source: Path) -> None:
    ran = shell(*VERB, "nowhere.jsonl", *WAIVED)
    assert (ran.code, ran.error["code"]) == (2, "source_not_found")
    assert "nowhere.jsonl" in ran.error["message"]


def test_the_operators_file_classes_tools(shell: Shell, source: Path, tmp_path: Path) -> None:
    policy = tmp_path / "policy.json"
    entry = {"effect": "read", "source": "lexicon", "note": "a draft only"}
    policy.write_text(json.dumps({"tools": {"issue_refund": entry}}), encoding="utf-8")
    ran = shell(*VERB, source, "--tool-policy", policy, *WAIVED)
    written = Path(ran.document["dir"]) / "tool-policy.json"
    found = json.loads(written.read_text(encoding="utf-8"))["tools"]["issue_refund"]
    assert (found["effect"], found["source"], found["note"]) == ("read", "operator", "a draft only")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"tools": {"issue_refund": {"effect": "wirte"}}}', "one of read, write, unknown"),
        ('{"issue_refund": "wirte"}', "one of read, write, unknown"),
        ("{}", "names no tool"),
    ],
)
def test_a_wrong_word_in_the_operators_file_is_named(
    shell: Shell, source: Path, tmp_path: Path, content: str, said: str
) -> None:
    (tmp_path / "policy.json").write_text(content, encoding="utf-8")
    ran = shell(*VERB, source, "--tool-policy", "policy.json", *WAIVED)
    assert ran.code == 2
    assert said in ran.error["message"]


def test_the_splits_are_what_was_asked_for(shell: Shell, source: Path) -> None:
    flags = ("--train", "0.5", "--dev", "0.25", "--holdout", "0.25", "--seed", "4")
    ran = shell(*VERB, source, *flags, *WAIVED)
    assert ran.document["splits"] == "train 3 / dev 2 / holdout 1"
    assert ran.document["seed"] == 4


def test_a_dry_run_leaves_nothing(shell: Shell, source: Path, lab_home: Path) -> None:
    ran = shell(*VERB, source, "--dry-run", *WAIVED)
    assert ran.document["dry_run"] is True
    assert not (lab_home / "benchmarks").exists()


def test_people_see_counts_reasons_and_the_next_command(shell: Shell, source: Path) -> None:
    ran = shell(*VERB, source.parent, *WAIVED, "--format", "text")
    assert ran.code == 0
    for said in (
        "local--refund-desk",
        "16 captures of 1 file",
        "train 4 / dev 1 / holdout 1, clean",
        "issue_refund",
        "understudy benchmarks status local--refund-desk",
    ):
        assert said in ran.out
    assert "superseded_history 10 merge" in " ".join(ran.out.split())


@pytest.mark.parametrize(
    ("reason", "kind"),
    [("malformed_line", "loss"), ("not_a_capture", "noise"), ("stale", "filter"),
     ("no_user_turn", "loss"), ("repeat_trial", "merge"), ("not_in_direction", "filter")],
)  # fmt: skip
def test_every_reason_counts_as_something(reason: str, kind: str) -> None:
    assert kind_of(reason) == kind
