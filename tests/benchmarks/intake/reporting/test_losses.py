import pytest

from benchmarks.intake.reasons import Dropped, Kind, Reason
from benchmarks.intake.reporting.losses import (
    Loss,
    join_loss,
    lost_apart,
    message_loss,
    record_loss,
)
from benchmarks.intake.reporting.tally import Tally
from benchmarks.intake.reporting.totals import Totals
from benchmarks.intake.told import Counts
from benchmarks.records.capture import Capture
from tests.benchmarks.intake.made import capture, conversation, gathering, line, said


def tally(*dropped: Dropped) -> Tally:
    return Tally(dropped=list(dropped))


def totals(*captures: Capture) -> Totals:
    return gathering(*map(line, captures)).totals()


def lost(path: str = "f", reason: Reason = Reason.MALFORMED_LINE) -> Dropped:
    return Dropped(reason, f"{path}#L1", "x", local_path=path)


def test_record_loss_is_lost_over_lost_and_kept() -> None:
    found = record_loss(tally(lost()), totals(*(capture(str(n)) for n in range(48))))
    assert (found, found.share) == (Loss(1, 49), 0.0204)


def test_a_file_that_held_no_capture_loses_nothing_and_is_told_apart() -> None:
    drops, kept = tally(lost("other"), lost("other"), lost()), totals(capture("1"))
    assert record_loss(drops, kept) == Loss(1, 2)
    assert lost_apart(drops, kept) == {Reason.MALFORMED_LINE: 2}


@pytest.mark.parametrize("reason", [reason for reason in Reason if reason.kind is not Kind.LOSS])
def test_noise_and_filters_are_no_loss(reason: Reason) -> None:
    drops = tally(lost(reason=reason), lost("other", reason))
    assert record_loss(drops, totals(capture("1"))) == Loss(0, 1)
    assert not lost_apart(drops, totals(capture("1")))


def test_message_loss_counts_calls_without_content() -> None:
    drops = [lost(reason=Reason.NO_MESSAGES), lost(reason=Reason.CONTENT_MASKED), lost()]
    assert message_loss(tally(*drops), totals(capture("1"), capture("2"))) == Loss(2, 4)


def test_every_answer_of_a_whole_conversation_is_a_model_call() -> None:
    turns = [said(0, "user", "a"), said(1, "assistant", "b"), said(2, "user", "c")]
    whole = conversation(*turns, said(3, "assistant", "d"), session=True)
    found = totals(capture("1", conversation=whole), capture("2", turns=1))
    assert message_loss(tally(lost(reason=Reason.NO_MESSAGES)), found) == Loss(1, 4)


def test_calls_that_a_later_one_goes_on_from_are_model_calls_too() -> None:
    first = conversation(said(0, "user", "a"), said(1, "assistant", "b"))
    later = conversation(
        said(0, "user", "a"),
        said(1, "assistant", "b"),
        said(2, "user", "c"),
        said(3, "assistant", "d"),
    )
    found = totals(capture("1", conversation=first), capture("2", conversation=later))
    assert found.whole.conversations == 1
    assert message_loss(tally(lost(reason=Reason.NO_MESSAGES)), found) == Loss(1, 3)


def test_join_loss_is_orphans_and_unanswered_over_calls_and_orphans() -> None:
    found = join_loss(Counts(calls=3, results=3, joined=2, unanswered=1))
    assert (found, found.share) == (Loss(2, 4), 0.5)


def test_nothing_of_nothing_is_no_loss() -> None:
    assert Loss(0, 0).share == 0.0
