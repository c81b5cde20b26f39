import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.contract.plain_text import folded, has_word, says


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("  Kim \t\n LEE ", "kim lee"),
        ("Straße", "strasse"),
        ("ＡＣＭＥ　Ｌｔｄ", "acme ltd"),
        ("cafe\u0301", "caf\u00e9"),
        ("ﬁne", "fine"),
        ("soft\u00adhy\u200bphen", "softhyphen"),
        ("İ", "i\u0307"),
        ("", ""),
    ],
)
def test_folding(text: str, form: str) -> None:
    assert folded(text) == form


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("Your order A-7 is ready.", "A-7"),
        ("order:A-7;", "a-7"),
        ("refund RF-88213, today", "RF-88213"),
        ("(JFK)", "JFK"),
        ("Kim  LEE came", "kim lee"),
        ("#W123", "#W123"),
        ("订单A-7已发货", "A-7"),
        ("在東京都", "東京"),
        ("서울에서 출발", "서울"),
        ("是", "是"),
        ("答案：是。", "是"),
        ("naïve", "NAÏVE"),
    ],
)
def test_a_whole_sequence_is_said(text: str, phrase: str) -> None:
    assert says(text, phrase)


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("order A-70", "A-7"),
        ("order BA-7", "A-7"),
        ("x_A-7", "A-7"),
        ("concert", "cert"),
        ("no", "not"),
        ("kim jr lee", "kim lee"),
        ("不是", "是"),
        ("東", "東京"),
        ("", "a"),
        ("a", ""),
        ("a", "  "),
    ],
)
def test_a_part_of_a_word_is_not(text: str, phrase: str) -> None:
    assert not says(text, phrase)


def test_a_word_is_a_letter_or_a_digit() -> None:
    assert has_word("…7")
    assert has_word("是")
    assert not has_word(" … 👍 !")


@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    assert folded(folded(text)) == folded(text)


@given(st.text())
def test_composed_and_decomposed_are_one(text: str) -> None:
    assert folded(unicodedata.normalize("NFD", text)) == folded(text)


@given(st.text(), st.text())
def test_a_phrase_between_blanks_is_said(before: str, phrase: str) -> None:
    assert says(f"{before} {phrase} .", phrase) is bool(folded(phrase))
