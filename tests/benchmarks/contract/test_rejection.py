import pytest

from benchmarks.contract.rejection import result_status


@pytest.mark.parametrize(
    "content",
    [
        "Error: payment amounts do not add up",
        "error: gone",
        "ERROR\nTraceback",
        "error",
        "  Error: spaced",
        "# result = Error: order not found",
        "result = 'Error: order not found'",
        "result.value = Error: x",
        "Out[3]: Error: x",
        'Out[12]: "error: x"',
        '"Error: quoted"',
        "'error'",
        '{"error": "not found"}',
        '{"error": {"code": 4}}',
        '{"success": false}',
        '{"ok": false, "id": 3}',
        '{"isError": true}',
        '{"exit_code": 1}',
        {"error": "x"},
    ],
)
def test_a_rejection_is_an_error_for_reads_and_writes(content: object) -> None:
    assert result_status(content, is_write=False) == "error"
    assert result_status(content, is_write=True) == "error"


@pytest.mark.parametrize(
    "content",
    [
        "",
        "errors: 0",
        "Error rates fell by 3%",
        "no error: fine",
        "The error: none",
        "a b = Error: x",
        '{"error": ""}',
        '{"error": null}',
        '{"error": []}',
        '{"success": true}',
        '{"ok": null}',
        '{"isError": false}',
        '{"exit_code": 0}',
        '{"exit_code": false}',
        '{"exit_code": "1"}',
        '{"error": "x"} trailing',
        '[{"error": "x"}]',
        '{"result": {"error": "x"}}',
        None,
        7,
        ["error"],
    ],
)
def test_anything_else_is_accepted(content: object) -> None:
    assert result_status(content, is_write=False) == "ok"
    assert result_status(content, is_write=True) == "ok"


@pytest.mark.parametrize("word", ["error", "failed", "FAILURE", " Denied "])
@pytest.mark.parametrize("key", ["status", "response_status"])
def test_the_status_keys_count_only_for_writes(key: str, word: str) -> None:
    assert result_status({key: word}, is_write=True) == "error"
    assert result_status({key: word}, is_write=False) == "ok"


def test_an_order_that_is_pending_was_accepted() -> None:
    assert result_status({"status": "pending"}, is_write=True) == "ok"


def test_only_the_first_four_kibibytes_are_text_that_can_end_after_the_word() -> None:
    assert result_status("error" + " " * 5000 + "x", is_write=True) == "ok"
