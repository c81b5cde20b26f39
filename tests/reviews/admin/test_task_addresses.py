"""Every task id has an address, whatever it is made of."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from benchmarks.artifacts import layout
from benchmarks.artifacts.roots import Located
from tests.reviews.admin.conftest import SLUG
from tests.reviews.admin.pages import Seen, get, post
from tests.reviews.desks import make_desk
from tests.reviews.factories import make_task

pytestmark = pytest.mark.django_db
HERE = f"/admin/tasks/{SLUG}/t1/"


def written(desk: Located, file: Any) -> list[dict[str, Any]]:
    return [line.dump() for line in desk.directory.read(file).records]


def digest(page: Seen) -> str:
    return page.values("digest")[0]


ODD_IDS = [
    "orders/refund/1", "a b", "ä/ö?x=1#y", "100%", "..", "a/../b", "/lead", "trail/", "a//b",
    "line\nend", "<script>", "task-text", "日本語", "\u202eevil", "+", "a;b", "\\", "other",
]  # fmt: skip


def test_every_task_id_has_an_address_that_leads_to_it(root: Path, mira: Client) -> None:
    desk = make_desk(root, *map(make_task, ODD_IDS))
    page = get(mira, f"/admin/inbox/?slug={SLUG}")
    links = [str(a["href"]) for a in page.every("a") if "data-open" in a]
    found = [get(mira, link) for link in links]
    assert [each.every("h1") != [] for each in found] == [True] * len(ODD_IDS)
    for link, each in zip(links, found, strict=True):
        post(mira, link, action="review", decision="accept", digest=digest(each))
    decided = [line["task_id"] for line in written(desk, layout.REVIEWS)]
    assert sorted(decided) == sorted(ODD_IDS)
