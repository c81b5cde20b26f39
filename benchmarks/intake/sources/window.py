"""JSON values one after the other from a stream, without holding more than the one at hand."""

import codecs
from typing import Any, BinaryIO

from benchmarks.intake.sources.parsing import BadJson, Parser, skip_blanks

FIRST_CHUNK = 2**18
LARGEST_CHUNK = 2**25
NEAR_THE_END = 32
"""A complaint this close to the end of what was read may be about text that is cut there."""
REPLACED = b"\xef\xbf\xbd"


class TooLong(ValueError):
    """One value is larger than the limit."""


class Window:
    """A stretch of decoded text that moves along a stream."""

    def __init__(self, stream: BinaryIO, parser: Parser, limit: int) -> None:
        self.parser = parser
        self.text = ""
        self.at = 0
        self.is_done = False
        self._limit = limit
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._chunk = FIRST_CHUNK
        self._tail = b""
        self._lines_before = 0
        self._passed = 0

    def line(self, at: int) -> int:
        """The number of the line in which a place of the present text stands."""
        return self._lines_before + self.text.count("\n", 0, at) + 1

    def explained(self, error: BadJson) -> str:
        """What was wrong and where, in lines of the whole stream."""
        if not self._passed:
            return str(error)
        return f"{error.what} at line {self.line(error.at)}"

    def peek(self) -> str:
        """The next character that is no blank, which is now at hand; empty at the end."""
        while True:
            self.at = skip_blanks(self.text, self.at)
            if self.at < len(self.text):
                return self.text[self.at]
            if not self._more():
                return ""

    def take(self, wanted: str) -> bool:
        """Pass over the next character if it is the wanted one."""
        if self.peek() != wanted:
            return False
        self.at += 1
        return True

    def value(self) -> Any:
        """The value that stands next; afterwards the place is behind it.

        Raises:
            BadJson: there is none.
            TooLong: it is larger than the limit.
        """
        self.peek()
        while True:
            kept = self.parser.repairs.copy()
            try:
                value, end = self.parser.value(self.text, self.at)
            except BadJson as error:
                if self.is_done or not self._may_be_cut(error) or not self._more():
                    raise
                continue
            # A number may go on in the next chunk.
            is_open = end == len(self.text) and not isinstance(value, dict | list | str)
            if is_open and self._more():
                self.parser.repairs.clear()
                self.parser.repairs.update(kept)
                continue
            if end - self.at > self._limit:
                raise TooLong
            self.at = end
            return value

    def _may_be_cut(self, error: BadJson) -> bool:
        return error.cut or len(self.text) - error.at < NEAR_THE_END

    def _more(self) -> bool:
        """Read on, letting go of what was passed; False at the end of the stream."""
        if self.is_done:
            return False
        if len(self.text) - self.at > self._limit:
            raise TooLong
        data = self._stream.read(self._chunk)
        self.is_done = not data
        self._chunk = min(max(self._chunk, len(self.text) - self.at), LARGEST_CHUNK)
        text = self._decoder.decode(data, not data)
        if "\ufffd" in text:
            written = (self._tail + data).count(REPLACED)
            self.parser.repairs["decode_replaced"] += max(0, text.count("\ufffd") - written)
        self._tail = data[-2:]
        self._lines_before += self.text.count("\n", 0, self.at)
        self._passed += self.at
        self.text = self.text[self.at :] + text
        self.at = 0
        return bool(text) or not self.is_done
