"""Which calls a later one goes on from: those are none of the conversations that are counted.

A call goes on from one other: the earlier one with the longest history of its own, of several
equal ones the latest. So of equal requests that all succeeded only as many are gone on from as
went on. A failed call is gone on from by whatever later repeats its turns, its retry included.

What the provider's own tools answered inside a turn is often left out when the turn is repeated:
it is counted all the same, for the call that goes on knows it from the one that it goes on from.
"""

import sqlite3
from collections.abc import Sequence

from benchmarks.intake.told import DIGEST_BYTES, GROWING, Told

SCHEMA = """
CREATE TABLE chains (
    number INTEGER PRIMARY KEY, moment TEXT, size INTEGER, failed INTEGER, chain BLOB
);
CREATE TABLE ends (digest BLOB PRIMARY KEY, number INTEGER) WITHOUT ROWID;
CREATE TABLE failures (digest BLOB, number INTEGER, PRIMARY KEY (digest, number)) WITHOUT ROWID;
CREATE TABLE inside (
    number INTEGER, place INTEGER, results INTEGER, unanswered INTEGER, missing INTEGER,
    PRIMARY KEY (number, place)
) WITHOUT ROWID;
CREATE TABLE gone_on_from (number INTEGER PRIMARY KEY);
"""
KEPT = """
INSERT INTO chains VALUES (?, ?, ?, ?, ?)
ON CONFLICT (number) DO UPDATE SET failed = excluded.failed, chain = excluded.chain
"""
HELD = "INSERT OR REPLACE INTO inside VALUES (?, ?, ?, ?, ?)"
LEFT_OUT = """
SELECT earlier.place, earlier.results, ifnull(later.results, 0), ifnull(later.unanswered, 0),
    ifnull(later.missing, 0)
FROM inside earlier LEFT JOIN inside later ON later.place = earlier.place AND later.number = ?
WHERE earlier.number = ? AND earlier.results > ifnull(later.results, 0)
"""
RECOVERED = """
UPDATE captures SET results = results + ?, joined = joined + ?, unanswered = unanswered - ?
WHERE number = ?
"""
IN_ORDER = """
SELECT number, failed, chain FROM chains JOIN captures USING (number) ORDER BY moment, size, number
"""
BITS_EACH = 64
LEAST_BITS, MOST_BITS = 10, 25
"""The size of a memory of digests: by what is expected, at most four MiB."""


class Continuing:
    """The turns of every call as digests, and which calls are gone on from."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._db.executescript(SCHEMA)
        self._moments: dict[str, str] = {}
        """The newest time in each file: a call without one was made after the call before it."""
        self.made_good = 0
        """How many results that calls lack the calls before them hold."""
        self._holds_inside = False
        """Whether any turn of a model holds results."""

    def add(self, number: int, told: Told) -> None:
        """Remember the turns of a call; what is a whole conversation is gone on from by none."""
        if not told.chain:
            return
        moment = told.captured_at or self._moments.get(told.path, "")
        self._moments[told.path] = moment
        # Forms of one conversation that nothing dates stand in any order: the longer is the later.
        size = len(told.chain) if told.dialect in GROWING else 0
        self._db.execute(KEPT, (number, moment, size, told.failed, b"".join(told.chain)))
        if told.inside:
            self._holds_inside = True
            self._db.execute("DELETE FROM inside WHERE number = ?", (number,))
            self._db.executemany(HELD, [(number, *held) for held in told.inside])

    def mark(self, number: int) -> None:
        """A call that another one names as what it goes on from."""
        self._db.execute("INSERT OR IGNORE INTO gone_on_from VALUES (?)", (number,))

    def marked(self, number: int) -> bool:
        """Whether another call goes on from this one."""
        query = "SELECT 1 FROM gone_on_from WHERE number = ?"
        return self._db.execute(query, (number,)).fetchone() is not None

    def work_out(self) -> None:
        """Find out which calls are gone on from, in the order in which they were made."""
        calls = int(self._db.execute("SELECT count(*) FROM chains").fetchone()[0])
        answered, failing = _Seen(calls), _Seen(calls)
        for number, failed, joined in self._db.execute(IN_ORDER):
            starts = range(0, len(joined), DIGEST_BYTES)
            chain = [joined[start : start + DIGEST_BYTES] for start in starts]
            self._mark_failed([digest for digest in chain if digest in failing])
            parent = self._mark_parent([digest for digest in chain[:-1] if digest in answered])
            if self._holds_inside and parent is not None:
                self._recover(number, parent)
            (failing if failed else answered).add(chain[-1])
            table = "failures" if failed else "ends"
            row = (chain[-1], number)
            self._db.execute(f"INSERT OR REPLACE INTO {table} VALUES (?, ?)", row)

    def _mark_failed(self, digests: Sequence[bytes]) -> None:
        """Mark the failed calls whose turns were repeated."""
        for digest in digests:
            query = "SELECT number FROM failures WHERE digest = ?"
            for (number,) in self._db.execute(query, (digest,)).fetchall():
                self.mark(number)

    def _mark_parent(self, digests: Sequence[bytes]) -> int | None:
        """Mark and return the one call that turns go on from: the longest that they begin with."""
        for digest in reversed(digests):
            query = "SELECT number FROM ends WHERE digest = ?"
            row = self._db.execute(query, (digest,)).fetchone()
            if row is not None:
                self.mark(row[0])
                return int(row[0])
        return None

    def _recover(self, number: int, parent: int) -> None:
        """Count what the turns of a call held when they were first given, and lack in it."""
        left_out = self._db.execute(LEFT_OUT, (number, parent)).fetchall()
        for place, results, own, unanswered, missing in left_out:
            more = results - own
            answered, found = min(more, unanswered), min(more, missing)
            self.made_good += found
            self._db.execute(RECOVERED, (more, more, answered, number))
            held = (number, place, results, unanswered - answered, missing - found)
            self._db.execute(HELD, held)


class _Seen:
    """Which digests cannot have been added, in a memory of one size: most are told at once."""

    def __init__(self, expected: int) -> None:
        """Room for so many digests, a few of which are then taken for others."""
        bits = (expected * BITS_EACH).bit_length()
        self._shift = 32 - min(max(bits, LEAST_BITS), MOST_BITS)
        self._bits = bytearray(2 ** (29 - self._shift))

    def add(self, digest: bytes) -> None:
        """Remember a digest."""
        bit = int.from_bytes(digest[:4], "big") >> self._shift
        self._bits[bit >> 3] |= 1 << (bit & 7)

    def __contains__(self, digest: bytes) -> bool:
        bit = int.from_bytes(digest[:4], "big") >> self._shift
        return bool(self._bits[bit >> 3] & 1 << (bit & 7))
