"""What holds for every rollout under every contract (issue 5, 1)."""

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.contract.compiling import compile_contract
from benchmarks.contract.folding import entity_of_call
from benchmarks.contract.observed import Observed, ObservedCall, observed_from_conversation
from benchmarks.contract.score import Scored, score
from benchmarks.records.contract import Contract
from benchmarks.records.conversation import Conversation
from tests.benchmarks.contract.making import POLICY, TOOLS, Talk, call, rejected, rollout, tool

OFFERED = [tool(name, keys) for name, keys in TOOLS.items()]
FEW = settings(max_examples=40, deadline=None)

ids = st.sampled_from(["T-1", "T-2"])
words = st.sampled_from(["open", "p1", "p2"])
people = st.sampled_from(["kim@example.com", "lee@example.com"])
amounts = st.sampled_from([5, 25, "25.0"])
letters = st.sampled_from(["Your parcel is on its way.", "Sorry about that."])

creates = st.builds(lambda title: call("create-ticket", '{"id": "N-9"}', title=title), words)
states = st.builds(lambda one, word: call("set-status", ticket_id=one, status=word), ids, words)
grades = st.builds(lambda one, word: call("set-priority", ticket_id=one, priority=word), ids, words)
closings = st.builds(lambda one: call("close-ticket", ticket_id=one), ids)
mails = st.builds(lambda to, body: call("send-email", to=to, body=body), people, letters)
refunds = st.builds(lambda one, n: call("issue_refund", order_id=one, amount=n), ids, amounts)
stays = st.fixed_dictionaries(
    {
        "room_id": st.sampled_from(["R-1", "02139"]),
        "from_date": st.sampled_from(["2026-05-12", "2026-05-12T09:00:00Z"]),
        "nights": st.sampled_from([2, "2"]),
        "guests": st.lists(st.sampled_from(["Mia", "Lee Chen"]), max_size=3),
    },
    optional={
        "extras": st.just({"quiet": True, "floor": 3, "door": None}),
        "wish": letters,
    },
).map(lambda found: call("book-stay", **found))
later = st.just(call("close-ticket", ticket_id="N-9"))
writes = st.one_of(creates, states, grades, closings, mails, refunds, stays, later)
reads = st.one_of(
    st.builds(lambda one: call("get_order", '{"price": 37}', order_id=one), ids),
    st.builds(lambda to: rejected("find_user", email=to), people),
    st.builds(lambda one: rejected("cancel_order", order_id=one), ids),
    st.just(call("get_order", "nothing", order_id="T-404")),
)
plans = st.lists(writes, max_size=4)
steps = st.lists(st.one_of(writes, reads), max_size=6)
said = st.sampled_from(["Done.", "It comes to 37.5.", ""])


def talk_of(calls: Sequence[ObservedCall], final: str) -> Conversation:
    """A conversation that made these calls."""
    talk = Talk(*OFFERED).user("How much is it, and close T-1?")
    for one in calls:
        talk.calls(one.tool, one.arguments or {}, str(one.result), one.status)
    return talk.says(final or "Done.").ends()


def contract_of(calls: Sequence[ObservedCall], final: str) -> Contract:
    """The contract of a conversation that made these calls."""
    return compile_contract(talk_of(calls, final), POLICY).contract


def verdict(contract: Contract, observed: Observed) -> Scored:
    """The one scorer."""
    return score(contract, observed, POLICY)


def numbers(contract: Contract, calls: Sequence[ObservedCall], final: str) -> object:
    """Everything of a score that does not name a place in the rollout."""
    found = verdict(contract, rollout(*calls, said=final))
    return found.score.dump(), found.unclassified_calls


@given(plans, said)
@FEW
def test_a_source_meets_its_own_contract(calls: list[ObservedCall], final: str) -> None:
    talk = talk_of(calls, final)
    contract = compile_contract(talk, POLICY).contract
    found = verdict(contract, observed_from_conversation(talk, POLICY))
    assert found.score.strict == 1, found.reasons


@given(plans, steps, said, st.data())
@FEW
def test_the_order_of_independent_writes_and_of_reads_changes_nothing(
    plan: list[ObservedCall], calls: list[ObservedCall], final: str, data: st.DataObject
) -> None:
    """Writes on one entity keep their order: the last setting stands."""
    order = data.draw(st.permutations(range(len(calls))))
    shuffled = in_order([calls[place] for place in order], calls)
    contract = contract_of(plan, final)
    assert numbers(contract, shuffled, final) == numbers(contract, calls, final)


def in_order(shuffled: Sequence[ObservedCall], calls: Sequence[ObservedCall]) -> list[ObservedCall]:
    """Shuffled calls where those on one entity stand in their own order again."""
    queues: dict[str, list[ObservedCall]] = {}
    for one in calls:
        queues.setdefault(place_of(one), []).append(one)
    return [queues[place_of(one)].pop(0) for one in shuffled]


def place_of(one: ObservedCall) -> str:
    """Where a write stands; each read has a place of its own."""
    is_write = one.accepted and one.is_write(POLICY)
    return f"entity {entity_of_call(one, POLICY)}" if is_write else f"call {id(one)} {one}"


@given(plans, steps, said, reads, st.data())
@FEW
def test_a_harmless_read_changes_nothing(
    plan: list[ObservedCall],
    calls: list[ObservedCall],
    final: str,
    read: ObservedCall,
    data: st.DataObject,
) -> None:
    place = data.draw(st.integers(0, len(calls)))
    more = [*calls[:place], read, *calls[place:]]
    contract = contract_of(plan, final)
    assert numbers(contract, more, final) == numbers(contract, calls, final)


@given(plans, steps, said)
@FEW
def test_a_score_keeps_to_its_formulas(
    plan: list[ObservedCall], calls: list[ObservedCall], final: str
) -> None:
    contract = contract_of(plan, final)
    found = verdict(contract, rollout(*calls, said=final)).score
    assert found.recall is not None
    assert found.precision is not None
    assert found.policy is not None
    assert 0 <= found.recall <= 1
    assert 0 <= found.precision <= 1
    whole = found.recall == 1 and found.policy == 1 and found.unexpected_writes == 0
    assert found.strict == int(whole)
    assert found.score == (found.recall + found.precision + found.policy) / 3
    assert len(found.met) + len(found.unmet) == len(contract.required)


@given(plans, said, writes, st.data())
@FEW
def test_a_write_that_does_not_fold_away_always_fails_a_met_contract(
    plan: list[ObservedCall], final: str, extra: ObservedCall, data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(plan)))
    more = [*plan[:place], extra, *plan[place:]]
    contract = contract_of(plan, final)
    before = verdict(contract, rollout(*plan, said=final or "Done."))
    after = verdict(contract, rollout(*more, said=final or "Done."))
    assert before.score.strict == 1, before.reasons
    if len(after.matched) + len(after.unexpected) > len(before.matched):
        assert after.score.strict == 0


@given(plans, said, st.data())
@FEW
def test_a_required_write_left_out_always_fails(
    plan: list[ObservedCall], final: str, data: st.DataObject
) -> None:
    contract = contract_of(plan, final)
    met = verdict(contract, rollout(*plan, said=final or "Done."))
    for filled in sorted(set(met.matched.values())):
        gone = plan[filled]
        without = [one for one in plan if one != gone]
        assert verdict(contract, rollout(*without, said=final or "Done.")).score.strict == 0
