"""The one guard: which calls are spend-adjacent, and what happens below and above the bar.

Services ask it, so every door passes it (spec/run.md 7.5).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.errors import Action, ApprovalRequired, PostureTooLow
from benchmarks.records.vocabulary import TrustLevel
from runs.requests.arms import ArmSpec
from runs.trust.posture import PROVIDER_UPLOAD, Posture

QUEUE_RULE = "benchmark.queue-run-below-posture"
UPLOAD_GATE = "customer_data_upload"
SHELL = "shell"
NEEDED = TrustLevel.BOUNDED_EXPERIMENTS
RAISE = Action(
    say="a person allows bounded experiments",
    command=f"understudy trust set {NEEDED}",
    who="person",
)


@dataclass(frozen=True, slots=True)
class Shape:
    """What of a request decides whether it is spend-adjacent."""

    arms: Sequence[ArmSpec]
    rollouts: int
    explicit_tasks: bool
    retry_cells: int | None = None
    """Spending cells that a retry owes; None when it is no retry."""

    @property
    def reason(self) -> str | None:
        """Why it is spend-adjacent, in words; None when it is free."""
        spending = [arm for arm in self.arms if arm.spends]
        if not spending:
            return None
        if self.retry_cells is not None:
            more = self.retry_cells > 1
            return f"a retry of {self.retry_cells} cells of models" if more else None
        if len(spending) > 1:
            return f"a run of {len(spending)} arms that can spend"
        if self.rollouts > 1:
            return f"a run of {self.rollouts} rollouts per task"
        return None if self.explicit_tasks else "an all-task run of a model"


def allows(shape: Shape, posture: Posture, *, confirmed: bool) -> bool:
    """Whether a request may run: it is free, the posture is high enough, or it was confirmed."""
    return shape.reason is None or confirmed or posture.reaches(NEEDED)


def check(shape: Shape, posture: Posture, *, confirmed: bool, door: str = SHELL) -> bool:
    """Whether a notice is owed before anything is written.

    Raises:
        PostureTooLow: the request is spend-adjacent and nobody allowed it.
    """
    reason = shape.reason
    if reason is None:
        return False
    if not allows(shape, posture, confirmed=confirmed):
        confirm = "--confirm" if door == SHELL else "confirm: true"
        raise PostureTooLow(
            f"{reason} needs {NEEDED}; the posture is {posture.level}",
            hint=f"or pass {confirm} for this one call, after consent in this conversation",
            details={"rule_id": QUEUE_RULE, "level": posture.level.value, "needs": NEEDED.value},
            next_actions=(RAISE,),
        )
    return True


def allows_upload(models: Sequence[str], posture: Posture, *, confirmed: bool) -> bool:
    """Whether captured content may be sent to these providers' models."""
    return not models or confirmed or posture.provider_upload


def check_upload(
    models: Sequence[str], posture: Posture, *, confirmed: bool, door: str = SHELL
) -> None:
    """Hold back what was captured until somebody who owns it lets it go.

    `models` are those that a provider runs; a model on this machine is sent nothing.

    Raises:
        ApprovalRequired: nobody allowed captured content to go to a provider.
    """
    if allows_upload(models, posture, confirmed=confirmed):
        return
    confirm = "--confirm" if door == SHELL else "confirm: true"
    raise ApprovalRequired(
        f"captured content would be sent to the provider of {', '.join(models)}, "
        f"and {PROVIDER_UPLOAD} is not set",
        hint=f"or pass {confirm} for this one call, after consent in this conversation; a model"
        " of this machine is sent to nobody",
        details={"gate": UPLOAD_GATE, "level": posture.level.value, "models": list(models)},
        next_actions=(
            Action(
                say="a person allows captures to go to a provider",
                command=f"understudy trust set {posture.level} --allow-provider-upload",
                who="person",
            ),
        ),
    )
