"""The card of a running hub: `hubs/<port>.json` in the home, while it listens.

A second hub finds out by it whether the port is taken by one of this home, and by which process.
A card whose process is gone, or whose port answers with another instance, says nothing.
"""

import json
import os
import socket
import urllib.request
from contextlib import suppress

from benchmarks.artifacts.home import HUBS, Home, hub_card
from benchmarks.errors import AlreadyExists, UnderstudyError
from benchmarks.records.home import HubCard
from understudy_site.hub.binding import listen

ANSWER_S = 5.0
"""A hub that works hard is one that runs: nobody is told to start another beside it."""


def show(home: Home, card: HubCard) -> None:
    """Leave the card in the home."""
    home.replace(hub_card(card.port), card)


def forget(home: Home, card: HubCard) -> None:
    """Take the card away; one that another hub has put in its place stays."""
    file = hub_card(card.port)
    with suppress(OSError, UnderstudyError):
        found = home.load(file)
        if found is not None and found.instance_id == card.instance_id:
            (home.path / file.path).unlink(missing_ok=True)


def open_port(home: Home, host: str, port: int) -> socket.socket:
    """A socket that listens there, and accepts nobody yet.

    Raises:
        AlreadyExists: the port is taken; by a hub of this home, its process is named.
        InvalidArguments: the host is none of this machine, or the port may not be used.
    """
    try:
        return listen(host, port)
    except AlreadyExists as error:
        card = running(home, port)
        if card is None:
            raise
        raise AlreadyExists(
            f"port {port} is taken by the hub of this home (pid {card.pid}): {card.url}",
            hint="use that one, or end it first: kill " + str(card.pid),
            details={"port": port, "pid": card.pid, "url": card.url},
        ) from error


def running(home: Home, port: int | None = None) -> HubCard | None:
    """The card of the hub of this home that answers now: on `port`, else on any."""
    folder = home.path / HUBS
    names = sorted(path.stem for path in folder.glob("*.json")) if folder.is_dir() else []
    ports = [int(name) for name in names if name.isdecimal()]
    for each in ports if port is None else [port] if port in ports else []:
        with suppress(UnderstudyError):
            card = home.load(hub_card(each))
            if card is not None and is_alive(card):
                return card
    return None


def is_alive(card: HubCard) -> bool:
    """Whether the process of a card lives and the port answers as the same instance."""
    try:
        os.kill(card.pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    request = urllib.request.Request(f"{card.url}/healthz", headers={"Accept": "application/json"})
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=ANSWER_S) as answer:
            return bool(json.load(answer).get("instance_id") == card.instance_id)
    except (OSError, ValueError, AttributeError):
        return False
