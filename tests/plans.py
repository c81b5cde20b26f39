"""How the database would find what a query asks for."""

from collections.abc import Callable

from django.db import connection
from django.test.utils import CaptureQueriesContext

SQLITE, POSTGRESQL = "sqlite", "postgresql"


def plans_of(work: Callable[[], object]) -> list[str]:
    """The plan of every query that some work makes, as one text each."""
    with CaptureQueriesContext(connection) as caught:
        work()
    return [_plan(query["sql"]) for query in caught.captured_queries]


def _plan(sql: str) -> str:
    with connection.cursor() as cursor:
        if connection.vendor == POSTGRESQL:
            # On a table of a few rows reading all and sorting is cheaper: what counts is whether
            # there is another way at all.
            cursor.execute("SET LOCAL enable_seqscan = off")
            cursor.execute("SET LOCAL enable_bitmapscan = off")
            cursor.execute("SET LOCAL enable_sort = off")
            cursor.execute(f"EXPLAIN {sql}")
        else:
            cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
        return "\n".join(str(line[-1]) for line in cursor.fetchall())


def sorts(plan: str) -> bool:
    """Whether the database would sort what it finds."""
    return "TEMP B-TREE" in plan or "Sort Key" in plan


def goes_by(plan: str, index: str) -> bool:
    """Whether an index is the way in. PostgreSQL chooses by what is in the table: by any index."""
    if connection.vendor == POSTGRESQL:
        return "Index" in plan and "Seq Scan" not in plan
    return f"USING INDEX {index} " in f"{plan.replace('COVERING ', '')} ".replace("\n", " \n")


def seeks(plan: str, table: str, index: str) -> bool:
    """Whether the database goes straight to a place in the index, and not along all of it."""
    if connection.vendor == POSTGRESQL:
        return "Index Cond" in plan
    return f"SEARCH {table} USING INDEX {index}" in plan.replace("COVERING ", "")
