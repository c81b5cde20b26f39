"""One task, as a reviewer reads it."""

from collections.abc import Callable, Collection, Mapping
from typing import Any

from benchmarks.artifacts import layout
from benchmarks.artifacts.roots import Located
from benchmarks.audit.verdicts import TESTED, verdicts
from benchmarks.contract.judgeability import judgeability
from benchmarks.contract.words import contract_in_words
from benchmarks.records.base import JsonObject
from benchmarks.records.environment import EnvironmentTask
from benchmarks.records.pieces import piece
from benchmarks.records.task import Task
from benchmarks.records.vocabulary import Stage
from reviews.notes import newest_feedback, newest_flags, open_feedback
from reviews.rigor.scores import NO_SCORES, arms_of, scores_by_task
from reviews.services.deciding import deciding
from reviews.services.dossier import Dossier
from reviews.services.noting import hand_off
from reviews.services.task_story import lineage, recording
from reviews.services.task_world import surroundings
from reviews.services.writing import need_tasks


def read_task(
    *,
    located: Located,
    task_id: str,
    include: Collection[str] = (),
    field: str | None = None,
    offset: int = 0,
) -> dict[str, Any]:
    """A task whole, or one long text of it in pieces.

    `include` adds parts by name: what a candidate is shown (`conversation`), the pre-state
    (`fixtures`), the scorer's side (`gold`), `world` and `captures` as the task line has them, the
    captured conversation (`recording`), what its world holds (`surroundings`), `lineage`, each
    rollout by arm (`arms`), published `flags`, what a model wrote (`authored`), its `category`, and
    the `handoff` of the newest open feedback.

    Raises:
        UnknownTask: there is none of that id.
    """
    dossier = Dossier(located.directory, slug=located.slug)
    need_tasks(dossier, [task_id])
    document = {**_document(dossier, task_id), **_included(dossier, task_id, include)}
    if field is not None:
        return {
            "slug": located.slug,
            "task_id": task_id,
            "piece": piece(document, field, offset),
        }
    return document


def _document(dossier: Dossier, task_id: str) -> dict[str, Any]:
    task, decided = dossier.tasks[task_id], dossier.decisions[task_id]
    authored: Mapping[str, Any] = task.authored if isinstance(task.authored, dict) else {}
    shown = environment_row(dossier, task_id)
    scores = scores_by_task(dossier.evidence.placed)
    found: dict[str, Any] = {
        "slug": dossier.slug,
        "stage": dossier.stage.value,
        "task_id": task_id,
        "name": task.name,
        "title": task.title,
        "prompt": shown.prompt if shown else authored.get("statement"),
        "success_criteria": authored.get("success_criteria") or [],
        "split": task.split.value,
        "category_id": task.category_id,
        "status": task.status,
        "version": task.version,
        "machine_confidence": task.machine_confidence,
        "tool_surface": task.tool_surface,
        "outcome_contract": task.outcome_contract.dump(),
        "contract_in_words": contract_in_words(task.outcome_contract),
        "world_model_summary": _world_summary(task),
        "claims": task.claims,
        "review": decided.review.dump() if decided.review else None,
        "effective_decision": decided.document(),
        "attention_flags": dossier.flag_words(task_id),
        "attention_reasons": {
            doubt.flag.value: doubt.reason for doubt in dossier.doubts.get(task_id, ())
        },
        "review_history": [
            line.dump() for line in dossier.reviews.records if line.task_id == task_id
        ],
        "feedback": [
            line.dump()
            for line in newest_feedback(dossier.feedback.records).values()
            if line.task_id == task_id
        ],
        "verifier": _verifier(dossier, task_id),
        "edited": task_id in dossier.edited,
        "self_check": task.self_check.dump() if task.self_check else None,
        "leaks": _leaks(dossier, task_id),
        "scores": scores.get(task_id, NO_SCORES),
        "next_actions": [action.document() for action in deciding(dossier, task_id)],
    }
    if dossier.stage is Stage.PROMOTED:
        listed = dossier.listed.get(task_id)
        line = dossier.lines.get(task_id)
        found["manifest_task"] = listed.dump() if listed else None
        found["sidecar"] = line.dump() if line else None
    return found


def environment_row(dossier: Dossier, task_id: str) -> EnvironmentTask | None:
    """What a candidate is shown of the task; None without an environment."""
    rows = dossier.directory.load_list(layout.ENV_TASKS)
    return next((row for row in rows if row.task_id == task_id), None)


