"""Patterns sought together: which occur, and what a pass that failed says."""

import pytest
import re2

from benchmarks.records.sought import Sought


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (b"", set()),
        (b"a key", {0}),
        (b"KEY", set()),
        (b"12.5 and \xff key", {0, 1}),
        (b"a\nb", {2}),
    ],
)
def test_the_patterns_that_occur_are_told_by_number(text: bytes, found: set[int]) -> None:
    assert Sought(["key", r"[0-9]\.[0-9]", "a.b"]).within(text) == found


def test_letters_in_either_case_are_those_of_unicode() -> None:
    sought = Sought(["key", "pass"], either_case=True)
    assert sought.within("K\u00e9y KEY pa\u017fs".encode()) == {0, 1}
    assert sought.within("\u212aey".encode()) == {0}


def test_a_pass_that_did_not_reach_the_end_tells_of_every_pattern() -> None:
    sought = Sought(["key", "token"])
    assert sought.within(b"nothing") == set()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sought, "_patterns", type("Lost", (), {"Match": staticmethod(lambda _: [])}))
        assert sought.within(b"nothing") == {0, 1}


def test_what_re2_does_not_know_is_named() -> None:
    with pytest.raises(re2.error, match=r"\(\?<=a\)b"):
        Sought(["key", "(?<=a)b"])
