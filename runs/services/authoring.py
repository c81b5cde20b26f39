"""Asking for authored definitions: quoted and guarded, one request written, nothing sent.

The one way in for every door. An executor runs the request through the authoring service.
"""

import os
import secrets
from collections.abc import Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from benchmarks.artifacts import layout
from benchmarks.artifacts.home import Home
from benchmarks.artifacts.idempotency import replayed
from benchmarks.artifacts.roots import Located
from benchmarks.authoring.context import CAP_CHARS, context_of
from benchmarks.authoring.prompt import OUTPUT_TOKENS, messages_of, tokens_of
from benchmarks.errors import CredentialsMissing, InvalidArguments, WrongStage
from benchmarks.gateway.builtin_prices import builtin_table
from benchmarks.gateway.credentials import Credentials, Target, missing, read_credentials
from benchmarks.gateway.prices import PriceBook, price_book, read_prices
from benchmarks.gateway.reaching import preferred_model, reach
from benchmarks.gateway.scripted import PREFIX
from benchmarks.records import cures
from benchmarks.records.base import JsonObject
from benchmarks.records.caller import Caller
from benchmarks.records.request import RunRequest
from benchmarks.records.times import stamp
from benchmarks.records.vocabulary import Route, RunStatus, Stage
from benchmarks.services.authoring_desk import AuthoringDesk, Choice, chosen_tasks, read_desk
from reviews.services.dossier import Dossier
from runs.executor.selecting import refused_tasks
from runs.executor.transitions import is_unfinished
from runs.requests.arms import arms_of
from runs.requests.authoring import (
    AUTHORING,
    authoring_notice,
    authoring_quote,
    is_authoring,
    visible_line,
)
from runs.requests.capabilities import requires
from runs.services.costing import call_price
from runs.services.queued import queued_answer
from runs.services.queueing import RUN_ID_BYTES, not_written
from runs.services.trusting import posture_of
from runs.trust import guard
from runs.trust.posture import Posture

LEAST_CAP = 1000
MOST_MODELS = 8


@dataclass(frozen=True, slots=True)
class Wish:
    """What a caller asks for."""

    models: tuple[str, ...] = ()
    """Empty: the first preference that the gateway lists. Several are compared."""
    task_ids: tuple[str, ...] | None = None
    only_unauthored: bool = True
    limit: int | None = None
    overview: bool = False
    context_cap: int = CAP_CHARS
    concurrency: int | None = None

    def document(self) -> JsonObject:
        """What was asked, for the digest of an idempotency key and for finding it again."""
        return {
            "models": list(self.models),
            "tasks": None if self.task_ids is None else list(self.task_ids),
            "only_unauthored": self.only_unauthored,
            "limit": self.limit,
            "overview": self.overview,
            "context_cap": self.context_cap,
        }


def queue_authoring(
    *,
    located: Located,
    home: Home,
    wish: Wish,
    dry_run: bool = False,
    confirm: bool = False,
    resume: bool = False,
    caller: Caller,
    now: datetime,
    environ: Mapping[str, str] = os.environ,
) -> JsonObject:
    """Write the request, or with `dry_run` say what it would be and cost.

    With `resume` an unfinished request that asked for the same is taken up instead of a new one.

    Raises:
        InvalidArguments: a value is wrong.
        WrongStage: the directory holds no tasks.
        UnknownTask, NothingSelected: the tasks named are not there, or none is left to author.
        EnvironmentMissing: there is no evidence to show a model.
        PostureTooLow: it is spend-adjacent, and neither the posture nor `confirm` allows it.
        ApprovalRequired: nobody allowed captured content to go to a provider.
        CredentialsMissing: no source yields a key for a model.
        IdempotencyConflict: the key was used for another request.
    """
    with nullcontext() if dry_run else located.directory.guard():
        asking = Asking(located, home, wish, caller, now, environ, dry_run=dry_run)
        before = None if dry_run else asking.before(resume=resume)
        if before is not None:
            return asking.answer(before, replayed=True)
        draft = asking.draft()
        request = asking.quoted(draft, confirm=confirm, dry_run=dry_run)
        if dry_run:
            return not_written(asking.answer(request))
        located.directory.create(layout.request(request.run_id), request)
        return asking.answer(request)


