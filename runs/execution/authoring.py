"""One authoring request under a claim: claim, money and events as of any run, no world."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from benchmarks.artifacts import layout
from benchmarks.authoring.context import CAP_CHARS
from benchmarks.authoring.prompt import SETTINGS
from benchmarks.errors import DirectoryBusy, GatewayFailed
from benchmarks.gateway.failures import CallFailed, Scope
from benchmarks.gateway.providers import Providers
from benchmarks.records.authoring import OK, AuthoringEvent
from benchmarks.records.base import JsonObject
from benchmarks.records.blocks import Usage
from benchmarks.records.caller import Caller
from benchmarks.records.event import RunEvent
from benchmarks.records.request import RunRequest
from benchmarks.records.vocabulary import Blame, Route, RunStatus
from benchmarks.services.authored import write_back
from benchmarks.services.authoring import Author, AuthoringPass, Hooks, Order, Outcome, own_events
from benchmarks.services.authoring_desk import read_desk
from benchmarks.services.overviewing import write_overview
from runs.arms.costs import Bill, Tariff
from runs.execution.playing import Playing
from runs.executor import transitions
from runs.executor.assignment import Ended
from runs.executor.budget import Budget, Verdict
from runs.executor.rows import TEXT_CHARS
from runs.executor.rules import END_EVENTS, STATUSES, Halt
from runs.executor.tally import Tally
from runs.executor.watch import CancelLook, Handles, Watch
from runs.requests.arms import arms_of
from runs.requests.authoring import compares

AUTHORED = "authored"
MERGES = 3
"""How often a merge is begun anew because somebody wrote to the directory meanwhile."""


@dataclass
class Authoring:
    """The execution of one authoring request by the holder of its directory."""

    playing: Playing
    request: RunRequest
    halt: Halt | None = None
    stop: JsonObject | None = None
    error: JsonObject | None = None
    outcomes: list[Outcome] = field(default_factory=list)

    @cached_property
    def models(self) -> list[str]:
        """The models by their labels."""
        return [arm.label for arm in arms_of(self.request)]

    @cached_property
    def task_ids(self) -> tuple[str, ...]:
        """The tasks as they were chosen when the request was written; else those it names."""
        asked = (self.request.authoring or {}).get("task_ids", self.request.tasks)
        return tuple(asked) if isinstance(asked, list) else ()

    @cached_property
    def tally(self) -> Tally:
        """How many tasks of each model have an outcome."""
        return Tally(dict.fromkeys(self.models, len(self.task_ids)))

    @cached_property
    def budget(self) -> Budget:
        """What the pass has spent, by its own ledger: a restart refunds nothing."""
        playing = self.playing
        budget = Budget(
            stop_loss_usd=playing.means.posture.stop_loss_usd,
            warned="spend_warning" in playing.happened.types,
        )
        for event in own_events(playing.directory, self.request.run_id):
            self._paid(budget, event)
        return budget

    def run(self) -> RunRequest:
        """Ask what is owed, merge what was verified; the request as it stands afterwards."""
        playing, request = self.playing, self.request
        if request.status == RunStatus.CANCELLED:
            self.halt = Halt.CANCELLED
            return self._finish()
        begun = transitions.begin(
            playing.directory,
            playing.claim,
            request.run_id,
            owed=self.tally.total,
            at=playing.means.now,
        )
        if begun.status != RunStatus.RUNNING:
            return begun
        for event in self._opening():
            playing.tell(event)
        self._begin()
        return self._finish()

    def _begin(self) -> None:
        """Everything between the first line and the last."""
        self._obey_budget()
        for _ in range(MERGES):
            if self.halt is None and self.task_ids:
                asyncio.run(self._ask())
            if self.halt in {Halt.CANCELLED, Halt.RELEASED}:
                return
            try:
                self._merge()
            except DirectoryBusy as busy:
                self.playing.means.listener.narrate(f"{busy.message}: judged and merged again")
                continue
            self._sum_up()
            return
        raise DirectoryBusy(
            f"{self.playing.directory.name} was written to during each of {MERGES} merges",
            hint="its replies are kept; execute the run again when nobody edits the directory",
        )

    async def _ask(self) -> None:
        """One pass of questions; what the ledger answers is not asked."""
        means = self.playing.means
        width = means.width_for(self.request)
        providers = Providers(
            means.credentials, width=width, version=means.version, wall_clock=means.clock
        )
        try:
            work = AuthoringPass(
                order=self._order(width),
                desk=read_desk(self.playing.directory),
                authors={name: await self._author(name, providers) for name in self.models},
                hooks=self._hooks(),
            )
            watching = asyncio.create_task(self._watch(work.cut).run())
            try:
                self.outcomes = await work.run()
            finally:
                watching.cancel()
        finally:
            await providers.aclose()

    def _order(self, width: int) -> Order:
        cap = (self.request.authoring or {}).get("context_cap")
        return Order(
            run_id=self.request.run_id,
            task_ids=self.task_ids,
            cap=cap if isinstance(cap, int) else CAP_CHARS,
            width=width,
            timeout_s=self.playing.means.timeout_for(self.request),
            settings={**SETTINGS, **(self.request.settings or {}), "temperature": 0},
        )

    async def _author(self, name: str, providers: Providers) -> Author:
        """A model, and what its calls cost."""
        model = await providers.model(name)
        means = self.playing.means
        if model.route is Route.LOCAL:
            return Author(model, lambda usage: 0.0)
        book = means.price_book
        tariff = Tariff(
            model=model.called_model,
            price=book.find(name) or book.find(model.called_model),
            table_sha256=book.sha256,
            table_version=book.version,
        )
        return Author(model, cost_under(tariff))

    def _hooks(self) -> Hooks:
        self.tally.completed.clear()
        self.tally.missing.clear()
        return Hooks(
            record=self._record,
            finished=self._finished,
            failed=self._failed,
            halted=lambda: self.halt is not None,
            clock=self.playing.means.clock,
        )

    def _record(self, event: AuthoringEvent) -> None:
        """One call on the disk, and what its cost asks for."""
        self.playing.claim.check()
        self.playing.directory.append(layout.AUTHORING_EVENTS, event)
        self._paid(self.budget, event)
        self._obey_budget()

    def _finished(self, outcome: Outcome) -> None:
        """One task with its last word; what was told before a restart is not told again."""
        last, tally = outcome.last, self.tally
        tally.completed[outcome.model] += 1
        if last.status != OK:
            tally.missing[Blame.PROVIDER.value] += 1
        if all(one.reused for one in outcome.heard):
            return
        event = self.playing.events.make(
            AUTHORED,
            model=outcome.model,
            task_id=outcome.task_id,
            status=last.grounding or last.status,
            progress=tally.short(),
            seconds=round(outcome.seconds, 3),
            **({"error": last.error} if last.error is not None else {}),
        )
        self.playing.tell(event)
        transitions.edit(
            self.playing.directory,
            self.request.run_id,
            lambda request: request.with_(progress=tally.progress()),
        )

    def _failed(self, model: str, failure: CallFailed) -> None:
        """A call failed for good: no money, no key and an unknown model end the pass."""
        scope, text = failure.kind.scope, failure.message[:TEXT_CHARS]
        if scope is Scope.CALL or self.halt is not None:
            return
        if scope is Scope.QUOTA:
            self._stop("quota", text)
        else:
            self.halt, self.error = Halt.FAILED, {"class": "GatewayFailed", "message": text}

    @staticmethod
    def _paid(budget: Budget, event: AuthoringEvent) -> None:
        """Count one call; one without an answer cost nothing that is known."""
        unreported = event.unreported_calls or 0
        if event.status == OK:
            budget.add_row(event.model, event.cost_estimate_usd, unreported)
        else:
            budget.unreported_calls += unreported

    def _obey_budget(self) -> None:
        """Warn once at the stop-loss, stop at twice of it."""
        budget = self.budget
        verdict = budget.verdict()
        if verdict is Verdict.GO:
            return
        text = f"${budget.total_usd:.2f} spent, the stop-loss is ${budget.stop_loss_usd:g}"
        budget.warned = True
        if verdict is Verdict.WARN:
            self.playing.tell(self.playing.events.make("spend_warning", warning=text))
        elif self.halt is None:
            budget.stopped = True
            self.playing.tell(self.playing.events.make("spend_stop", error=text))
            self._stop("spend", text)

    def _stop(self, reason: str, detail: str) -> None:
        self.halt, self.stop = Halt.STOPPED, {"reason": reason, "detail": detail}

    def _watch(self, cut: Callable[[], None]) -> Watch:
        """What is looked at meanwhile: a cancel, a signal, the lease."""
        playing = self.playing

        def cancel() -> None:
            self.halt = Halt.CANCELLED
            cut()

        def release() -> None:
            self.halt = self.halt or Halt.RELEASED

        def look_at_lease() -> None:
            word = playing.claim.news()
            if word is not None:
                playing.tell(playing.events.make("lease_lost", warning=word))

        handles = Handles(
            cancel=cancel,
            release=release,
            cut=cut,
            silent_s=lambda: 0.0,
            stalled=playing.means.listener.narrate,
            look_at_lease=look_at_lease,
        )
        cancels = CancelLook(playing.directory, self.request.run_id)
        timeout_s = playing.means.timeout_for(self.request)
        return Watch(cancels, playing.means.shutdown, timeout_s, handles)

    def _merge(self) -> None:
        """What was verified into the tasks, with all that rests on them; a comparison writes none.

        Of a pass that was stopped what is there is merged: it was paid for.
        """
        self.playing.claim.check()
        if compares(self.request) or not self.outcomes:
            return
        directory = self.playing.directory
        write_back(
            directory,
            self.outcomes,
            slug=directory.name,
            caller=self._caller(),
            now=self.playing.means.clock(),
        )

    def _sum_up(self) -> None:
        """The overview, where it was asked for."""
        if (self.request.authoring or {}).get("overview") and self.halt is None:
            self.playing.claim.check()
            model = self.models[0] if self.models else ""
            write_overview(self.playing.directory, model=model, at=self.playing.means.now)

    def _caller(self) -> Caller:
        """Who asked for it: the merge is written in their name."""
        return Caller(self.request.actor or "os:executor", self.request.door or "worker")

    def _opening(self) -> Iterator[RunEvent]:
        make = self.playing.events.make
        yield make("claim_taken")
        if self.request.status == RunStatus.QUEUED:
            yield make("run_started", progress=self.tally.short())
        else:
            fence = self.playing.claim.fence
            yield make("run_resumed", owed=self.tally.total, fence=fence)

    def _finish(self) -> RunRequest:
        """The end in the request; a pass that no model answered has failed."""
        playing = self.playing
        playing.claim.check()
        errors = [one.last.error for one in self.outcomes if one.last.status != OK]
        if self.halt is None and errors and len(errors) == len(self.outcomes):
            self.halt = Halt.FAILED
            self.error = {"class": GatewayFailed.__name__, "message": str(errors[0])}
        if self.halt is not Halt.RELEASED:
            about = {"error": self.error} if self.error is not None else {}
            ending = END_EVENTS[self.halt]
            playing.tell(playing.events.make(ending, progress=self.tally.short(), **about))
        blame = {Halt.CANCELLED: Blame.CANCELLED, Halt.STOPPED: Blame.BUDGET}
        ended = Ended(
            status=STATUSES.get(self.halt),
            tally=self.tally,
            budget=self.budget,
            arm_names=self.request.arm_names or {},
            stop=self.stop,
            error=self.error,
            blame=blame.get(self.halt, Blame.PROVIDER) if self.halt is not None else None,
        )
        at = playing.means.now
        return transitions.edit(
            playing.directory,
            self.request.run_id,
            lambda now: transitions.finished(now, ended, at),
        )


def cost_under(tariff: Tariff) -> Callable[[Usage | None], float | None]:
    """What one call costs under a tariff: the provider's own word, else the table's."""

    def cost(usage: Usage | None) -> float | None:
        return Bill(tariff).add(usage)

    return cost
