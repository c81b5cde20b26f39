"""Whatever a contract asks for: each fault fails it, each harmless variant passes it."""

import json
import string
from collections.abc import Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.contract.declared import Declared
from benchmarks.contract.inferring import infer_arguments
from benchmarks.contract.json_answers import json_answer
from benchmarks.contract.mutants.pool import Pool
from benchmarks.contract.mutants.subject import Example, Subject
from benchmarks.contract.mutants.verifying import verify_task
from benchmarks.contract.mutating import effective_policy
from benchmarks.contract.observed import Observed, ObservedCall
from benchmarks.records.contract import Contract
from tests.benchmarks.contract.making import call, contract, response, rollout, said_value, tool
from tests.benchmarks.contract.mutants.probing import ANSWERED

FEW = settings(max_examples=20, deadline=None)
TOOLS = [
    tool("create_trip", ["title", "people", "day", "bags", "note", "steps"]),
    tool(
        "update_trip",
        properties={
            "trip_id": {"type": "string"},
            "cabin": {"enum": ["basic", "business"]},
            "quiet": {"type": "boolean", "default": False},
            "seat": {"type": "integer"},
            "limit": {"type": "number"},
        },
    ),
    tool("pay_fee", ["account_id", "amount"]),
    tool("cancel_trip", ["trip_id", "reason"]),
    tool("get_trip", ["trip_id"]),
    tool("transfer_to_human_agents", ["summary"]),
]
POLICY = effective_policy(None, TOOLS)
DECLARED = {one.name: Declared.of(one.parameters) for one in TOOLS}

ids = st.from_regex(r"[A-Z]{1,2}-[0-9]{2,4}", fullmatch=True)
texts = st.one_of(
    st.sampled_from(["Kim Lee", "café noir", "Straße", "東京", "no", "ACME Ltd", "a  b"]),
    st.text(string.ascii_letters + " äßıé", min_size=1, max_size=12).filter(str.strip),
)
prose = st.sampled_from(["It was moved since the weather did not allow it, as we have said twice."])
numbers = st.one_of(
    st.integers(-10_000, 10_000),
    st.decimals(-999, 999, places=2).map(float),
    st.integers(0, 99).map(str),
)
days = st.dates().map(lambda day: day.isoformat())
scalars = st.one_of(ids, texts, numbers, days, st.booleans(), st.none())
people = st.fixed_dictionaries({"name": texts, "born": days, "tags": st.lists(texts, max_size=2)})
"""Every one with the same keys: what one leaves open, another of the set could fill."""
trips = st.fixed_dictionaries(
    {"title": texts, "people": st.lists(people, max_size=3), "day": days},
    optional={
        "bags": numbers, "note": prose, "steps": st.lists(scalars, max_size=3),
    },
)  # fmt: skip
changes = st.fixed_dictionaries(
    {"trip_id": ids, "cabin": st.sampled_from(["basic", "business"])},
    optional={"quiet": st.booleans(), "seat": st.integers(1, 40)},
)
fees = st.fixed_dictionaries({"account_id": ids, "amount": numbers})
cancels = st.fixed_dictionaries({"trip_id": ids, "reason": st.one_of(texts, prose)})
writes = st.one_of(
    st.builds(lambda found: call("create_trip", '{"id": "TR-1"}', **found), trips),
    st.builds(lambda found: call("update_trip", **found), changes),
    st.builds(lambda found: call("pay_fee", **found), fees),
    st.builds(lambda found: call("cancel_trip", **found), cancels),
)
reads = st.builds(lambda one: call("get_trip", '{"price": 37}', trip_id=one), ids)
calls = st.lists(st.one_of(writes, reads), max_size=5)
answers = st.one_of(
    st.tuples(st.just("said"), st.lists(st.one_of(numbers, ids, days), max_size=2)),
    st.tuples(st.just("label"), st.sampled_from(["spam", "card arrival", "是", "A"])),
    st.tuples(st.just("json"), st.dictionaries(texts, st.one_of(scalars, st.lists(texts)))),
    st.tuples(st.just("handed"), st.none()),
)
LABELS = ["spam", "card arrival", "card_issue", "是", "A", "not known"]


def effects(made: Sequence[ObservedCall]) -> list[dict[str, Any]]:
    """What is asked of each write."""
    return [
        {
            "id": f"o{place}",
            "type": "state_effect",
            "tool": one.tool,
            "arguments": infer_arguments(one.arguments or {}, DECLARED[one.tool]),
        }
        for place, one in enumerate(made)
        if one.is_write(POLICY)
    ]


def answer_of(kind: str, value: Any) -> tuple[list[dict[str, Any]], str]:
    """What is asked of the words, and words that answer it."""
    if kind == "said":
        entries = [
            said_value(one, f"v{at}", must_reach={"kind": "response"})
            for at, one in enumerate(value)
        ]
        return [ANSWERED, *entries], " ".join(["Here:", *(f"({one})" for one in value)])
    if kind == "label":
        entry = response("contains_category", "r1", expected=value, labels=LABELS)
        return [ANSWERED, entry], f"Label: {value}"
    if kind == "json":
        text = json.dumps(value, ensure_ascii=False)
        found = json_answer(text).entries
        return [ANSWERED, *({**one.dump(), "id": f"j{at}"} for at, one in enumerate(found))], text
    return [ANSWERED], ""


def whole(made: Sequence[ObservedCall], kind: str, value: Any) -> tuple[Contract, Observed]:
    """A contract that forbids what it does not ask for, and a rollout that meets it."""
    asked, text = answer_of(kind, value)
    ended = [call("transfer_to_human_agents", summary="x")] if kind == "handed" else []
    nothing = [] if effects(made) else [{"id": "n1", "type": "no_state_change"}]
    demand = contract(*effects(made), *nothing, *asked)
    return demand, rollout(*made, *ended, said=text)


@given(calls, answers, st.integers(0, 9))
@FEW
def test_faults_fail_and_harmless_variants_pass(
    made: list[ObservedCall], answer: tuple[str, Any], seed: int
) -> None:
    demand, observed = whole(made, *answer)
    subject = Subject(
        task_id="task-1",
        contract=demand,
        verifier_sha256=None,
        policy=POLICY,
        tools=tuple(TOOLS),
        passes=(Example("fx-1", observed),),
        pool=Pool.of([observed]),
    )
    found = verify_task(subject, seed)
    counted = [one for one in found.mutants if one.set_aside is None]
    assert [(one.operator, one.variant.say) for one in counted if one.survives] == []
    refused = [one for one in found.mutants if one.harmless and not one.strict]
    assert [(one.operator, one.variant.say, one.reasons) for one in refused] == []
    assert counted or not found.row.valid_pass
