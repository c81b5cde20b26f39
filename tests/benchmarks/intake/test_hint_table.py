from hypothesis import given
from hypothesis import strategies as st

from benchmarks.intake.hint_table import SHORT, HintTable
from benchmarks.intake.redact import HINTS

WORDS = st.lists(st.sampled_from(HINTS.words), max_size=5).map(b" ".join)


@given(st.lists(st.binary(max_size=12) | WORDS, max_size=12), st.integers(0, 5))
def test_the_words_are_those_that_occur(pieces: list[bytes], before: int) -> None:
    text = b"x" * before + b"the rest is filler, " * (SHORT // 20) + b"".join(pieces)
    assert HINTS.among(text) == {word for word in HINTS.words if word in text}


def test_a_word_at_either_end_of_a_text_is_found() -> None:
    table = HintTable((b"first", b"end"))
    assert table.among(b"first" + b"-" * SHORT + b"end") == {b"first", b"end"}
    assert table.among(b"-" * SHORT) == set()


def test_a_short_text_is_looked_through_alike() -> None:
    assert HintTable((b"key", b"token")).among(b"a key") == {b"key"}
