"""The verifiers on the benchmark page: how many are tested, and what the others lack, in words."""

from typing import Any

from benchmarks.artifacts.roots import Located
from benchmarks.audit.verdicts import TESTED, UNTESTED, WEAK, totals, verdicts
from benchmarks.doors.redacting import redacted
from benchmarks.records.base import JsonObject
from reviews.admin.addresses import task_path
from reviews.services.dossier import dossier_of

SHOWN = 25
SAID = 3
NOBODY = "nobody tested it as it is today"


def verifiers_shown(located: Located) -> JsonObject:
    """The totals, and a row for each verifier that is not tested."""
    dossier = dossier_of(located)
    rows, report = dossier.verifiers, dossier.verifier_report
    found = verdicts(dossier.effective, rows)
    open_ones = [
        name for word in (WEAK, UNTESTED) for name, verdict in found.items() if verdict == word
    ]
    shown: JsonObject = redacted({
        "totals": totals(dossier.effective, rows),
        "all_tested": all(verdict == TESTED for verdict in found.values()),
        "at": report.generated_at if report is not None else None,
        "bar": dossier.policy.min_mutation_score,
        "open": [
            {
                "task_id": name,
                "path": task_path(located.slug, name) + "#verifier",
                "verdict": found[name],
                "score": rows[name].mutation_score if name in rows else None,
                "said": _said(rows.get(name)),
            }
            for name in open_ones[:SHOWN]
        ],
        "more": max(len(open_ones) - SHOWN, 0),
    })
    return shown


def _said(row: Any) -> list[str]:
    """What a verifier lacks: its reasons, then what it judges wrongly, by obligation."""
    if row is None:
        return [NOBODY]
    wrong = [*row.survivors, *(row.refused or ())][:SAID]
    about = [f"{one.obligation_id}: {one.say}" if one.obligation_id else one.say for one in wrong]
    return [*(row.why or ()), *about]
