"""One section of a page, as people read it."""

import re

from django.test import Client

from benchmarks.mirror.syncing import catch_up
from tests.reviews.admin.pages import Seen, get


def section(client: Client, path: str, name: str) -> str:
    """The words of the section of that id."""
    catch_up(None, budget_s=60)
    answer = client.get(path)
    assert answer.status_code == 200, answer.content.decode()[-2000:]
    pattern = rf'<section[^>]* id="{name}".*?</section>'
    [markup] = re.findall(pattern, answer.content.decode(), re.DOTALL)
    return Seen(markup).text


def fresh(client: Client, path: str, status: int = 200) -> Seen:
    """A page once the mirror has read everything, however busy the machine is."""
    catch_up(None, budget_s=60)
    return get(client, path, status)
