"""Gates as machines read them: nothing from a benchmark breaks the file."""

from xml.etree import ElementTree

from benchmarks.records.rigor import GateCheck, GateReport
from reviews.rigor.publishing import github_table, junit
from tests.reviews.factories import NOW


def gate(status: str, detail: str = "said") -> GateReport:
    check = GateCheck(check="contamination", status=status, detail=detail)
    named = [check.check]
    return GateReport(
        benchmark_dir='b"<x>',
        benchmark_id="b",
        generated_at=NOW,
        checks=[check],
        failures=named if status == "FAIL" else [],
        unknowns=named if status == "UNKNOWN" else [],
    )


def case(found: str) -> ElementTree.Element:
    element = ElementTree.fromstring(found.split("\n", 1)[1]).find("testcase")
    assert element is not None
    return element


def test_texts_are_escaped_and_forbidden_characters_replaced() -> None:
    found = case(junit([gate("FAIL", "<b> & \x1b[31m\ud800")]))
    failure = found.find("failure")
    assert failure is not None
    assert failure.text == "<b> & ?[31m?"
    assert found.get("classname") == 'b"<x>'


def test_flag_passes_with_output() -> None:
    found = case(junit([gate("FLAG")]))
    output = found.find("system-out")
    assert output is not None
    assert output.text == "FLAG: said"
    assert found.find("failure") is None


def test_unknown_is_skipped_unless_it_decides() -> None:
    unknown = gate("UNKNOWN")
    assert case(junit([unknown])).find("skipped") is not None
    assert case(junit([unknown], strict=True)).find("failure") is not None
    beside = junit([unknown, gate("FAIL")], strict=True)
    assert case(beside).find("skipped") is not None


def test_table_cells_cannot_break_the_table() -> None:
    page = github_table([gate("FAIL", "a | b\n# c")])
    assert "| a \\| b \\# c |" in page
