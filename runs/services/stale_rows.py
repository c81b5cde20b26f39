"""Stale rows that nothing has replaced: what to run again, and what need only be judged again."""

from dataclasses import replace

from benchmarks.errors import UnderstudyError
from benchmarks.versioning.staleness import Currency
from reviews.services.dossier import Dossier
from runs.regrade.survey import Survey, Wanted
from runs.status.facts import Stale
from runs.status.rows import Worth, stale_cells


def stale_rows(dossier: Dossier, worth: Worth) -> Stale:
    """What a run would replace, and the tasks of which a regrade is enough."""
    found = stale_cells(worth, dossier.effective)
    return replace(found, regradable=_regradable(dossier, worth))


def _regradable(dossier: Dossier, worth: Worth) -> list[str]:
    """The tasks with stale rows of which enough was kept; looked for only where there are any."""
    cells = {
        (item.row.run_id, item.row.model, item.row.task_id, item.rollout)
        for item in worth.standing
        if item.currency is Currency.STALE_REGRADE
    }
    if not cells:
        return []
    wanted = Wanted(task_ids=frozenset(task_id for _, _, task_id, _ in cells))
    try:
        taken = {each.cell for each in Survey(dossier, wanted).sorted.taken}
    except UnderstudyError:
        return []
    about = {task_id for _, _, task_id, _ in cells & taken}
    return [task_id for task_id in dossier.effective if task_id in about]
