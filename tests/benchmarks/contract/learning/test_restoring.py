"""What a failure puts back into a learned contract, and what it never does."""

from typing import Any

from benchmarks.contract.learning.learn import Success, learn_contract, read_success
from benchmarks.contract.learning.restoring import Failure
from benchmarks.contract.score import score
from tests.benchmarks.contract.making import POLICY, TOOLS, Talk, tool

OFFERED = [tool(name, keys) for name, keys in TOOLS.items()]
DISAGREES = ["disagrees_with_outcome"]


def done(name: str, said: str = "Done.", **arguments: Any) -> Success:
    talk = Talk(*OFFERED).user("Do it.").calls(name, arguments).says(said)
    return read_success(said, talk.ends(), POLICY)


def failure(success: Success) -> Failure:
    return Failure("trial 9", success.observed)


def required(*successes: Success, failed: Success) -> list[dict[str, Any]]:
    learned = learn_contract(successes, POLICY, [failure(failed)])
    return [entry.dump() for entry in learned.contract.required]


def codes(*successes: Success, failed: Success) -> list[Any]:
    claims = learn_contract(successes, POLICY, [failure(failed)]).claims
    return [claim["code"] for claim in claims if claim.get("code") in DISAGREES]


def test_a_freed_argument_is_held_to_what_was_seen() -> None:
    successes = done("close-ticket", ticket_id="T-1"), done("close-ticket", ticket_id="T-2")
    free = learn_contract(successes, POLICY).contract.required[0]
    assert "ticket_id" not in (free.arguments or {})
    held = required(*successes, failed=done("close-ticket", ticket_id="T-3"))[0]
    assert held["arguments"]["ticket_id"] == {
        "match": "one_of",
        "options": [{"match": "exact", "value": "T-1"}, {"match": "exact", "value": "T-2"}],
    }


def test_held_values_are_compared_by_their_kind() -> None:
    beds, spa = ["bed-1", "bed-2"], ["spa-1"]
    successes = done("book-stay", extras=beds), done("book-stay", extras=spa)
    failed = failure(done("book-stay", extras=["bar-1"]))
    contract = learn_contract(successes, POLICY, [failed]).contract
    other_order = done("book-stay", extras=["bed-2", "bed-1"]).observed
    assert score(contract, other_order, POLICY).score.strict == 1
    assert score(contract, failed.observed, POLICY).score.strict == 0


def test_words_that_everybody_chose_anew_stay_free() -> None:
    letters = ("Your order is on its way to you.", "We have sent it off.", "It never left us.")
    first, second, wrong = (done("send-email", to="a@b.example", body=text) for text in letters)
    assert codes(first, second, failed=wrong) == DISAGREES
    body = required(first, second, failed=wrong)[0]["arguments"].get("body")
    assert body is None or body["match"] == "prose"


def test_a_value_that_all_say_is_asked_for_by_itself() -> None:
    ticket = {"ticket_id": "T-1"}
    texts = ("Closed on 4 pages.", "Closed, 4 pages in all.", "Closed, 5 pages in all.")
    first, second, wrong = (done("close-ticket", said=text, **ticket) for text in texts)
    added = required(first, second, failed=wrong)[-1]
    assert (added["value"], added["as"], added.get("any_of")) == (4, "number", None)
    assert codes(first, second, failed=wrong) == []


def test_a_failure_that_nothing_tells_apart_is_named() -> None:
    first, second = done("close-ticket", ticket_id="T-1"), done("close-ticket", ticket_id="T-1")
    assert codes(first, second, failed=first) == DISAGREES


def test_a_failure_that_is_refused_anyhow_changes_nothing() -> None:
    first, second = done("close-ticket", ticket_id="T-1"), done("close-ticket", ticket_id="T-1")
    wrong = done("close-ticket", ticket_id="T-9")
    alone = learn_contract([first, second], POLICY).contract
    assert learn_contract([first, second], POLICY, [failure(wrong)]).contract == alone
