"""The look: contrast in both modes, and no template that trusts a text."""

import re
from itertools import product
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[3]
STYLES = REPOSITORY / "benchmarks" / "static" / "lab"
APPS = ("benchmarks", "reviews", "runs", "understudy_site")
BACKGROUNDS = ("page", "panel", "inset", "hover")
WORDS = ("ink", "muted", "accent", "warn")
FILLS = ("good", "warn", "bad", "info", "still", "danger", "accent")
LEAST = 4.5


def pairs(text: str) -> dict[str, tuple[str, str]]:
    """The colours of a style sheet by name: light, then dark."""
    found = re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);", text)
    return {name: (light, dark) for name, light, dark in found}


def luminance(colour: str) -> float:
    """Of WCAG 2.2."""
    shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Of WCAG 2.2."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


COLOURS = pairs((STYLES / "lab.css").read_text(encoding="utf-8"))


def test_contrast_of_black_on_white_is_21() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("mode", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("word", "background"), list(product(WORDS, BACKGROUNDS)))
def test_words_stand_out_from_every_background(word: str, background: str, mode: int) -> None:
    assert contrast(COLOURS[word][mode], COLOURS[background][mode]) >= LEAST


@pytest.mark.parametrize("mode", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("name", FILLS)
def test_words_stand_out_from_their_own_fill(name: str, mode: int) -> None:
    word = f"{name}-ink" if name in {"danger", "accent"} else name
    assert contrast(COLOURS[word][mode], COLOURS[f"{name}-fill"][mode]) >= LEAST


@pytest.mark.parametrize("mode", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("background", ["page", "panel", "inset"])
def test_focus_and_the_edges_of_fields_are_seen(background: str, mode: int) -> None:
    for name in ("focus", "line-strong"):
        assert contrast(COLOURS[name][mode], COLOURS[background][mode]) >= 3


def test_no_style_asks_another_host() -> None:
    for path in STYLES.iterdir():
        text = path.read_text(encoding="utf-8")
        assert (
            re.findall(r"(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}", text.replace("www.w3.org", ""))
            == []
        )


def sources(pattern: str) -> list[Path]:
    return [path for app in APPS for path in sorted((REPOSITORY / app).rglob(pattern))]


def test_no_template_trusts_a_text() -> None:
    trusting = re.compile(r"\|\s*safe\b|\|\s*safeseq\b|autoescape\s+off")
    templates = sources("*.html")
    assert len(templates) > 20
    assert [path for path in templates if trusting.search(path.read_text(encoding="utf-8"))] == []


def test_no_code_marks_a_value_as_safe() -> None:
    code = sources("*.py")
    marking = [path for path in code if "mark_safe" in path.read_text(encoding="utf-8")]
    assert marking == []


def test_no_template_has_a_script_a_style_or_a_handler_inside() -> None:
    inline = re.compile(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son[a-z]+=")
    assert [
        path for path in sources("*.html") if inline.search(path.read_text(encoding="utf-8"))
    ] == []
