"""What cures a refusal, as one command for a shell and one call for an agent."""

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.errors import Action

PASSED = "agent=pass,verifier=pass"
REASON, CARD, TEXT, MODEL = "REASON", "ID", "TEXT", "MODEL"
"""In capitals: the caller fills it in."""


def shell(*words: str) -> str:
    """An `understudy` command, ready to paste."""
    return shlex.join(["understudy", *words])


def regenerate(slug: str) -> Action:
    """Make the environment, its proof and the stamps again."""
    return Action(
        say="make the environment and its proof again",
        command=shell("traces", "regenerate-env", "--benchmark", slug),
        tool="regenerate_env",
        arguments={"slug": slug},
    )


def verify(slug: str) -> Action:
    """Test the verifiers with right and wrong rollouts."""
    return Action(
        say="test the verifiers with right and wrong rollouts",
        command=shell("benchmarks", "verify", slug),
        tool="verify_tasks",
        arguments={"slug": slug},
    )


def read_weak_verifiers(slug: str) -> Action:
    """Read which wrong rollouts the weak verifiers let pass."""
    return Action(
        say="read what the weak verifiers let pass",
        command=shell("benchmarks", "tasks", slug, "--attention", "weak_verifier"),
        tool="read_benchmark",
        arguments={"slug": slug, "attention": "weak_verifier"},
    )


def review(slug: str, task_ids: Sequence[str], decision: str, note: str | None = None) -> Action:
    """Decide on some tasks."""
    told = ["--note", note] if note else []
    arguments: dict[str, Any] = {"slug": slug, "task_id": [*task_ids], "decision": decision}
    return Action(
        say=f"{decision} {_tasks(task_ids)}",
        command=shell("reviews", "submit", slug, *task_ids, decision, *told),
        tool="submit_review",
        arguments={**arguments, "note": note} if note else arguments,
    )


def promote(slug: str) -> Action:
    """Promote what is accepted."""
    return Action(
        say="promote the accepted tasks",
        command=shell("traces", "promote", "--benchmark", slug),
        tool="promote_benchmark",
        arguments={"slug": slug},
    )


def waive_lineage(slug: str) -> Action:
    """Promote although the lineage has faults, with a recorded reason."""
    return Action(
        say="promote although the lineage has faults, with a reason",
        command=shell("traces", "promote", "--benchmark", slug, "--waive-dag", REASON),
        tool="promote_benchmark",
        arguments={"slug": slug, "waive_dag": REASON},
        who="person",
        needs=(REASON,),
    )


def waive_pilot(name: str, directory: str, sources: Sequence[str]) -> Action:
    """Build every task at once, with a recorded reason: from sources, or what is there again."""
    place = [*sources, "--output", directory] if sources else [directory]
    return Action(
        say="build every task at once, with a reason",
        command=shell("traces", "build-benchmark", *place, "--waive-pilot", REASON),
        tool="build_benchmark",
        arguments={
            **({"source": [*sources], "name": name} if sources else {"slug": name}),
            "waive_pilot": REASON,
            "confirm": True,
        },
        who="person",
        needs=(REASON,),
    )


def build_pilot(slug: str) -> Action:
    """Build one task first, of the captures that are there."""
    return Action(
        say="build one task first",
        command=shell("traces", "build-benchmark", slug, "--pilot"),
        tool="build_benchmark",
        arguments={"slug": slug, "pilot": True},
    )


def build_rest(slug: str) -> Action:
    """Build every task of the captures that are there."""
    return Action(
        say="build the other tasks",
        command=shell("traces", "build-benchmark", slug),
        tool="build_benchmark",
        arguments={"slug": slug},
    )


def audit_pilot(slug: str, task_id: str) -> Action:
    """Say what the pilot's trajectories show: both words are the reader's own."""
    return Action(
        say="audit the pilot task: read its rollout, then say what holds",
        command=shell("reviews", "submit", slug, task_id, "accept", "--pilot-audit", PASSED),
        tool="submit_review",
        arguments={
            "slug": slug,
            "task_id": task_id,
            "decision": "accept",
            "pilot_audit": {"agent": "pass", "verifier": "pass"},
        },
    )