def _world_summary(task: Task) -> JsonObject:
    model = task.world_model or {}
    state = model.get("initial_state")
    observations = state.get("observations") if isinstance(state, dict) else None
    transitions = model.get("transitions")
    return {
        "status": model.get("status"),
        "observations": len(observations) if isinstance(observations, list) else 0,
        "transitions": len(transitions) if isinstance(transitions, list) else 0,
    }


def _verifier(dossier: Dossier, task_id: str) -> JsonObject:
    task, row = dossier.tasks[task_id], dossier.validation.get(task_id)
    found: JsonObject = {
        "judgeability": judgeability(task.outcome_contract, task.claims, dossier.tools),
        **_tested(dossier, task_id),
        "oracle": row.oracle.dump() if row else None,
        "sentinels": {name: score.strict for name, score in row.sentinels.items()} if row else {},
    }
    return found


def _leaks(dossier: Dossier, task_id: str) -> list[JsonObject] | None:
    """Where a candidate can read its answer; None where nobody looked."""
    audit = dossier.build.leakage_audit if dossier.build else None
    if audit is None:
        return None
    return [one for one in audit.get("findings") or [] if one.get("task_id") == task_id]


def _tested(dossier: Dossier, task_id: str) -> JsonObject:
    """What the test of the verifier found; without a row of today it is untested."""
    row = dossier.verifiers.get(task_id)
    verdict = verdicts([task_id], dossier.verifiers)[task_id]
    report = row.dump() if row is not None else None
    return {"verdict": verdict, "tested": verdict == TESTED, "report": report}


def _conversation(dossier: Dossier, task_id: str) -> Any:
    row = environment_row(dossier, task_id)
    if row is None:
        return None
    return {
        "system_prompt": row.system_prompt,
        "messages": row.candidate_prompt,
        "user": row.user.dump(),
        "tools": [tool.dump() for tool in row.tools],
        "effects": {
            tool.name: entry.effect.value if (entry := dossier.tools.get(tool.name)) else None
            for tool in row.tools
        },
    }


def _fixtures(dossier: Dossier, task_id: str) -> Any:
    rows = dossier.directory.load_list(layout.FIXTURES)
    return [row.dump() for row in rows if row.task_id in {task_id, None}]


def _gold(dossier: Dossier, task_id: str) -> Any:
    gold = dossier.directory.load(layout.GOLD)
    rows = gold.tasks if gold else []
    return next((row.dump() for row in rows if row.task_id == task_id), None)


def _world(dossier: Dossier, task_id: str) -> Any:
    return dossier.tasks[task_id].world_model


def _captures(dossier: Dossier, task_id: str) -> Any:
    return dossier.tasks[task_id].source.captures


def _arms(dossier: Dossier, task_id: str) -> Any:
    placed = (item for item in dossier.evidence.placed if item.row.task_id == task_id)
    return arms_of(placed, dossier.threshold)


def _flags(dossier: Dossier, task_id: str) -> Any:
    flags = newest_flags(dossier.flags.records).values()
    return [
        {**flag.dump(), "flag_id": flag.ref} for flag in flags if flag.task_id in {task_id, None}
    ]


def _category(dossier: Dossier, task_id: str) -> Any:
    named = dossier.tasks[task_id].category_id
    taxonomy = dossier.manifest.taxonomy if dossier.manifest else []
    return next((each.dump() for each in taxonomy if each.category_id == named), None)


def _authored(dossier: Dossier, task_id: str) -> Any:
    return dossier.tasks[task_id].authored


def _handoff(dossier: Dossier, task_id: str) -> Any:
    standing = open_feedback(dossier.feedback.records, task_id)
    return hand_off(dossier, standing[-1], standing[:-1]) if standing else None


PARTS: Mapping[str, Callable[[Dossier, str], Any]] = {
    "conversation": _conversation,
    "fixtures": _fixtures,
    "gold": _gold,
    "world": _world,
    "captures": _captures,
    "recording": recording,
    "surroundings": surroundings,
    "lineage": lineage,
    "arms": _arms,
    "flags": _flags,
    "authored": _authored,
    "category": _category,
    "handoff": _handoff,
}


def _included(dossier: Dossier, task_id: str, include: Collection[str]) -> JsonObject:
    return {name: part(dossier, task_id) for name, part in PARTS.items() if name in include}
