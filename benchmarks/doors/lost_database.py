"""What a database means that stops answering under a running hub."""

from django.db import InterfaceError, OperationalError, ProgrammingError, connection

from benchmarks.errors import Busy, DiskFull, UnderstudyError

LOST_TABLE = "does not exist"
"""What PostgreSQL says of a table that is gone; SQLite's words come as an `OperationalError`."""


def lost_database(error: BaseException) -> UnderstudyError | None:
    """What an error means under a running hub: busy, full or gone; None: it is no such error.

    Neither the file nor the server is named: whoever asks may be nobody that the hub knows.
    """
    gone = isinstance(error, OperationalError | InterfaceError) or (
        isinstance(error, ProgrammingError) and LOST_TABLE in str(error)
    )
    if not gone:
        return None
    said = str(error).lower()
    if "full" in said:
        return DiskFull("there is no room for the database", hint="make room on the hub's disk")
    if "lock" in said:
        return Busy("the database is busy", hint="the database was busy: try again")
    if connection.vendor == "sqlite":
        return Busy(
            "the database of this hub cannot be read: its file is damaged or gone",
            hint="the operator stops the hub, moves the file away if it is there, and starts it "
            "again: every benchmark is read from its directory",
        )
    return Busy(
        "the database that DATABASE_URL names does not answer",
        hint="the operator starts it, or corrects DATABASE_URL; the log of the hub has its words",
    )
