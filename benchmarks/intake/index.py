"""What a pass remembers, in a temporary database on disk: keys, digests and counts, never words."""

import sqlite3
import weakref
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter

import orjson

from benchmarks.intake.continuing import Continuing
from benchmarks.intake.spool import Place
from benchmarks.intake.told import Counts, Told

CACHE_KIB = 4_096
COUNTS = tuple(field.name for field in fields(Counts))
COUNTED = attrgetter(*COUNTS)
SCHEMA = f"""
CREATE TABLE captures (
    number INTEGER PRIMARY KEY, offset INTEGER, length INTEGER, path TEXT, dialect TEXT,
    tools TEXT, called TEXT, issues TEXT, losses TEXT, cut_texts INTEGER,
    secrets TEXT, key TEXT, {", ".join(f"{name} INTEGER" for name in COUNTS)}
);
CREATE TABLE seen (digest TEXT PRIMARY KEY, number INTEGER) WITHOUT ROWID;
CREATE TABLE kept_in (
    id TEXT, number INTEGER, answer TEXT, PRIMARY KEY (id, number)
) WITHOUT ROWID;
CREATE TABLE answers (id TEXT PRIMARY KEY, number INTEGER) WITHOUT ROWID;
CREATE TABLE goes_on (number INTEGER PRIMARY KEY, previous TEXT);
CREATE TABLE grouped (
    dialect TEXT, key TEXT, seq INTEGER, record INTEGER, PRIMARY KEY (dialect, key, seq)
) WITHOUT ROWID;
CREATE TABLE named (dialect TEXT, name TEXT, record INTEGER, is_spoken_of INTEGER);
CREATE INDEX by_name ON named (dialect, name);
CREATE TABLE records (number INTEGER PRIMARY KEY, offset INTEGER, length INTEGER, about BLOB);
CREATE TABLE groups (dialect TEXT, key TEXT, first INTEGER, PRIMARY KEY (dialect, key));
"""
SPOKEN_OF = """
SELECT dialect, name, min(record) FROM named GROUP BY dialect, name HAVING max(is_spoken_of) = 1
"""
LINKED = "SELECT DISTINCT dialect, record FROM named ORDER BY record"
ADDED = f"INSERT OR REPLACE INTO captures VALUES ({', '.join('?' * (12 + len(COUNTS)))})"
LEAF = "number NOT IN (SELECT number FROM gone_on_from)"
SUMS = ", ".join(f"sum({name})" for name in COUNTS)


@dataclass(frozen=True, slots=True)
class GroupedRecord:
    """One record of a group: its line in the spool, and what is known beside it."""

    place: Place
    about: bytes


@dataclass(frozen=True, slots=True)
class Names:
    """The names that a record goes by, and those that it speaks of."""

    own: Sequence[str]
    spoken_of: Sequence[str]