@dataclass
class Asking:
    """One call of the service, with what it reads."""

    located: Located
    home: Home
    wish: Wish
    caller: Caller
    now: datetime
    environ: Mapping[str, str]
    dry_run: bool = False
    warnings: list[str] = field(default_factory=list)

    @cached_property
    def dossier(self) -> Dossier:
        """The benchmark as it stands."""
        return Dossier(self.located.directory, slug=self.located.slug)

    @cached_property
    def desk(self) -> AuthoringDesk:
        """The evidence of its tasks."""
        return read_desk(self.located.directory)

    @cached_property
    def credentials(self) -> Credentials:
        """Everything that may yield a key."""
        return read_credentials(self.home.credentials_file, self.environ)

    @cached_property
    def posture(self) -> Posture:
        """What the operator allows."""
        return posture_of(self.home)

    @cached_property
    def models(self) -> tuple[str, ...]:
        """The models that are named, else the preferred one.

        A dry run needs neither: it counts for a model that is still to be named.
        """
        if self.wish.models:
            return self.wish.models
        try:
            return (preferred_model(self.home.settings.authors, self.credentials),)
        except CredentialsMissing as error:
            if not self.dry_run:
                raise
            self.warnings.append(f"{error.message}; {error.hint}")
            return (cures.MODEL,)

    @cached_property
    def targets(self) -> dict[str, Target]:
        """Where each model is, of those that can be reached."""
        found = {}
        for name in self.models:
            with suppress(CredentialsMissing):
                found[name] = reach(name, self.credentials)
        return found

    @property
    def leaving(self) -> list[str]:
        """The models that a provider runs: what they are asked leaves this machine."""
        return [name for name, at in self.targets.items() if at.route is not Route.LOCAL]

    @cached_property
    def book(self) -> PriceBook:
        """The prices of the day."""
        return price_book(builtin_table(self.now.date()), read_prices(self.home.prices_file))

    def before(self, *, resume: bool) -> RunRequest | None:
        """The request that this very call wrote, or that asked for the same and has not ended."""
        requests = self.dossier.requests.requests
        found = replayed(requests, self.caller, self.wish.document())
        if found is not None or not resume:
            return found
        same = (
            each
            for each in requests
            if is_authoring(each)
            and is_unfinished(each)
            and each.status != RunStatus.CANCELLED
            and (each.authoring or {}).get("asked") == self.wish.document()
        )
        return next(same, None)

    def draft(self) -> RunRequest:
        """The request without its quote.

        Raises:
            UnderstudyError: what is wrong with the call or the benchmark.
        """
        self._check()
        wish, at = self.wish, stamp(self.now)
        choice = Choice(wish.task_ids, wish.only_unauthored, wish.limit)
        listed = {
            name: task for name, task in self.dossier.tasks.items() if name in self.desk.tasks
        }
        refused = refused_tasks(self.dossier)
        task_ids = chosen_tasks(listed, choice, refused=refused, slug=self.located.slug)
        manifest = self.dossier.manifest
        counts = {"completed": 0, "total": len(task_ids)}
        request = RunRequest.read({
            "run_id": f"run-{secrets.token_hex(RUN_ID_BYTES)}",
            "benchmark_id": manifest.benchmark_id if manifest is not None else "",
            "models": list(self.models),
            "split": "all",
            "tasks": "all" if wish.task_ids is None else task_ids,
            "rollouts_per_task": 1,
            "created_at": at,
            "status": RunStatus.QUEUED,
            "progress": {
                "completed": 0,
                "total": len(task_ids) * len(self.models),
                "arms": dict.fromkeys(self.models, counts),
            },
            "kind": AUTHORING,
            "authoring": {
                "task_ids": task_ids,
                "context_cap": wish.context_cap,
                "overview": wish.overview,
                "asked": wish.document(),
            },
            **({"concurrency": wish.concurrency} if wish.concurrency else {}),
            **self.caller.block(wish.document()),
        })
        return request.with_(requires=requires(request, ()))

    def _check(self) -> None:
        """Refuse what no executor could do."""
        stage, slug = self.dossier.stage, self.located.slug
        if stage not in {Stage.PROPOSED, Stage.PROMOTED}:
            raise WrongStage(
                f"{slug} is at stage {stage.value}: it has no tasks to author",
                hint="build the benchmark first: understudy traces build-benchmark",
                details={"stage": stage.value},
                next_actions=(cures.read_status(slug),),
            )
        models = self.models
        scripted = [name for name in models if name.startswith(PREFIX)]
        if scripted:
            raise InvalidArguments(
                f"{scripted[0]} plays recorded tasks and writes no definitions",
                hint="name a model of a gateway, a provider or this machine",
            )
        if len(set(models)) < len(models) or len(models) > MOST_MODELS:
            raise InvalidArguments(
                f"models: 1 to {MOST_MODELS}, each once, not {', '.join(models)}"
            )
        if self.wish.context_cap < LEAST_CAP:
            raise InvalidArguments(f"context_cap {self.wish.context_cap} is under {LEAST_CAP}")

    def quoted(self, draft: RunRequest, *, confirm: bool, dry_run: bool) -> RunRequest:
        """The request with its quote, its notice, and the word that let it through.

        Raises:
            PostureTooLow, ApprovalRequired: nobody allowed what it may spend, or send.
            CredentialsMissing: no source yields a key for a model.
        """
        shape = guard.Shape(arms_of(draft), 1, self.wish.task_ids is not None)
        noticed = shape.reason is not None
        door = self.caller.door
        if not dry_run:
            noticed = guard.check(shape, self.posture, confirmed=confirm, door=door)
            for name in self.models:
                if name not in self.targets:
                    raise missing(name, self.credentials)
            guard.check_upload(self.leaving, self.posture, confirmed=confirm, door=door)
        quoted = self._quote(draft)
        count = len(self._task_ids(draft))
        level = self.posture.level.value
        notices = [authoring_notice(level, draft, quoted, count).dump()] if noticed else None
        return draft.with_(
            quote=quoted,
            notices=notices,
            confirmed=True if confirm and (noticed or self.leaving) else None,
        )

    def _quote(self, draft: RunRequest) -> JsonObject:
        """What it is expected to cost: the very questions, counted; a reply is guessed."""
        contexts = (
            context_of(self.desk.evidence(name), self.wish.context_cap)
            for name in self._task_ids(draft)
        )
        tokens = [(tokens_of(messages_of(context)), OUTPUT_TOKENS) for context in contexts]
        quoted = authoring_quote(
            draft,
            tokens,
            price=lambda model, usage: call_price(self.book, model, usage),
            free=[name for name in self.targets if name not in self.leaving],
            table_sha256=self.book.sha256,
            stop_loss_usd=self.posture.stop_loss_usd,
        )
        for name in quoted["unpriced"]:
            self.warnings.append(f"no price for {name}: its cost will be unknown")
        return quoted

    def answer(self, request: RunRequest, *, replayed: bool = False) -> JsonObject:
        """The document of the service, with the line that is said before anything is sent."""
        quoted = request.quote or {}
        count = len(self._task_ids(request))
        return {
            **queued_answer(self.located, request, self.warnings, replayed=replayed),
            "quote": quoted,
            "say": visible_line(request, quoted, count) if quoted else "",
        }

    @staticmethod
    def _task_ids(request: RunRequest) -> list[Any]:
        return list((request.authoring or {}).get("task_ids") or ())
