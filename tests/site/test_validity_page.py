"""docs/validity.md says what was measured and nothing else."""

import json

from tests.real.validity import SETS, expected
from understudy_site.validity_page import EXPECTED, row, validity_page

FIGURES = {
    "groups": 50, "groups_used": 31, "pairs": 43, "judgeable": 40, "confusion": [20, 1, 2, 17],
    "accuracy": 0.925, "accuracy_low": 0.8, "kappa": 0.849, "kappa_low": 0.7, "kappa_high": 1.0,
}  # fmt: skip


def test_a_row_shows_its_figures() -> None:
    assert row("1", FIGURES, in_ci=True) == (
        "| 1 | 31 of 50 | 40 of 43 | 20 | 1 | 2 | 17 | 0.925 (0.800) | 0.849 (0.700 to 1.000) "
        "| yes |"
    )
    undefined = {**FIGURES, "judgeable": 43, "kappa": None}
    assert row("7", undefined, in_ci=False).endswith("| 43 | 20 | 1 | 2 | 17 | 0.925 (0.800) "
                                                     "| not defined |  |")  # fmt: skip


def test_every_set_and_every_row_is_on_the_page() -> None:
    page, written = validity_page(), expected()
    for trials in SETS:
        assert f"\n### {trials.name}\n" in page
        in_ci = written["words"]["sets"].get(trials.name, {}).get("in_ci", [])
        for successes, figures in written["agreement"][trials.name].items():
            assert row(successes, figures, in_ci=int(successes) in in_ci) in page


def test_the_figures_are_kept_as_they_are_written() -> None:
    text = EXPECTED.read_text(encoding="utf-8")
    assert text == json.dumps(json.loads(text), indent=1, ensure_ascii=False) + "\n"
