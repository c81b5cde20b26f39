"""Pages as people read them: their text, their rows, and what their forms would send."""

import json
from html.parser import HTMLParser
from typing import Any

from django.http import HttpResponse
from django.test import Client

VOID = frozenset({"input", "br", "meta", "link", "img", "hr"})


class Seen(HTMLParser):
    """The elements of a page in order, and the text outside of head and scripts."""

    def __init__(self, markup: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self._hidden = 0
        self.feed(markup)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._hidden += tag in {"head", "script", "style"}
        self.words.append("" if tag == "wbr" else " ")

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in {"head", "script", "style"}
        self.words.append(" ")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.words.append(data)

    @property
    def text(self) -> str:
        """The words of the page, one space wherever an element begins or ends."""
        return " ".join("".join(self.words).split())

    def every(self, tag: str, **attributes: str) -> list[dict[str, str | None]]:
        """The attributes of each element of a kind that has these."""
        return [
            found
            for name, found in self.elements
            if name == tag and all(found.get(key) == value for key, value in attributes.items())
        ]

    def values(self, name: str) -> list[str]:
        """The values of the fields of that name."""
        return [str(found.get("value")) for found in self.every("input", name=name)]


def seen(response: HttpResponse, status: int = 200) -> Seen:
    """The page of an answer."""
    assert response.status_code == status, response.content.decode()[-2000:]
    return Seen(response.content.decode())


def get(client: Client, path: str, status: int = 200) -> Seen:
    return seen(client.get(path), status)


def post(client: Client, path: str, **form: Any) -> Seen:
    """One button, and the page that follows."""
    return seen(client.post(path, form, follow=True))


def picks(page: Seen) -> dict[str, str]:
    """What each check box of the inbox carries, by task id."""
    return {json.loads(value)[1]: value for value in page.values("task")}
