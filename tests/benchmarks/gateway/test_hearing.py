from benchmarks.gateway.hearing import heard_ids, with_ids
from benchmarks.records.environment import RecordedCall


def recorded(content: object, *, write: bool = True) -> RecordedCall:
    return RecordedCall(
        call_id="c1", tool="make", arguments={}, status="ok", write=write, content=content
    )


def moved(content: object, **arguments: object) -> RecordedCall:
    return recorded(content).model_copy(update={"arguments": arguments})


def told(content: str) -> list[dict[str, object]]:
    return [{"role": "tool", "tool_call_id": "c1", "content": content}]


def test_an_id_in_the_same_place_stands_for_the_sources() -> None:
    ids = heard_ids([recorded({"id": "RT-5512", "state": "open"})], told('{"id": "RT-9a", "x": 1}'))
    assert ids == {"RT-5512": "RT-9a"}


def test_one_id_of_a_text_stands_for_the_one_of_the_sources_text() -> None:
    assert heard_ids([recorded("made RT-5512.")], told("OK: make accepted (RT-9a)")) == {
        "RT-5512": "RT-9a"
    }


def test_words_reads_and_what_was_not_answered_give_no_ids() -> None:
    assert heard_ids([recorded({"state": "open"})], told('{"state": "closed"}')) == {}
    assert heard_ids([recorded({"id": "A1"}, write=False)], told('{"id": "B2"}')) == {}
    assert heard_ids([recorded({"id": "A1"})], []) == {}
    assert heard_ids([recorded("A1 and A2")], told("B1 and B2")) == {}


def test_what_stood_before_is_no_id_that_was_made() -> None:
    there = {"address": "101 Highway", "zip": "77001"}
    kept = told('{"address": "667 Highland Drive", "zip": "77001"}')
    assert heard_ids([moved(there, address="101 Highway")], kept) == {}
    assert heard_ids([recorded({"street": "101"}, write=False), recorded(there)], kept) == {}
    assert heard_ids([recorded(there)], [{"role": "user", "content": "101 Highway"}, *kept]) == {}


def test_whole_words_are_replaced_in_texts_and_arguments() -> None:
    ids = {"RT-5512": "RT-9a"}
    assert with_ids("number RT-5512, not RT-55123.", ids) == "number RT-9a, not RT-55123."
    assert with_ids({"ticket": ["RT-5512", 5512]}, ids) == {"ticket": ["RT-9a", 5512]}
