"""How fast the admin's inbox is: the first page of a benchmark of 1,000 tasks.

The floor, measured in the same run through the same client, is a bare Django list view: one query,
50 rows, a template of one table. Prints one JSON object: the median of five, the target, the floor,
and how many queries the page took.

    python tests/perf/inbox.py [--tasks 1000] [--runs 5]
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import django
from django.core.management import call_command
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test.utils import CaptureQueriesContext

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY))
TARGET_MS, MOST_QUERIES = 400.0, 12
SLUG = "local--refund-desk"
BARE = (
    "<table>{% for row in rows %}<tr><td>{{ row.name }}</td><td>{{ row.split }}</td>"
    "<td>{{ row.decision }}</td><td>{{ row.flags }}</td></tr>{% endfor %}</table>"
)


def bare_list(request: HttpRequest) -> HttpResponse:
    """What Django itself costs: 50 rows of the same table."""
    from django.template import Context, Template  # noqa: PLC0415

    from reviews.models import TaskStandingEntry  # noqa: PLC0415

    rows = TaskStandingEntry.objects.order_by("id")[:50]
    return HttpResponse(Template(BARE).render(Context({"rows": rows})))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["UNDERSTUDY_HOME"] = folder
        os.environ["DJANGO_SETTINGS_MODULE"] = "understudy_site.settings"
        django.setup()
        call_command("migrate", verbosity=0)
        measure(Path(folder), args.tasks, args.runs)


def measure(home: Path, tasks: int, runs: int) -> None:
    """Make the benchmark, read the page once, then time it."""
    from django.contrib.auth.models import Group, User  # noqa: PLC0415
    from django.test import Client, RequestFactory  # noqa: PLC0415

    from benchmarks.mirror.engine import sync_directory  # noqa: PLC0415
    from tests.reviews.desks import make_desk  # noqa: PLC0415
    from tests.reviews.factories import make_task  # noqa: PLC0415

    (home / "benchmarks").mkdir()
    confidence = ("high", "medium", "low")
    desk = make_desk(
        home / "benchmarks",
        *(make_task(f"task-{n:016x}", machine_confidence=confidence[n % 3]) for n in range(tasks)),
    )
    sync_directory(desk)
    user = User.objects.create_user("mira", is_staff=True)
    user.groups.add(Group.objects.get(name="reviewer"))
    client = Client(headers={"host": "localhost"})
    client.force_login(user)
    factory = RequestFactory()

    def page() -> None:
        answer = client.get(f"/admin/inbox/?slug={SLUG}")
        assert answer.status_code == 200, answer.status_code
        assert answer.content.count(b"data-row ") == min(50, tasks), "50 rows"

    page()
    with CaptureQueriesContext(connection) as captured:
        page()
    queries = [each["sql"] for each in captured.captured_queries]
    bare_list(factory.get("/"))
    pairs = [(timed(page), timed(lambda: bare_list(factory.get("/")))) for _ in range(runs)]
    value = statistics.median(pair[0] for pair in pairs)
    report = {
        "figure": f"admin inbox, {tasks:,} tasks, first page",
        "median_ms": round(value, 1),
        "target_ms": TARGET_MS,
        "met": value < TARGET_MS and len(queries) <= MOST_QUERIES,
        "floor_ms": round(statistics.median(pair[1] for pair in pairs), 1),
        "queries": len(queries),
        "most_queries": MOST_QUERIES,
        "runs": runs,
        "load": round(os.getloadavg()[0], 2),
    }
    sys.stdout.write(json.dumps(report) + "\n")


def timed(work: Callable[[], object]) -> float:
    """Milliseconds of one call."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


if __name__ == "__main__":
    main()
