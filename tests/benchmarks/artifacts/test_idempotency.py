"""A write asked for twice with one key is done once."""

import pytest

from benchmarks.artifacts.idempotency import replayed
from benchmarks.errors import IdempotencyConflict, InvalidArguments
from benchmarks.records.caller import Caller
from benchmarks.records.review import Review

ARGUMENTS = {"task_id": "t1", "decision": "accept"}


def written(key, arguments=ARGUMENTS, *, actor="os:mira", **changes):
    caller = Caller(actor, "shell", key)
    said = {"benchmark_id": "b", "task_id": "t1", "decision": "accept", "created_at": "x"}
    return Review.read(said | caller.block(arguments) | changes)


def test_the_same_key_and_arguments_give_the_first_record():
    first, second = written("k1", note="first"), written("k1", note="second")
    asked = Caller("os:mira", "shell", "k1")
    assert replayed([written("k0"), first, second], asked, dict(reversed(ARGUMENTS.items()))) is (
        first
    )


def test_a_new_key_or_none_means_write():
    records = [written("k1"), written(None)]
    assert replayed(records, Caller("os:mira", "shell", "k2"), ARGUMENTS) is None
    assert replayed(records, Caller("os:mira", "shell"), ARGUMENTS) is None


def test_the_same_key_with_other_arguments_is_a_conflict():
    with pytest.raises(IdempotencyConflict, match="'k1' was used with other arguments") as refused:
        replayed([written("k1")], Caller("os:mira", "shell", "k1"), {**ARGUMENTS, "note": ""})
    assert refused.value.details == {"idempotency_key": "k1"}


@pytest.mark.parametrize("arguments", [ARGUMENTS, {"task_id": "t2"}])
def test_the_same_key_of_another_actor_is_a_key_of_its_own(arguments):
    records = [written("k1", actor="token:a"), written("k1", note="of b", actor="token:b")]
    assert replayed(records, Caller("token:c", "rest", "k1"), arguments) is None
    assert replayed(records, Caller("token:b", "rest", "k1"), ARGUMENTS) is records[1]


def test_plain_objects_are_looked_at_too():
    record = written("k1").dump()
    assert (
        replayed([{"run_id": "x"}, record], Caller("os:mira", "shell", "k1"), ARGUMENTS) is record
    )


@pytest.mark.parametrize("key", ["", "x" * 129, "é", "a\nb", "\x7f"])
def test_a_key_is_1_to_128_printable_ascii_characters(key):
    with pytest.raises(InvalidArguments, match="printable ASCII"):
        replayed([], Caller("a", "shell", key), ARGUMENTS)


def test_a_key_of_full_length_is_a_key():
    assert replayed([], Caller("a", "shell", "x" * 128), ARGUMENTS) is None
