from pathlib import Path

import pytest

from tests.benchmarks.services.factories import REASON, desk, look_up, refund
from tests.driving import Shell

VERB = ("traces", "directions")
TOOLS = "application tools"


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    talks = (*(refund(number) for number in range(1, 5)), *(look_up(n) for n in range(5, 8)))
    return desk(tmp_path / "Refund Desk", *talks)


def test_cards_are_proposed_into_a_directory_named_by_the_source(
    shell: Shell, source: Path, lab_home: Path
) -> None:
    ran = shell("traces", "directions", source.parent)
    assert ran.code == 0
    assert ran.document["slug"] == "local--refund-desk"
    assert ran.document["dir"] == str(lab_home / "benchmarks" / "refund-desk")
    assert [card["direction_id"] for card in ran.document["directions"]] == [
        "issue-refunds",
        "look-up-orders",
    ]
    assert shell("benchmarks", "status", "refund-desk").document["next"]["rule"] == (
        "pick_direction"
    )


def test_the_interview_from_cards_to_a_built_benchmark(shell: Shell, source: Path) -> None:
    shell(*VERB, source)
    named = "captures"
    picked = shell(*VERB, named, "--pick", "issue-refunds", "--note", "why")
    assert picked.document["picked"]["operator_note"] == "why"
    status = shell("benchmarks", "status", named).document["next"]
    assert (status["rule"], status["command"]) == (
        "approve_postures",
        f"understudy traces directions local--captures --posture '{TOOLS}=simulated'",
    )
    waiting = shell("traces", "build-benchmark", named, "--waive-pilot", REASON)
    assert (waiting.code, waiting.error["code"]) == (1, "approval_required")
    given = shell(*VERB, named, "--posture", f"{TOOLS}=frozen")
    assert given.document["dependencies"][0]["approved_by"].startswith("os:")
    built = shell("traces", "build-benchmark", named, "--waive-pilot", REASON)
    assert built.document["counts"]["tasks"] == 4
    assert built.document["direction"]["picked"] == "issue-refunds"


def test_output_names_the_directory_and_answers_go_with_the_source(
    shell: Shell, source: Path, tmp_path: Path
) -> None:
    ran = shell(*VERB, source, "--output", "here/desk", "--pick", "look-up-orders")
    assert ran.document["picked"]["direction_id"] == "look-up-orders"
    assert (tmp_path / "here" / "desk" / "directions.json").is_file()


def test_a_live_posture_exits_1_until_a_person_confirms(shell: Shell, source: Path) -> None:
    shell(*VERB, source)
    live = (*VERB, "captures", "--posture", f"{TOOLS}=live")
    refused = shell(*live)
    assert (refused.code, refused.error["code"]) == (1, "approval_required")
    place = "stdio:desk-server --shop=a"
    given = shell(*live, "--confirm", "--endpoint", f"{TOOLS}={place}")
    assert given.code == 0
    assert given.document["dependencies"][0]["endpoint"] == place
    assert "notice: live: application tools" in given.err


@pytest.mark.parametrize("words", [("frozen",), (f"{TOOLS}=frozen", f"{TOOLS}=live"), ("=x",)])
def test_a_posture_is_a_name_and_a_word_each_once(
    shell: Shell, source: Path, words: tuple[str, ...]
) -> None:
    flags = [part for word in words for part in ("--posture", word)]
    ran = shell(*VERB, source, *flags)
    assert (ran.code, ran.error["code"]) == (2, "invalid_arguments")


def test_people_see_a_panel_per_card_and_the_next_command(shell: Shell, source: Path) -> None:
    ran = shell(*VERB, source, "--format", "text")
    assert "Issue refunds" in ran.out
    assert "57% of the corpus, 4 tasks" in ran.out
    assert "suggested" in ran.out
    assert ran.out.rstrip().splitlines()[-1] == (
        "understudy traces directions local--captures --pick ID"
    )
    again = shell(*VERB, "captures", "--pick", "issue-refunds", "--format", "text")
    assert "Issue refunds (picked)" in again.out


def test_a_source_is_read_as_its_flags_say(shell: Shell, source: Path, lab_home: Path) -> None:
    key = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH"
    text = source.read_text(encoding="utf-8").replace("My toaster", f"My key is {key}, my toaster")
    source.write_text(text + "{broken\n", encoding="utf-8")
    ran = shell(*VERB, source, "--no-redact", "--max-loss", "0")
    assert ran.code == 0
    assert ran.document["warnings"][0].endswith("of the source was lost, the bar is 0.0%")
    held = lab_home / "benchmarks" / "captures" / "normalized-captures.jsonl"
    assert key in held.read_text(encoding="utf-8")
    refused = shell(*VERB, "captures", "--no-redact")
    assert (refused.code, refused.error["code"]) == (2, "invalid_arguments")
    assert refused.error["errors"][0]["path"] == "redact"
