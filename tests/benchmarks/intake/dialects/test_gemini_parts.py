import base64
from typing import Any

import pytest

from benchmarks.intake.dialects.gemini_parts import part_pieces, parts_of
from benchmarks.intake.drafting.draft import CallFound, Draft, Piece, ResultFound
from benchmarks.records.conversation import JsonPart, Media, Reasoning, Text, UnknownPart


def pieces(*parts: Any) -> list[Piece]:
    return part_pieces(Draft(), {"parts": list(parts)})


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        ("Hi", [{"text": "Hi"}]),
        ({"parts": [{"text": "Hi"}]}, [{"text": "Hi"}]),
        ({"parts": {"text": "Hi"}}, [{"text": "Hi"}]),
        ({"parts": "Hi"}, [{"text": "Hi"}]),
        (["Hi", {"text": "Ho"}], [{"text": "Hi"}, {"text": "Ho"}]),
        ({"role": "model"}, []),
        (None, []),
        (7, []),
    ],
)
def test_a_content_has_several_forms(content: Any, parts: Any) -> None:
    assert parts_of(content) == parts


def test_text_and_thought() -> None:
    assert pieces({"text": "Hi"}, {"text": "hm", "thought": True}, {"text": ""}) == [
        Text(text="Hi"), Reasoning(text="hm"),
    ]  # fmt: skip


def test_a_call_and_its_result() -> None:
    assert pieces(
        {"functionCall": {"name": "get", "args": {"n": 1}, "id": "c1"}, "thoughtSignature": "s"},
        {"functionResponse": {"name": "get", "id": "c1", "response": {"n": 1}}},
    ) == [
        CallFound("c1", "get", {"n": 1}),
        ResultFound("c1", "get", [JsonPart(value={"n": 1})]),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("response", "parts", "failed"),
    [
        ({"error": "no"}, [JsonPart(value={"error": "no"})], True),
        ({"error": ""}, [JsonPart(value={"error": ""})], None),
        ("words", [Text(text="words")], None),
        ("", [], None),
        (None, [], None),
        ([1], [JsonPart(value=[1])], None),
    ],
)
def test_a_response_is_a_value_or_words(response: Any, parts: Any, failed: bool | None) -> None:
    assert pieces({"functionResponse": {"name": "get", "response": response}}) == [
        ResultFound(None, "get", parts, failed)
    ]


def test_the_parts_of_a_response_are_parts_of_the_result() -> None:
    data = base64.b64encode(b"picture").decode()
    draft = Draft()
    image = {"inlineData": {"mimeType": "image/png", "data": data}}
    response = {"name": "get", "response": {"n": 1}, "parts": [image, {"text": "a"}, {"odd": 1}]}
    (found,) = part_pieces(draft, {"parts": [{"functionResponse": response}]})
    assert isinstance(found, ResultFound)
    value, media, text, odd = found.parts
    assert (value, text, odd) == (
        JsonPart(value={"n": 1}), Text(text="a"), JsonPart(value={"odd": 1}),
    )  # fmt: skip
    assert isinstance(media, Media)
    assert list(draft.blobs.values()) == [b"picture"]


def test_code_that_the_provider_ran_is_a_call_of_its_own_tool() -> None:
    assert pieces(
        {"executableCode": {"language": "PYTHON", "code": "1/0", "id": "x"}},
        {"codeExecutionResult": {"outcome": "OUTCOME_FAILED", "output": "division", "id": "x"}},
        {"codeExecutionResult": {"outcome": "OUTCOME_OK"}},
    ) == [
        CallFound("x", "code_execution", {"language": "PYTHON", "code": "1/0"}, "provider"),
        ResultFound("x", "code_execution", [Text(text="division")], True),
        ResultFound(None, "code_execution", []),
    ]  # fmt: skip


def test_media_are_kept_by_reference() -> None:
    data = base64.b64encode(b"picture").decode()
    draft = Draft()
    image, file, video = part_pieces(draft, [
        {"inlineData": {"mimeType": "image/png", "data": data, "displayName": "a.png"}},
        {"fileData": {"mimeType": "application/pdf", "fileUri": "gs://b/f.pdf"}},
        {"fileData": {"mimeType": "video/mp4", "fileUri": "gs://b/v"}, "videoMetadata": {"fps": 1}},
    ])  # fmt: skip
    assert isinstance(image, Media)
    assert (image.media, image.mime, image.name) == ("image", "image/png", "a.png")
    assert draft.blobs == {(image.content or {})["$blob"]: b"picture"}
    assert file == Media(media="file", mime="application/pdf", uri="gs://b/f.pdf")
    assert video == Media(media="video", mime="video/mp4", uri="gs://b/v")


def test_what_no_rule_knows_is_kept_whole_and_a_note_is_no_part() -> None:
    part = {"hologram": {"n": 1}, "thoughtSignature": "s"}
    assert pieces(part, {"thoughtSignature": "s"}, {"thought": True}, {}) == [
        UnknownPart(source_type="hologram", value=part)
    ]
