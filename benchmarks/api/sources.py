"""Captures that a request names, as far as this hub may read them."""

from benchmarks.api.calls import ApiCall
from benchmarks.artifacts.source_roots import sources_within
from benchmarks.errors import Complaint, InvalidArguments

MOST_SOURCES = 64


def sources_of(call: ApiCall, source: str | list[str]) -> list[str]:
    """The real paths of one source or of several, each inside a source root.

    Raises:
        InvalidArguments: there is none, or more than 64.
        OutsideRoot, SourceNotFound: one is not a source that this hub may read.
    """
    named = [source] if isinstance(source, str) else source
    if not 1 <= len(named) <= MOST_SOURCES:
        said = f"1..{MOST_SOURCES} sources"
        raise InvalidArguments(
            f"source: {said}", errors=[Complaint("source", str(len(named)), said)]
        )
    return [str(path) for path in sources_within(named, call.home)]
