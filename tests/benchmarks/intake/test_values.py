import pytest

from benchmarks.intake.values import either, id_text, number, objects, word


@pytest.mark.parametrize(
    ("value", "as_word", "as_id"),
    [("a", "a", "a"), ("", None, None), (7, None, "7"), (0, None, "0"), (True, None, None),
     (1.5, None, None), (None, None, None), ([], None, None)],
)  # fmt: skip
def test_words_and_ids(value: object, as_word: str | None, as_id: str | None) -> None:
    assert (word(value), id_text(value)) == (as_word, as_id)


@pytest.mark.parametrize(
    ("value", "found"),
    [(1, 1), (1.5, 1.5), (0, 0), (True, None), ("1", None), (None, None), (10**400, None),
     (float("nan"), None), (float("inf"), None)],
)  # fmt: skip
def test_numbers_that_a_double_holds(value: object, found: float | None) -> None:
    assert number(value) == found


def test_objects_of_a_list() -> None:
    assert objects([{"a": 1}, None, "x", {}]) == [{"a": 1}, {}]
    assert objects({"a": 1}) == objects(None) == objects(True) == []


def test_a_key_has_two_spellings_and_the_first_one_wins() -> None:
    assert either({"mimeType": "a", "mime_type": "b"}, "mimeType") == "a"
    assert either({"mimeType": None, "mime_type": "b"}, "mimeType") == "b"
    assert either({"name": 0}, "name") == 0
    assert either({}, "promptTokenCount") is None
