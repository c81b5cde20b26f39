"""Why a capture or a conversation is not in the benchmark (spec/build.md 1.9).

Class L is loss, F a filter, M a merge. The list is closed.
"""

from enum import StrEnum


class Drop(StrEnum):
    """What became of a capture or a conversation that made no task of its own."""

    SUPERSEDED_HISTORY = "superseded_history"
    """A call whose turns stand in a later call of its conversation."""
    ALTERNATE_BRANCH = "alternate_branch"
    """An answer that was regenerated or a result that came otherwise."""
    NO_USER_TURN = "no_user_turn"
    NO_MODEL_OUTPUT = "no_model_output"
    LINEAGE_CYCLE = "lineage_cycle"
    """Helpers that are said to have started each other: nobody's conversation comes first."""
    HELPER_ATTACHED = "helper_attached"
    """A helper's conversation: it is part of the task of whoever started it."""
    REPEAT_TRIAL = "repeat_trial"
    NO_SUCCESSFUL_TRAJECTORY = "no_successful_trajectory"
    NOT_IN_DIRECTION = "not_in_direction"
    """The operator picked another capability."""
    PILOT_PENDING = "pilot_pending"
    """A task can be made of it, and waits until the pilot is audited."""

    @property
    def is_loss(self) -> bool:
        """Whether it counts as loss."""
        return self in {Drop.NO_USER_TURN, Drop.NO_MODEL_OUTPUT, Drop.LINEAGE_CYCLE}

    @property
    def kind(self) -> str:
        """What it means for the source: `loss`, `merge` or `filter`."""
        if self.is_loss:
            return "loss"
        return "merge" if self in MERGED else "filter"


OF_CAPTURES = frozenset({Drop.SUPERSEDED_HISTORY, Drop.ALTERNATE_BRANCH})
"""What becomes of captures; the others become of whole conversations."""
MERGED = frozenset({*OF_CAPTURES, Drop.HELPER_ATTACHED, Drop.REPEAT_TRIAL})
"""What went into another task: nothing of it is lost."""
