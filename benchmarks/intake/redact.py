"""Secrets out before the first write: each becomes `[redacted:<kind>]` and is counted.

The redactor is idempotent, and keeps all text that is no secret as it was written. A value under
a telling name goes whole; inside a text only the secret itself goes.
"""

import base64
import binascii
import json
import re
from collections import Counter
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from typing import Any

from benchmarks.intake.secret_hints import (
    NAME_WORDS,
    Words,
    fits_at,
    long_runs,
    lowered,
    may_be_a_login,
    may_be_a_scheme,
    may_name_a_secret,
    written,
)
from benchmarks.intake.secret_names import kind_of_name
from benchmarks.intake.value_texts import value_text

BY_NAME = "by_name"
KINDS = ("api_key", "bearer", "password", "private_key", "cookie", "connection_string")
MIN_CHARS = 4
"""The shortest password that is one."""
PLACEHOLDER = re.compile(
    r"\*+|null|None|<[^<>]*>?|\$\{[^{}]*\}|YOUR_\w*|changeme|\[redacted:[a-z_]+\]", re.IGNORECASE
)
PLAIN_WORD = re.compile(r"[A-Za-z]?[a-z]+")
SCHEMES = frozenset({"bearer", "basic", "token", "digest", "negotiate"})
NAMED_KEYS = ("name", "key", "header", "Name", "Key")

VALUE_NAMES = ("value", "Value")
INNER_VALUES = frozenset({
    "value", "default", "const", "values", "stringValue", "string_value", "arrayValue",
    "array_value",
})  # fmt: skip
"""Keys under which the value of a telling name may stand: of typed values, and of schemas."""

