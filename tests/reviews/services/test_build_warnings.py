import pytest

from benchmarks.records.build import BuildManifest
from reviews.services.build_warnings import build_warnings, edit_warnings


def build(**changes: object) -> BuildManifest:
    return BuildManifest.read(changes)


def leak(task_id: str, **tier: object) -> dict[str, object]:
    return {"task_id": task_id, "location": "title", "kind": "argument", "excerpt": "A-1", **tier}


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (None, []),
        (build(), []),
        (build(privacy={"local_only": True}), []),
        (
            build(privacy={"redacted": False}),
            ["built with --no-redact: its captures may hold secrets"],
        ),
        (build(leakage_audit={"findings": [leak("t1", tier="fuzzy")]}), []),
        (
            build(
                leakage_audit={
                    "findings": [leak("t2", tier="verbatim"), leak("t2"), leak("t1", tier=1)]
                }
            ),
            ["leakage audit: the answer of 2 tasks (t2, t1) can be read by a candidate"],
        ),
    ],
)
def test_a_build_leaves_behind_what_people_should_know(
    found: BuildManifest | None, said: list[str]
) -> None:
    assert build_warnings(found) == said


def test_tasks_edited_by_hand_are_named_with_their_remedy() -> None:
    assert edit_warnings(frozenset(), "local--desk") == []
    assert edit_warnings({"t4", "t1", "t3", "t2"}, "local--desk") == [
        "edited by hand since it was stamped: 4 tasks (t1, t2, t3, ...): "
        "understudy traces regenerate-env --benchmark local--desk"
    ]
