"""Pytest's processes are given whole files, the long ones first."""

from types import SimpleNamespace
from typing import Any

from tests.distributing import LONG, FileByFile, put_long_first


def test_a_file_is_one_unit_of_work_unless_a_group_is_named() -> None:
    unit = FileByFile.__new__(FileByFile)._split_scope
    assert unit("tests/site/test_cli.py::test_help[a::b@c]") == "tests/site/test_cli.py"
    assert unit("tests/site/test_cli.py::test_version") == "tests/site/test_cli.py"
    assert unit("tests/flows/test_workers.py::test_sweep@workers") == "workers"


def test_what_takes_long_runs_first_and_the_order_stays_within_a_place() -> None:
    quick, other = "tests/benchmarks/stats/test_a.py::t", "tests/benchmarks/audit/test_b.py::t"
    runs, page = "tests/runs/test_c.py::t", "tests/runs/admin/test_d.py::t"
    flow = f"{LONG[0]}test_e.py::t"
    items: list[Any] = [SimpleNamespace(nodeid=name) for name in (quick, runs, other, page, flow)]
    put_long_first(items)
    assert [item.nodeid for item in items] == [flow, page, runs, quick, other]
