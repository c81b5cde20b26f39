"""Where the pages of this app are: every task id has an address, whatever it is made of."""

import unicodedata
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import NoReverseMatch, reverse

INBOX, TASK, TASK_TEXT = "admin:inbox", "admin:task", "admin:task-text"
SPLIT_OFF = frozenset({"", ".", ".."})
"""Parts of a path that a browser takes away before it asks."""


def task_path(slug: str, task_id: str, query: str = "") -> str:
    """The page of a task; an id that no path can hold is named in the query."""
    return _path(TASK, slug, task_id, query)


def text_path(slug: str, task_id: str, field: str) -> str:
    """The plain text that stands at a JSON pointer of the task's document."""
    return _path(TASK_TEXT, slug, task_id, encoded(field=field))


def inbox_path(query: str = "") -> str:
    """The inbox, with what it is asked for."""
    return reverse(INBOX) + (f"?{query}" if query else "")


def page_path(name: str, **arguments: str) -> str:
    """The page of another app by its name; nothing where this release has no such page."""
    try:
        return reverse(f"admin:{name}", kwargs=arguments)
    except NoReverseMatch:
        return ""


def named_task(kwargs: dict[str, str], query: QueryDict) -> str:
    """The task that an address names, in its path or in its query."""
    return kwargs.get("task_id") or query.get("task", "")


def _path(name: str, slug: str, task_id: str, query: str) -> str:
    if fits_a_path(task_id):
        path = reverse(name, kwargs={"slug": slug, "task_id": task_id})
    else:
        path = reverse(f"{name}-of", kwargs={"slug": slug})
        query = "&".join(part for part in (encoded(task=task_id), query) if part)
    return path + (f"?{query}" if query else "")


def encoded(**values: str) -> str:
    """A query; characters that no address can hold are replaced."""
    return urlencode(values, errors="replace")


def fits_a_path(task_id: str) -> bool:
    """Whether a browser asks for the id as it is, with no part of the path lost or joined."""
    parts = task_id.split("/")
    return not any(
        part in SPLIT_OFF or any(unicodedata.category(char) in {"Cc", "Cs"} for char in part)
        for part in parts
    )
