from pathlib import Path

import pytest

from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.errors import LedgerRewritten
from runs.regrade.writing import check_parents, parents_of

NAME = "rows-run-1-m1.jsonl"


def test_a_parent_may_grow_and_must_not_change(tmp_path: Path) -> None:
    directory, file = BenchmarkDir(tmp_path), tmp_path / NAME
    file.write_bytes(b'{"a":1}\n')
    parents = parents_of(directory, [NAME, NAME, "rows-gone-m1.jsonl"])
    assert [parent.document() for parent in parents] == [
        {
            "file": NAME,
            "bytes": 8,
            "sha256": "e346432021b04179518d9614f3560ccd71354a4ee101ddcb893d6959a9d6301c",
        }
    ]
    file.write_bytes(b'{"a":1}\n{"a":2}\n')
    check_parents(directory, parents)
    file.write_bytes(b'{"a":3}\n{"a":2}\n')
    with pytest.raises(LedgerRewritten):
        check_parents(directory, parents)
    file.unlink()
    with pytest.raises(LedgerRewritten):
        check_parents(directory, parents)
