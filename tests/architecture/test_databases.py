"""What the run on PostgreSQL leaves out by folder uses no database at all."""

import re

from tests.conftest import QUIET_TESTS

DATABASE = re.compile(r"django|live_server|transactional_db|\bdb: None")


def test_quiet_rooms_are_tested_without_a_database() -> None:
    files = [path for folder in QUIET_TESTS for path in folder.rglob("*.py")]
    assert {path.name for path in files} >= {"test_jsonl.py", "test_bootstrap.py"}
    assert [path for path in files if DATABASE.search(path.read_text("utf-8"))] == []
