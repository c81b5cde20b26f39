"""One request under a claim, from its first line to its end."""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from benchmarks.artifacts import layout
from benchmarks.artifacts.claim import Claim
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.errors import UnderstudyError
from benchmarks.gateway.providers import Providers
from benchmarks.records.direction import Dependencies
from benchmarks.records.event import RunEvent
from benchmarks.records.request import RunRequest
from benchmarks.records.vocabulary import ArmKind, Blame, RunStatus
from runs.arms.registry import make_arms, markers
from runs.execution.means import Means
from runs.executor import transitions
from runs.executor.assignment import Assignment, Ended
from runs.executor.budget import Budget
from runs.executor.events import EventMaker, Happened
from runs.executor.library import Library, load_library
from runs.executor.live import LiveGround
from runs.executor.loop import execute
from runs.executor.preflight import Poison, Supplies, make_terms
from runs.executor.preparing import (
    Prepared,
    given_up,
    not_played,
    prepare,
    unplayable,
)
from runs.executor.rollout import Terms
from runs.executor.rows import RunFacts
from runs.recalibration import recalibrate

PROVIDERS_FAULTS = frozenset({"CredentialsMissing", "UnknownModel", "GatewayFailed"})
PREVIOUS_KEYS = ("pid", "host", "fence")


@dataclass(frozen=True)
class Playing:
    """The execution of one request by the holder of its directory."""

    directory: BenchmarkDir
    claim: Claim
    means: Means
    events: EventMaker
    happened: Happened
    """What the run's events say so far."""

    def run(self, request: RunRequest) -> RunRequest:
        """Play what the request owes; the request as it stands afterwards.

        A request that cannot be run as it stands ends failed, with what is wrong.
        """
        prepared = prepare(self.directory, request)
        budget = prepared.budget(
            self.means.posture.stop_loss_usd, warned="spend_warning" in self.happened.types
        )
        if prepared.history.is_crash_loop() and request.status != RunStatus.CANCELLED:
            ended = given_up(prepared, budget)
            self.tell(self.events.make("run_failed", error=ended.error))
            return self._finish(request, ended)
        begun = self._begun(prepared)
        if begun.status != RunStatus.RUNNING:
            ended = not_played(prepared, budget)
            self.tell(self.events.make("run_cancelled", progress=ended.tally.short()))
        else:
            ended = asyncio.run(self._play(prepared, begun, budget))
        return self._finish(begun, ended)

    def fail(self, request: RunRequest, error: UnderstudyError) -> RunRequest:
        """Write down that a request failed, why, and what it leaves; the queue goes on."""
        self.claim.check()
        class_ = error.reason if isinstance(error, Poison) else type(error).__name__
        blame = Blame.PROVIDER if class_ in PROVIDERS_FAULTS else Blame.INFRA
        word = {"class": class_, "message": error.message}
        ended = replace(unplayable(self.directory, request, blame), error=word)
        at = self.means.now
        after = transitions.edit(
            self.directory, request.run_id, lambda now: transitions.failed(now, ended, at)
        )
        if after.status == RunStatus.FAILED:
            self.tell(self.events.make("run_failed", error=word))
        return after

    def tell(self, event: RunEvent) -> None:
        """Write one event and pass it on."""
        self.claim.check()
        self.directory.append(layout.EVENTS, event)
        self.means.listener.event(event)

    def _begun(self, prepared: Prepared) -> RunRequest:
        """The request running under this claim; one that was cancelled stays so."""
        if prepared.request.status == RunStatus.CANCELLED:
            return prepared.request
        owed = len(prepared.plan.owed)
        run_id = prepared.request.run_id
        return transitions.begin(self.directory, self.claim, run_id, owed=owed, at=self.means.now)

    async def _play(self, prepared: Prepared, request: RunRequest, budget: Budget) -> Ended:
        means = self.means
        width = means.width_for(request)
        providers = Providers(
            means.credentials, width=width, version=means.version, wall_clock=means.clock
        )
        try:
            library = self._library(prepared)
            terms = await make_terms(self._supplies(prepared, library, providers))
            prepared.record_look(means.now)
            job = Assignment(
                directory=self.directory,
                claim=self.claim,
                request=request,
                plan=prepared.plan,
                history=prepared.history,
                library=library,
                terms=terms,
                lanes=providers.lanes,
                facts=self._facts(prepared),
                seed=prepared.seed,
                events=self.events,
                budget=budget,
                width=width,
                timeout_s=means.timeout_for(request),
                listener=means.listener,
                shutdown=means.shutdown,
                clock=means.clock,
                opening=tuple(self._opening(prepared, terms, budget)),
            )
            return await execute(job)
        finally:
            await providers.aclose()

    def _library(self, prepared: Prepared) -> Library:
        """The tasks; what their captures were paid only where a replay shows it."""
        replays = any(arm.kind is ArmKind.REPLAY for arm in prepared.owing_arms)
        return load_library(self.directory, self.means.price if replays else None)

    def _supplies(self, prepared: Prepared, library: Library, providers: Providers) -> Supplies:
        return Supplies(
            request=prepared.request,
            arms=prepared.owing_arms,
            task_ids=prepared.owed_tasks,
            library=library,
            providers=providers,
            price_book=lambda: self.means.price_book,
            timeout_s=self.means.timeout_for(prepared.request),
            seed=prepared.seed,
            live=LiveGround(
                prepared.dossier.dependencies or Dependencies(), self.means.live_endpoints
            ),
        )

    def _facts(self, prepared: Prepared) -> RunFacts:
        return RunFacts(
            run_id=prepared.request.run_id,
            benchmark_id=prepared.request.benchmark_id,
            executor_version=self.means.version,
            fence=self.claim.fence,
            min_fidelity=prepared.dossier.policy.min_fidelity,
            markers=markers(make_arms()),
            splits={task: split.value for task, split in prepared.splits.items()},
            retry_of=prepared.request.retry_of,
        )

    def _opening(
        self, prepared: Prepared, terms: Mapping[str, Terms], budget: Budget
    ) -> Iterator[RunEvent]:
        """What is said before the first cell."""
        make = self.events.make
        before = self.claim.previous or {}
        previous = {key: before[key] for key in PREVIOUS_KEYS if key in before}
        yield make("claim_taken", previous=previous or None)
        if self.claim.warning is not None:
            yield make("lease_lost", warning=self.claim.warning)
        if prepared.request.status == RunStatus.QUEUED:
            progress = {"completed": prepared.plan.on_disk, "total": prepared.plan.asked}
            yield make("run_started", progress=progress)
        else:
            yield make("run_resumed", owed=len(prepared.plan.owed), fence=self.claim.fence)
        for cell, attempt in prepared.history.newly_lost():
            place = {"model": cell.arm, "task_id": cell.task_id, "rollout": cell.rollout}
            yield make("attempt_lost", **place, attempt=attempt)
        if budget.stop_loss_usd is None:
            return
        for label, term in terms.items():
            if term.model_for is not None and not term.tariff.free and term.tariff.price is None:
                text = f"no price for {term.tariff.model}: the stop-loss cannot hold this arm"
                yield make("spend_unmeasured", model=label, warning=text)

    def _finish(self, request: RunRequest, ended: Ended) -> RunRequest:
        """Write the end of an execution; calibration first, so that a crash repeats it."""
        self.claim.check()
        at = self.means.now
        current = self.directory.request(request.run_id)
        recalibrate(
            self.directory,
            transitions.finished(current, ended, at),
            self.means.listener.narrate,
        )
        return transitions.edit(
            self.directory,
            request.run_id,
            lambda now: transitions.finished(now, ended, at),
        )
