"""Text as it is compared: folded, with word boundaries that hold in any script."""

import re
import unicodedata

SPACELESS = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u0f00-\u0fff"  # Tibetan
    "\u1000-\u109f"  # Myanmar
    "\u1780-\u17ff"  # Khmer
    "\u1100-\u11ff\u3130-\u318f\uac00-\ud7ff"  # Hangul: particles follow without a space
    "\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Han
    "\U00020000-\U0003ffff"
    "\u3040-\u30ff\u31f0-\u31ff"  # kana
)
"""Scripts whose words stand without spaces, as a class of a regular expression."""

WORD = f"[^\\W{SPACELESS}]"
"""A letter, digit or `_` of a script that writes spaces."""

SPACELESS_SIGN = re.compile(f"[{SPACELESS}]")
WORDS = re.compile(f"[{SPACELESS}]|{WORD}+")
INVISIBLE = re.compile("[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")


def folded(text: str) -> str:
    """NFKC, casefold, runs of blanks one space, trimmed; invisible signs are left out."""
    if text.isascii():
        return " ".join(text.lower().split())
    bare = unicodedata.normalize("NFKC", INVISIBLE.sub("", text)).casefold()
    return " ".join(unicodedata.normalize("NFKC", bare).split())


def is_spaceless(sign: str) -> bool:
    """Whether a sign belongs to a script whose words stand without spaces."""
    return SPACELESS_SIGN.match(sign) is not None


def has_word(text: str) -> bool:
    """Whether a text has at least one letter or digit."""
    return any(sign.isalnum() for sign in text)


def says(text: str, phrase: str) -> bool:
    """Whether `text` holds `phrase` as a whole sequence of words, both compared folded.

    No letter, digit or `_` may stand on either side. In scripts without spaces a phrase of two
    signs or more may stand anywhere, for there no boundary is written.
    """
    wanted, body = folded(phrase), folded(text)
    if not wanted:
        return False
    at = body.find(wanted)
    while at >= 0:
        after = at + len(wanted)
        inner_left = joined(body[at - 1 : at], wanted[0], alone=len(wanted) == 1)
        inner_right = joined(body[after : after + 1], wanted[-1], alone=len(wanted) == 1)
        if not inner_left and not inner_right:
            return True
        at = body.find(wanted, at + 1)
    return False


def joined(neighbour: str, edge: str, *, alone: bool) -> bool:
    """Whether a neighbouring sign makes one word with the edge of a phrase.

    `alone`: the phrase is that one sign.
    """
    if not neighbour or not (neighbour.isalnum() or neighbour == "_"):
        return False
    if is_spaceless(neighbour):
        return alone and is_spaceless(edge)
    return not is_spaceless(edge)
