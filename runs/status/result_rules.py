"""What to measure next, and when there is a result to read."""

from collections.abc import Sequence
from typing import Any

from benchmarks.errors import Action
from benchmarks.records.vocabulary import Split, Stage
from runs.status.facts import Facts, Stale
from runs.status.step import Step, read_flagged, shell, tasks, write_report

TRIVIAL = ("null_agent", "spam_agent")
UNMEASURED = frozenset({"not_run", "partial", "stale"})


def regrade(facts: Facts) -> Step | None:
    """Rows are about an older verifier, and what was kept of them can be judged again."""
    found = facts.stale.regradable
    if not facts.owns_environment or not found:
        return None
    action = Action(
        say="see what judging again what was kept would give",
        command=shell("runs", "regrade", "--benchmark", facts.slug, "--dry-run"),
        tool="regrade_run",
        arguments={"slug": facts.slug, "dry_run": True},
    )
    why = f"the verifier of {tasks(found)} changed since the rows were scored, and what was kept"
    return Step(f"{why} can be judged again: nothing is run, nothing is spent", action)


def rerun(facts: Facts) -> Step | None:
    """Rows are about an older environment or verifier, and nothing has replaced them."""
    stale = facts.stale
    arms = (*stale.models, *stale.trivial_arms, *stale.reference_arms)
    if not facts.owns_environment or not stale.task_ids or not arms:
        return None
    chosen = stale.task_ids if facts.stage is Stage.PROMOTED else stale.task_ids[:1]
    action = Action(
        say="run the changed tasks again",
        command=_rerun_command(facts, stale, chosen),
        tool="queue_run",
        arguments={
            "slug": facts.slug,
            "models": list(stale.models),
            "trivial_arms": list(stale.trivial_arms),
            "reference_arms": list(stale.reference_arms),
            "tasks": list(chosen),
            "rollouts_per_task": stale.rollouts,
        },
        spends=bool(stale.models),
    )
    return Step(_why_rerun(stale), action)


def _why_rerun(stale: Stale) -> str:
    """What the rows are too old for, and where a rerun is more than they need."""
    moved = [task for task in stale.task_ids if task not in stale.verifier_only]
    older = f"rows of {tasks(moved)} are about an older environment" if moved else ""
    if not stale.verifier_only:
        return older
    verifier = (
        f"the verifier of {tasks(stale.verifier_only)} changed since the rows were scored,"
        " and nothing was kept of them that could be judged again"
    )
    return f"{older}; {verifier}" if older else verifier


def _rerun_command(facts: Facts, stale: Stale, task_ids: Sequence[str]) -> str:
    flags = {
        "--models": ",".join(stale.models),
        "--trivial-arms": ",".join(stale.trivial_arms),
        "--reference-arms": ",".join(stale.reference_arms),
        "--tasks": ",".join(task_ids),
        "--rollouts": str(stale.rollouts) if stale.rollouts > 1 else "",
    }
    words = [word for flag, value in flags.items() if value for word in (flag, value)]
    return shell("runs", "queue", "--benchmark", facts.slug, *words)


def fix_floor(facts: Facts) -> Step | None:
    """An arm that does nothing passes too many tasks."""
    if not facts.exceeded:
        return None
    arm = facts.exceeded[0]
    command = shell("benchmarks", "tasks", facts.slug, "--passed-by", arm)
    action = Action(say="read the tasks that it passes", command=command)
    return Step(f"{arm} passes more than 5 % of the tasks", action)


def calibrate(facts: Facts) -> Step | None:
    """A promoted benchmark whose calibration was not run, or lacks what a run could measure."""
    wanted = facts.stage is Stage.PROMOTED and facts.owns_environment and facts.has_measurable
    if not wanted or facts.calibration not in UNMEASURED:
        return None
    if facts.calibration != "not_run" and not facts.calibration_missing:
        return None
    incumbent, words = facts.incumbent, list[str]()
    arguments: dict[str, Any] = {"slug": facts.slug, "trivial_arms": list(TRIVIAL)}
    if incumbent is not None:
        words = ["--models", incumbent, "--incumbent", incumbent]
        arguments |= {"models": [incumbent], "incumbent_models": [incumbent]}
    elif facts.has_captures:
        words = ["--reference-arms", "replay"]
        arguments |= {"reference_arms": ["replay"]}
    action = Action(
        say="measure the incumbent and the floors",
        command=shell(
            *("runs", "queue", "--benchmark", facts.slug, *words),
            *("--trivial-arms", ",".join(TRIVIAL)),
        ),
        tool="queue_run",
        arguments=arguments,
        spends=incumbent is not None,
    )
    missing = f": {'; '.join(facts.calibration_missing)}" if facts.calibration_missing else ""
    return Step(f"calibration is {facts.calibration.replace('_', ' ')}{missing}", action)


def fix_suspects(facts: Facts) -> Step | None:
    """Calibration makes tasks suspect, and no candidate has been run on them yet."""
    if not facts.owns_environment or facts.calibration != "suspect" or facts.has_candidate_rows:
        return None
    action = read_flagged(facts, "see whether task or incumbent is wrong", "incumbent_failed")
    return Step(f"calibration makes {tasks(facts.suspects)} suspect", action)


def run_candidates(facts: Facts) -> Step | None:
    """A promoted benchmark on which no candidate has been run."""
    wanted = facts.stage is Stage.PROMOTED and facts.owns_environment
    if not wanted or facts.has_candidate_rows:
        return None
    split = _first_split(facts)
    words = ("runs", "queue", "--benchmark", facts.slug, "--models", "MODEL", "--split", split)
    action = Action(
        say="run a model",
        command=shell(*words),
        tool="queue_run",
        arguments={"slug": facts.slug, "models": ["MODEL"], "split": split},
        spends=True,
        needs=("MODEL",),
    )
    return Step("no candidate has been run", action)


def _first_split(facts: Facts) -> str:
    """dev where it has tasks, else train; the holdout never by itself."""
    return next((each.value for each in (Split.DEV, Split.TRAIN) if facts.splits.get(each)), "all")


def rigor(facts: Facts) -> Step | None:
    """The report of a promoted benchmark is missing or older than the newest row."""
    if facts.stage is not Stage.PROMOTED or facts.report_is_current:
        return None
    missing = facts.gate.status == "not_run" or facts.gate.source == "promotion"
    why = "there is no rigor report" if missing else "the rigor report is older than what it is of"
    return Step(why, write_report(facts))


def leaderboard(facts: Facts) -> Step | None:
    """Everything of a promoted benchmark is current."""
    if facts.stage is not Stage.PROMOTED:
        return None
    command = shell("benchmarks", "leaderboard", facts.slug)
    return Step("everything is current", Action(say="read the result", command=command))
