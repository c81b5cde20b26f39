"""What makes a file of the queue a request."""

from pathlib import PurePath

from benchmarks.artifacts.reading import SCHEMA, schema_id
from benchmarks.records.request import RunRequest


def refusal(name: str, request: RunRequest) -> str | None:
    """Why a request that reads is not the one that its file name says; None where it is."""
    file = PurePath(name)
    schema = getattr(request, SCHEMA)
    if schema != schema_id(RunRequest):
        return f"{file.name} has the schema id {schema}"
    if request.run_id != file.stem:
        return f"{file.name} holds the request of {request.run_id}"
    return None