START = (
    r"(?:(?<![A-Za-z0-9])|(?<=\\[bfnrt])|(?<=\\u[0-9A-Fa-f]{4})|(?<=\\x[0-9A-Fa-f]{2})"
    r"|(?<=%[0-9A-Fa-f]{2})|(?<=[\[;][0-9]m)|(?<=[\[;][0-9]{2}m))"
)
"""A word begins: also behind an escape, in text that stands escaped in a text, or behind a colour
of a terminal.
"""
API_KEY = re.compile(
    rf"""{START}(?P<secret>
    sk-[A-Za-z0-9_-]{{16,}} | pk-lf-[A-Za-z0-9_-]{{16,}} | lsv2_[A-Za-z0-9_]{{16,}}
    | (?:hf|gsk|npm)_[A-Za-z0-9]{{16,}} | AIza[A-Za-z0-9_-]{{35}} | (?:AKIA|ASIA)[A-Z0-9]{{16}}
    | gh[pousr]_[A-Za-z0-9]{{16,}} | github_pat_[A-Za-z0-9_]{{16,}} | glpat-[A-Za-z0-9_-]{{16,}}
    | xox[abprs]-[A-Za-z0-9-]{{16,}} | (?:sk_live|sk_test|rk_live)_[A-Za-z0-9]{{16,}}
    | SG\.[A-Za-z0-9_.-]{{16,}} | dop_v1_[A-Za-z0-9]{{16,}}
    )""",
    re.VERBOSE,
)
ANY_KEY = re.compile(API_KEY.pattern.encode(), re.VERBOSE | re.IGNORECASE)
"""The same in JSON of any case, and so in some that holds no key."""
BEARER = re.compile(rf"{START}(?:bearer)\s+(?P<secret>[A-Za-z0-9._~+/=-]{{12,}})", re.IGNORECASE)
BASIC = re.compile(rf"{START}(?:Basic|Token)\s+(?P<secret>[A-Za-z0-9._~+/=-]{{12,}})")
JWT = re.compile(
    r"(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]))"
    r"(?P<secret>e[yw][A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{2,}\.[A-Za-z0-9_-]*)"
)
ANY_JWT = re.compile(rb"e[yw][a-z0-9_-]{8,}\.[a-z0-9_-]{2,}\.")
PRIVATE_KEY = re.compile(
    r"(?P<secret>-----BEGIN (?P<label>[A-Z0-9 ]*PRIVATE KEY[A-Z0-9 ]*)-----"
    r"(?:.{0,20000}?-----END (?P=label)-----|[A-Za-z0-9+/=\s\\,:-]*))",
    re.DOTALL,
)
LOGIN_IN_URL = re.compile(
    r"[A-Za-z][A-Za-z0-9+.-]{0,30}:(?:\\{0,9}/){2}[^\s/:@'\"]*:(?P<secret>[^\s/?'\"]+)@"
)
ACCOUNT_KEY = re.compile(
    rf"{START}(?:AccountKey|SharedAccessKey)=(?P<secret>[^;\s\"'\\]+)", re.IGNORECASE
)
QUERY_NAMES = (
    "sig", "signature", "x-amz-signature", "x-amz-security-token", "token", "access_token", "key",
    "api_key", "apikey",
)  # fmt: skip
QUERY_HINTS = (b"sig=", b"signature=", b"token=", b"key=")
"""How all of these end."""
ANY_QUERY = re.compile(f"[?&;](?:{'|'.join(QUERY_NAMES)})=".encode())
QUERY_VALUE = re.compile(
    rf"(?:[?&]|&amp;|\\u0026)(?:{'|'.join(QUERY_NAMES)})=(?P<secret>[^&\s\"'#<>\\]+)", re.IGNORECASE
)
COOKIE_LINE = re.compile(
    rf"{START}(?:set-)?cookie\\*[\"']?\s*:\s*\\*[\"']?"
    r"(?P<secret>[^\s\"'\\=;]{1,200}=[^\r\n\"'\\]*)",
    re.IGNORECASE,
)
AUTHORIZATION_LINE = re.compile(
    rf"{START}(?:proxy-)?authorization\\*[\"']?\s*:\s*\\*[\"']?"
    r"(?P<secret>(?:Digest|AWS4-HMAC-SHA256|OAuth|Hawk|Signature)[ ](?:(?!\\[nr])[^\r\n'])+"
    r"|(?:[A-Za-z]+[ ]+)?[A-Za-z0-9._~+/=:-]{8,}(?=\\|[\"'\r\n]|\s*\Z))",
    re.IGNORECASE,
)
NAMED_VALUE = re.compile(
    r"""(?: (?<![A-Za-z0-9_.\\-]) | (?<=\\[nrt]) | (?<=\\)(?![nrt]) )
    (?P<name>[A-Za-z][A-Za-z0-9_.-]{0,63}) (?: \\*["']? \]? \s* (?:
      [:=] (?: \s* \[ )? \s* (?P<quote>\\*["'])
      (?P<quoted>(?:(?!(?P=quote))(?:\\.|.)){4,}?) (?:(?P=quote)|\Z)
    | = \s* (?P<bare>(?:(?!\\[nrt"'])[^\s"'&;]){4,}) )
    | [*_]{0,2} : [*_]{0,2} [ \t]+ (?P<line>\S{4,}) [ \t]* (?=\\n|\r|\n|\Z)
    | [*_]{0,2} : [*_]{0,2} [ \t]+ (?P<loose>(?=\S*\d)(?=\S*[A-Za-z])[^\s"'&;,]{6,})
    )""",
    re.VERBOSE | re.DOTALL,
)
HEADER_PAIR = re.compile(
    r"\\*[\"'](?P<name>(?:proxy-)?authorization|x-(?:goog-)?api-key|(?:set-)?cookie)\\*[\"']\s*,\s*"
    r"(?:\\*[\"']value\\*[\"']\s*:\s*)?(?P<quote>\\*[\"'])"
    r"(?P<quoted>(?=[^\"']*[0-9=])[^\"'\\\r\n]{8,})",
    re.IGNORECASE,
)
"""A header as a pair, or as a name and a value, in a text that is no JSON as a whole."""
VALUE_GROUPS = ("quoted", "bare", "line", "loose")
OPTION = re.compile(
    r"(?<!\S)--(?P<name>[A-Za-z][A-Za-z0-9-]{1,63})[ =]\s*(?:(?P<bare>[^\s\"'\\-]\S{3,})"
    r"|(?P<quote>\\*[\"'])(?P<quoted>(?:(?!(?P=quote)).){4,}?)(?:(?P=quote)|\Z))",
    re.DOTALL,
)
NAME_HINTS = (*NAME_WORDS, b"key", b"token")
KEY_HINTS = (
    b"sk-", b"pk-lf-", b"lsv2_", b"hf_", b"gsk_", b"npm_", b"aiza", b"akia", b"asia", b"ghp_",
    b"gho_", b"ghu_", b"ghs_", b"ghr_", b"github_pat_", b"glpat-", b"xox", b"sk_live_",
    b"sk_test_", b"rk_live_", b"sg.", b"dop_v1_",
)  # fmt: skip
JWT_HINTS = (b"eyj", b"eyi", b"eya", b"eyb", b"ewo", b"ewk")
"""How an object begins in base64."""
RUN_HINTS = Words((*KEY_HINTS, *JWT_HINTS))
"""Hints of what is one long run of characters."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern whose group `secret` goes, tried only where one of the hints occurs.

    Hints are bytes of a text in lower case (`secret_hints.lowered`).

    With the kind BY_NAME the name beside the value says which kind it is.
    """

    kind: str
    hints: tuple[bytes, ...]
    pattern: re.Pattern[str]
    is_secret: Callable[[str], bool] = lambda _: True
    may_match: Callable[[bytes, Sequence[bytes]], bool] | None = None
    """A closer look at a text that holds some of these hints: False means no match in it."""

    def hints_in(self, text: bytes, present: Set[bytes]) -> tuple[bytes, ...]:
        """Those of the hints `present` in a text that are this rule's; without one, no match."""
        found = tuple([hint for hint in self.hints if hint in present])
        if found and self.may_match is not None and not self.may_match(text, found):
            return ()
        return found

    def may_be_in(self, text: bytes, hints: tuple[bytes, ...]) -> bool:
        """Whether one of these hints occurs, and nothing speaks against a match."""
        is_hinted = any(hint in text for hint in hints)
        return is_hinted and (self.may_match is None or self.may_match(text, hints))

    def secret_in(self, match: re.Match[str]) -> tuple[str, str | None]:
        """The group of a match that is a secret, and its kind; None when it is none."""
        if self.kind != BY_NAME:
            is_one = not _is_placeholder(match["secret"]) and self.is_secret(match["secret"])
            return "secret", self.kind if is_one else None
        groups = match.groupdict()
        group = next(name for name in VALUE_GROUPS if groups.get(name) is not None)
        kind = kind_of_name(match["name"])
        is_one = not _is_placeholder(groups[group])
        if kind == "cookie":
            is_one = is_one and group == "quoted" and "=" in groups[group]
        if group == "line" and not _is_no_word(groups[group]):
            is_one = False
        return group, kind if is_one else None


