"""What stands between a directory and its promotion."""

from collections import Counter

from benchmarks.errors import Action
from benchmarks.records import cures
from benchmarks.records.vocabulary import Stage
from runs.status.facts import Facts
from runs.status.step import (
    FIRST,
    Step,
    mend_contract,
    named,
    read_flagged,
    shell,
    tasks,
    write_report,
)

PLACEHOLDERS = ("TASK", "NAME", "INC", "MODEL")
"""What a remedy may leave for the caller to fill in."""


def fix_invalid(facts: Facts) -> Step | None:
    """The stage is invalid, or the tasks that are listed are lost."""
    if facts.stage is not Stage.INVALID and not facts.has_lost_tasks:
        return None
    action = Action(
        say="see every complaint",
        command=shell("benchmarks", "show", facts.slug),
        tool="read_benchmark",
        arguments={"slug": facts.slug},
    )
    lost = "tasks.jsonl is empty, and benchmark.json lists tasks"
    why = lost if facts.has_lost_tasks else "the directory's documents do not validate"
    return Step(why, action)


def propose_directions(facts: Facts) -> Step | None:
    """An intake of which nobody asked what it could measure."""
    if facts.stage is not Stage.INTAKE or not facts.has_captures or facts.cards:
        return None
    why = "the captures are read, and nobody asked what they could measure"
    return Step(why, cures.propose_directions(facts.slug))


def pick_direction(facts: Facts) -> Step | None:
    """Cards of an intake, none picked."""
    if facts.stage is not Stage.INTAKE or not facts.cards or facts.picked is not None:
        return None
    count = f"{len(facts.cards)} cards" if len(facts.cards) > 1 else "1 card"
    return Step(f"{count} proposed, none picked", cures.pick_direction(facts.slug, facts.cards))


def approve_postures(facts: Facts) -> Step | None:
    """A picked card that needs what nobody approved a posture of."""
    if facts.stage is not Stage.INTAKE or facts.picked is None or not facts.unapproved:
        return None
    why = f"nobody approved how {', '.join(facts.unapproved)} is played"
    return Step(why, cures.approve_postures(facts.slug, facts.unapproved))


def regenerate(facts: Facts) -> Step | None:
    """The environment is missing, legacy, old or failing, or a task was edited by hand."""
    if not facts.owns_environment or facts.regenerate_because is None:
        return None
    action = Action(
        say="build the environment anew",
        command=shell("traces", "regenerate-env", "--benchmark", facts.slug),
        tool="regenerate_env",
        arguments={"slug": facts.slug},
    )
    return Step(facts.regenerate_because, action)


def classify_tools(facts: Facts) -> Step | None:
    """A tool of a proposal is neither read nor write."""
    if facts.stage is not Stage.PROPOSED or not facts.owns_environment or not facts.unknown_tools:
        return None
    names = facts.unknown_tools[:FIRST]
    words = ["traces", "regenerate-env", "--benchmark", facts.slug]
    words += [word for name in names for word in ("--tool", f"{name}=write")]
    action = Action(
        say="say of each tool whether it reads or writes",
        command=shell(*words),
        tool="regenerate_env",
        arguments={"slug": facts.slug, "tool_policy": dict.fromkeys(names, "write")},
    )
    do = "reads or writes" if len(facts.unknown_tools) == 1 else "read or write"
    why = f"nobody knows whether {named(facts.unknown_tools)} {do}"
    return Step(f"{why}; write is the safe word, read where you know it only looks", action)


def verify(facts: Facts) -> Step | None:
    """A verifier of a proposal was never tested, or is not what was tested."""
    if facts.stage is not Stage.PROPOSED or not facts.owns_environment or not facts.untested:
        return None
    left = [name for name in facts.untested if name not in facts.beyond_testing]
    if not left:
        task_id, said = next(iter(facts.beyond_testing.items()))
        return mend_contract(facts, task_id, f"the verifier of {task_id} cannot be tested: {said}")
    why = f"nobody tested the verifier of {tasks(left)}: {named(left)}"
    return Step(why, cures.verify(facts.slug))


