"""What a text is shaped like: an id, one word, a few words, prose."""

import re
import unicodedata

from benchmarks.contract.lexicon import tokens, words
from benchmarks.contract.plain_text import SPACELESS_SIGN

ID_NAMES = words(
    "id ids uuid key code sku ref number no slug hash currency country iata zip postal phone"
    " account version"
)
ID_SIGNS = re.compile(r"[\d_@/:#]")
CAPITALS = re.compile(r"[A-Z]{2,5}")
PATH = re.compile(r"(?:~|\.{1,2})?/[^\s/][^\n]*|[A-Za-z]:\\[^\n]*")
REDACTED = re.compile(r"\[redacted:[a-z_]+\]")
MAX_WORDS = 8
MAX_CHARS = 80
MAX_SPACELESS_CHARS = 40


def is_id_name(name: str) -> bool:
    """Whether the name of an argument says that it holds an id or a code."""
    return not ID_NAMES.isdisjoint(tokens(name))


def is_word(text: str) -> bool:
    """Whether a text is one word."""
    return bool(text) and not any(sign.isspace() for sign in text)


def is_id_shaped(text: str, name: str = "") -> bool:
    """Whether a text is shaped like an id, a code, an address or a path."""
    bare = text.strip()
    if PATH.fullmatch(bare):
        return True
    if not is_word(bare):
        return False
    return bool(is_id_name(name) or ID_SIGNS.search(bare) or CAPITALS.fullmatch(bare))


def id_tokens(text: str) -> list[str]:
    """The id-shaped tokens of a text, outer punctuation off, each once, in order.

    A link's words and its address are apart; what a redacted secret left behind is none.
    """
    parts = REDACTED.sub(" ", text).replace("](", " ").split()
    bare = (outer_stripped(token) for token in parts)
    return list(dict.fromkeys(token for token in bare if token and is_id_shaped(token)))


def outer_stripped(token: str) -> str:
    """A token without the punctuation around it; a leading `#`, `@`, `/` or `~` belongs to it."""
    start, end = 0, len(token)
    while start < end and is_punctuation(token[start]) and token[start] not in "#@/~_":
        start += 1
    while end > start and is_punctuation(token[end - 1]) and token[end - 1] not in "_":
        end -= 1
    return token[start:end]


def is_punctuation(sign: str) -> bool:
    """Whether a sign is punctuation or a symbol."""
    return unicodedata.category(sign)[0] in "PS"


def is_redacted(text: str) -> bool:
    """Whether a secret was taken out of a text at intake."""
    return REDACTED.search(text) is not None


def is_short(text: str) -> bool:
    """Whether a text is short enough to be compared word for word."""
    limit = MAX_SPACELESS_CHARS if SPACELESS_SIGN.search(text) else MAX_CHARS
    return len(text.split()) <= MAX_WORDS and len(text.strip()) <= limit