class Index:
    """One pass's memory; it is gone when it is closed, or with its process."""

    def __init__(self) -> None:
        # An empty name is a private database on disk, which SQLite removes itself.
        self._db = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self.close = weakref.finalize(self, self._db.close)
        """Let go of everything; the last one to hold the index does so too."""
        self._db.execute("PRAGMA journal_mode = OFF")
        self._db.execute("PRAGMA synchronous = OFF")
        self._db.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        self._db.executescript(SCHEMA)
        self.continuing = Continuing(self._db)
        """Which calls are none of the conversations that are counted."""
        self._db.execute("BEGIN")
        self._captures = 0
        self._records = 0

    # Captures

    def number_of(self, told: Told) -> int | None:
        """The capture that the same record, or the same answer, gave before."""
        for digest in _names(told):
            row = self._db.execute("SELECT number FROM seen WHERE digest = ?", (digest,)).fetchone()
            if row is not None:
                return int(row[0])
        return None

    def add(self, told: Told, place: Place, number: int | None = None) -> int:
        """Remember a capture, as a new one or in place of an earlier one; its number."""
        if number is None:
            number = self._captures
            self._captures += 1
        self._db.execute(ADDED, _row(number, told, place))
        self.name(told, number)
        self.continuing.add(number, told)
        if told.kept_in is not None:
            kept = (told.kept_in, number, told.response_id)
            self._db.execute("INSERT OR REPLACE INTO kept_in VALUES (?, ?, ?)", kept)
        if told.response_id is not None:
            answer = (told.response_id, number)
            self._db.execute("INSERT OR IGNORE INTO answers VALUES (?, ?)", answer)
        if told.previous_id is not None:
            end = (number, told.previous_id)
            self._db.execute("INSERT OR REPLACE INTO goes_on VALUES (?, ?)", end)
        return number

    def name(self, told: Told, number: int) -> None:
        """From now on the record and the answer of `told` are those of an earlier capture."""
        for digest in _names(told):
            self._db.execute("INSERT OR IGNORE INTO seen VALUES (?, ?)", (digest, number))

    def remove(self, number: int) -> None:
        """Forget a capture that turned out to be none."""
        self._db.execute("DELETE FROM captures WHERE number = ?", (number,))

    def place(self, number: int) -> Place:
        """Where the line of a capture stands in the spool."""
        query = "SELECT offset, length FROM captures WHERE number = ?"
        offset, length = self._db.execute(query, (number,)).fetchone()
        return Place(offset, length)

    def places(self) -> Iterator[tuple[int, Place]]:
        """The newest line of every capture, in the order in which they were met."""
        rows = self._db.execute("SELECT number, offset, length FROM captures ORDER BY number")
        for number, offset, length in rows:
            yield number, Place(offset, length)

    def going_on(self) -> list[tuple[int, str]]:
        """Every capture whose history its provider keeps, with the answer that it goes on from."""
        return list(self._db.execute("SELECT number, previous FROM goes_on ORDER BY number"))

    def kept_in(self) -> Iterator[tuple[str, int, str | None, int]]:
        """Calls whose histories one conversation of a provider holds, one after the other.

        Each with the id of its answer, and its results that answer none of its own calls.
        """
        yield from self._db.execute(
            "SELECT id, number, answer, results - joined FROM kept_in JOIN captures USING (number)"
            " ORDER BY id, number"
        )

    def answered(self, response_id: str) -> int | None:
        """The capture that holds an answer of this id."""
        query = "SELECT number FROM answers JOIN captures USING (number) WHERE id = ?"
        row = self._db.execute(query, (response_id,)).fetchone()
        return None if row is None else int(row[0])

    # Counts

    @property
    def captures(self) -> int:
        """How many captures there are."""
        return int(self._db.execute("SELECT count(*) FROM captures").fetchone()[0])

    def totals(self) -> dict[str, Counts]:
        """What the whole conversations of each dialect hold: captures that none goes on from."""
        query = f"SELECT dialect, {SUMS} FROM captures WHERE {LEAF} GROUP BY dialect"
        return {name: Counts(*sums) for name, *sums in self._db.execute(query)}

    def files(self) -> dict[str, int]:
        """How many captures each file holds."""
        return dict(self._db.execute("SELECT path, count(*) FROM captures GROUP BY path"))

    def counted(self, column: str) -> Counter[str]:
        """The sums of one of the columns `issues`, `losses` and `secrets`."""
        found: Counter[str] = Counter()
        query = f"SELECT {column} FROM captures WHERE {column} IS NOT NULL"
        for (text,) in self._db.execute(query):
            found.update(dict(orjson.loads(text)))
        if column == "issues" and self.continuing.made_good:
            found["missing_result"] -= self.continuing.made_good
            found = +found
        return found

    def cut_texts(self) -> int:
        """How many texts of whole conversations say of themselves that they were cut."""
        query = f"SELECT total(cut_texts) FROM captures WHERE {LEAF}"
        return int(self._db.execute(query).fetchone()[0])

    def named(self, column: str) -> set[str]:
        """Every name of one of the columns `tools` and `called`."""
        query = f"SELECT DISTINCT {column} FROM captures WHERE {column} IS NOT NULL"
        return {name for (text,) in self._db.execute(query) for name in orjson.loads(text)}

    # Groups

    def add_record(self, dialect: str, keys: Iterable[str], place: Place, about: bytes) -> None:
        """Remember a record under every group that it belongs to."""
        number = self._add_line(place, about)
        for key in keys:
            self._add_to(dialect, key, number)

    def add_linked(self, dialect: str, names: Names, place: Place, about: bytes) -> None:
        """Remember a record by its names; `tie` finds its group."""
        number = self._add_line(place, about)
        rows = [
            *((dialect, name, number, 0) for name in names.own),
            *((dialect, name, number, 1) for name in names.spoken_of),
        ]
        self._db.executemany("INSERT INTO named VALUES (?, ?, ?, ?)", rows)

    def tie(self) -> None:
        """Make groups of the records that names tie together; every other one is its own group.

        A name ties those that speak of it to those that go by it. Records that only go by one name
        are not tied by it.
        """
        ties: dict[int, int] = {}

        def first_of(record: int) -> int:
            while ties.setdefault(record, record) != record:
                ties[record] = ties[ties[record]]
                record = ties[record]
            return record

        for dialect, name, _ in self._db.execute(SPOKEN_OF).fetchall():
            query = "SELECT record FROM named WHERE dialect = ? AND name = ? ORDER BY record"
            records = [row[0] for row in self._db.execute(query, (dialect, name))]
            for record in records[1:]:
                one, other = sorted((first_of(records[0]), first_of(record)))
                ties[other] = one
        rows = self._db.execute(LINKED).fetchall()
        for dialect, record in rows:
            self._add_to(dialect, f"#{first_of(record)}", record)
        self._db.execute("DELETE FROM named")

    def _add_line(self, place: Place, about: bytes) -> int:
        self._records += 1
        self._db.execute(
            "INSERT INTO records VALUES (?, ?, ?, ?)",
            (self._records, place.offset, place.length, about),
        )
        return self._records

    def _add_to(self, dialect: str, key: str, number: int) -> None:
        self._db.execute("INSERT OR IGNORE INTO groups VALUES (?, ?, ?)", (dialect, key, number))
        row = (dialect, key, number, number)
        self._db.execute("INSERT INTO grouped VALUES (?, ?, ?, ?)", row)

    def groups(self) -> Iterator[tuple[str, str]]:
        """Every group by dialect and key, in the order of their first records."""
        yield from self._db.execute("SELECT dialect, key FROM groups ORDER BY first, key")

    def records_of(self, dialect: str, key: str) -> list[GroupedRecord]:
        """The records of a group in the order in which they were met."""
        query = """
            SELECT offset, length, about FROM grouped JOIN records ON number = record
            WHERE dialect = ? AND key = ? ORDER BY seq
        """
        rows = self._db.execute(query, (dialect, key))
        return [GroupedRecord(Place(offset, length), about) for offset, length, about in rows]


def _names(told: Told) -> list[str]:
    names = [told.record_sha256]
    return [*names, told.answer] if told.answer is not None else names


def _row(number: int, told: Told, place: Place) -> Sequence[object]:
    return (
        number,
        place.offset,
        place.length,
        told.path,
        told.dialect,
        _listed(told.tools),
        _listed(told.called),
        _listed(told.issues),
        _listed(told.losses),
        told.cut_texts,
        _listed(told.secrets),
        told.capture_key,
        *COUNTED(told.counts),
    )


def _listed(names: Sequence[object]) -> bytes | None:
    return orjson.dumps(names) if names else None
