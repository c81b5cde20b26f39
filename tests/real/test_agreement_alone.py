"""Logs that carry outcomes but one trial a task: nothing to measure, and the answer says why."""

from pathlib import Path

import pytest

from tests.driving import Shell


@pytest.mark.parametrize(
    ("source", "label", "traces", "notes"),
    [
        (
            "inspect/scout/security-guide.eval",
            "scores.model_graded_fact",
            (16, 0),
            [
                "fewer than 10 pairs (0): not measured;"
                " of 16 groups 5 without a success, 11 of one trace"
            ],
        ),
        (
            "openhands/examples_output.jsonl",
            "git_patch",
            (3, 3),
            [
                "fewer than 10 pairs (0): not measured",
                "3 traces carry git_patch, which says neither success nor failure",
            ],
        ),
        (
            "swe-agent",
            "exit_status submitted",
            (5, 5),
            [
                "fewer than 10 pairs (0): not measured",
                "3 traces carry exit_status submitted, which says neither success nor failure",
            ],
        ),
    ],
)
def test_agreement_exits_3_and_names_why(
    shell: Shell,
    data_dir: Path,
    source: str,
    label: str,
    traces: tuple[int, int],
    notes: list[str],
) -> None:
    ran = shell("traces", "agreement", data_dir / source)
    found = ran.document
    assert ran.code == 3
    assert (found["label"], found["traces"], found["unlabelled"]) == (label, *traces)
    assert (found["pairs"], found["kappa"]) == (0, None)
    assert found["notes"] == notes
    ran = shell("traces", "agreement", data_dir / source, "--format", "text")
    text = " ".join(ran.out.split())
    assert all(note in text for note in notes)
