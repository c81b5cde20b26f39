"""One line of a ledger, read by its place."""

import hashlib

from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.jsonl import opened
from benchmarks.artifacts.parsing import BadJson, parse_json
from benchmarks.records.base import JsonObject


def line_at(
    directory: BenchmarkDir, name: str, offset: int, length: int, sha256: str
) -> JsonObject | None:
    """The object whose bytes stand there; None where the file holds others, or none."""
    path = directory.follow(name).path
    if path is None:
        return None
    with opened(path) as file:
        file.seek(offset)
        data = file.read(length)
    if hashlib.sha256(data).hexdigest() != sha256:
        return None
    try:
        value = parse_json(data).value
    except BadJson:
        return None
    return value if isinstance(value, dict) else None