def run_task(slug: str, task_id: str, model: str | None) -> Action:
    """Run one task with a model; without one that can be reached, replay what was captured."""
    arm = ("--models", model) if model else ("--reference-arms", "replay")
    arms: dict[str, Any] = {"models": [model]} if model else {"reference_arms": ["replay"]}
    return Action(
        say="run the task" if model else "replay the captured conversation in the task's world",
        command=shell("runs", "queue", "--benchmark", slug, *arm, "--tasks", task_id),
        tool="queue_run",
        arguments={"slug": slug, **arms, "tasks": [task_id]},
        spends=model is not None,
        needs=(model,) if model == MODEL else (),
    )


def give_feedback(slug: str, task_id: str) -> Action:
    """Say what is wrong with a task; the answer tells whoever repairs it how."""
    return Action(
        say="say what is wrong: the answer hands the repair off",
        command=shell("reviews", "feedback", slug, task_id, TEXT),
        tool="submit_feedback",
        arguments={"slug": slug, "task_id": task_id, "feedback": TEXT},
        needs=(TEXT,),
    )


def propose_directions(slug: str) -> Action:
    """See what the captures could measure."""
    return Action(
        say="see what the captures could measure",
        command=shell("traces", "directions", slug),
        tool="propose_directions",
        arguments={"slug": slug},
    )


def pick_direction(slug: str, ids: Sequence[str]) -> Action:
    """Pick one of the proposed cards."""
    word = ids[0] if len(ids) == 1 else CARD
    return Action(
        say=f"pick what to measure: {', '.join(ids)}",
        command=shell("traces", "directions", slug, "--pick", word),
        tool="propose_directions",
        arguments={"slug": slug, "pick": word},
        needs=() if len(ids) == 1 else (CARD,),
    )


def approve_postures(slug: str, suggested: Mapping[str, str]) -> Action:
    """Approve how each dependency is played; the suggestions are filled in."""
    words = [word for name, posture in suggested.items() for word in (f"{name}={posture}",)]
    flags = [part for word in words for part in ("--posture", word)]
    return Action(
        say="approve how each dependency is played",
        command=shell("traces", "directions", slug, *flags),
        tool="propose_directions",
        arguments={"slug": slug, "postures": dict(suggested)},
    )


def read_status(slug: str) -> Action:
    """See what stands, and the one next command."""
    return Action(
        say="see what stands, and what to do next",
        command=shell("benchmarks", "status", slug),
        tool="benchmark_status",
        arguments={"slug": slug},
    )


def read_task(slug: str, task_id: str) -> Action:
    """Read one task whole."""
    return Action(
        say="read the task whole",
        command=shell("benchmarks", "tasks", slug, task_id),
        tool="read_task",
        arguments={"slug": slug, "task_id": task_id},
    )


def resolve(slug: str, ref: str) -> Action:
    """Close feedback, or a flag, that is answered."""
    return Action(
        say="close it once it is answered",
        command=shell("reviews", "resolve", slug, ref),
    )


def look_over(sources: Sequence[str]) -> Action:
    """See what a build would read and lose of some sources."""
    return Action(
        say="see what would be lost, and why",
        command=shell("traces", "doctor", *(sources or ("SOURCE",))),
        tool="trace_doctor",
        arguments={"source": [*sources]},
    )


def read_faults(slug: str) -> Action:
    """See what does not validate."""
    return Action(
        say="see what does not validate",
        command=shell("benchmarks", "show", slug),
        tool="read_benchmark",
        arguments={"slug": slug},
    )


def hints(actions: Sequence[Action]) -> str:
    """Every cure in one line."""
    return "; or: ".join(dict.fromkeys(action.command for action in actions))


def _tasks(task_ids: Sequence[str]) -> str:
    return task_ids[0] if len(task_ids) == 1 else f"{len(task_ids)} tasks"