def _is_jwt(text: str) -> bool:
    head = text.partition(".")[0]
    try:
        header = json.loads(base64.urlsafe_b64decode(head + "=" * (-len(head) % 4)))
    except (ValueError, binascii.Error, RecursionError):
        return False
    return isinstance(header, dict) and "alg" in header


def _is_no_word(text: str) -> bool:
    return PLAIN_WORD.fullmatch(text) is None


def _is_credential(text: str) -> bool:
    scheme, _, rest = text.partition(" ")
    return scheme.lower() in SCHEMES or _is_no_word((rest or scheme).strip())


def _may_be_a_key(text: bytes, hints: Sequence[bytes]) -> bool:
    return fits_at(text, hints, ANY_KEY)


def _may_be_a_jwt(text: bytes, hints: Sequence[bytes]) -> bool:
    return fits_at(text, hints, ANY_JWT)


def _may_be_in_a_query(text: bytes, _: Sequence[bytes]) -> bool:
    return ANY_QUERY.search(text) is not None


def _may_be_an_option(text: bytes, _: Sequence[bytes]) -> bool:
    return may_name_a_secret(text)


RULES = (
    Rule("private_key", (b"private key",), PRIVATE_KEY),
    Rule("bearer", (b"authorization",), AUTHORIZATION_LINE, _is_credential),
    Rule("api_key", KEY_HINTS, API_KEY, may_match=_may_be_a_key),
    Rule("bearer", (b"bearer",), BEARER),
    Rule("bearer", (b"basic", b"token"), BASIC, _is_no_word, may_be_a_scheme),
    Rule("bearer", JWT_HINTS, JWT, _is_jwt, _may_be_a_jwt),
    Rule("cookie", (b"cookie",), COOKIE_LINE),
    Rule("connection_string", (b"://",), LOGIN_IN_URL, may_match=may_be_a_login),
    Rule("connection_string", (b"accountkey=", b"sharedaccesskey="), ACCOUNT_KEY),
    Rule("connection_string", QUERY_HINTS, QUERY_VALUE, may_match=_may_be_in_a_query),
    Rule(BY_NAME, (b"authorization", b"api-key", b"cookie"), HEADER_PAIR),
    Rule(BY_NAME, NAME_HINTS, NAMED_VALUE, may_match=may_name_a_secret),
    Rule(BY_NAME, (b"--",), OPTION, may_match=_may_be_an_option),
)
HINTS = Words({hint for rule in RULES for hint in rule.hints} - {*KEY_HINTS, *JWT_HINTS})

Sought = tuple[Rule, tuple[bytes, ...]]
"""A rule, and those of its hints that occur in a value."""


