"""Queueing a run: everything is checked, nothing is executed, one request file is written.

The one way in for every door. What the request will cost is quoted before it is written.
"""

import os
import secrets
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from pydantic import BaseModel

from benchmarks.artifacts import layout
from benchmarks.artifacts.home import Home
from benchmarks.artifacts.idempotency import replayed
from benchmarks.artifacts.roots import Located
from benchmarks.gateway.credentials import KEYS, is_reachable, read_credentials
from benchmarks.records.base import JsonObject
from benchmarks.records.caller import Caller
from benchmarks.records.digest import bytes_digest
from benchmarks.records.request import Overrides, RunRequest
from benchmarks.records.times import stamp
from benchmarks.records.vocabulary import ENDED, RunStatus, Split
from benchmarks.records.wording import many
from benchmarks.release import VERSION
from reviews.services.dossier import Dossier
from runs.executor.history import read_history
from runs.executor.plan import asked_cells, default_seed
from runs.executor.selecting import cells_to_retry, refused_tasks, splits_of, tasks_of
from runs.requests.arms import ArmSpec, arms_of
from runs.requests.authoring import is_authoring
from runs.requests.capabilities import lacking, requires
from runs.requests.checking import Checked, Checking, check
from runs.requests.ground import EndedRun, Ground
from runs.requests.quoting import posture_notice, quote
from runs.requests.standing import Standing, refuse_invalid, stage_error
from runs.services.costing import grounds_of
from runs.services.queued import queued_answer
from runs.services.trusting import posture_of
from runs.trust import guard
from runs.trust.posture import Posture

FEW_TASKS = 30
RUN_ID_BYTES = 8
FULL_METRIC = "strict"


def queue_run(
    *,
    located: Located,
    home: Home,
    body: Mapping[str, Any],
    dry_run: bool = False,
    confirm: bool = False,
    caller: Caller,
    now: datetime,
) -> JsonObject:
    """Write a request, or with `dry_run` say what it would be and cost.

    The answer has the request (`run`), its quote, the notices that must be seen, warnings, and who
    will execute it.

    Raises:
        InvalidArguments: values are wrong; all of them are listed.
        WrongStage, TaskNotAccepted, ReviewRequired, TaskEdited, EnvironmentMissing: the tasks may
            not be run as they stand.
        PostureTooLow: it is spend-adjacent, and neither the posture nor `confirm` allows it.
        IdempotencyConflict: the key was used for another request.
    """
    directory = located.directory
    with nullcontext() if dry_run else directory.guard():
        queueing = Queueing(located, home, as_json(body), caller, now)
        if not dry_run:
            before = replayed(queueing.dossier.requests.requests, caller, queueing.body)
            if before is not None:
                return queueing.answer(before, replayed=True)
        draft = queueing.draft()
        request = queueing.quoted(draft, confirm=confirm, dry_run=dry_run)
        if dry_run:
            return not_written(queueing.answer(request))
        queueing.write(request)
        return queueing.answer(request)


