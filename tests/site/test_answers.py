import json
from typing import Any

import pytest

from benchmarks.doors.call import Call
from benchmarks.doors.paging import Pager
from benchmarks.doors.tool import ToolEntry
from benchmarks.errors import (
    Action,
    Complaint,
    CursorInvalid,
    InvalidArguments,
    PostureTooLow,
)
from understudy_site.mcp.answers import answer, refusal
from understudy_site.mcp.lab import checked, published
from understudy_site.tools import TOOLS


def listing(
    call: Call, *, slug: str, models: list[str] | None = None, n: int = 3
) -> dict[str, Any]:
    """List things."""
    return {"things": [slug] * n, "models": models}


ENTRY = ToolEntry(
    listing,
    title="Things",
    keys=("things", "models"),
    hints="RI",
    list_key="things",
    one_line=("/things/*",),
)


def pager(limit: int = 50, cursor: str | None = None, asked: object = None) -> Pager:
    return Pager(secret=b"s", limit=limit, cursor=cursor, filter=asked)


def test_the_published_schema_is_closed_and_holds_the_common_arguments() -> None:
    tool = published(ENTRY)
    assert tool.input_schema["additionalProperties"] is False
    assert tool.input_schema["required"] == ["slug"]
    assert set(tool.input_schema["properties"]) == {
        "slug",
        "models",
        "n",
        "max_bytes",
        "limit",
        "cursor",
    }
    assert set(tool.output_schema["properties"]) >= {"things", "models", "notices"}


def test_an_unknown_argument_names_the_nearest_and_every_fault_is_listed() -> None:
    with pytest.raises(InvalidArguments) as caught:
        checked(ENTRY, {"slug": 7, "model": ["a"], "n": "x"})
    assert [item.path for item in caught.value.errors] == ["model", "slug", "n"]
    assert "nearest 'models'" in caught.value.errors[0].message


def test_an_array_sent_as_json_text_is_accepted_and_a_text_stays_a_text() -> None:
    given = checked(ENTRY, {"slug": "[x]", "models": '["a", "b"]'})
    assert (given["slug"], given["models"], given["limit"]) == ("[x]", ["a", "b"], 50)


def test_a_long_list_is_read_to_the_end_every_item_once() -> None:
    document = {"things": [f"thing {number} " + "x" * 90 for number in range(300)]}
    seen: list[str] = []
    cursor = None
    while True:
        laid = answer(ENTRY, document, pager=pager(500, cursor), max_bytes=4096).document
        assert len(json.dumps(laid, indent=2).encode()) <= 4096
        seen += laid["things"]
        cursor = laid["page"]["next_cursor"]
        if cursor is None:
            break
    assert seen == document["things"]


def test_a_cursor_dies_with_another_filter() -> None:
    items, page = pager(2, asked=["a"]).page([1, 2, 3])
    assert (items, page["total"]) == ([1, 2], 3)
    assert pager(2, page["next_cursor"], ["a"]).page([1, 2, 3])[0] == [3]
    for stranger in (pager(2, page["next_cursor"], ["b"]), pager(2, "nonsense", ["a"])):
        with pytest.raises(CursorInvalid):
            stranger.page([1, 2, 3])


def test_a_string_over_4000_characters_is_cut_with_the_count() -> None:
    entry = ToolEntry(listing, title="T", keys=("prompt",))
    laid = answer(entry, {"prompt": "y" * 4100}, pager=None, max_bytes=32_768).document
    assert laid["prompt"] == "y" * 4000 + "[+100 characters]"
    assert laid["page"] == {"cut": ["/prompt"]}


def test_a_notice_is_the_first_item_alone_and_the_document_comes_last() -> None:
    document = {"ok": True, "notices": [{"kind": "posture", "text": "2 arms x 3 tasks"}]}
    entry = ToolEntry(listing, title="T", keys=())
    texts = answer(entry, document, pager=None, max_bytes=32_768).texts
    assert texts[0] == "2 arms x 3 tasks"
    assert json.loads(texts[1]) == document


def test_a_refusal_says_code_hint_and_the_one_next_step() -> None:
    error = PostureTooLow(
        "an all-task run needs bounded_experiments",
        hint="confirm after consent",
        errors=[Complaint("tasks", "all", "implicit")],
        next_actions=[Action("raise it", "understudy trust set bounded_experiments", who="person")],
    )
    shown = refusal(error)
    assert shown.is_error
    assert shown.texts == [
        "posture_too_low: an all-task run needs bounded_experiments\n"
        "- tasks: implicit\n"
        "hint: confirm after consent\n"
        "next: understudy trust set bounded_experiments"
    ]
    assert shown.document["error"]["code"] == "posture_too_low"


def test_what_stands_beside_the_paged_list_leaves_it_half_the_room() -> None:
    document = {
        "things": ["x" * 100] * 10,
        "scores": {f"task-{number}": {"score": 1, "at": "now"} for number in range(500)},
        "short": [1, 2, 3],
    }
    laid = answer(ENTRY, document, pager=pager(), max_bytes=8192).document
    assert len(json.dumps(laid, indent=2).encode()) <= 8192
    assert len(laid["things"]) == 10
    assert laid["page"]["cut"] == ["/scores"]
    shown = list(laid["scores"])
    assert (shown[0], shown[-1]) == ("task-0", f"[+{500 - len(shown) + 1} more of 500]")
    assert laid["short"] == [1, 2, 3]


def test_a_piece_of_a_long_text_comes_whole_inside_its_fence() -> None:
    entry = ToolEntry(listing, title="T", keys=(), fenced=("/piece/text",))
    piece = {"field": "/prompt", "offset": 0, "text": "z" * 16_000, "next_offset": 16_000}
    laid = answer(entry, {"piece": piece}, pager=None, max_bytes=32_768).document
    assert laid["piece"]["text"].splitlines()[1] == "z" * 16_000
    assert "page" not in laid


def test_an_answer_without_a_paged_list_keeps_its_size_too() -> None:
    entry = ToolEntry(listing, title="T", keys=())
    document = {"arms": [{"label": str(number), "text": "x" * 900} for number in range(9)]}
    laid = answer(entry, document, pager=None, max_bytes=4096).document
    assert len(json.dumps(laid, indent=2).encode()) <= 4096
    assert laid["arms"][-1].endswith("more of 9]")
    assert laid["page"]["cut"] == ["/arms"]


def test_a_wrong_word_gets_one_complaint_and_the_nearest_right_one() -> None:
    entry = next(tool for tool in TOOLS if tool.name == "read_benchmark")
    with pytest.raises(InvalidArguments) as caught:
        checked(entry, {"slug": "demo", "attention": "weak_verifer"})
    assert [item.path for item in caught.value.errors] == ["attention"]
    assert "nearest 'weak_verifier'" in caught.value.errors[0].message
