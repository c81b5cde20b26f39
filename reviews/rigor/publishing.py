"""Gates for machines that read test results, and for people who read a build's summary."""

import re
from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from benchmarks.records.rigor import GateCheck, GateReport
from reviews.rigor.gate import gate_word
from reviews.rigor.render import text

FORBIDDEN = re.compile(r"[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot hold, even escaped."""


def junit(gates: Sequence[GateReport], *, strict: bool = False) -> str:
    """One test case per benchmark and check.

    FAIL is a failure. UNKNOWN is skipped, or a failure where it decides the exit. FLAG passes and
    says what it found.
    """
    decides = strict and not any(gate.failures for gate in gates)
    cases = [_case(gate, check, unknown_fails=decides) for gate in gates for check in gate.checks]
    failures = sum("<failure" in case for case in cases)
    skipped = sum("<skipped" in case for case in cases)
    head = (
        f'<testsuite name="understudy rigor" tests="{len(cases)}" failures="{failures}" '
        f'skipped="{skipped}" errors="0">'
    )
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', head, *cases, "</testsuite>"]
    return "\n".join(lines) + "\n"


def github_table(gates: Sequence[GateReport]) -> str:
    """A Markdown table of every check; texts are escaped."""
    lines = ["| benchmark | check | status | finding |", "|---|---|---|---|"]
    for gate in gates:
        lines += [
            "| " + " | ".join(map(text, (gate.benchmark_dir, *_row(check)))) + " |"
            for check in gate.checks
        ]
    words = ", ".join(f"{text(gate.benchmark_dir)}: {gate_word(gate)}" for gate in gates)
    return "\n".join([*lines, "", words]) + "\n"


def _row(check: GateCheck) -> tuple[str, str, str]:
    return check.check, check.status, check.detail


def _case(gate: GateReport, check: GateCheck, *, unknown_fails: bool) -> str:
    said = escape(FORBIDDEN.sub("?", check.detail))
    head = f"<testcase classname={_attribute(gate.benchmark_dir)} name={_attribute(check.check)}"
    if check.status == "FAIL" or (check.status == "UNKNOWN" and unknown_fails):
        return f'{head}><failure message="{check.status}">{said}</failure></testcase>'
    if check.status == "UNKNOWN":
        return f'{head}><skipped message="UNKNOWN"/><system-out>{said}</system-out></testcase>'
    if check.status == "FLAG":
        return f"{head}><system-out>FLAG: {said}</system-out></testcase>"
    return f"{head}/>"


def _attribute(value: str) -> str:
    return quoteattr(FORBIDDEN.sub("?", value))
