"""What an authoring run came to, by its request and its ledger: the same from every door."""

from benchmarks.artifacts.roots import Located
from benchmarks.authoring.comparing import agreement_report
from benchmarks.errors import InvalidArguments
from benchmarks.records.base import JsonObject
from benchmarks.services.authored import account_of
from benchmarks.services.authoring import own_events
from runs.requests.arms import arms_of
from runs.requests.authoring import compares, is_authoring


def authoring_account(*, located: Located, run_id: str) -> JsonObject:
    """The authoring summary: verified, failed with reasons, errors, calls, tokens, cost.

    Of a comparison also the agreement report. Nothing is written.

    Raises:
        UnknownRun: there is no such run.
        InvalidArguments: it is a run of another kind.
    """
    request = located.directory.request(run_id)
    if not is_authoring(request):
        raise InvalidArguments(
            f"run {run_id} authors nothing", hint=f"understudy runs status {run_id}"
        )
    events = own_events(located.directory, run_id)
    models = [arm.label for arm in arms_of(request)]
    asked = request.authoring or {}
    task_ids = list(asked.get("task_ids") or ())
    account = {
        "slug": located.slug,
        "run_id": run_id,
        "status": request.status,
        "error": request.error,
        "stop": request.stop,
        "models": models,
        "tasks": task_ids,
        "written_back": not compares(request) and request.status in {"done", "stopped"},
        **account_of(events),
        "overview": bool(asked.get("overview")),
    }
    if compares(request):
        account["agreement"] = agreement_report(models, task_ids, events)
    return account
