"""The rigor report as Markdown, made from the record and from nothing else."""

import re
from collections.abc import Iterable, Mapping, Sequence

from benchmarks.records.rigor import RigorItem, RigorReport
from benchmarks.records.vocabulary import Mark

SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#])")
CONTROL = re.compile(r"[\x00-\x1f\x7f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+")
DIGEST_CHARS = 16


def render(report: RigorReport) -> str:
    """The whole report; texts from outside are escaped, so none of them is markup."""
    parts = [
        _head(report),
        _checks(report.items),
        _findings(report.items),
        _arms(report.counts),
        _tasks(report.tasks),
        _receipt(report),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def text(value: object) -> str:
    """A value as plain Markdown text on one line."""
    return SPECIAL.sub(r"\\\1", CONTROL.sub(" ", "-" if value is None else str(value)))


def _head(report: RigorReport) -> str:
    gate, rows = report.gate, report.evidence
    marks = [item.status for item in report.items]
    counted = ", ".join(f"{marks.count(mark)} {mark.value}" for mark in Mark)
    set_by = f", set by {text(report.threshold_run)}" if report.threshold_run else ""
    lines = [
        f"# Rigor report: {text(report.benchmark_id)}",
        "",
        f"- version {text(report.benchmark_version)}, {text(report.generated_at)}",
        f"- gate: **{text(gate.get('status'))}** ({counted})",
        f"- a pass is a score of at least {report.threshold:g}{set_by}",
        f"- {rows.get('rows', 0)} rows read from {len(rows.get('runs', []))} runs; "
        f"{text(_pairs(rows.get('places')))}",
    ]
    failures = gate.get("failures") or []
    if failures:
        lines.append(f"- fails: {text(', '.join(failures))}")
    return "\n".join(lines)


def _checks(items: Iterable[RigorItem]) -> str:
    rows = [
        [item.status.value, item.title, "hard" if item.hard else "", item.detail] for item in items
    ]
    return "## Checks\n\n" + _table(["", "check", "", "finding"], rows)


def _findings(items: Iterable[RigorItem]) -> str:
    blocks = [_finding(item) for item in items if item.status is Mark.FLAG]
    return "## Findings\n\n" + "\n\n".join(blocks) if blocks else ""


def _finding(item: RigorItem) -> str:
    lines = [f"### {text(item.title)}", "", text(item.detail)]
    if item.task_ids:
        lines += ["", "Tasks: " + text(", ".join(item.task_ids))]
    if item.remedy:
        lines += ["", "Next: " + text(item.remedy)]
    where = ", ".join(" ".join(map(str, cite.values())) for cite in item.evidence)
    return "\n".join([*lines, "", f"Evidence: {text(where)}"] if where else lines)


def _arms(counts: Mapping[str, Mapping[str, object]]) -> str:
    if not counts:
        return ""
    columns = ["arm", "rows", "excluded", "attempted", "scored", "anomalous", "missing", "bounds"]
    rows = [
        [
            label,
            figures.get("rows"),
            _pairs(figures.get("excluded")),
            figures.get("attempted"),
            figures.get("scored"),
            figures.get("anomalous"),
            _pairs(figures.get("missing")),
            _bounds(figures.get("bounds")),
        ]
        for label, figures in counts.items()
    ]
    return "## Rows by arm\n\n" + _table(columns, rows)


def _tasks(tasks: Sequence[Mapping[str, object]]) -> str:
    if not tasks:
        return ""
    columns = ["task", "split", "required", "forbidden", "preserved", "anomalous rows", "flags"]
    rows = []
    for task in tasks:
        flags = task.get("flags")
        rows.append([
            task.get("task_id"),
            task.get("split"),
            _pairs(task.get("required_by_kind")),
            task.get("forbidden"),
            task.get("preserved"),
            task.get("anomalous_rows"),
            ", ".join(map(str, flags)) if isinstance(flags, list) else "",
        ])
    return "## Tasks\n\n" + _table(columns, rows)


def _receipt(report: RigorReport) -> str:
    rows = [[name, digest[:DIGEST_CHARS]] for name, digest in report.inputs.items()]
    seed = f"Seed {report.seed}."
    return "## Receipt\n\n" + (f"{_table(['file', 'sha256'], rows)}\n\n{seed}" if rows else seed)


def _table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    lines += ["| " + " | ".join(map(text, row)) + " |" for row in rows]
    return "\n".join(lines)


def _pairs(value: object) -> str:
    if not isinstance(value, Mapping):
        return ""
    return ", ".join(f"{count} {name}" for name, count in value.items() if count)


def _bounds(value: object) -> str:
    return f"{value[0]} to {value[1]}" if isinstance(value, list) and len(value) == 2 else ""
