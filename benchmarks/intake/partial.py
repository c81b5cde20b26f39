"""What a pass has come to so far, on disk: a pass that was killed goes on where it stopped.

A frame is one item of a process, checked by its CRC. A torn tail is cut; what the last work in the
file came to may be incomplete and is left out. Captures in it are redacted like everything else.
"""

import fcntl
import os
import struct
import zlib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import orjson

from benchmarks.intake.reasons import Dropped, Reason
from benchmarks.intake.taking import Lost
from benchmarks.intake.told import Counts, Told
from benchmarks.intake.work import CaptureLine
from benchmarks.records.conversation import Tool

HEAD = struct.Struct(">QIII")
"""Work, bytes of the description, bytes of all, CRC-32 of all."""
PAIRS = frozenset({"inside", "issues", "losses", "secrets"})
LISTS = frozenset({"tools", "called", "workloads"})


class Partial:
    """The items of works that were done, by work. One process holds it at a time."""

    def __init__(self, path: Path, stamp: str) -> None:
        """Open or begin the file of `path`; one that another `stamp` began is begun anew.

        Raises:
            BlockingIOError: another process holds it.
            OSError: it cannot be opened.
        """
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._path = path
        self._file = os.fdopen(descriptor, "r+b")
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._places = self._read(stamp.encode() + b"\n")
        except BaseException:
            self._file.close()
            raise

    @property
    def works(self) -> frozenset[int]:
        """The works that need not be done again."""
        return frozenset(self._places)

    def add(self, item: CaptureLine | Lost) -> None:
        """Keep an item of a work that is being done."""
        about, line = _described(item)
        data = about + line
        head = HEAD.pack(item.work, len(about), len(data), zlib.crc32(data))
        self._file.seek(0, os.SEEK_END)
        self._file.write(head + data)

    def items(self, work: int) -> Iterator[CaptureLine | Lost]:
        """What a work came to."""
        for place in self._places[work]:
            self._file.seek(place)
            _, about, size, _ = HEAD.unpack(self._file.read(HEAD.size))
            data = self._file.read(size)
            yield _item(work, orjson.loads(data[:about]), data[about:])

    def flush(self) -> None:
        """What was added survives this process."""
        self._file.flush()

    def close(self) -> None:
        """Keep the file for the next pass."""
        self._file.close()

    def remove(self) -> None:
        """The pass is over, and what it came to is written."""
        self._path.unlink(missing_ok=True)
        self._file.close()

    def _read(self, first: bytes) -> dict[int, list[int]]:
        """Where the items of every complete work stand."""
        if self._file.readline() != first:
            self._file.seek(0)
            self._file.truncate()
            self._file.write(first)
            return {}
        places: defaultdict[int, list[int]] = defaultdict(list)
        end = self._file.tell()
        last: int | None = None
        while (found := self._frame(end)) is not None:
            last, size = found
            places[last].append(end)
            end += size
        if last is not None:
            # Frames of a work stand together: what begins the last one may not be all of it.
            end = places.pop(last)[0]
        self._file.seek(end)
        self._file.truncate()
        return dict(places)

    def _frame(self, place: int) -> tuple[int, int] | None:
        """The work and the size of a whole frame; None for a torn one."""
        self._file.seek(place)
        head = self._file.read(HEAD.size)
        if len(head) < HEAD.size:
            return None
        work, about, size, check = HEAD.unpack(head)
        data = self._file.read(size)
        if about > size or len(data) < size or zlib.crc32(data) != check:
            return None
        return work, HEAD.size + size


def _described(item: CaptureLine | Lost) -> tuple[bytes, bytes]:
    if isinstance(item, Lost):
        return orjson.dumps({
            "dropped": asdict(item.dropped), "dialect": item.dialect, "nearest": item.nearest,
        }), b""  # fmt: skip
    blobs = list(item.blobs.items())
    told = {field.name: getattr(item.told, field.name) for field in fields(Told)}
    told["counts"] = asdict(item.told.counts)
    told["chain"] = [digest.hex() for digest in item.told.chain]
    about = {
        "told": told,
        "tools": {digest: tool.dump() for digest, tool in item.tools.items()},
        "line": len(item.line),
        "blobs": [[digest, len(data)] for digest, data in blobs],
    }
    return orjson.dumps(about), b"".join([item.line, *(data for _, data in blobs)])


def _item(work: int, about: dict[str, Any], data: bytes) -> CaptureLine | Lost:
    if "dropped" in about:
        dropped = about["dropped"]
        near = about["nearest"]
        return Lost(
            Dropped(**{**dropped, "reason": Reason(dropped["reason"])}),
            about["dialect"],
            tuple(near) if near else None,
            work=work,
        )
    place = about["line"]
    blobs: dict[str, bytes] = {}
    for digest, size in about["blobs"]:
        blobs[digest] = data[place : place + size]
        place += size
    tools = {digest: Tool.read(tool) for digest, tool in about["tools"].items()}
    line = data[: about["line"]]
    return CaptureLine(told=_told(about["told"]), line=line, blobs=blobs, tools=tools, work=work)


def _told(found: dict[str, Any]) -> Told:
    values = dict(found)
    for name in PAIRS:
        values[name] = tuple(tuple(pair) for pair in values[name])
    for name in LISTS:
        values[name] = tuple(values[name])
    values["counts"] = Counts(**values["counts"])
    values["chain"] = tuple(map(bytes.fromhex, values["chain"]))
    return Told(**values)
