"""Starting the hub over a database that is ready: the first admin, the greeting, the server."""

import os
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from benchmarks.artifacts.home import Home
from benchmarks.artifacts.roots import Root, list_directories
from benchmarks.records.base import JsonObject
from benchmarks.records.home import HubCard
from benchmarks.records.times import stamp
from benchmarks.release import VERSION
from runs.broker.choosing import reachable_broker
from runs.services.executors import executors_and_queue
from understudy_site.hub.access import Admin, ensure_admin, sign_in_url
from understudy_site.hub.binding import url_of
from understudy_site.hub.card import forget, show
from understudy_site.hub.greeting import (
    first_run_lines,
    link_line,
    password_line,
    standing_lines,
    start_document,
)
from understudy_site.hub.health import INSTANCE_ID
from understudy_site.hub.serving import serve
from understudy_site.hub.warming import warm


@dataclass(frozen=True, slots=True)
class Opening:
    """What a hub is started with."""

    home: Home
    roots: Sequence[Root]
    host: str
    behind_proxy: bool
    user: str
    """The operating system's user: the first admin has this name."""
    once_link: bool
    now: datetime
    narrate: Callable[[str], None]
    """One line for people, unless they asked for quiet."""
    say: Callable[[str], None]
    """One line for people, quiet or not."""
    announce: Callable[[JsonObject], None]
    """The start document for programs."""


def start(listening: socket.socket, opening: Opening) -> int:
    """Serve on a socket that listens, until a signal; the exit code."""
    card = card_of(listening, opening)
    reachable = reachable_broker(opening.home)
    broker = reachable.shown if reachable is not None else None
    document = start_document(card, opening.roots, opening.home, broker)
    greet(opening, card, ensure_admin(opening.user), broker)
    show(opening.home, card)
    warm(opening.roots)
    try:
        return serve(
            listening,
            began=lambda: opening.announce(document),
            leave=lambda: forget(opening.home, card),
        )
    finally:
        forget(opening.home, card)


def card_of(listening: socket.socket, opening: Opening) -> HubCard:
    """The card of this process; its port is the real one."""
    port = listening.getsockname()[1]
    return HubCard(
        pid=os.getpid(),
        host=opening.host,
        port=port,
        url=url_of(opening.host, port),
        instance_id=INSTANCE_ID,
        version=VERSION,
        started_at=stamp(opening.now),
        behind_proxy=opening.behind_proxy,
    )


def greet(opening: Opening, card: HubCard, admin: Admin, broker: str | None) -> None:
    """Say where the hub is, who works and what waits, and how to get in."""
    opening.narrate(f"hub        {card.url} (pid {card.pid}, version {card.version})")
    found = list_directories(opening.roots).found
    for line in standing_lines(executors_and_queue(located=found), broker):
        opening.narrate(line)
    if admin.made:
        for line in first_run_lines(opening.user):
            opening.say(line)
    if opening.behind_proxy and admin.made:
        opening.say(password_line(opening.user))
    elif admin.made or opening.once_link:
        opening.say(link_line(sign_in_url(admin.user, card.url, now=opening.now)))
