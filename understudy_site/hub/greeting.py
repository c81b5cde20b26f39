"""What a hub says when it starts: one document for programs, some lines for people."""

from collections.abc import Iterator, Sequence

from benchmarks.artifacts.home import Home
from benchmarks.artifacts.roots import Root
from benchmarks.records.base import JsonObject
from benchmarks.records.home import HubCard
from runs.broker.urls import for_people
from runs.services.executors import Standing

SHOWN = 5
LINK_MINUTES = 10
EXECUTE = "understudy runs execute --all --watch"
WORKER = "celery -A understudy_site worker"
PASSWORD = "python -m django changepassword --settings understudy_site.settings"


def start_document(
    card: HubCard, roots: Sequence[Root], home: Home, broker: str | None
) -> JsonObject:
    """`{url, pid, version, roots[], database, broker}`; no password in either address."""
    return {
        "url": card.url,
        "pid": card.pid,
        "version": card.version,
        "roots": [
            {"prefix": root.prefix, "path": str(root.path), "read_only": root.read_only}
            for root in roots
        ],
        "database": database_of(home),
        "broker": broker,
    }


def database_of(home: Home) -> str:
    """Where the tables are."""
    return for_people(home.settings.database_url or f"sqlite:///{home.path}/hub.sqlite3")


def standing_lines(standing: Standing, broker: str | None) -> Iterator[str]:
    """Which executors are alive, who is told of new requests, and which requests wait."""
    alive = ", ".join(
        f"pid {each.pid} on {each.host} (version {each.version})" for each in standing.executors
    )
    yield f"executors  {alive or 'none at work'}"
    yield f"broker     {broker or 'none: executors find requests by looking'}"
    waiting = [f"{each.run_id} of {each.slug}" for each in standing.waiting]
    more = f" and {len(waiting) - SHOWN} more" if len(waiting) > SHOWN else ""
    yield f"waiting    {', '.join(waiting[:SHOWN]) or 'no request'}{more}"
    if waiting and not standing.executors:
        yield f"           the hub runs nothing itself: {WORKER if broker else EXECUTE}"


def first_run_lines(name: str) -> Iterator[str]:
    """How people and programs get in."""
    yield f"first start: the admin {name!r} was made, without a password"
    yield "a token:      understudy hub serve --new-token NAME --permissions read,review"
    yield "another link: understudy hub serve --once-link"


def link_line(url: str) -> str:
    """The sign-in link, with what it is good for."""
    return f"sign in ({LINK_MINUTES} minutes, once, from this machine): {url}"


def password_line(name: str) -> str:
    """How the first admin gets in where no link works: behind a proxy nobody is on this machine."""
    return f"a password:   {PASSWORD} {name}"
