"""What templates make of values: nothing from outside is ever markup."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.template import Context, Template

from benchmarks.templatetags import lab

NOW = datetime(2026, 11, 4, 9, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def at_nine(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock stands at nine."""
    monkeypatch.setattr("django.utils.timezone.now", lambda: NOW)


def drawn(template: str, **values: Any) -> str:
    return Template("{% load lab %}" + template).render(Context(values))


@pytest.mark.parametrize(
    ("value", "markup"),
    [
        ("plain", "<bdi>plain</bdi>"),
        ("<b>&'\"", "<bdi>&lt;b&gt;&amp;&#x27;&quot;</bdi>"),
        (None, "<bdi>-</bdi>"),
        (True, "<bdi>yes</bdi>"),
        (3, "<bdi>3</bdi>"),
        ("a\nb", "<bdi>a\nb</bdi>"),
        ("a\x1b[31m", '<bdi>a<span class="mark" title="character U+001B">\\x1b</span>[31m</bdi>'),
        (
            "\u202egnp",
            '<bdi><span class="mark" title="character U+202E">\\u202e</span>gnp</bdi>',
        ),
        ("\ud800", '<bdi><span class="mark" title="character U+D800">\\ud800</span></bdi>'),
        ("\x00", '<bdi><span class="mark" title="character U+0000">\\x00</span></bdi>'),
    ],
)
def test_text_is_escaped_isolated_and_marked(value: object, markup: str) -> None:
    assert lab.text(value) == markup


def test_markup_that_says_it_is_safe_is_escaped_all_the_same() -> None:
    from_template = drawn("{{ value|text }}", value=lab.text("<i>"))
    assert from_template == "<bdi>&lt;bdi&gt;&amp;lt;i&amp;gt;&lt;/bdi&gt;</bdi>"


def test_line_is_one_line_of_160_characters() -> None:
    assert lab.line("a\n\n b") == "<bdi>a b</bdi>"
    cut = lab.line("word " * 60)
    assert len(cut) - len("<bdi></bdi>") == 160
    assert cut.endswith("…</bdi>")


def test_long_word_may_break_and_copies_as_it_is() -> None:
    word = "a" * 30
    assert lab.line(word) == f"<bdi>{'a' * 13}<wbr>{'a' * 13}<wbr>{'a' * 4}</bdi>"
    assert lab.line(f"{'a' * 26} b") == f"<bdi>{'a' * 26} b</bdi>"


def test_plain_is_for_attributes() -> None:
    assert drawn('<i title="{{ value|plain }}">', value='"\x1b') == '<i title="&quot;\\x1b">'


def test_excerpt_is_4000_characters_and_a_link_to_the_rest() -> None:
    whole = drawn("{% excerpt value '/rest' %}", value="§" * 4000)
    assert "rest" not in whole
    cut = drawn("{% excerpt value '/rest' %}", value="§" * 5234)
    assert cut.count("§") == 4000
    assert '<a href="/rest">rest: 1,234 of 5,234 characters more, as plain text</a>' in cut


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0, "now"), (3, "3 s ago"), (90, "2 min ago"), (7200, "2 h ago"), (200_000, "2 d ago")],
)
def test_time_is_relative_with_the_exact_one_as_its_title(seconds: int, said: str) -> None:
    moment = NOW - timedelta(seconds=seconds)
    exact = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    assert lab.when(moment) == f'<time datetime="{exact}" title="{exact}">{said}</time>'


@pytest.mark.parametrize("value", [None, "", "soon", "<script>"])
def test_time_that_is_none_is_a_dash(value: str | None) -> None:
    assert lab.when(value) == "–"


@pytest.mark.parametrize(
    ("usd", "said"),
    [
        (None, "unknown"),
        ("", "unknown"),
        (float("nan"), "unknown"),
        (0, "$0.00"),
        (0.0031, "$0.0031"),
        (0.000004567, "$0.0000046"),
        (0.5, "$0.50"),
        (1234.5, "$1,234.50"),
    ],
)
def test_money_keeps_two_figures_and_unknown_is_no_zero(usd: object, said: str) -> None:
    assert lab.money(usd) == said


@pytest.mark.parametrize(
    ("spend", "said"),
    [
        (None, "unknown"),
        ({}, "unknown"),
        ({"recorded_usd": 0, "unpriced_rows": 0}, "$0.00"),
        ({"recorded_usd": 0.0, "unpriced_rows": 28}, "unknown"),
        ({"recorded_usd": 0.5, "unpriced_rows": 3}, "at least $0.50"),
        ({"recorded_usd": 0.5}, "$0.50"),
    ],
)
def test_spend_with_cells_of_unknown_cost_is_the_least(spend: object, said: str) -> None:
    assert lab.spent(spend) == said


def test_trivial_pass_is_the_same_chip_wherever_it_is_shown() -> None:
    assert 'class="chip bad"' in lab.doubt("trivial_pass")
    assert 'class="chip warn"' in lab.doubt("flaky", "once in three")


@pytest.mark.parametrize(
    ("template", "value", "said"),
    [
        ("{{ v|share }}", 0.125, "12.5 %"),
        ("{{ v|share }}", None, "–"),
        ("{{ v|score }}", 1, "1.000"),
        ("{{ v|score }}", "", "–"),
        ("{{ v|count }}", 12345, "12,345"),
        ("{{ v|count }}", None, "–"),
        ("{{ v|size }}", 48_200, "48 kB"),
        ("{{ v|size }}", 12, "12 B"),
        ("{{ v|milliseconds }}", 340.4, "340 ms"),
        ("{{ v|milliseconds }}", 2100, "2.1 s"),
        ("{{ v|duration }}", 59, "59 s"),
        ("{{ v|duration }}", None, "–"),
        ("{{ v|plural:'task' }}", 1, "1 task"),
        ("{{ v|plural:'task' }}", 0, "0 tasks"),
        ("{{ v|plural:'check passes,checks pass' }}", 2, "2 checks pass"),
        ("{{ v|words }}", "needs_more", "needs more"),
    ],
)
def test_figures_are_said_in_words(template: str, value: object, said: str) -> None:
    assert drawn(template, v=value) == said


def test_chip_has_a_word_and_a_sign() -> None:
    assert drawn("{% chip 'promoted' %}") == (
        '<span class="chip good"><span class="sign" aria-hidden="true">✓</span>promoted</span>'
    )


def test_chip_of_an_unknown_word_is_muted_and_escaped() -> None:
    assert drawn("{% chip word title=word %}", word='<i a="b">') == (
        '<span class="chip muted" title="&lt;i a=&quot;b&quot;&gt;">'
        '<span class="sign" aria-hidden="true">○</span>&lt;i a=&quot;b&quot;&gt;</span>'
    )


def test_every_tone_has_a_sign_of_its_own() -> None:
    assert len(set(lab.SIGNS.values())) == len(lab.SIGNS)
