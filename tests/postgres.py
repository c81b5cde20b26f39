"""A PostgreSQL database of a test's own, on the server that the environment names."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit


@contextmanager
def fresh_database(server: str) -> Iterator[str]:
    """The URL of a new, empty database on the server of `server`; it is dropped afterwards."""
    import psycopg  # noqa: PLC0415 - the driver is an extra: only these tests need it

    name = f"test_{secrets.token_hex(6)}"
    parts = urlsplit(server)
    with psycopg.connect(parts._replace(path="/postgres").geturl(), autocommit=True) as admin:
        admin.execute(f"create database {name}")
        try:
            yield parts._replace(path=f"/{name}").geturl()
        finally:
            admin.execute(f"drop database {name} with (force)")
