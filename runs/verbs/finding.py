"""Which benchmark a verb about one run means: the one that is named, else the one with the run."""

from benchmarks.artifacts.roots import Located
from benchmarks.doors.call import Call
from runs.services.statuses import find_run


def locate_run(call: Call, run_id: str, benchmark: str | None) -> Located:
    """The benchmark that is named, else the only one of the roots with a run of that id.

    Raises:
        UnknownRun: none has it.
        Ambiguous: several have it; all are listed.
    """
    if benchmark is not None:
        return call.locate(benchmark)
    return find_run(roots=call.roots, run_id=run_id)
