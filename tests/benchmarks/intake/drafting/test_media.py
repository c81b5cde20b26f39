import base64

from benchmarks.intake.drafting.media import data_url_media, encoded_media
from benchmarks.records.digest import bytes_digest

PIXEL = b"\x89PNG pixel"
ENCODED = base64.b64encode(PIXEL).decode()
REFERENCE = {"$blob": bytes_digest(PIXEL), "bytes": len(PIXEL), "head": ""}


def test_bytes_are_kept_by_digest_and_never_as_text() -> None:
    blobs: dict[str, bytes] = {}
    media = encoded_media(blobs, "audio", "audio/wav", ENCODED)
    assert (media.mime, media.uri, media.content) == ("audio/wav", None, REFERENCE)
    assert blobs == {bytes_digest(PIXEL): PIXEL}


def test_a_data_url_holds_bytes_and_an_address_does_not() -> None:
    blobs: dict[str, bytes] = {}
    held = data_url_media(blobs, "image", f"data:image/png;base64,{ENCODED}")
    assert (held.mime, held.content) == ("image/png", REFERENCE)
    away = data_url_media(blobs, "image", "https://x.test/a.png")
    assert (away.uri, away.content) == ("https://x.test/a.png", None)
    assert len(blobs) == 1


def test_a_data_url_may_be_plain_text() -> None:
    blobs: dict[str, bytes] = {}
    media = data_url_media(blobs, "file", "data:,a%20b")
    assert media.mime == "text/plain"
    assert list(blobs.values()) == [b"a b"]


def test_text_that_is_no_base64_is_kept_as_it_is() -> None:
    blobs: dict[str, bytes] = {}
    encoded_media(blobs, "file", "x/y", "abcde")
    assert list(blobs.values()) == [b"abcde"]
