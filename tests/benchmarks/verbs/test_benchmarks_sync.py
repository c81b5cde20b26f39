"""`understudy benchmarks sync` in the shell."""

from pathlib import Path

import pytest

from tests.driving import Shell
from tests.factories import Desk, make_desk

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(lab_home: Path) -> Desk:
    return make_desk(lab_home / "benchmarks" / "desk", 2)


def test_sync_check_and_rebuild(shell: Shell, desk: Desk) -> None:
    ran = shell("benchmarks", "sync", "desk")
    assert ran.code == 0
    assert [one["slug"] for one in ran.document["synced"]] == ["local--desk"]
    assert shell("benchmarks", "sync", "--all", "--check").document["ok"]
    path = desk.path / "versions.jsonl"
    path.write_bytes(path.read_bytes().replace(b"2026", b"2025"))
    checked = shell("benchmarks", "sync", "desk", "--check")
    assert (checked.code, checked.document["differing"]) == (1, 1)
    refused = shell("benchmarks", "sync", "desk")
    assert refused.code == 1
    assert [one["code"] for one in refused.document["failed"]] == ["ledger_rewritten"]
    assert shell("benchmarks", "sync", "--all", "--rebuild").code == 0
    assert shell("benchmarks", "sync", "desk", "--check").code == 0


def test_text_names_the_cure(shell: Shell, desk: Desk) -> None:
    ran = shell("benchmarks", "sync", "desk", "--format", "text")
    assert "local--desk" in ran.out
    assert (
        "equal to its files"
        in shell("benchmarks", "sync", "desk", "--check", "--format", "text").out
    )
    (desk.path / "versions.jsonl").unlink()
    ran = shell("benchmarks", "sync", "desk", "--format", "text")
    assert "versions.jsonl of local--desk was changed in place: it is gone" in ran.out
    assert "understudy benchmarks sync local--desk --rebuild\n" in ran.out
    ran = shell("benchmarks", "sync", "desk", "--check", "--format", "text")
    assert "1 difference" in ran.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "no benchmark is named"),
        (("desk", "--all"), "both benchmarks and --all are named"),
        (("desk", "--check", "--rebuild"), "--check writes nothing"),
    ],
)
def test_what_does_not_go_together_is_refused(
    shell: Shell, desk: Desk, words: tuple[str, ...], message: str
) -> None:
    ran = shell("benchmarks", "sync", *words)
    assert (ran.code, ran.error["code"]) == (2, "invalid_arguments")
    assert message in ran.error["message"]
