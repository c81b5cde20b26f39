"""One legend for every page: each outcome has a sign of its own."""

from benchmarks.admin import looks
from benchmarks.admin.looks import Look, legend_of
from reviews.admin.scores_view import LEGEND
from runs.admin.cells import LOOKS
from runs.status.grid import CellMark

ALL = [value for value in vars(looks).values() if isinstance(value, Look)]


def test_signs_are_those_of_the_legend() -> None:
    assert {look.word: look.sign for look in ALL} == {
        "pass": "✓",
        "part": "◐",
        "fail": "✕",
        "error, no score": "▲",
        "anomaly, in no mean": "!",
        "left out": "–",
        "in flight": "▸",
        "not judged": "○",
        "owed": "○",
    }
    assert len({(look.sign, look.round) for look in ALL}) == len(ALL)


def test_run_and_task_page_draw_alike() -> None:
    assert set(LOOKS) == set(CellMark)
    assert all(look in ALL for look in LOOKS.values())
    assert all(item.look in ALL for item in LEGEND)
    assert LOOKS[CellMark.FAIL] in [item.look for item in LEGEND]


def test_legend_without_counts_counts_nothing() -> None:
    [item] = legend_of([looks.PASS])
    assert (item.look, item.count) == (looks.PASS, None)
