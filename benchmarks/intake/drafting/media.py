"""Bytes inside messages: kept as blobs by digest, never as text (spec/files.md 5.1)."""

import base64
import binascii
from collections.abc import MutableMapping
from urllib.parse import unquote_to_bytes

from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import Media
from benchmarks.records.digest import bytes_digest

UNKNOWN_MIME = "application/octet-stream"

Blobs = MutableMapping[str, bytes]
"""Bytes by their digest, to be written beside the captures that name them."""


def data_url_media(blobs: Blobs, media: str, url: str) -> Media:
    """The media behind a URL: the bytes themselves for a `data:` URL, else its address."""
    if not url.startswith("data:"):
        return Media(media=media, mime=UNKNOWN_MIME, uri=url)
    head, _, payload = url[len("data:") :].partition(",")
    mime = head.partition(";")[0] or "text/plain"
    if head.endswith(";base64"):
        return encoded_media(blobs, media, mime, payload)
    return Media(media=media, mime=mime, content=kept(blobs, unquote_to_bytes(payload)))


def encoded_media(blobs: Blobs, media: str, mime: str, payload: str) -> Media:
    """The media in a base64 text; text that is not base64 is kept as the bytes it is."""
    try:
        data = base64.b64decode(payload, validate=False)
    except (binascii.Error, ValueError):
        data = payload.encode()
    return Media(media=media, mime=mime, content=kept(blobs, data))


def kept(blobs: Blobs, data: bytes) -> JsonObject:
    """The reference to bytes that are now among the blobs."""
    digest = bytes_digest(data)
    blobs[digest] = data
    return {"$blob": digest, "bytes": len(data), "head": ""}