@dataclass
class Queueing:
    """One call of the service, with what it reads of the benchmark."""

    located: Located
    home: Home
    body: JsonObject
    caller: Caller
    now: datetime
    warnings: list[str] = field(default_factory=list)

    @cached_property
    def dossier(self) -> Dossier:
        """The benchmark as it stands."""
        return Dossier(self.located.directory, slug=self.located.slug)

    @cached_property
    def posture(self) -> Posture:
        """What the operator allows."""
        return posture_of(self.home)

    @cached_property
    def checking(self) -> Checking:
        """The body with all that is wrong with it."""
        return check(self.body, self.ground())

    @property
    def checked(self) -> Checked:
        """What the body selects."""
        return self.checking.checked

    def draft(self) -> RunRequest:
        """The request as it would be written, without its quote.

        Raises:
            UnderstudyError: the one error of the body and its tasks, every complaint in it.
        """
        standing = self.standing()
        refuse_invalid(standing)
        wrong = self.checking.error()
        refused = stage_error(standing, self.checked.selection, self.checked.arms)
        if refused is not None:
            refused.errors = (*(wrong.errors if wrong is not None else ()), *refused.errors)
            raise refused
        if wrong is not None:
            raise wrong
        return self._request()

    def ground(self) -> Ground:
        """The benchmark as the checks see it."""
        requests = self.dossier.requests.requests
        retried = self.body.get("retry_of")
        return Ground(
            stage=self.dossier.stage,
            splits=splits_of(self.dossier),
            refused=refused_tasks(self.dossier),
            has_captures=self.located.directory.exists(layout.CAPTURES),
            experiment_ids=self._experiments(),
            runs={
                request.run_id: EndedRun(
                    request, len(self._again(request)) if request.run_id == retried else 0
                )
                for request in requests
                if request.status in ENDED and not is_authoring(request)
            },
            live_runs=frozenset(
                request.run_id for request in requests if request.status not in ENDED
            ),
        )

    def standing(self) -> Standing:
        """The benchmark as the stage rules see it."""
        dossier = self.dossier
        environment = self.located.directory.load_list(layout.ENV_TASKS)
        return Standing(
            slug=self.located.slug,
            stage=dossier.stage,
            stage_errors=dossier.stage_report.errors,
            has_lost_tasks=dossier.stage_report.has_lost_tasks,
            tasks=dossier.tasks,
            decisions=dossier.decisions,
            environment_ids=frozenset(task.task_id for task in environment),
            validation=dossier.validation,
            review_owed=dossier.review_owed,
        )

    def quoted(self, draft: RunRequest, *, confirm: bool, dry_run: bool) -> RunRequest:
        """The request with its quote, its notices, and the word that let it through.

        Raises:
            PostureTooLow: nobody allowed what it may spend.
        """
        arms = self.checked.arms
        owed = self._owed(draft)
        spending = sum(count for arm, count in owed.items() if arm.spends)
        shape = guard.Shape(
            arms,
            draft.rollouts_per_task,
            self.checked.selection.explicit,
            retry_cells=spending if draft.retry_of is not None else None,
        )
        noticed = shape.reason is not None
        if not dry_run:
            noticed = guard.check(shape, self.posture, confirmed=confirm, door=self.caller.door)
        grounds = grounds_of(
            self.dossier,
            arms,
            home=self.home,
            width=draft.concurrency,
            stop_loss_usd=self.posture.stop_loss_usd,
            now=self.now,
        )
        quoted = quote(owed, 0, grounds)
        self.warnings += self._without_key()
        self.warnings += warnings_of(draft, self.checked, quoted, splits_of(self.dossier))
        notices = []
        if noticed:
            tasks, level = len(self.checked.selection.task_ids), self.posture.level.value
            rollouts = draft.rollouts_per_task
            notices = [posture_notice(level, arms, tasks, rollouts, quoted).dump()]
        return draft.with_(
            quote=quoted,
            notices=notices or None,
            confirmed=True if confirm and noticed else None,
        )

    def _without_key(self) -> list[str]:
        """The models that an executor of this home could not ask, each with what it lacks."""
        credentials = read_credentials(self.home.credentials_file, os.environ)
        asked = dict.fromkeys(arm.model for arm in self.checked.arms if arm.calls_model)
        return [
            f"no key for {model} here: set one where it is executed ({KEYS})"
            for model in asked
            if model is not None and not is_reachable(model, credentials)
        ]

    def write(self, request: RunRequest) -> None:
        """The overrides first, then the request; an id is never used twice."""
        directory = self.located.directory
        if request.prompt_overrides:
            directory.create(layout.overrides(request.run_id), overrides_of(request))
        directory.create(layout.request(request.run_id), request)

    def answer(self, request: RunRequest, *, replayed: bool = False) -> JsonObject:
        """The document of the service."""
        return queued_answer(self.located, request, self.warnings, replayed=replayed)

    def _request(self) -> RunRequest:
        run_id = f"run-{secrets.token_hex(RUN_ID_BYTES)}"
        checked, at = self.checked, stamp(self.now)
        manifest = self.dossier.manifest
        fields = dict(checked.fields)
        fields.setdefault("seed", default_seed(run_id))
        margin = margin_of(self.body, at)
        tasks = [self.dossier.tasks[task_id] for task_id in checked.selection.task_ids]
        labels = [arm.label for arm in checked.arms]
        draft = RunRequest.read({
            **fields,
            "run_id": run_id,
            "benchmark_id": manifest.benchmark_id if manifest is not None else "",
            "created_at": at,
            "status": RunStatus.QUEUED,
            "progress": self._progress(),
            "arm_names": layout.arm_names(labels),
            **self.caller.block(self.body),
            **({"margin": margin} if margin is not None else {}),
        })
        return draft.with_(requires=requires(draft, tasks) or None)

    def _progress(self) -> JsonObject:
        return {"completed": 0, "total": self.checked.cells}

    def _owed(self, draft: RunRequest) -> dict[ArmSpec, int]:
        """How many cells each arm will play."""
        if draft.retry_of is not None:
            source = self.located.directory.request(draft.retry_of)
            counts = Counter(spec for spec, _ in self._again(source))
        else:
            tasks = len(self.checked.selection.task_ids)
            rollouts = draft.rollouts_per_task
            counts = Counter({
                arm: tasks * (rollouts if arm.spends else 1) for arm in self.checked.arms
            })
        return {arm: counts[arm] for arm in self.checked.arms if counts[arm]}

    def _experiments(self) -> frozenset[str]:
        """The experiments of the benchmark, as whoever kept them wrote them."""
        lines = self.located.directory.read(layout.EXPERIMENTS).records
        return frozenset(str(line.dump()["experiment_id"]) for line in lines)

    def _again(self, source: RunRequest) -> list[tuple[ArmSpec, Any]]:
        """The cells of an ended run that a retry asks for."""
        task_ids = tasks_of(source, self.dossier)
        asked = asked_cells(arms_of(source), task_ids, source.rollouts_per_task)
        history = read_history(self.located.directory, source.run_id)
        return list(cells_to_retry(history, asked))


