"""Every operator, listed by hand (spec/build.md 8.2)."""

from benchmarks.contract.mutants.faults.answers import negated_answer, no_answer, wrong_answer
from benchmarks.contract.mutants.faults.conduct import forbidden
from benchmarks.contract.mutants.faults.shape import (
    long_list,
    short_list,
    swap_values,
    wrong_key,
)
from benchmarks.contract.mutants.faults.values import (
    wrong_date,
    wrong_entity,
    wrong_enum,
    wrong_number,
    wrong_text,
)
from benchmarks.contract.mutants.faults.writes import (
    drop_reply,
    drop_write,
    duplicate_write,
    extra_write,
    refuse,
    reject_write,
)
from benchmarks.contract.mutants.harmless.calls import (
    extra_failed_read,
    extra_read,
    reorder_writes,
    repeat_idempotent,
    retry,
)
from benchmarks.contract.mutants.harmless.spelling import (
    date_spelling,
    null_optional,
    number_spelling,
    reorder_keys,
    reorder_list,
    text_spelling,
)
from benchmarks.contract.mutants.harmless.words import answer_spelling, fence, other_prose
from benchmarks.contract.mutants.variant import Operator

FAULTS: tuple[Operator, ...] = (
    drop_write,
    drop_reply,
    wrong_entity,
    wrong_number,
    wrong_text,
    wrong_enum,
    wrong_date,
    wrong_key,
    swap_values,
    short_list,
    long_list,
    extra_write,
    duplicate_write,
    reject_write,
    wrong_answer,
    no_answer,
    negated_answer,
    refuse,
    forbidden,
)
"""What must be rejected."""
HARMLESS: tuple[Operator, ...] = (
    extra_read,
    extra_failed_read,
    reorder_writes,
    reorder_list,
    reorder_keys,
    number_spelling,
    answer_spelling,
    text_spelling,
    date_spelling,
    null_optional,
    repeat_idempotent,
    retry,
    other_prose,
    fence,
)
"""What must be accepted."""
CRITICAL = frozenset({
    "drop_write", "drop_reply", "wrong_entity", "extra_write", "reject_write", "wrong_answer",
})  # fmt: skip
"""A survivor of one of these makes a verifier weak, whatever its score."""
MOST_FAULTS = 40
MOST_HARMLESS = 15
