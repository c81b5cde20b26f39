"""Where the hub listens, and what must be true before it listens there."""

import errno
import ipaddress
import socket
from dataclasses import dataclass

from benchmarks.artifacts.settings import Settings
from benchmarks.errors import AlreadyExists, InvalidArguments, UnderstudyError

LOCALHOST = "localhost"
BACKLOG = 512


@dataclass(frozen=True, slots=True)
class Binding:
    """What was said about where to listen, and who may come."""

    host: str
    port: int
    """0: any free one."""
    allow_remote: bool = False
    behind_proxy: bool = False
    """Whether a proxy in front speaks TLS and says so in `X-Forwarded-Proto`."""


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches the host."""
    if host.lower() == LOCALHOST:
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def check_binding(binding: Binding, said: Settings) -> None:
    """Return when it is safe to listen there (spec/surface.md 8.1).

    Raises:
        InvalidArguments: others could reach the hub and something that protects them is missing;
            everything that is missing is named.
    """
    if is_loopback(binding.host):
        return
    missing = []
    if not binding.allow_remote:
        missing.append("--allow-remote")
    if not said.allowed_hosts:
        missing.append("UNDERSTUDY_ALLOWED_HOSTS=<the name that browsers use>")
    if not binding.behind_proxy:
        missing.append("--behind-proxy, with TLS at a proxy that sends X-Forwarded-Proto: https")
    if said.debug:
        missing.append("UNDERSTUDY_DEBUG unset")
    if missing:
        raise InvalidArguments(
            f"--host {binding.host} is reached by other machines, and this is missing: "
            + "; ".join(missing),
            hint="leave --host out to serve this machine only, or give all of them",
            details={"host": binding.host, "missing": missing},
        )


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; with port 0 the system picks one.

    Raises:
        AlreadyExists: another process listens there.
        InvalidArguments: the host is none of this machine, or the port may not be used.
    """
    try:
        family, _, _, _, address = socket.getaddrinfo(
            host.strip("[]"), port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except OSError as error:
        raise _refused(host, port, error) from error
    found = socket.socket(family, socket.SOCK_STREAM)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(address)
        found.listen(BACKLOG)
    except OSError as error:
        found.close()
        raise _refused(host, port, error) from error
    return found


def url_of(host: str, port: int) -> str:
    """The address to open: a host that means every address is shown as this machine."""
    shown = host.strip("[]")
    if shown in {"0.0.0.0", "::"}:
        shown = LOCALHOST
    return f"http://[{shown}]:{port}" if ":" in shown else f"http://{shown}:{port}"


def _refused(host: str, port: int, error: OSError) -> UnderstudyError:
    if error.errno == errno.EADDRINUSE:
        return AlreadyExists(
            f"port {port} of {host} is taken by another program",
            hint="name another: --port N or UNDERSTUDY_HUB_PORT; --port 0 takes a free one",
            details={"host": host, "port": port},
        )
    if error.errno == errno.EACCES:
        return InvalidArguments(
            f"port {port} may not be opened by this user",
            hint="ports below 1024 need rights of the system: name a higher one, --port N",
            details={"host": host, "port": port},
        )
    return InvalidArguments(
        f"--host {host} is no address of this machine ({error.strerror or error})",
        hint="leave it out to serve this machine only: 127.0.0.1",
        details={"host": host, "port": port},
    )
