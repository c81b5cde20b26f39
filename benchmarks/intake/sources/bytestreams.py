"""The bytes of one source as UTF-8, whatever encoding and compression they have on disk."""

import codecs
import gzip
import io
import os
import zipfile
import zlib
from collections import Counter
from pathlib import Path
from typing import Any, BinaryIO, cast

GZIP_MAGIC = b"\x1f\x8b"
CHUNK = 2**20
SPARE = 2**10
MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
MAX_RATIO = 200
FREE_UNPACKED = 16 * 2**20
"""What a compressed file may come to whatever its ratio: a short one may well repeat itself."""
UNREADABLE = (OSError, EOFError, zlib.error, zipfile.BadZipFile)
"""What reading damaged bytes may raise."""


class TooPacked(OSError):
    """A compressed file that comes to far more than it holds."""


def opened(path: Path, repairs: Counter[str], size: int | None = None) -> BinaryIO:
    """The file from its first byte that is no byte-order mark, decompressed, in UTF-8.

    Bytes that are no text of a marked encoding become U+FFFD and are counted. With a `size`, what
    was appended since the file had that size is not read.

    Raises:
        OSError: it cannot be read.
    """
    file = path.open("rb", buffering=0)
    on_disk = os.fstat(file.fileno()).st_size if size is None else size
    # Ten thousand small files want no large buffer each.
    reader = io.BufferedReader(_Stretch(file, on_disk), min(CHUNK, on_disk + SPARE))
    stream = cast(BinaryIO, reader)
    if reader.peek(2)[:2] != GZIP_MAGIC:
        return unmarked(stream, repairs)
    limit = max(FREE_UNPACKED, MAX_RATIO * on_disk)
    unpacked = _Stretch(_Unpacked(stream), limit, is_refused=True)
    return unmarked(cast(BinaryIO, io.BufferedReader(unpacked, CHUNK)), repairs)


class _Unpacked(gzip.GzipFile):
    """A decompressed stream that closes what is underneath, too."""

    def __init__(self, under: BinaryIO) -> None:
        super().__init__(fileobj=under)
        self._under = under

    def close(self) -> None:
        """Close both."""
        super().close()
        self._under.close()


class _Stretch(io.RawIOBase):
    """The first bytes of a stream: further ones are left alone, or refused."""

    def __init__(
        self, under: io.RawIOBase | gzip.GzipFile, limit: int, *, is_refused: bool = False
    ) -> None:
        self._under = under
        self._limit = limit
        self._is_refused = is_refused
        self._at = 0

    def readable(self) -> bool:
        """It can be read."""
        return True

    def seekable(self) -> bool:
        """It can go back to its start."""
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go to a place."""
        self._at = self._under.seek(offset, whence)
        return self._at

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer as far as the limit goes."""
        view = memoryview(buffer).cast("B")
        room = self._limit - self._at
        if self._is_refused:
            room += 1
        count = self._under.readinto(view[: max(0, room)]) or 0
        self._at += count
        if self._is_refused and self._at > self._limit:
            raise TooPacked(f"packed more than {MAX_RATIO} to 1")
        return count

    def close(self) -> None:
        """Close what is underneath, too."""
        self._under.close()
        super().close()


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
