"""How templates show what the lab holds: times, money, shares, chips, and text from outside.

No value is ever marked as safe markup: what these give is built by `format_html`, which escapes.
"""

import json
import math
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypeGuard

from django import template
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from benchmarks.doors.marks import pieces, shown, spelled, visible
from benchmarks.records.times import read_time, stamp
from benchmarks.records.vocabulary import Attention

register = template.Library()

EXCERPT_CHARS = 4000
LINE_CHARS = 160
WORD_CHARS, PART_CHARS = 26, 13
BREAK = SafeString("<wbr>")
NONE = "–"
UNITS = ((86400, "d"), (3600, "h"), (60, "min"), (1, "s"))
SIZES = ((10**9, "GB"), (10**6, "MB"), (10**3, "kB"))

GOOD, WARN, BAD, INFO, MUTED = "good", "warn", "bad", "info", "muted"
SIGNS = {GOOD: "✓", WARN: "!", BAD: "✕", INFO: "●", MUTED: "○"}
TONES = {
    GOOD: "promoted pass PASS done accept accepted current better read addressed resolved served",
    WARN: "suspect partial stale stopped restrict FLAG weak needs_more untested stalled",
    BAD: "invalid fail FAIL failed reject rejected error broken exceeded worse anomaly",
    INFO: "proposed running queued live write open pending",
}
TONE_OF = {word: tone for tone, words in TONES.items() for word in words.split()}


@register.filter
def text(value: Any) -> SafeString:
    """Text from outside: escaped, isolated, with control and bidirectional characters as marks."""
    return format_html("<bdi>{}</bdi>", _marked(shown(value)))


@register.filter
def line(value: Any) -> SafeString:
    """A short text from outside on one line, at most 160 characters."""
    words = " ".join(shown(value).split())
    cut = words if len(words) <= LINE_CHARS else words[: LINE_CHARS - 1] + "…"
    return format_html(
        "<bdi>{}</bdi>", format_html_join(BREAK, "{}", ((_marked(part),) for part in _parts(cut)))
    )


def _parts(words: str) -> list[str]:
    """The text, cut where a browser may break a word that is too long for a column."""
    parts = [""]
    for word in re.split(r"(?<= )", words):
        if len(word.rstrip()) <= WORD_CHARS:
            parts[-1] += word
        else:
            parts += [word[at : at + PART_CHARS] for at in range(0, len(word), PART_CHARS)]
    return [part for part in parts if part]


@register.filter
def plain(value: Any) -> str:
    """Text from outside for an attribute, a page title or an option: spelled out, never markup."""
    return visible(value)


@register.filter
def exact(value: Any) -> str:
    """Text from outside as JSON in plain letters: a hidden field gives it back unchanged."""
    return json.dumps(shown(value))


@register.inclusion_tag("lab/excerpt.html")
def excerpt(value: Any, rest: str = "", code: bool = False) -> dict[str, Any]:
    """A long text from outside: 4,000 characters, then a link to the plain-text page `rest`."""
    whole = shown(value)
    return {
        "head": whole[:EXCERPT_CHARS],
        "left": max(0, len(whole) - EXCERPT_CHARS),
        "total": len(whole),
        "rest": rest,
        "code": code,
    }


def _marked(whole: str) -> SafeString:
    """The text, each mark in an element that says what it stands for."""
    return format_html_join(
        "",
        "{}",
        ((_mark(piece) if is_a_mark else piece,) for piece, is_a_mark in pieces(whole)),
    )


def _mark(char: str) -> SafeString:
    return format_html(
        '<span class="mark" title="character U+{}">{}</span>', f"{ord(char):04X}", spelled(char)
    )


@register.filter
def when(value: datetime | str | None) -> SafeString | str:
    """How long ago, with the exact time as its title."""
    moment = value if isinstance(value, datetime) else read_time(value)
    if moment is None:
        return NONE
    exact = stamp(moment)
    return format_html(
        '<time datetime="{}" title="{}">{}</time>', exact, exact, _ago(moment, timezone.now())
    )


def _ago(moment: datetime, now: datetime) -> str:
    seconds = (now - moment).total_seconds()
    said = duration(abs(seconds))
    if abs(seconds) < 1:
        return "now"
    return f"{said} ago" if seconds > 0 else f"in {said}"


def _is_number(value: object) -> TypeGuard[float]:
    """Whether a figure is there: a template gives an empty text for a key that is not."""
    return isinstance(value, int | float) and math.isfinite(value)


@register.filter
def duration(seconds: object) -> str:
    """Seconds in their largest unit: `12 min`, `3 h`."""
    if not _is_number(seconds):
        return NONE
    for size, unit in UNITS:
        if seconds >= size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


@register.filter
def milliseconds(value: object) -> str:
    """A latency: `340 ms`, `2.1 s`."""
    if not _is_number(value):
        return NONE
    return f"{value / 1000:.1f} s" if value >= 1000 else f"{value:.0f} ms"


@register.filter
def money(usd: object) -> str:
    """US dollars; small amounts keep two figures, unknown is said and is never zero."""
    if not _is_number(usd):
        return "unknown"
    if usd and abs(usd) < 1:
        digits = 1 - math.floor(math.log10(abs(usd)))
        return f"${usd:.{max(2, min(digits, 8))}f}"
    return f"${usd:,.2f}"


@register.filter
def share(value: object) -> str:
    """A share of 0..1 as percent with one decimal."""
    return f"{value * 100:.1f} %" if _is_number(value) else NONE


@register.filter
def score(value: object) -> str:
    """A score of 0..1 with three decimals."""
    return f"{value:.3f}" if _is_number(value) else NONE


@register.filter
def count(value: object) -> str:
    """A whole number with thousands set apart."""
    return f"{value:,}" if _is_number(value) else NONE


@register.filter
def size(value: object) -> str:
    """Bytes in their largest unit: `48 kB`."""
    if not _is_number(value):
        return NONE
    for unit, name in SIZES:
        if value >= unit:
            return f"{value / unit:.0f} {name}"
    return f"{value} B"


@register.filter
def plural(value: int, noun: str) -> str:
    """`1 task`, `2 tasks`; a noun that changes more is given as `entry,entries`."""
    one, _, many = noun.partition(",")
    return f"{value:,} {one if value == 1 else many or one + 's'}"


@register.filter
def words(value: Any) -> str:
    """A name of the lab's own vocabulary as words: `needs_more` is `needs more`."""
    return visible(value).replace("_", " ")


@register.filter
def spent(spend: Any) -> str:
    """What a run has spent: cells of unknown cost make the known sum the least it can be."""
    known = spend.get("recorded_usd") if isinstance(spend, Mapping) else None
    if not isinstance(spend, Mapping) or not spend.get("unpriced_rows"):
        return money(known)
    return f"at least {money(known)}" if known else money(None)


@register.simple_tag
def doubt(flag: Any, title: str = "") -> SafeString:
    """An attention flag as a chip; that doing nothing passes is the gravest of them."""
    return chip(flag, BAD if visible(flag) == Attention.TRIVIAL_PASS else WARN, title)


@register.simple_tag
def chip(word: Any, tone: str = "", title: str = "") -> SafeString:
    """A word in a frame, with a sign; its tone is never the only thing that says what it is."""
    said = visible(word)
    kind = tone or TONE_OF.get(said, MUTED)
    hint = format_html(' title="{}"', visible(title)) if title else ""
    return format_html(
        '<span class="chip {}"{}><span class="sign" aria-hidden="true">{}</span>{}</span>',
        kind,
        hint,
        SIGNS.get(kind, SIGNS[MUTED]),
        said.replace("_", " "),
    )
