"""A JSON document, an array, or objects in a row, as records; only one of them is held at a time.

Elements of an array are records of their own, but for a list of messages, which is one. A large
document gives the elements of its known lists one by one, each in a document of the same shape.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from benchmarks.intake.reasons import Dropped, Reason
from benchmarks.intake.sources.found import Found, SourceFile, found_in
from benchmarks.intake.sources.parsing import BadJson
from benchmarks.intake.sources.window import TooLong, Window

MAX_DOCUMENT = 512 * 2**20
DOCUMENT_LIMIT = "a JSON document over 512 MiB"
SPLIT_OVER = 16 * 2**20
"""A document of more bytes gives its known lists element by element."""
LISTS = frozenset({
    "resourceSpans", "resource_spans", "resourceLogs", "resource_logs", "observations",
    "simulations", "samples", "interactions", "http_interactions", "runs", "post", "patch",
    "entries",
})  # fmt: skip
NESTING = frozenset({"log"})
"""Keys whose object may hold a known list."""
MESSAGE_KEYS = ({"role", "content"}, {"from", "value"})
MAX_MESSAGES = 20_000


@dataclass(slots=True)
class Documents:
    """One pass over a file that is no file of lines."""

    file: SourceFile
    window: Window
    is_broken: bool = False
    """What was being read broke off: nothing behind it can be made out."""

    def records(self) -> Iterator[Found | Dropped]:
        """Every record, in order."""
        try:
            if self.window.take("["):
                yield from array_records(self.file, self._elements(""))
                yield from self._objects(is_first=False)
            elif self.file.size > SPLIT_OVER and self.window.peek() == "{":
                yield from self._split()
                yield from self._objects(is_first=False)
            else:
                yield from self._objects()
        except TooLong:
            yield self._dropped(Reason.TOO_LONG, "", DOCUMENT_LIMIT)

    def _elements(self, within: str) -> Iterator[Any]:
        """The values of an array whose bracket was passed, then what ended it too early."""
        window = self.window
        count = 0
        while True:
            following = window.peek()
            if following in {"]", ""}:
                break
            try:
                yield window.value()
            except BadJson as error:
                self.is_broken = True
                place = f"#{within}/{count}"
                yield self._dropped(Reason.MALFORMED_LINE, place, window.explained(error))
                return
            count += 1
            window.take(",")
        if not window.take("]"):
            self.is_broken = True
            place = f"#{within}/{count}"
            yield self._dropped(Reason.MALFORMED_LINE, place, "end of text inside an array")

    def _objects(self, *, is_first: bool = True) -> Iterator[Found | Dropped]:
        """One document, or objects that stand one after the other, pretty-printed.

        Also what stands behind an array or a large object, where that was whole.
        """
        window = self.window
        held: tuple[Any, int] | None = None
        while not self.is_broken and window.peek():
            line = window.line(window.at)
            try:
                value = window.value()
            except BadJson as error:
                if held is not None:
                    yield self._found(held[0], f"#L{held[1]}")
                yield self._dropped(Reason.MALFORMED_LINE, f"#L{line}", window.explained(error))
                return
            if held is not None:
                is_first = False
                yield self._found(held[0], f"#L{held[1]}")
            held = (value, line)
        if held is not None:
            yield self._found(held[0], "#" if is_first else f"#L{held[1]}")

    def _split(self, wrap: str = "") -> Iterator[Found | Dropped]:
        """A large object, or the one under `wrap`: its known lists element by element.

        Each element comes with what stood before its list.
        """
        window = self.window
        window.take("{")
        within = f"/{wrap}" if wrap else ""
        context: dict[str, Any] = {}
        is_split = False
        while window.peek() not in {"}", ""}:
            try:
                key = window.value()
                window.take(":")
                following = window.peek()
                if key in LISTS and following == "[":
                    yield from self._listed(wrap, key, context)
                elif key in NESTING and following == "{" and not wrap:
                    yield from self._split(key)
                else:
                    context[key] = window.value()
                    window.take(",")
                    continue
            except (BadJson, TypeError) as error:
                self.is_broken = True
                said = window.explained(error) if isinstance(error, BadJson) else "a key is no text"
                yield self._dropped(Reason.MALFORMED_LINE, f"#{within}", said)
                return
            if self.is_broken:
                return
            is_split = True
            window.take(",")
        if not window.take("}"):
            self.is_broken = True
            yield self._dropped(Reason.MALFORMED_LINE, f"#{within}", "end of text inside an object")
        elif not is_split and not wrap:
            yield self._found(context, "#")

    def _listed(self, wrap: str, key: str, context: dict[str, Any]) -> Iterator[Found | Dropped]:
        """The elements of a known list, each in a document of the same shape."""
        self.window.take("[")
        within = f"/{wrap}/{key}" if wrap else f"/{key}"
        for at, value in enumerate(self._elements(within)):
            if isinstance(value, Dropped):
                yield value
                return
            inner = {**context, key: [value]}
            found = self._found({wrap: inner} if wrap else inner, "#")
            if isinstance(found, Found):
                found = replace(found, listed=within, offset=at)
            yield found

    def _found(self, value: Any, place: str) -> Found | Dropped:
        return found_in(self.file, value, place)

    def _dropped(self, reason: Reason, place: str, detail: str) -> Dropped:
        path = self.file.local_path
        return Dropped(reason, f"{path}{place}", detail, path, self.file.content_sha256)


def document_records(file: SourceFile, value: Any) -> Iterator[Found | Dropped]:
    """The records of a document that was read as a whole."""
    if isinstance(value, list):
        yield from array_records(file, value)
    else:
        yield found_in(file, value, "#")


def array_records(file: SourceFile, values: Iterable[Any]) -> Iterator[Found | Dropped]:
    """The elements one by one; a list of messages, or one that begins with a word, is one.

    What ended the array too early comes as the last of the values.
    """
    together: list[Any] = []
    is_one = True
    count = 0
    for value in values:
        if isinstance(value, Dropped):
            yield from _parts(file, together, first=count - len(together))
            yield value
            return
        count += 1
        is_one = is_one and _belongs(value, together) and count <= MAX_MESSAGES
        if is_one:
            together.append(value)
            continue
        yield from _parts(file, together, first=0)
        together.clear()
        yield found_in(file, value, f"#/{count - 1}")
    if is_one and together:
        yield found_in(file, together, "#")
    else:
        yield from _parts(file, together, first=0)


def _parts(file: SourceFile, values: list[Any], *, first: int) -> Iterator[Found | Dropped]:
    for at, value in enumerate(values, first):
        yield found_in(file, value, f"#/{at}")


def _belongs(value: Any, together: list[Any]) -> bool:
    """Whether an element and those before it may be one record."""
    if together and isinstance(together[0], str):
        return True
    if not together and isinstance(value, str):
        return True
    return isinstance(value, dict) and any(keys <= value.keys() for keys in MESSAGE_KEYS)