def fix_verifier(facts: Facts) -> Step | None:
    """A weak verifier of a proposal, without an explicit decision.

    What its test found weak and what can judge little by its nature are told apart.
    """
    little = facts.judging_little
    if facts.stage is not Stage.PROPOSED or not (facts.weak or little):
        return None
    said = []
    if facts.weak:
        said.append(f"{tasks(facts.weak)} whose verifier failed its test: {named(facts.weak)}")
    if little:
        kinds = Counter(little.values()).most_common()
        judges = ", ".join(f"{count} {kind}" for kind, count in kinds)
        what = f"{tasks(list(little))} whose contract can judge little (judgeability: {judges})"
        said.append(f"{what}: {named(list(little))}")
    action = read_flagged(facts, "read why, task by task", "weak_verifier")
    return Step(f"nobody decided {'; '.join(said)}", action)


def address_feedback(facts: Facts) -> Step | None:
    """Feedback is open."""
    if not facts.open_feedback:
        return None
    about = list(dict.fromkeys(facts.open_feedback))
    action = Action(
        say="read the task and what was said of it",
        command=shell("benchmarks", "tasks", facts.slug, about[0]),
        tool="read_task",
        arguments={"slug": facts.slug, "task_id": about[0]},
    )
    return Step(f"feedback is open on {tasks(about)}", action)


def review_flagged(facts: Facts) -> Step | None:
    """Flagged tasks of a proposal without an explicit decision."""
    if facts.stage is not Stage.PROPOSED or not facts.flagged:
        return None
    action = read_flagged(facts, "read and decide the flagged tasks")
    why = f"{tasks(facts.flagged)} flagged, and nobody decided: {named(facts.flagged)}"
    return Step(why, action)


def accept_pending(facts: Facts) -> Step | None:
    """The policy leaves tasks pending, and nothing stands against some of them."""
    if facts.stage is not Stage.PROPOSED or not facts.clean_pending:
        return None
    action = Action(
        say="see what the policy would accept",
        command=shell("reviews", "accept-clean", facts.slug, "--dry-run"),
        tool="apply_auto_accepts",
        arguments={"slug": facts.slug},
        who="person",
    )
    return Step(f"{tasks(facts.clean_pending)} undecided, with nothing against them", action)


def gate(facts: Facts) -> Step | None:
    """The gate of a proposal was not run, or is out of date."""
    reasons = {"not_run": "the gate was never run", "stale": "the gate is out of date"}
    if facts.stage is not Stage.PROPOSED or facts.gate.status not in reasons:
        return None
    return Step(reasons[facts.gate.status], write_report(facts))


def fix_gate(facts: Facts) -> Step | None:
    """The gate of a proposal fails: the first failing check says what to do."""
    if facts.stage is not Stage.PROPOSED or facts.gate.status != "fail":
        return None
    why, remedy = f"the gate fails: {', '.join(facts.gate.failures)}", facts.gate.remedy
    if not remedy.startswith("understudy "):
        return Step(f"{why}; {remedy}" if remedy else why, write_report(facts))
    needs = tuple(word for word in PLACEHOLDERS if word in remedy.replace("=", " ").split())
    return Step(why, Action(say="cure the first failing check", command=remedy, needs=needs))


def promote(facts: Facts) -> Step | None:
    """No check of a proposal's gate fails."""
    if facts.stage is not Stage.PROPOSED or facts.gate.status not in {"pass", "unknown"}:
        return None
    unknown = f", {len(facts.gate.unknowns)} unknown" if facts.gate.unknowns else ""
    why = f"no check of the gate fails{unknown}"
    if not facts.lineage_faults:
        return Step(why, cures.promote(facts.slug))
    faults = "; ".join(facts.lineage_faults)
    return Step(f"{why}; the lineage: {faults}", cures.waive_lineage(facts.slug))
