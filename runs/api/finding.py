"""Which benchmark a run id means, of those that the caller sees."""

from benchmarks.api.calls import ApiCall
from benchmarks.artifacts.roots import Located
from runs.services.statuses import find_run


def locate_run(call: ApiCall, run_id: str, slug: str | None) -> Located:
    """The benchmark that is named, else the only one with a run of that id.

    Raises:
        UnknownRun: none has it.
        Ambiguous: several have it; all are listed, and `?slug=` says which is meant.
    """
    if slug is not None:
        return call.locate(slug)
    found = find_run(roots=call.roots, run_id=run_id, sees=call.identity.sees)
    call.located = found
    return found
