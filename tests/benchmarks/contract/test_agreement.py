from typing import Any

from benchmarks.contract.agreement import (
    Pair,
    Pairs,
    PerGroup,
    Sourcing,
    Trace,
    TraceGroup,
    disagreement,
    judge_pairs,
)
from benchmarks.records.conversation import Conversation
from tests.benchmarks.contract.making import (
    POLICY,
    TOOLS,
    Talk,
    call,
    contract,
    effect,
    exact,
    judged,
    rollout,
    tool,
)

OFFERED = [tool(name, keys) for name, keys in TOOLS.items()]


def closes(ticket: str, said: str = "Closed.") -> Conversation:
    talk = Talk(*OFFERED).user("Close my ticket.")
    return talk.calls("close-ticket", {"ticket_id": ticket}).says(said).ends()


def refuses() -> Conversation:
    return Talk(*OFFERED).user("Close my ticket.").says("No.").ends()


def pairs_of(*groups: TraceGroup, per_group: PerGroup = "all", successes: int = 1) -> Pairs:
    found = judge_pairs(groups, POLICY, {}, Sourcing(successes, per_group))
    return Pairs(tuple(pair for pairs in found for pair in pairs))


def group(*traces: tuple[Conversation, bool], name: str = "g") -> TraceGroup:
    found = [Trace(f"t{place}", one, good) for place, (one, good) in enumerate(traces, 1)]
    return TraceGroup(name, tuple(found))


def test_every_good_trace_judges_every_other_one() -> None:
    pairs = pairs_of(group((closes("T-1"), True), (closes("T-1"), True), (closes("T-2"), False)))
    assert [(pair.built_from, pair.scored, pair.cell) for pair in pairs.pairs] == [
        ("t1", "t2", "true_pass"),
        ("t1", "t3", "true_fail"),
        ("t2", "t1", "true_pass"),
        ("t2", "t3", "true_fail"),
    ]
    assert pairs.confusion() == {
        "true_pass": 2, "false_pass": 0, "false_fail": 0, "true_fail": 2,
    }  # fmt: skip


def test_only_the_earliest_good_trace_judges_where_that_is_asked() -> None:
    traces = group((refuses(), False), (closes("T-1"), True), (closes("T-1"), True))
    pairs = pairs_of(traces, per_group="first")
    assert [(pair.built_from, pair.scored) for pair in pairs.pairs] == [("t2", "t1"), ("t2", "t3")]


def test_a_group_without_a_success_gives_no_pair() -> None:
    assert pairs_of(group((closes("T-1"), False), (refuses(), False))).pairs == ()


def test_disagreements_name_what_decided() -> None:
    traces = group((closes("T-1"), True), (closes("T-2", "Closed T-2."), True))
    (first, _) = pairs_of(traces).disagreements(POLICY)
    assert first == {
        "group": "g",
        "built_from": "t1",
        "scored": "t2",
        "label": True,
        "strict": 0,
        "unmet": [
            {
                "id": "o1",
                "entry": "close-ticket with ticket_id = T-1",
                "reason": 'call 1 to close-ticket is nearest: ticket_id is "T-2", wanted "T-1"',
            }
        ],
        "unexpected_writes": [{"tool": "close-ticket", "arguments": {"ticket_id": "T-2"}}],
        "said": "Closed T-2.",
    }


def test_a_false_pass_is_a_disagreement_too() -> None:
    (only,) = pairs_of(group((closes("T-1"), True), (closes("T-1"), False))).disagreements(POLICY)
    assert (only["label"], only["strict"], only["unmet"]) == (False, 1, [])


def test_another_of_a_group_that_is_met_is_not_unmet() -> None:
    one = {**effect("close-ticket", "o1", ticket_id=exact("T-1")), "any_of": "g"}
    demand = contract(one, {**one, "id": "o2", "arguments": {"ticket_id": exact("T-2")}})
    observed = rollout(call("close-ticket", ticket_id="T-1"))
    pair = Pair("g", "t1", "t2", False, judged(demand, observed), demand, observed)
    assert disagreement(pair, POLICY)["unmet"] == []
    other = rollout(call("close-ticket", ticket_id="T-3"))
    pair = Pair("g", "t1", "t2", True, judged(demand, other), demand, other)
    assert [one["id"] for one in disagreement(pair, POLICY)["unmet"]] == ["o1", "o2"]


