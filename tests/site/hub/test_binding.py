import socket
from pathlib import Path

import pytest

from benchmarks.artifacts.settings import Settings
from benchmarks.errors import AlreadyExists, InvalidArguments
from understudy_site.hub.binding import Binding, check_binding, is_loopback, listen, url_of

SAFE = Settings(home=Path("home"), allowed_hosts=("lab.example",))


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.8.8.8", "localhost", "LOCALHOST", "::1", "[::1]"]
)
def test_loopback_needs_nothing(host: str) -> None:
    assert is_loopback(host)
    check_binding(Binding(host, 1421), Settings(home=Path("home"), debug=True))


@pytest.mark.parametrize(
    "host", ["0.0.0.0", "::", "10.0.0.1", "lab.example", "127.0.0.1.evil.example"]
)
def test_what_others_reach_is_not_loopback(host: str) -> None:
    assert not is_loopback(host)
    with pytest.raises(InvalidArguments):
        check_binding(Binding(host, 1421), SAFE)


def test_a_remote_host_lists_everything_that_is_missing() -> None:
    said = Settings(home=Path("home"), debug=True)
    with pytest.raises(InvalidArguments) as refused:
        check_binding(Binding("0.0.0.0", 1421), said)
    assert refused.value.details["missing"] == [
        "--allow-remote",
        "UNDERSTUDY_ALLOWED_HOSTS=<the name that browsers use>",
        "--behind-proxy, with TLS at a proxy that sends X-Forwarded-Proto: https",
        "UNDERSTUDY_DEBUG unset",
    ]


@pytest.mark.parametrize(
    ("binding", "said", "missing"),
    [
        (Binding("0.0.0.0", 1, behind_proxy=True), SAFE, "--allow-remote"),
        (Binding("0.0.0.0", 1, allow_remote=True), SAFE, "--behind-proxy"),
        (Binding("0.0.0.0", 1, True, True), Settings(home=Path("h")), "UNDERSTUDY_ALLOWED_HOSTS"),
    ],
)
def test_each_of_them_is_needed(binding: Binding, said: Settings, missing: str) -> None:
    with pytest.raises(InvalidArguments) as refused:
        check_binding(binding, said)
    (only,) = refused.value.details["missing"]
    assert only.startswith(missing)


def test_with_all_of_them_a_remote_host_is_served() -> None:
    check_binding(Binding("0.0.0.0", 1421, allow_remote=True, behind_proxy=True), SAFE)


def test_debug_is_refused_where_others_come_in() -> None:
    said = Settings(home=Path("home"), allowed_hosts=("lab.example",), debug=True)
    with pytest.raises(InvalidArguments, match="UNDERSTUDY_DEBUG unset"):
        check_binding(Binding("0.0.0.0", 1421, allow_remote=True, behind_proxy=True), said)


def test_a_taken_port_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(AlreadyExists, match=f"port {port} of 127.0.0.1 is taken"):
            listen("127.0.0.1", port)


@pytest.mark.parametrize("host", ["203.0.113.9", "no-such-host.invalid"])
def test_a_host_of_another_machine_is_named(host: str) -> None:
    with pytest.raises(InvalidArguments, match=f"--host {host} is no address of this machine"):
        listen(host, 0)


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:1421"),
        ("localhost", "http://localhost:1421"),
        ("::1", "http://[::1]:1421"),
        ("0.0.0.0", "http://localhost:1421"),
        ("::", "http://localhost:1421"),
    ],
)
def test_the_address_to_open(host: str, url: str) -> None:
    assert url_of(host, 1421) == url
