"""Whatever people write into a contract, its test comes to a verdict."""

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.contract.mutants.pool import Pool
from benchmarks.contract.mutants.subject import Example, Subject
from benchmarks.contract.mutants.verifying import verify_task
from benchmarks.contract.observed import Observed, ObservedCall
from benchmarks.contract.score import score
from benchmarks.records.contract import Contract
from benchmarks.records.verifier import TaskVerification
from tests.benchmarks.contract.making import POLICY, TOOLS
from tests.benchmarks.contract.mutants.probing import KNOWN

FEW = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)  # fmt: skip
words = st.sampled_from(["A-7", "spam", "25", "50%", "2024-05-20", "", "東京", "not spam", "é"])
leaves = st.one_of(
    words, st.none(), st.booleans(), st.integers(-99, 99), st.sampled_from([2.5, 1e300, -0.0])
)
values = st.recursive(
    leaves, lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(words, inner))
)
kinds = st.sampled_from([
    "exact", "number", "text", "date", "set", "list", "object", "prose", "one_of", "ref", "any",
    "absent", "unheard",
])  # fmt: skip
matchers = st.recursive(
    st.fixed_dictionaries(
        {"match": kinds},
        optional={
            "value": values, "optional": st.booleans(), "tolerance": leaves, "entry": words,
            "path": words, "of": kinds, "contains": st.booleans(),
        },
    ),
    lambda inner: st.fixed_dictionaries({
        "match": kinds,
        "items": st.lists(inner, max_size=2),
        "fields": st.dictionaries(words, inner, max_size=2),
        "options": st.lists(inner, max_size=2),
    }),
    max_leaves=4,
)  # fmt: skip
tools = st.sampled_from([*TOOLS, "never_heard_of"])
entries = st.fixed_dictionaries(
    {},
    optional={
        "id": words,
        "type": st.sampled_from([
            "state_effect", "read_obligation", "value_propagation", "response_obligation",
            "no_state_change", "forbidden", "forbidden_value", "preserved", "unheard",
        ]),
        "tool": tools,
        "arguments": st.dictionaries(words, matchers, max_size=3),
        "observed_arguments": values,
        "kind": st.sampled_from([
            "answered", "consulted", "json_parses", "schema_valid", "contains_category", "value",
            "token_f1", "unheard",
        ]),
        "value": values,
        "expected": values,
        "labels": st.lists(words, max_size=3),
        "expected_keys": st.lists(words, max_size=2),
        "at": st.sampled_from(["answer", "text", "", "/A-7", "/a/b"]),
        "matcher": matchers,
        "threshold": st.floats(0, 1),
        "must_reach": st.fixed_dictionaries({
            "kind": st.sampled_from(["response", "final_response", "tool_args"])
        }),
        "as": st.sampled_from(["exact", "number", "text", "date"]),
        "where": st.sampled_from(["any", "final_response", "tool_args"]),
        "any_of": words,
        "optional": st.booleans(),
        "entity": st.fixed_dictionaries({"type": words, "id": leaves}),
        "tools": st.lists(tools, max_size=2),
    },
)  # fmt: skip
RESPONSE = {"type": "response_obligation"}
LIKELY = [
    {"type": "value_propagation", "value": 25, "must_reach": {"kind": "response"}},
    {"type": "value_propagation", "value": "A-7"},
    {"type": "value_propagation", "value": "25", "must_reach": {"kind": "tool_args"}},
    {**RESPONSE, "kind": "answered"},
    {**RESPONSE, "kind": "json_parses"},
    {**RESPONSE, "kind": "contains_category", "expected": "spam", "labels": ["spam", "25", ""]},
    {**RESPONSE, "kind": "value", "at": "/A-7", "matcher": {"match": "number", "value": 25}},
    {**RESPONSE, "kind": "value", "at": "", "matcher": {"match": "set", "value": [1]}},
    {**RESPONSE, "kind": "schema_valid", "expected_keys": ["A-7"]},
    {**RESPONSE, "kind": "token_f1", "expected": "spam"},
    {**RESPONSE, "kind": "consulted"},
    {"type": "no_state_change"},
]
"""What many of the rollouts meet."""
contracts = st.fixed_dictionaries({
    "status": st.just("edited"),
    "writes": st.sampled_from(["forbid", "allow"]),
    "required": st.lists(st.one_of(st.sampled_from(LIKELY), entries), max_size=3),
    "preserved": st.lists(entries, max_size=1),
    "forbidden": st.lists(entries, max_size=1),
})
calls = st.builds(
    lambda name, given, raw, ok: ObservedCall(
        name, given, raw if given is None else None, status="ok" if ok else "error", result="OK"
    ),
    tools,
    st.one_of(st.none(), st.dictionaries(words, values, max_size=3)),
    words,
    st.booleans(),
)
rollouts = st.builds(
    lambda made, said: Observed(tuple(made), tuple(said), said[-1] if said else None),
    st.lists(calls, max_size=4),
    st.lists(st.sampled_from(["spam", '{"A-7": 25}', "It is 25, A-7.", "[1]", ""]), max_size=2),
)


def asking_for(right: Observed, strange: list[dict[str, Any]]) -> Contract:
    """All that a rollout meets of some entries, and what it did, as older files ask for it."""
    done = [
        {"type": "state_effect", "tool": one.tool, "observed_arguments": one.arguments}
        for one in right.calls
        if one.accepted and one.is_write(POLICY)
    ]
    met = [one for one in [*LIKELY, *strange] if passes(right, [one], writes="allow")]
    kept = [one for one in done if passes(right, [one], writes="allow")]
    return written([*kept, *met], writes="forbid" if len(kept) == len(done) else "allow")


def written(required: list[dict[str, Any]], writes: str) -> Contract:
    return Contract.read({"status": "edited", "writes": writes, "required": required})


def passes(right: Observed, required: list[dict[str, Any]], writes: str) -> bool:
    return score(written(required, writes), right, POLICY).score.strict == 1


def verdict_on(contract: Contract, right: Observed, wrong: Observed) -> TaskVerification:
    subject = Subject(
        task_id="task-1",
        contract=contract,
        verifier_sha256=None,
        policy=POLICY,
        tools=KNOWN,
        passes=(Example("fx-1", right),),
        fails=(Example("fx-2", wrong),),
        pool=Pool.of([right, wrong]),
    )
    return verify_task(subject, 0).row


@given(contracts, rollouts, rollouts)
@FEW
def test_every_contract_comes_to_a_verdict(
    contract: dict[str, Any], right: Observed, wrong: Observed
) -> None:
    row = verdict_on(Contract.read(contract), right, wrong)
    assert row.verdict in {"tested", "weak", "untested"}
    assert row.dump()["fixtures"]["fail"] == 1


@given(st.lists(entries, max_size=2), rollouts, rollouts)
@FEW
def test_whatever_a_rollout_meets_is_put_to_the_test(
    strange: list[dict[str, Any]], right: Observed, wrong: Observed
) -> None:
    row = verdict_on(asking_for(right, strange), right, wrong)
    assert row.mutants.made or row.verdict != "tested"
