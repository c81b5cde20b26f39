"""Merging a finished run into calibration.json, under the guard."""

from collections.abc import Callable

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.errors import NewerSchema
from benchmarks.records.calibration import Calibration
from benchmarks.records.request import RunRequest
from benchmarks.records.row import Row
from benchmarks.records.vocabulary import RunStatus
from reviews.rigor.evidence import root_run
from reviews.services.dossier import Dossier
from runs.calibration import Scope, calibrate, is_calibrating

CALIBRATING_ENDS = frozenset({RunStatus.DONE, RunStatus.STOPPED})


def recalibrate(
    directory: BenchmarkDir,
    request: RunRequest,
    warn: Callable[[str], None],
    *,
    takes: Callable[[Row], bool] = lambda row: True,
) -> None:
    """Merge the rows of a run that ends done or stopped; merging them twice changes nothing.

    Its regrades are rows of the run. `takes` narrows what is merged of them.
    A calibration that a newer understudy wrote stays as it is, and that is said.
    """
    if request.status not in CALIBRATING_ENDS or not is_calibrating(request):
        return
    dossier = Dossier(directory)
    scope = Scope(
        benchmark_id=request.benchmark_id,
        tasks=dossier.tasks,
        effective=dossier.effective,
        breaking=dossier.breaking,
        untested=dossier.untested,
    )
    placed = [
        item for item in dossier.evidence_of([root_run(request.run_id)]).placed if takes(item.row)
    ]

    def merged(previous: Calibration | None) -> Calibration:
        return calibrate(previous, request, placed, scope)

    try:
        directory.edit(layout.CALIBRATION, merged)
    except NewerSchema as error:
        warn(f"warning: {error.message}; the run is not merged into it")