class Redactor:
    """Takes secrets out of values and counts them by kind in `counts`."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._rules: list[Sought] = []
        """The rules that this value may need."""
        self._harmless: set[str] = set()
        """Texts that these rules leave as they are: keys and words come again and again."""

    def clean(self, found: Any) -> Any:
        """The value without secrets, in its texts and under its telling names."""
        self._rules = _rules_for(found)
        if not self._rules:
            return found
        self._harmless.clear()
        return self._value(found)

    def _value(self, found: Any) -> Any:
        if isinstance(found, str):
            return self._text(found)
        if not isinstance(found, dict | list) or not self._may_hold_some(found):
            return found
        return self._list(found) if isinstance(found, list) else self._object(found)

    def _may_hold_some(self, found: Any) -> bool:
        """Whether a part of the value is worth walking, too: a secret stands in few of them."""
        text = written(found)
        return any(rule.may_be_in(text, hints) for rule, hints in self._rules)

    def _text(self, found: str) -> str:
        if not self._rules or found in self._harmless:
            return found
        clean = self._cleaned(found)
        if clean == found:
            self._harmless.add(found)
        return clean

    def _cleaned(self, found: str) -> str:
        text = lowered(found.encode("utf-8", "replace"))
        rules = [rule for rule, hints in self._rules if rule.may_be_in(text, hints)]
        if rules and (inner := value_text(found)) is not None:
            # Read by its names, written anew only where it must.
            return inner.rewritten([self._value(value) for value in inner.values])
        for rule in rules:
            found = self._without_secrets(rule, found)
        return found

    def _without_secrets(self, rule: Rule, found: str) -> str:
        """The text without the secrets of one rule; what is none is searched inside, too."""
        pieces: list[str] = []
        position = kept = 0
        while match := rule.pattern.search(found, position):
            group, kind = rule.secret_in(match)
            if kind is None:
                position = max(
                    match.end("name") if rule.kind == BY_NAME else match.end(), position + 1
                )
                continue
            self.counts[kind] += 1
            pieces += [found[kept : match.start(group)], f"[redacted:{kind}]"]
            kept = match.end(group)
            position = max(match.end(), position + 1)
        return "".join([*pieces, found[kept:]]) if pieces else found

    def _object(self, found: dict[str, Any]) -> dict[str, Any]:
        told = _told_kind(found)
        clean: dict[str, Any] = {}
        for key, item in found.items():
            name = self._text(key)
            while name in clean:
                name += "'"
            kind = told if told and key in VALUE_NAMES else kind_of_name(key)
            clean[name] = self._under(kind, item) if kind else self._value(item)
        return clean

    def _under(self, kind: str, item: Any) -> Any:
        """A value under a telling name: a text goes whole, and so does each text of a list."""
        if isinstance(item, str):
            bare = item.strip()
            least = MIN_CHARS if kind == "password" else 1
            if len(bare) < least or _is_placeholder(bare):
                return item
            if kind == "cookie" and "=" not in item:
                return self._text(item)
            self.counts[kind] += 1
            return f"[redacted:{kind}]"
        if isinstance(item, list):
            return [self._under(kind, part) for part in item]
        if isinstance(item, dict):
            return self._typed(kind, item)
        return item

    def _typed(self, kind: str, item: dict[str, Any]) -> dict[str, Any]:
        """A typed value or a schema under a telling name: what it holds is the secret."""
        around = self._object({
            key: value for key, value in item.items() if key not in INNER_VALUES
        })
        inner = INNER_VALUES & item.keys()
        return {**around, **{key: self._under(kind, item[key]) for key in sorted(inner)}}

    def _list(self, found: list[Any]) -> list[Any]:
        """A list; of a header written as a pair, the value goes."""
        if len(found) == 2 and isinstance(found[0], str) and isinstance(found[1], str):
            kind = kind_of_name(found[0])
            if kind in {"bearer", "api_key", "cookie"}:
                return [found[0], self._under(kind, found[1])]
        return [self._value(item) for item in found]


def may_hold_secrets(found: Any) -> bool:
    """Whether a value is worth walking: false only where no secret would be found in it."""
    return bool(_rules_for(found))


def _rules_for(found: Any) -> list[Sought]:
    """The rules that a value may need; a value with a telling name always needs some.

    Hints are sought once in all texts: most values hold none of most.
    """
    text = written(found)
    present = HINTS.among(text) | RUN_HINTS.among(long_runs(text))
    return [(rule, hints) for rule in RULES if (hints := rule.hints_in(text, present))]


def _told_kind(found: dict[str, Any]) -> str | None:
    """The kind of the value in `{name: ..., value: ...}`."""
    if "value" not in found and "Value" not in found:
        return None
    names = (found.get(key) for key in NAMED_KEYS)
    return next((kind_of_name(name) for name in names if isinstance(name, str)), None)


def _is_placeholder(text: str) -> bool:
    return PLACEHOLDER.fullmatch(text) is not None
