import pytest

from benchmarks.foundry.fit import Fitted, capability_fit

OLD = [
    Fitted("p1", frozenset({"get", "pay"}), "Refund order A-1007, it came broken.", "d1"),
    Fitted("p2", frozenset({"get"}), "Where is my parcel?", "d2"),
]


def test_a_first_build_is_all_new() -> None:
    assert capability_fit(OLD[0], []) == {
        "classification": "new_capability",
        "matched_task_id": None,
        "similarity": 0.0,
        "evidence": "no promoted version",
    }


@pytest.mark.parametrize(
    ("surface", "text", "demand", "word", "matched"),
    [
        ({"get", "pay"}, "Refund order A-1007, it came broken!", "d1", "task_variant", "p1"),
        ({"get", "pay"}, "Refund order A-1007, it came broken!", "dx", "contradiction", "p1"),
        ({"get", "pay"}, "My kettle exploded.", "d1", "new_instance", "p1"),
        ({"get", "book"}, "Book me a table.", "d9", "environment_extension", None),
        ({"fly"}, "Fly me to the moon.", "d9", "new_capability", None),
    ],
)
def test_what_a_task_is_beside_the_promoted_ones(
    surface: set[str], text: str, demand: str, word: str, matched: str | None
) -> None:
    found = capability_fit(Fitted("new", frozenset(surface), text, demand), OLD)
    assert found["classification"] == word
    if matched is not None:
        assert found["matched_task_id"] == matched
