"""Which errors a route may answer with: what every route refuses, and what it says itself."""

from benchmarks.api.missing import UnknownMethod
from benchmarks.api.operations import Operation
from benchmarks.doors.permissions import permission_of
from benchmarks.errors import (
    Ambiguous,
    BadOrigin,
    Busy,
    CursorInvalid,
    DirectoryBusy,
    DiskFull,
    Forbidden,
    IdempotencyConflict,
    Internal,
    InvalidArguments,
    InvalidBenchmark,
    LedgerRewritten,
    LocksUnsupported,
    NewerSchema,
    OutsideRoot,
    RateLimited,
    ReadOnly,
    StalePrecondition,
    TooLarge,
    Unauthenticated,
    UnderstudyError,
    UnknownBenchmark,
    UnsupportedMediaType,
)

EVERY = (InvalidArguments, Unauthenticated, BadOrigin, UnknownMethod, RateLimited, Internal, Busy)
BENCHMARK = (UnknownBenchmark, Ambiguous, OutsideRoot, InvalidBenchmark, NewerSchema)
LIST = (CursorInvalid, LedgerRewritten)
WRITE = (TooLarge, UnsupportedMediaType, IdempotencyConflict)
DIRECTORY = (ReadOnly, DirectoryBusy, LocksUnsupported, DiskFull)


def refusals_of(operation: Operation, *, has_slug: bool) -> list[type[UnderstudyError]]:
    """The errors of an operation, each once."""
    found: list[type[UnderstudyError]] = [*EVERY]
    if permission_of(operation.service) is not None:
        found.append(Forbidden)
    is_about_one = has_slug or operation.names_benchmark
    if is_about_one:
        found += BENCHMARK
    if operation.is_list:
        found += LIST
    if operation.writes:
        found += WRITE
        found += DIRECTORY if is_about_one else ()
    if operation.matches:
        found.append(StalePrecondition)
    return list(dict.fromkeys([*found, *operation.refuses]))
