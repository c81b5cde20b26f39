"""What to do about runs that are under way, interrupted or waiting."""

from benchmarks.errors import Action
from benchmarks.records.request import RunRequest
from benchmarks.records.vocabulary import RunStatus
from runs.status.facts import Facts
from runs.status.step import Step, shell


def wait_run(facts: Facts) -> Step | None:
    """A run is running under a live claim, or a watching executor will take it up."""
    running = facts.of_status(RunStatus.RUNNING)
    if running and facts.claim_live:
        run_id, why = running[0].run_id, "is running under a live executor"
    elif facts.watched and (waiting := [*running, *_waiting(facts)]):
        run_id, why = waiting[0].run_id, "waits for an executor that is watching this benchmark"
    else:
        return None
    action = Action(
        say="wait for the run",
        command=shell("runs", "status", facts.slug, run_id, "--wait", "20"),
        tool="run_status",
        arguments={"slug": facts.slug, "run_id": run_id, "wait_s": 20},
    )
    return Step(f"{run_id} {why}", action)


def _waiting(facts: Facts) -> list[RunRequest]:
    """The queued runs that no executor has left so far."""
    queued = facts.of_status(RunStatus.QUEUED)
    return [run for run in queued if run.run_id not in facts.unsupported]


def upgrade_executor(facts: Facts) -> Step | None:
    """A queued run was left by every executor seen since, and this version can run it."""
    for run in facts.of_status(RunStatus.QUEUED):
        if run.run_id in facts.unsupported and run.run_id not in facts.lacking_here:
            lacked = ", ".join(facts.unsupported[run.run_id])
            why = f"{run.run_id} waits for an executor with {lacked}; this version has it"
            return Step(why, _execute(facts, run.run_id))
    return None


def resume_run(facts: Facts) -> Step | None:
    """A run is `running` and its claim is free."""
    running = facts.of_status(RunStatus.RUNNING)
    if not running or facts.claim_live:
        return None
    run_id = running[0].run_id
    return Step(f"{run_id} was interrupted: nobody works on it", _execute(facts, run_id))


def execute(facts: Facts) -> Step | None:
    """Runs are queued and no claim is live."""
    queued = facts.of_status(RunStatus.QUEUED)
    waiting = [run for run in queued if run.run_id not in facts.lacking_here]
    if not waiting or facts.claim_live:
        return None
    runs = "1 run waits" if len(waiting) == 1 else f"{len(waiting)} runs wait"
    return Step(f"{runs} in the queue and no executor is alive", _execute(facts))


def _execute(facts: Facts, run_id: str | None = None) -> Action:
    words = ["runs", "execute", "--benchmark", facts.slug, *(["--run", run_id] if run_id else [])]
    return Action(say="execute what is queued", command=shell(*words), spends=True)
