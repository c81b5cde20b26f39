from collections import Counter

import pytest

from benchmarks.foundry.titles import best_line, cut, titles_of


def title(text: str, *others: str) -> str:
    boundaries = {"t0": text, **{f"t{n}": other for n, other in enumerate(others, start=1)}}
    return titles_of(boundaries, {})["t0"]


def test_the_line_that_others_share_least_is_the_title() -> None:
    shared = "Dear support team, I hope you are well."
    assert title(f"{shared}\nMy parcel was eaten by a goat.", shared, shared) == (
        "My parcel was eaten by a goat."
    )


def test_ids_and_numbers_do_not_make_a_line_distinctive() -> None:
    text = "Reference 991-AX-7731 / 2026-11-02 / 88\nThe kettle exploded"
    assert best_line(text, Counter({"reference": 3, "§": 3, "the": 2, "kettle": 1})) == (
        "The kettle exploded"
    )


def test_markup_and_short_lines_are_no_titles() -> None:
    assert title("Hello\n--------------\n```python something\nFix the build, please.") == (
        "Fix the build, please."
    )


def test_a_json_boundary_is_read_by_its_pairs() -> None:
    text = '{"id": "A-1", "task": {"goal": "Translate the poem", "to": "French"}}'
    assert title(text) == "goal: Translate the poem"


def test_a_long_line_is_cut_at_a_word() -> None:
    assert title("word " * 60) == ("word " * 20).strip()
    assert len(title("word " * 60)) <= 100
    assert cut("x" * 300) == "x" * 100


def test_a_short_text_is_its_own_title() -> None:
    assert title("Hi\n there") == "Hi there"
    assert title("") == "(no text)"


def test_equal_titles_get_the_rarest_id_or_a_number() -> None:
    boundaries = {
        "a": "Refund my order.\nA-1007\nkim",
        "b": "Refund my order.\nA-1008\nkim",
        "c": "Refund my order.",
        "d": "Refund my order.",
    }
    assert titles_of(boundaries, {}) == {
        "a": "Refund my order. A-1007",
        "b": "Refund my order. A-1008",
        "c": "Refund my order.",
        "d": "Refund my order. (2)",
    }


def test_a_kept_title_stands_and_new_ones_keep_off_it() -> None:
    found = titles_of({"a": "Refund my order.", "b": "Refund my order."}, {"a": "Refund my order."})
    assert found == {"a": "Refund my order.", "b": "Refund my order. (2)"}


@pytest.mark.parametrize("tail", ["9" * 400, "A-1007"])
def test_a_title_is_at_most_160_characters(tail: str) -> None:
    text = f"{'refund ' * 40}\n{tail}"
    boundaries = {"a": text, "b": text.replace(tail, "B-1")}
    assert all(len(one) <= 160 for one in titles_of(boundaries, {}).values())


def test_equal_titles_are_numbered_on_and_taken_numbers_left_out() -> None:
    boundaries = dict.fromkeys("abcd", "Refund my order.")
    assert titles_of(boundaries, {"d": "Refund my order. (3)"}) == {
        "a": "Refund my order.",
        "b": "Refund my order. (2)",
        "c": "Refund my order. (4)",
        "d": "Refund my order. (3)",
    }
