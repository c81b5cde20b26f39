"""A conversation in turns and blocks, 200 turns a page."""

from typing import Any

from reviews.admin.conversation_view import Block, conversation_view


def turn(role: str, *parts: dict[str, Any], side: str = "recorded", **more: Any) -> dict[str, Any]:
    return {"role": role, "side": side, "parts": list(parts), **more}


def words(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def view(*turns: dict[str, Any], start: int = 0, **more: Any) -> Any:
    recording = {"turns": list(turns), **more}
    return conversation_view(recording, {"pay": "write"}, lambda pointer: f"/t?{pointer}", start)


def blocks(*parts: dict[str, Any]) -> tuple[Block, ...]:
    found: tuple[Block, ...] = view(turn("assistant", *parts)).turns[0].blocks
    return found


def test_pages_of_200_turns_lead_to_each_other() -> None:
    turns = [turn("user", words(f"line {number}")) for number in range(450)]
    places = []
    start = 0
    while True:
        page = view(*turns, start=start)
        places.append((page.first, page.last, page.earlier, page.later))
        if not page.later:
            break
        start = page.later
    assert places == [(1, 200, -1, 200), (201, 400, 0, 400), (401, 450, 200, 0)]
    assert page.turns[0].blocks[0].rest == "/t?/recording/turns/400/parts/0"


def test_place_beyond_the_end_is_the_beginning() -> None:
    assert view(turn("user", words("hi")), start=7).first == 1
    assert (view().first, view().last) == (0, 0)


def test_call_says_what_its_tool_does() -> None:
    call = {"type": "tool_call", "call_id": "c1", "name": "pay", "arguments": {"amount": 25}}
    [block] = blocks(call)
    assert (block.kind, block.tool, block.effect, block.body) == (
        "call", "pay", "write", '{\n  "amount": 25\n}',
    )  # fmt: skip
    [unknown] = blocks({**call, "name": "other"})
    assert unknown.effect == "unknown"


def test_call_whose_arguments_do_not_parse_keeps_them_raw() -> None:
    [block] = blocks({
        "type": "tool_call",
        "call_id": "c1",
        "name": "pay",
        "arguments_raw": '{"amount": ',
        "arguments_error": {"kind": "truncated", "message": "ends early"},
    })
    assert block.failed
    assert (block.title, block.body) == ("arguments do not parse: ends early", '{"amount": ')


def test_failed_and_orphaned_results_say_so() -> None:
    result = {"type": "tool_result", "call_id": "c1", "name": "pay", "status": "error"}
    media = {"type": "media", "media": "image", "mime": "image/png"}
    [block] = blocks({**result, "parts": [words("no funds"), media], "orphan": True})
    assert block.failed
    assert block.title == "error, answers no call of this conversation"
    assert block.body == "no funds\n[image/png]"


def test_every_other_part_has_a_block_of_its_own() -> None:
    found = blocks(
        {"type": "reasoning", "encrypted": True},
        {"type": "reasoning", "text": "hm"},
        {"type": "refusal", "text": "I cannot."},
        {"type": "json", "value": {"a": 1}},
        {"type": "media", "media": "image", "mime": "image/png", "name": "a.png"},
        {"type": "unknown", "source_type": "citation", "value": 3},
    )
    assert [(each.kind, each.title, each.body) for each in found[:5]] == [
        ("thought", "hidden thought", "(encrypted)"),
        ("thought", "hidden thought", "hm"),
        ("words", "refuses", "I cannot."),
        ("other", "JSON", '{\n  "a": 1\n}'),
        ("other", "image", "image/png a.png"),
    ]
    assert (found[5].kind, found[5].title) == ("other", "citation")


def test_end_and_oddities_are_in_words() -> None:
    issues = [{"code": "duplicate_call_id", "turn": 1, "detail": "c1"}, {"code": "unknown_time"}]
    page = view(turn("user", words("hi")), end={"reason": "user_stop"}, issues=issues)
    assert page.ended == "user stop"
    assert page.issues == ("duplicate call id: c1", "unknown time")
