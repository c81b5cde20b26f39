"""Where a live dependency is: an MCP server's command or URL, or the URL of an HTTP tool."""

import shlex
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

EndpointKind = Literal["mcp_command", "mcp_url", "http"]

STDIO, MCP, TOOL = "stdio:", "mcp+", "tool+"
SCHEMES = ("http", "https")
MOST_CHARS = 1024
FORMS = (
    "stdio:COMMAND ARGS for an MCP server that is started; https://HOST/PATH (or mcp+https://) for"
    " one that listens; tool+https://HOST/PATH/{tool} for tools behind HTTP"
)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One place that answers calls."""

    kind: EndpointKind
    command: tuple[str, ...] = ()
    url: str = ""


class NotAnEndpoint(ValueError):
    """The text names no place; the message says why."""


def read_endpoint(text: str, dependency_kind: str) -> Endpoint:
    """The place that a text names: a plain URL is an MCP server's where the dependency is one.

    A URL holds no key: one comes from the environment of whoever runs.

    Raises:
        NotAnEndpoint: it names none.
    """
    if len(text) > MOST_CHARS:
        raise NotAnEndpoint(f"at most {MOST_CHARS} characters")
    if text.startswith(STDIO):
        return Endpoint("mcp_command", command=_command(text.removeprefix(STDIO)))
    if text.startswith(MCP):
        return Endpoint("mcp_url", url=_url(text.removeprefix(MCP)))
    if text.startswith(TOOL):
        return Endpoint("http", url=_url(text.removeprefix(TOOL)))
    return Endpoint("mcp_url" if dependency_kind == "mcp" else "http", url=_url(text))


def _command(text: str) -> tuple[str, ...]:
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        raise NotAnEndpoint(f"the command does not split into words: {error}") from error
    if not words:
        raise NotAnEndpoint("no command follows stdio:")
    return words


def _url(text: str) -> str:
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise NotAnEndpoint(f"no URL: {error}") from error
    if parts.scheme not in SCHEMES or not parts.hostname or port == 0:
        raise NotAnEndpoint(FORMS)
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise NotAnEndpoint("a URL without user, query and fragment is wanted: no key stands in it")
    return text
