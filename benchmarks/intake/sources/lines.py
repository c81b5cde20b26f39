"""One object a line. A bad line costs that line."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from benchmarks.intake.reasons import Dropped, Reason
from benchmarks.intake.sources.found import Found, SourceFile, found_in
from benchmarks.intake.sources.parsing import BadJson, Parser
from benchmarks.records.digest import bytes_digest

MAX_LINE = 64 * 2**20


@dataclass(frozen=True, slots=True)
class Lines:
    """One pass over lines."""

    file: SourceFile
    parser: Parser

    def records(
        self, stream: BinaryIO, *, first: int = 1, length: int | None = None
    ) -> Iterator[Found | Dropped]:
        """Every line that is not blank: those that begin in the next `length` bytes.

        `first` is the number of the line at which the stream stands.
        """
        number = first - 1
        read = 0
        while (length is None or read < length) and (line := stream.readline(MAX_LINE + 1)):
            number += 1
            read += len(line)
            if len(line) > MAX_LINE:
                yield self._dropped(Reason.TOO_LONG, number, "a line over 64 MiB")
                read += _passed_over(stream, line)
                continue
            raw = line.rstrip(b"\n").removesuffix(b"\r")
            if raw.strip(b" \t\r"):
                yield self._line(raw, number)

    def _line(self, raw: bytes, number: int) -> Found | Dropped:
        try:
            value = self.parser.whole(raw)
        except BadJson as error:
            return self._dropped(Reason.MALFORMED_LINE, number, str(error))
        return found_in(self.file, value, f"#L{number}", bytes_digest(raw))

    def _dropped(self, reason: Reason, number: int, detail: str) -> Dropped:
        path = self.file.local_path
        return Dropped(reason, f"{path}#L{number}", detail, path, self.file.content_sha256)


def _passed_over(stream: BinaryIO, line: bytes) -> int:
    """Read to the end of a line; how many bytes that were."""
    count = 0
    while line and not line.endswith(b"\n"):
        line = stream.readline(MAX_LINE)
        count += len(line)
    return count
