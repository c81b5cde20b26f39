from typing import Any

import pytest

from benchmarks.intake.wires.stream import Stream
from benchmarks.intake.wires.streams import Event, Events, events_of, opening_of


def read(text: str) -> Events:
    return events_of(Stream(text=text))


def values(found: Events) -> list[Any]:
    return [event.value for event in found.events]


def test_events_with_names_comments_and_an_end_mark() -> None:
    found = read(': hello\n\nevent: ping\ndata: {"a": 1}\n\ndata: {"b": 2}\n\ndata: [DONE]\n\n')
    assert found == Events((Event("ping", {"a": 1}), Event("", {"b": 2})), ended=True)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_each_of_the_three_line_ends_ends_a_line(end: str) -> None:
    assert values(read(f'data: {{"a": 1}}{end}{end}data: {{"a": 2}}{end}{end}')) == [
        {"a": 1}, {"a": 2},
    ]  # fmt: skip


def test_data_lines_of_one_event_are_joined_by_a_newline() -> None:
    assert values(read('data: {"a":\ndata: "x"}\n\n')) == [{"a": "x"}]


def test_data_lines_that_no_blank_line_parts_are_read_one_by_one() -> None:
    found = read('data: {"a": 1}\ndata: {"a": 2}\ndata: [DONE]\n')
    assert (values(found), found.ended, found.broken) == ([{"a": 1}, {"a": 2}], True, False)


def test_only_one_blank_after_the_colon_belongs_to_the_field() -> None:
    assert read('event:  x\ndata:{"a": 1}\n\n').events == (Event(" x", {"a": 1}),)


def test_line_separators_of_unicode_end_no_line() -> None:
    assert values(read('data: {"a": "x\u2028y\u0085z"}\n\n')) == [{"a": "x\u2028y\u0085z"}]


def test_a_mark_before_the_first_byte_is_no_text() -> None:
    assert values(read('\ufeffdata: {"a": 1}\n\n')) == [{"a": 1}]


def test_a_field_that_no_rule_knows_and_an_event_without_data_are_nothing() -> None:
    assert read('event: ping\n\nid: 4\nretry: 10\nfoo: {"a": 1}\nbar\n\ndata:\n\n') == Events(())


def test_a_last_event_without_a_blank_line_counts_when_it_is_whole() -> None:
    found = read('data: {"a": 1}\n\ndata: {"a": 2}')
    assert (values(found), found.broken) == ([{"a": 1}, {"a": 2}], False)


def test_a_stream_that_breaks_off_inside_an_event_says_so() -> None:
    found = read('data: {"a": 1}\n\ndata: {"a": ')
    assert (values(found), found.broken, found.ended) == ([{"a": 1}], True, False)


def test_an_event_that_is_no_json_costs_itself() -> None:
    found = read('data: {"a": 1}\n\ndata: oops\n\ndata: {"a": 3}\n\n')
    assert (values(found), found.broken) == ([{"a": 1}, {"a": 3}], True)


def test_one_object_a_line() -> None:
    assert values(read('{"a": 1}\n{"a": 2}\r\n\n{"a": 3}')) == [{"a": 1}, {"a": 2}, {"a": 3}]


def test_a_broken_line_costs_that_line() -> None:
    found = read('{"a": 1}\n{"a": \n{"a": 3}\n{"a"')
    assert (values(found), found.broken) == ([{"a": 1}, {"a": 3}], True)


def test_an_array_that_breaks_off_keeps_its_whole_elements() -> None:
    found = read('[{"a": 1}\n,\n{"a": 2},\n{"a": ')
    assert (values(found), found.broken) == ([{"a": 1}, {"a": 2}], True)
    assert read('[{"a": 1},{"a": 2}]') == Events((Event("", {"a": 1}), Event("", {"a": 2})))


@pytest.mark.parametrize(
    "chunks",
    [
        ({"a": 1}, {"a": 2}),
        ({"event": "x", "data": '{"a": 1}'}, {"event": "x", "data": {"a": 2}}),
        ('data: {"a": 1}', 'data: {"a": 2}', "data: [DONE]"),
        ('data: {"a"', ': 1}\n\ndata: {"a": 2}\n\n'),
        ('{"a": 1}', '{"a": 2}'),
        ([{"a": 1}], {"a": 2}),
    ],
)
def test_chunks_as_recorders_list_them(chunks: tuple[Any, ...]) -> None:
    found = events_of(Stream(chunks=chunks))
    assert (values(found), found.broken) == ([{"a": 1}, {"a": 2}], False)


def test_bytes_are_text() -> None:
    assert values(events_of(Stream(data='data: {"a": "ü"}\n\n'.encode()))) == [{"a": "ü"}]


@pytest.mark.parametrize(
    ("event", "failure"),
    [
        (Event("error", {"error": {"message": "no"}}), "no"),
        (Event("", {"type": "error", "message": "no"}), "no"),
        (Event("", {"error": "no"}), "no"),
        (Event("error", None), "an error event"),
        (Event("", {"error": None}), ""),
        (Event("ping", {"type": "ping"}), ""),
        (Event("", [1]), ""),
    ],
)
def test_what_an_event_says_of_a_failed_call(event: Event, failure: str) -> None:
    assert event.failure == failure
    assert Events((Event("", {}), event)).failure == failure


def test_the_type_inside_an_event_goes_before_its_name() -> None:
    assert Event("a", {"type": "b"}).kind == "b"
    assert Event("a", {"type": 3}).kind == "a"


def test_repairs_are_counted_by_the_parser_of_the_stream() -> None:
    stream = Stream(text='data: {"a": NaN}\n\n')
    assert values(events_of(stream)) == [{"a": None}]
    assert stream.parser.repairs["non_finite"] == 1


def test_empty_streams_have_no_events() -> None:
    assert read("") == read("\n\n") == events_of(Stream()) == Events(())


@pytest.mark.parametrize(
    ("stream", "opening"),
    [
        (Stream(text=': hi\n\nevent: ping\ndata: {}\n\nevent: a\ndata: {"b": 1}\n\n'),
         {"type": "a", "b": 1}),
        (Stream(text='data: {"type": "c"}\n\ndata: {"d": 1}\n\n'), {"type": "c"}),
        (Stream(chunks=({"choices": []},)), {"choices": []}),
        (Stream(text="data: [DONE]\n\n"), {}),
        (Stream(data=b"\x00\xff"), {}),
    ],
)  # fmt: skip
def test_the_first_event_tells_which_wire_it_came_over(stream: Stream, opening: Any) -> None:
    assert opening_of(stream) == opening


def test_looking_at_the_opening_counts_no_repairs() -> None:
    stream = Stream(text='data: {"a": NaN}\n\n')
    assert opening_of(stream) == {"a": None}
    assert stream.parser.repairs == {}
