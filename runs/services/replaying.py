"""A task replayed against its contract: the recorded run, and beside it what each arm did."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.roots import Located
from benchmarks.artifacts.task_lines import newest_attempt, task_rows, task_trajectories
from benchmarks.contract.observed import Observed, ObservedCall, observed_from_trajectory
from benchmarks.contract.words import contract_in_words
from benchmarks.environment.oracle import texts_of
from benchmarks.records.base import JsonObject
from benchmarks.records.environment import GoldTask, RecordedCall
from benchmarks.records.row import Row
from benchmarks.records.task import Task
from benchmarks.records.trajectory import Trajectory
from benchmarks.records.vocabulary import RowStatus, Termination
from benchmarks.stats.estimates import mean, rounded
from reviews.rigor.evidence import anomaly_of, numbered, root_run
from reviews.services.dossier import Dossier
from reviews.services.holdout import notices_of
from reviews.services.writing import need_tasks
from runs.rollouts.accumulating import accumulate
from runs.status.step import shell

LABEL = "the recorded run: what the task was made from"
STRICT, DENSE = "final_state", "final_state_partial_credit"
REFUSED = ("noop", "wrong_value")
"""The sentinels that the reference looks at: doing nothing, and writing something else."""


def replay_task(*, located: Located, task_id: str) -> JsonObject:
    """The contract of a task, how the recorded run met it, and how each arm of each run did.

    Everything is judged by today's contract, from what is kept; nothing is played.

    Raises:
        UnknownTask: there is none of that id.
    """
    dossier = Dossier(located.directory, slug=located.slug)
    need_tasks(dossier, [task_id])
    task = dossier.tasks[task_id]
    gold = _gold(dossier, task_id)
    observed = observed_from_gold(gold) if gold is not None else Observed()
    return {
        "slug": located.slug,
        "task_id": task_id,
        "stage": dossier.stage.value,
        "label": LABEL,
        "spine_missing": gold is None,
        "contract": task.outcome_contract.dump(),
        "contract_in_words": contract_in_words(task.outcome_contract),
        **accumulate(task.outcome_contract, observed, dossier.tools),
        "reward_functions": _reward_functions(dossier),
        "environment": _environment(dossier, task_id),
        "arms": _arms(dossier, task),
        "notices": [notice.dump() for notice in notices_of(dossier.directory, [task])],
    }


def observed_from_gold(gold: GoldTask) -> Observed:
    """The recorded run as the scorer sees a rollout, rejected calls and all."""
    return Observed(
        calls=tuple(map(_recorded_call, gold.calls)),
        texts=texts_of(gold),
        final_response=gold.final_response,
        termination=gold.termination or Termination.FINISHED,
        text_turns=tuple(gold.text_turns or ()),
    )


def _recorded_call(call: RecordedCall) -> ObservedCall:
    read = call.arguments if isinstance(call.arguments, dict) else None
    return ObservedCall(
        tool=call.tool,
        arguments=read,
        arguments_raw=None if read is not None else str(call.arguments or ""),
        status="ok" if call.status == "ok" else "error",
        result=call.content,
        call_id=call.call_id,
        turn=call.turn,
        confirmed=call.confirmed is not False,
    )


def _gold(dossier: Dossier, task_id: str) -> GoldTask | None:
    gold = dossier.directory.load(layout.GOLD)
    found = (row for row in (gold.tasks if gold else ()) if row.task_id == task_id)
    row = next(found, None)
    return row if row is not None and (row.calls or row.final_response is not None) else None


def _reward_functions(dossier: Dossier) -> list[JsonObject]:
    """The metric that decides, with its weight, and the one that only shows progress."""
    said: Mapping[str, Any] = (dossier.manifest.verifier if dossier.manifest else None) or {}
    return [
        {"name": said.get("strict_metric") or STRICT, "weight": 1},
        {"name": said.get("dense_metric") or DENSE, "weight": None},
    ]


def _environment(dossier: Dossier, task_id: str) -> JsonObject:
    """Whether the task's environment is there, holds its solution, and refuses what is wrong."""
    row = dossier.validation.get(task_id)
    sentinels = {name: score.strict for name, score in (row.sentinels if row else {}).items()}
    looked_at = [sentinels[name] for name in REFUSED if name in sentinels]
    words = ("runs", "execute", "--benchmark", dossier.slug, "--watch")
    return {
        "exists": dossier.directory.exists(layout.ENV_TASKS),
        "oracle_pass": row.oracle.strict == 1 if row is not None else None,
        "sentinel_pass": all(strict == 0 for strict in looked_at) if looked_at else None,
        "sentinels": sentinels,
        "cli": shell(*words),
    }


