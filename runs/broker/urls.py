"""One address, three readers: how Redis is named for redis-py, for Celery, and for people."""

from urllib.parse import parse_qs, urlsplit, urlunsplit

SOCKETS = frozenset({"unix", "redis+socket"})
MASK = "***"


def for_redis(url: str) -> str:
    """The address as redis-py reads it: a socket is `unix://PATH?db=N`."""
    parts = urlsplit(url)
    if parts.scheme not in SOCKETS:
        return url
    return f"unix://{parts.path}?db={_database(parts.query)}"


def for_celery(url: str) -> str:
    """The address as Celery reads it: a socket is `redis+socket://PATH?virtual_host=N`."""
    parts = urlsplit(url)
    if parts.scheme not in SOCKETS:
        return url
    return f"redis+socket://{parts.path}?virtual_host={_database(parts.query)}"


def for_people(url: str) -> str:
    """The address without its password."""
    parts = urlsplit(url)
    if parts.password is None:
        return url
    host = parts.netloc.rpartition("@")[2]
    user = parts.username or ""
    return urlunsplit(parts._replace(netloc=f"{user}:{MASK}@{host}"))


def _database(query: str) -> str:
    said = parse_qs(query)
    for key in ("db", "virtual_host"):
        if key in said:
            return said[key][0].strip("/")
    return "0"
