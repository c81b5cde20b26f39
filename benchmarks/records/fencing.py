"""Text from outside between two marks that it cannot close itself.

One form for every reader that may act on what it reads: an agent over MCP, a model that authors.
"""

OPENING = "[[untrusted"
BROKEN = "[ [untrusted"


def unmarked(text: str) -> str:
    """The text with whatever already looks like one of our marks broken."""
    return text.replace(OPENING, BROKEN)


def fenced_text(text: str, mark: str, *, source: str) -> str:
    """The text between two marks that it cannot close itself."""
    inner = unmarked(text)
    return f"[[untrusted {mark} begin source={source}]]\n{inner}\n[[untrusted {mark} end]]"
