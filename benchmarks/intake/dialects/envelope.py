"""One captured call: in a gateway's envelope, or as a bare pair of request and response.

The recorded dialect is that of the bodies; how they are read is in `wires/`.
"""

from typing import Any

from benchmarks.intake.dialect import OneCall
from benchmarks.intake.wires.envelope import is_envelope, is_pair


class Envelope(OneCall):
    """A gateway's envelope, of whatever version."""

    name = "envelope"
    lacks = "request_id, schema_version, a request and a response"

    def detect(self, record: Any) -> bool:
        """Whether a record is an envelope."""
        return isinstance(record, dict) and is_envelope(record)


class BarePair(OneCall):
    """A request and its response, and what stands around them."""

    name = "pair"
    lacks = "a request and a response"

    def detect(self, record: Any) -> bool:
        """Whether a record holds a request and has room for its response."""
        return isinstance(record, dict) and is_pair(record)
