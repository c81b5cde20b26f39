"""Which calls a later one goes on from: those are none of the conversations that are counted.

A call goes on from one other: the earlier one with the longest history of its own, of several
equal ones the latest. So of equal requests that all succeeded only as many are gone on from as
went on. A failed call is gone on from by whatever later repeats its turns, its retry included.
"""

import sqlite3
from collections.abc import Sequence

from benchmarks.intake.told import DIGEST_BYTES, GROWING, Told

SCHEMA = """
CREATE TABLE chains (
    number INTEGER PRIMARY KEY, moment TEXT, size INTEGER, failed INTEGER, chain BLOB
);
CREATE TABLE ends (
    digest BLOB, number INTEGER, failed INTEGER, PRIMARY KEY (digest, number)
) WITHOUT ROWID;
CREATE TABLE gone_on_from (number INTEGER PRIMARY KEY);
"""
KEPT = """
INSERT INTO chains VALUES (?, ?, ?, ?, ?)
ON CONFLICT (number) DO UPDATE SET failed = excluded.failed, chain = excluded.chain
"""
IN_ORDER = """
SELECT number, failed, chain FROM chains JOIN captures USING (number) ORDER BY moment, size, number
"""
AT_ONCE = 500
"""How many digests one query asks for."""


class Continuing:
    """The turns of every call as digests, and which calls are gone on from."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._db.executescript(SCHEMA)
        self._moments: dict[str, str] = {}
        """The newest time in each file: a call without one was made after the call before it."""

    def add(self, number: int, told: Told) -> None:
        """Remember the turns of a call; what is a whole conversation is gone on from by none."""
        if not told.chain:
            return
        moment = told.captured_at or self._moments.get(told.path, "")
        self._moments[told.path] = moment
        # Forms of one conversation that nothing dates stand in any order: the longer is the later.
        size = len(told.chain) if told.dialect in GROWING else 0
        self._db.execute(KEPT, (number, moment, size, told.failed, b"".join(told.chain)))

    def mark(self, number: int) -> None:
        """A call that another one names as what it goes on from."""
        self._db.execute("INSERT OR IGNORE INTO gone_on_from VALUES (?)", (number,))

    def marked(self, number: int) -> bool:
        """Whether another call goes on from this one."""
        query = "SELECT 1 FROM gone_on_from WHERE number = ?"
        return self._db.execute(query, (number,)).fetchone() is not None

    def work_out(self) -> None:
        """Find out which calls are gone on from, in the order in which they were made."""
        for number, failed, joined in self._db.execute(IN_ORDER):
            starts = range(0, len(joined), DIGEST_BYTES)
            chain = [joined[start : start + DIGEST_BYTES] for start in starts]
            for earlier in self._gone_on_from(chain):
                self.mark(earlier)
            row = (chain[-1], number, failed)
            self._db.execute("INSERT OR REPLACE INTO ends VALUES (?, ?, ?)", row)

    def _gone_on_from(self, chain: Sequence[bytes]) -> list[int]:
        """The one call that turns go on from, and the failed ones that they repeat."""
        places = {digest: place for place, digest in enumerate(chain)}
        found: list[int] = []
        parent = (-1, -1)
        for start in range(0, len(chain), AT_ONCE):
            asked = chain[start : start + AT_ONCE]
            query = f"SELECT * FROM ends WHERE digest IN ({', '.join('?' * len(asked))})"
            for digest, number, failed in self._db.execute(query, asked):
                if failed:
                    found.append(number)
                elif digest != chain[-1]:
                    parent = max(parent, (places[digest], number))
        return found if parent[0] < 0 else [*found, parent[1]]
