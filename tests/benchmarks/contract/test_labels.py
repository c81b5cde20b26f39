from typing import Any

import pytest

from benchmarks.contract.labels import answers, is_label

LABELS = ["spam", "ham", "not spam", "promo"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("spam", ["spam"]),
        ('"spam"', ["spam"]),
        ("7", [7]),
        ('{"label": "spam"}', ["spam"]),
        ('{"answer": "a", "label": "b"}', ["b"]),
        ('{"Category": "a"}', ["a"]),
        ('{"why": "x"}', []),
        ('["spam", "ham"]', [["spam", "ham"]]),
        ('```json\n{"intent": "spam"}\n```', ["spam"]),
        ("```\nspam\n```", ["spam"]),
        ("Label: **Spam.**", ["Spam"]),
        ("**Label: spam**", ["spam"]),
        ("**Answer:** A*", ["A*"]),
        ("'spam'.", ["spam"]),
        ("It looks odd.\nAnswer: spam", ["It looks odd.\nAnswer: spam", "spam"]),
        ("So 3 + 4.\n#### 7", ["So 3 + 4.\n#### 7", "7"]),
        ("Answer: a\nAnswer: b", ["a\nAnswer: b", "b"]),
        ("", [""]),
    ],
)
def test_readings_of_an_answer(text: str, found: list[Any]) -> None:
    assert answers(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "spam",
        "Spam.",
        " SPAM ",
        '"spam"',
        "Label: spam",
        "Category: spam",
        "**spam**",
        '{"label": "spam"}',
        '["spam"]',
        "The text sells pills.\nAnswer: spam",
        "Thinking\n#### Spam.",
        "ｓｐａｍ",
    ],
)
def test_the_expected_label_is_accepted(text: str) -> None:
    assert is_label(text, "spam", LABELS)


@pytest.mark.parametrize(
    "text",
    [
        "not spam",
        "It is spam",
        "spam, ham, promo",
        "spam ham",
        '{"label": "ham"}',
        '{"label": ["spam", "ham"]}',
        '["spam", "ham"]',
        '{"why": "spam"}',
        "ham\nAnswer: ham",
        "Answer: spam\nAnswer: ham",
        "",
        "spams",
    ],
)
def test_any_other_answer_is_refused(text: str) -> None:
    assert not is_label(text, "spam", LABELS)


def test_joints_are_one_unless_that_merges_two_labels() -> None:
    assert is_label("card-arrival", "card_arrival", ["card_arrival", "lost"])
    merging = ["card_arrival", "card arrival"]
    assert not is_label("card-arrival", "card_arrival", merging)
    assert is_label("card_arrival", "card_arrival", merging)


def test_without_a_list_only_the_expected_label_is_known() -> None:
    assert is_label("#### spam", "spam", None)
    assert not is_label("ham", "spam", None)


def test_labels_that_are_numbers_and_flags() -> None:
    assert is_label("3", 3, [1, 2, 3])
    assert is_label("3.0", 3, [1, 2, 3])
    assert is_label('{"label": true}', True, [True, False])
    assert not is_label("13", 3, [1, 2, 3])
