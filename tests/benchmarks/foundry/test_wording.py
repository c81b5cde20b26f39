import pytest

from benchmarks.foundry.wording import (
    MASK,
    masked,
    normal,
    shingles,
    specific_tokens,
    tokens,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("  Kim \n LEE ", "kim lee"), ("ﬁne", "fine"), ("STRASSE", "strasse"), ("Straße", "strasse")],
)
def test_texts_compare_by_letters_alone(text: str, expected: str) -> None:
    assert normal(text) == expected


def test_shingles_have_a_space_at_both_ends() -> None:
    assert shingles("abcde") == {" abcd", "abcde", "bcde "}


@pytest.mark.parametrize("text", ["", "hi", "Hi  ", "abcd"])
def test_a_text_under_five_characters_is_compared_whole(text: str) -> None:
    assert shingles(text) == {normal(text)}


def test_tokens_keep_ids_whole_and_drop_outer_punctuation() -> None:
    text = "(order #A-1007, kim@example.com!) at 12:30; 25.00."
    assert list(tokens(text)) == ["order", "A-1007", "kim@example.com", "at", "12:30", "25.00"]


def test_specific_tokens_are_ids_mails_and_numbers_each_once() -> None:
    text = "A-1007 and A-1007 for kim@example.com, 25 times, please"
    assert specific_tokens(text) == ["A-1007", "kim@example.com", "25"]


def test_a_masked_text_keeps_its_words() -> None:
    assert masked("Refund A-1007 to kim@example.com") == f"refund {MASK} to {MASK}"
