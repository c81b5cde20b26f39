"""Which broker a home has: the Redis that is configured, else the embedded one."""

from dataclasses import dataclass

from benchmarks.artifacts.home import Home
from runs.broker.embedded import Embedded, Membership
from runs.broker.urls import for_celery, for_people


@dataclass(frozen=True, slots=True)
class Broker:
    """Where messages go."""

    url: str
    """As Celery reads it."""
    shown: str
    """For people, without a password."""
    embedded: bool = False


def broker_of(home: Home) -> Broker:
    """The broker of a home, whether or not it answers."""
    url = home.settings.redis_url
    if url is not None:
        return Broker(for_celery(url), for_people(url))
    own = Embedded(home.path)
    return Broker(for_celery(own.url), f"embedded at {own.socket}", embedded=True)


def reachable_broker(home: Home) -> Broker | None:
    """The broker to hand a message to: one that is configured, or an embedded one that is alive."""
    broker = broker_of(home)
    if broker.embedded and not Embedded(home.path).is_alive():
        return None
    return broker


def join_broker(home: Home) -> Membership | None:
    """Make sure that there is a broker, for as long as this process lives.

    Raises:
        Unsupported: no REDIS_URL is set, and the embedded broker is not installed or cannot start.
    """
    if home.settings.redis_url is not None:
        return None
    return Embedded(home.path).join()
