"""The messages between the processes of a crew: whole, or none."""

import pickle
from collections import Counter
from io import BytesIO

import pytest

from benchmarks.intake import crew


def test_messages_come_back_as_they_were_sent() -> None:
    pipe = BytesIO()
    crew._send([], pipe)
    crew._send(Counter({"bom": 2}), pipe)
    pipe.seek(0)
    received = [crew._received(pipe) for _ in range(3)]
    assert [data and pickle.loads(data) for data in received] == [[], Counter({"bom": 2}), None]


@pytest.mark.parametrize("kept", range(len(pickle.dumps([], crew.PROTOCOL)) + crew.LENGTH_BYTES))
def test_a_message_cut_anywhere_is_none(kept: int) -> None:
    pipe = BytesIO()
    crew._send([], pipe)
    assert crew._received(BytesIO(pipe.getvalue()[:kept])) is None