def test_a_pair_that_cannot_be_judged_is_counted_and_never_guessed() -> None:
    nothing = Talk().user("Hi").ends("open")
    pairs = pairs_of(group((nothing, True), (refuses(), False)))
    assert [pair.strict for pair in pairs.pairs] == [None]
    assert pairs.judgeable() == []
    assert sum(pairs.confusion().values()) == 0
    assert pairs.disagreements(POLICY) == []


def test_tools_offered_to_the_group_make_a_refusal_a_refusal() -> None:
    bare = Talk().user("Close my ticket.").says("No.").ends()
    traces = (Trace("t1", bare, True), Trace("t2", closes("T-1"), False))
    told = pairs_of(TraceGroup("g", traces, offered=["close-ticket"])).pairs[0].contract
    untold = pairs_of(TraceGroup("g", traces)).pairs[0].contract
    assert [entry.type for entry in told.required] == ["no_state_change", "response_obligation"]
    assert [entry.type for entry in untold.required] == ["response_obligation"]


def test_the_label_of_a_trace_enters_neither_contract_nor_score() -> None:
    def verdicts(*labels: bool) -> list[Any]:
        traces = [(closes("T-1"), labels[0]), (closes("T-2"), labels[1])]
        return [pair.verdict for pair in pairs_of(group(*traces)).pairs if pair.scored == "t2"]

    assert verdicts(True, True) == verdicts(True, False)


def test_groups_are_told_apart_in_their_order() -> None:
    pairs = pairs_of(
        group((closes("T-1"), True), (refuses(), False), name="b"),
        group((closes("T-1"), True), (closes("T-1"), True), name="a"),
    )
    assert pairs.by_group() == {"a": [2, 0, 0, 0], "b": [0, 0, 0, 1]}


def test_a_contract_of_two_successes_judges_only_the_others() -> None:
    traces = [(closes("T-1"), True)] * 3 + [(closes("T-2"), False)]
    pairs = pairs_of(group(*traces), successes=2)
    assert [(pair.built_from, pair.scored, pair.cell) for pair in pairs.pairs] == [
        ("t1, t2", "t3", "true_pass"),
        ("t1, t2", "t4", "true_fail"),
        ("t1, t3", "t2", "true_pass"),
        ("t1, t3", "t4", "true_fail"),
        ("t2, t3", "t1", "true_pass"),
        ("t2, t3", "t4", "true_fail"),
    ]
    assert pairs.contracts() == 3


def test_what_two_successes_disagree_about_is_free() -> None:
    traces = [(closes("T-1"), True), (closes("T-2"), True), (closes("T-3"), False)]
    (pair,) = pairs_of(group(*traces), successes=2, per_group="first").pairs
    assert (pair.scored, pair.cell) == ("t3", "false_pass")


def test_twenty_draws_of_a_group_stand_for_all() -> None:
    many = group(*[(closes("T-1"), True)] * 8)
    draws = Sourcing(3, seed=1).sources(many)
    assert len({tuple(trace.name for trace in draw) for draw in draws}) == len(draws) == 20
    assert draws == Sourcing(3, seed=1).sources(many)
    assert draws != Sourcing(3, seed=2).sources(many)


def test_a_group_needs_one_success_more_than_a_contract_is_made_from() -> None:
    two = group((closes("T-1"), True), (closes("T-1"), True), (refuses(), False))
    assert Sourcing(1).can_use(two)
    assert not Sourcing(2).can_use(two)
    assert Sourcing(1).can_use(group((closes("T-1"), True), (refuses(), False)))
    assert not Sourcing(1).can_use(group((closes("T-1"), True)))
