from benchmarks.records.json_bytes import json_bytes


def test_integers_beyond_64_bits_are_written_whole() -> None:
    assert json_bytes({"id": 2**64, "é": [1.5, None]}) == (
        '{"id":18446744073709551616,"é":[1.5,null]}'.encode()
    )


def test_a_lone_surrogate_costs_itself_only() -> None:
    assert json_bytes({"a": "x\ud800y"}) == b'{"a":"x?y"}'