def _arms(dossier: Dossier, task: Task) -> list[JsonObject]:
    """One replay for each arm of each run, by their keys; promoted or not."""
    rows = task_rows(dossier.directory, task.task_id)
    grouped: dict[tuple[str, str], list[tuple[Row, int]]] = {}
    for row, number in zip(rows, numbered(rows), strict=True):
        grouped.setdefault((row.run_id, row.model), []).append((row, number))
    runs = {each for run_id, _ in grouped for each in (run_id, root_run(run_id))}
    kept = _kept(dossier.directory, task.task_id, runs)
    arms = [_arm(dossier, task, found, kept) for found in grouped.values()]
    return sorted(arms, key=lambda arm: str(arm["key"]))


Kept = Mapping[tuple[str, str, int], Sequence[Trajectory]]
"""Trajectories by run, arm and rollout."""


def _kept(directory: BenchmarkDir, task_id: str, run_ids: Iterable[str]) -> Kept:
    found: dict[tuple[str, str, int], list[Trajectory]] = {}
    for run_id in sorted(run_ids):
        for each in task_trajectories(directory, run_id, task_id):
            found.setdefault((run_id, each.model, each.rollout), []).append(each)
    return found


def _arm(dossier: Dossier, task: Task, found: Sequence[tuple[Row, int]], kept: Kept) -> JsonObject:
    """An arm by its newest rollout of which anything is left to replay."""
    row, rollout, trajectory = _shown(found, kept)
    observed = observed_from_trajectory(trajectory) if trajectory else _observed_from_writes(row)
    rows = [each for each, _ in found]
    scores = [each.score for each in rows if each.score is not None and anomaly_of(each) is None]
    return {
        "key": f"{row.model} · {row.run_id}",
        "model": row.model,
        "arm_kind": row.arm_kind,
        "run_id": row.run_id,
        "created_at": row.created_at,
        "rollouts": len(rows),
        "rollout": rollout,
        "mean_score": rounded(mean(scores)) if scores else None,
        "missing": sum(each.status is not RowStatus.OK for each in rows),
        "subscores": row.subscores,
        "status": row.status.value,
        "anomaly": anomaly_of(row),
        "has_writes": any(each.writes for each in rows),
        "from": "trajectory" if trajectory else "writes",
        **accumulate(task.outcome_contract, observed, dossier.tools),
    }


def _shown(found: Sequence[tuple[Row, int]], kept: Kept) -> tuple[Row, int, Trajectory | None]:
    for row, number in reversed(found):
        trajectories = kept.get((row.run_id, row.model, number)) or kept.get(
            (root_run(row.run_id), row.model, number), ()
        )
        attempt = (row.trajectory_ref or {}).get("attempt")
        own = [each for each in trajectories if attempt is None or each.attempt == attempt]
        newest = newest_attempt(own)
        if newest is not None:
            return row, number, newest
    with_writes = [each for each in found if each[0].writes]
    row, number = (with_writes or found)[-1]
    return row, number, None


def _observed_from_writes(row: Row) -> Observed:
    """All that an older row keeps of a rollout: its accepted writes."""
    return Observed(
        calls=tuple(
            ObservedCall(tool=str(write.get("tool") or ""), arguments=_object(write))
            for write in row.writes
        ),
        texts=(row.final_response_excerpt,) if row.final_response_excerpt else (),
        final_response=row.final_response_excerpt,
        termination=row.termination or Termination.FINISHED,
    )


def _object(write: JsonObject) -> JsonObject:
    arguments = write.get("arguments")
    return arguments if isinstance(arguments, dict) else {}
