"""Every benchmark under the roots, in one line each."""

from collections.abc import Sequence
from typing import Any

from benchmarks.artifacts.roots import Located, Root, list_directories
from benchmarks.errors import UnderstudyError
from benchmarks.records.vocabulary import Stage
from reviews.services.build_warnings import build_warnings
from reviews.services.dossier import Dossier


def list_benchmarks(*, roots: Sequence[Root], stage: str | None = None) -> dict[str, Any]:
    """Every benchmark, invalid ones in their place with their errors; one bad one costs itself."""
    listing = list_directories(roots)
    entries = [listed(Dossier(each.directory, slug=each.slug), each) for each in listing.found]
    return {
        "roots": [
            {"prefix": root.prefix, "path": str(root.path), "read_only": root.read_only}
            for root in roots
        ],
        "benchmarks": [entry for entry in entries if stage in {None, entry["stage"]}],
        "warnings": listing.warnings,
    }


def listed(dossier: Dossier, located: Located) -> dict[str, Any]:
    """One benchmark as the list shows it; one that cannot be read is invalid, and says why."""
    head = {
        "slug": located.slug,
        "dir": str(located.directory.path),
        "read_only": located.read_only,
    }
    try:
        return {**head, **_figures(dossier)}
    except (UnderstudyError, OSError) as error:
        said = error.message if isinstance(error, UnderstudyError) else str(error)
        blank = {"benchmark_id": None, "name": None, "tasks": 0, "rows": 0, "reviews": 0}
        return {
            **head,
            "stage": Stage.INVALID.value,
            **blank,
            "attention": 0,
            "warnings": [],
            "errors": [said],
        }


def _figures(dossier: Dossier) -> dict[str, Any]:
    manifest = dossier.manifest
    return {
        "stage": dossier.stage.value,
        "benchmark_id": manifest.benchmark_id if manifest else None,
        "name": (manifest.name if manifest else None) or dossier.directory.name,
        "tasks": len(dossier.tasks),
        "rows": len(dossier.rows.records),
        "reviews": len(dossier.reviews.records),
        "attention": len(dossier.open_doubts),
        "warnings": [*dossier.warnings(), *build_warnings(dossier.build)],
        "errors": dossier.stage_report.errors,
    }
