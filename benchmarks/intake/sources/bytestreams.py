"""The bytes of one source as UTF-8, whatever encoding and compression they have on disk."""

import codecs
import gzip
import io
import zipfile
import zlib
from collections import Counter
from pathlib import Path
from typing import BinaryIO, cast

GZIP_MAGIC = b"\x1f\x8b"
CHUNK = 2**20
MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
UNREADABLE = (OSError, EOFError, zlib.error, zipfile.BadZipFile)
"""What reading damaged bytes may raise."""


def opened(path: Path, repairs: Counter[str]) -> BinaryIO:
    """The file from its first byte that is no byte-order mark, decompressed, in UTF-8.

    Bytes that are no text of a marked encoding become U+FFFD and are counted.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as stream:
        is_compressed = stream.read(2) == GZIP_MAGIC
    raw: BinaryIO = cast(BinaryIO, gzip.GzipFile(path)) if is_compressed else path.open("rb")
    return unmarked(raw, repairs)


def unmarked(raw: BinaryIO, repairs: Counter[str]) -> BinaryIO:
    """The stream behind its byte-order mark, as UTF-8."""
    head = raw.read(4)
    mark, encoding = next(
        ((mark, name) for mark, name in MARKS if head.startswith(mark)), (b"", "utf-8")
    )
    if encoding in {"utf-8", "utf-8-sig"}:
        raw.seek(len(mark))
        return raw
    raw.seek(0)
    return cast(BinaryIO, io.BufferedReader(_Recoded(raw, encoding, repairs), CHUNK))


class _Recoded(io.RawIOBase):
    """Text of another encoding as UTF-8."""

    def __init__(self, raw: BinaryIO, encoding: str, repairs: Counter[str]) -> None:
        self._raw = raw
        self._encoding = encoding
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")
        self._repairs = repairs
        self._ready = b""
        self._is_done = False

    def readable(self) -> bool:
        """It can be read."""
        return True

    def readinto(self, buffer: object) -> int:
        """Fill the buffer as far as the next chunk goes."""
        view = memoryview(cast(bytearray, buffer)).cast("B")
        while not self._ready and not self._is_done:
            data = self._raw.read(CHUNK)
            self._is_done = not data
            self._ready = self._decoded(data).encode()
        count = min(len(view), len(self._ready))
        view[:count] = self._ready[:count]
        self._ready = self._ready[count:]
        return count

    def _decoded(self, data: bytes) -> str:
        before = self._decoder.getstate()
        text = self._decoder.decode(data, not data)
        if "\ufffd" in text:
            spare = codecs.getincrementaldecoder(self._encoding)("ignore")
            spare.setstate(before)
            kept = spare.decode(data, not data).count("\ufffd")
            self._repairs["decode_replaced"] += text.count("\ufffd") - kept
        return text

    def close(self) -> None:
        """Close what is underneath, too."""
        self._raw.close()
        super().close()


def text_of(data: bytes, repairs: Counter[str]) -> str:
    """UTF-8 as text; bytes that are none become U+FFFD and are counted."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        text = data.decode("utf-8", "replace")
        repairs["decode_replaced"] += text.count("\ufffd") - data.count(b"\xef\xbf\xbd")
        return text
