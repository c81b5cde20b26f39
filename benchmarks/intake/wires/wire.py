"""Which provider's wire a captured call spoke: by its address, else by the shape of its bodies.

Of a streamed answer the first event stands for the body.
"""

from collections.abc import Sequence

from benchmarks.intake.dialect import WireDialect
from benchmarks.intake.wires.envelope import Pair, address_of
from benchmarks.intake.wires.streams import opening_of


def wire_of(pair: Pair, wires: Sequence[WireDialect]) -> WireDialect | None:
    """The wire of a call, or None when it was no call of a model."""
    path = address_of(pair.url).path
    by_address = next((wire for wire in wires if wire.at_address(path)), None)
    if by_address is not None:
        return by_address
    request = pair.request if isinstance(pair.request, dict) else {}
    response = pair.response if isinstance(pair.response, dict) else {}
    if pair.stream is not None:
        response = opening_of(pair.stream)
    return next((wire for wire in wires if wire.is_call(request, response)), None)