NOT_WRITTEN = "nothing is written: queue it again without dry_run"


def not_written(answer: JsonObject) -> JsonObject:
    """The answer for a request that would be written: it has no id, and nobody will execute it."""
    run = {key: value for key, value in answer["run"].items() if key != "run_id"}
    rest = {key: value for key, value in answer.items() if key not in {"notices", "run_id"}}
    return {
        "notices": answer["notices"],
        "dry_run": True,
        **rest,
        "run": {"written": False, **run},
        "execute_hint": NOT_WRITTEN,
    }


def as_json(value: Any) -> Any:
    """A body as JSON values, whatever a door checked it with."""
    if isinstance(value, BaseModel):
        return as_json(value.model_dump())
    if isinstance(value, Mapping):
        return {str(key): as_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(item) for item in value]
    return value


def margin_of(body: Mapping[str, Any], at: str) -> JsonObject | None:
    """The non-inferiority margin of a body, with the moment it was declared."""
    margin = body.get("margin")
    if margin is None:
        return None
    given = margin if isinstance(margin, Mapping) else {"value": margin}
    return {
        "metric": given.get("metric", FULL_METRIC),
        "value": given["value"],
        "declared_at": at,
    }


def overrides_of(request: RunRequest) -> Overrides:
    """The prompt overrides of a request, each with its digest."""
    return Overrides(
        run_id=request.run_id,
        benchmark_id=request.benchmark_id,
        created_at=request.created_at,
        overrides=[
            {
                **entry,
                "system_prompt_suffix_sha256": bytes_digest(
                    str(entry["system_prompt_suffix"]).encode()
                ),
            }
            for entry in request.prompt_overrides or ()
        ],
    )


def warnings_of(
    request: RunRequest, checked: Checked, quoted: JsonObject, splits: Mapping[str, Split]
) -> list[str]:
    """What a caller should know and is not refused for."""
    return list(_warnings(request, checked, quoted, splits))


def _warnings(
    request: RunRequest, checked: Checked, quoted: JsonObject, splits: Mapping[str, Split]
) -> Iterator[str]:
    task_ids = checked.selection.task_ids
    for model in quoted["unpriced"]:
        yield f"no price for {model}: its cost will be unknown"
        if quoted["stop_loss_usd"] is not None:
            yield f"the stop-loss cannot hold {model}, which has no price"
    held = sum(splits[task_id] is Split.HOLDOUT for task_id in task_ids)
    if held:
        yield f"{held} of {many(len(task_ids), 'task')} in the holdout: the look will be recorded"
    if len(task_ids) < FEW_TASKS:
        yield f"{many(len(task_ids), 'task')}: fewer than {FEW_TASKS} give wide intervals"
    if request.rollouts_per_task == 1 and any(arm.spends for arm in checked.arms):
        yield "one rollout per task: luck and skill are not told apart"
    missing = lacking(request.requires or ())
    if missing:
        yield f"executors of version {VERSION} lack {', '.join(missing)}: they will leave it"
