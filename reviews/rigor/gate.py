"""The gate over the checks: what fails it, and what the shell's exit code is."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmarks.records.base import JsonObject
from benchmarks.records.rigor import GateCheck, GateReport, RigorItem, RigorReport
from benchmarks.records.vocabulary import Mark

TRIVIAL_FLOORS = ("null_floor", "spam_floor", "majority_floor")
TRIVIAL = "trivial-floors"
"""The older name of the three floors, printed as the worst of them."""
WORST = ("FAIL", "FLAG", "UNKNOWN", "PASS")


@dataclass(frozen=True, slots=True)
class GateVerdict:
    """Which hard checks do not hold, and which checks nobody could answer."""

    failures: tuple[str, ...]
    unknowns: tuple[str, ...]

    @property
    def status(self) -> str:
        """`fail` or `pass`; what is unknown does not fail it."""
        return "fail" if self.failures else "pass"

    def document(self) -> JsonObject:
        """The block as the report carries it."""
        return {
            "status": self.status,
            "failures": list(self.failures),
            "unknowns": list(self.unknowns),
        }


def verdict_of(items: Iterable[RigorItem]) -> GateVerdict:
    """The gate over these checks: a FLAG of a hard one fails it."""
    items = list(items)
    return GateVerdict(
        failures=tuple(item.id for item in items if item.hard and item.status is Mark.FLAG),
        unknowns=tuple(item.id for item in items if item.status is Mark.UNKNOWN),
    )


def gate_report(report: RigorReport, benchmark_dir: str) -> GateReport:
    """The report as the gate prints it: hyphens, and the three floors as one."""
    checks: list[GateCheck] = []
    floors = [item for item in report.items if item.id in TRIVIAL_FLOORS]
    for item in report.items:
        if item.id not in TRIVIAL_FLOORS:
            checks.append(_check(item.id.replace("_", "-"), [item]))
        elif item is floors[0]:
            checks.append(_check(TRIVIAL, floors))
    return GateReport(
        benchmark_dir=benchmark_dir,
        benchmark_id=report.benchmark_id,
        generated_at=report.generated_at,
        checks=checks,
        failures=[check.check for check in checks if check.status == "FAIL"],
        unknowns=[check.check for check in checks if check.status == "UNKNOWN"],
    )


def gate_word(gate: GateReport, *, strict: bool = False) -> str:
    """`pass`, `fail` or `not_measured`; without `strict` nothing is not measured."""
    if gate.failures:
        return "fail"
    return "not_measured" if strict and gate.unknowns else "pass"


def exit_code(gates: Sequence[GateReport], *, strict: bool = False) -> int:
    """1 when any gate fails; else 3 when one is not measured and that counts; else 0."""
    words = {gate_word(gate, strict=strict) for gate in gates}
    if "fail" in words:
        return 1
    return 3 if "not_measured" in words else 0


def _check(name: str, items: Sequence[RigorItem]) -> GateCheck:
    words = [_word(item) for item in items]
    worst = min(words, key=WORST.index)
    detail = "; ".join(
        f"{item.id.replace('_', '-')}: {item.detail}" if len(items) > 1 else item.detail
        for item in items
    )
    return GateCheck(check=name, status=worst, detail=detail)


def _word(item: RigorItem) -> str:
    if item.status is Mark.FLAG:
        return "FAIL" if item.hard else "FLAG"
    return item.status.value
