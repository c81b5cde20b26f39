"""Where live tools are, as an operator writes it."""

import pytest

from benchmarks.records.endpoint import Endpoint, NotAnEndpoint, read_endpoint


@pytest.mark.parametrize(
    ("text", "kind", "found"),
    [
        (
            "stdio:npx -y 'my server' --x=1",
            "mcp",
            Endpoint("mcp_command", command=("npx", "-y", "my server", "--x=1")),
        ),
        ("https://h.example/mcp", "mcp", Endpoint("mcp_url", url="https://h.example/mcp")),
        ("https://h.example/t", "http", Endpoint("http", url="https://h.example/t")),
        ("https://h.example/t", "other", Endpoint("http", url="https://h.example/t")),
        ("mcp+http://127.0.0.1:8/mcp", "other", Endpoint("mcp_url", url="http://127.0.0.1:8/mcp")),
        ("tool+http://h/{tool}", "mcp", Endpoint("http", url="http://h/{tool}")),
    ],
)
def test_a_command_a_server_and_a_tool_are_told_apart(
    text: str, kind: str, found: Endpoint
) -> None:
    assert read_endpoint(text, kind) == found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "https://HOST"),
        ("orders", "https://HOST"),
        ("ftp://h/x", "https://HOST"),
        ("http://", "https://HOST"),
        ("http://h:99999/", "no URL"),
        ("stdio:", "no command"),
        ("stdio:'open", "does not split"),
        ("https://user:key@h/", "no key stands in it"),
        ("https://h/?token=x", "no key stands in it"),
        ("https://h/#x", "no key stands in it"),
        ("https://h/" + "x" * 1024, "at most 1024"),
    ],
)
def test_what_names_no_place_says_why(text: str, said: str) -> None:
    with pytest.raises(NotAnEndpoint, match=said):
        read_endpoint(text, "mcp")
