"""Secrets out before the first write: each becomes `[redacted:<kind>]` and is counted.

The redactor is idempotent, and keeps all text that is no secret as it was written. A value under
a telling name goes whole; inside a text only the secret itself goes.
"""

import base64
import binascii
import json
import re
from collections import Counter
from collections.abc import Callable, Set
from dataclasses import dataclass
from typing import Any

from benchmarks.intake import secret_hints
from benchmarks.intake.secret_hints import FirstLook
from benchmarks.intake.secret_names import kind_of_name
from benchmarks.intake.value_texts import value_text

BY_NAME = "by_name"
KINDS = ("api_key", "bearer", "password", "private_key", "cookie", "connection_string")
MIN_CHARS = 4
"""The shortest password that is one."""
PLACEHOLDER = re.compile(
    r"\*+|null|None|<[^<>]*>?|\$\{[^{}]*\}|YOUR_\w*|changeme"
    r"|\[redacted:[a-z_]+\](?:[/#]\S*)?",
    re.IGNORECASE,
)
PLAIN_WORD = re.compile(r"[A-Za-z]?[a-z]+")
SCHEMES = frozenset({"bearer", "basic", "token", "digest", "negotiate"})
NAMED_KEYS = ("name", "key", "header", "Name", "Key")

VALUE_NAMES = ("value", "Value")
INNER_VALUES = frozenset({
    "value", "default", "const", "example", "examples", "values", "stringValue", "string_value",
    "arrayValue", "array_value",
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
    | (?:xai-|pplx-|r8_|lin_api_|whsec_|AGE-SECRET-KEY-1)[A-Za-z0-9]{{20,}}
    | (?:shp(?:at|ss|ca|pa)_|dapi)[0-9a-f]{{32}}
    | (?:nvapi-|tvly-|pypi-AgE|xapp-[0-9]-|ya29\.|hvs\.)[A-Za-z0-9_-]{{20,}}
    )""",
    re.VERBOSE,
)
BEARER = re.compile(rf"{START}(?:bearer)\s+(?P<secret>[A-Za-z0-9._~+/=-]{{12,}})", re.IGNORECASE)
BASIC = re.compile(rf"{START}(?:Basic|Token)\s+(?P<secret>[A-Za-z0-9._~+/=-]{{12,}})")
JWT = re.compile(
    r"(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]))"
    r"(?P<secret>e[yw][A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{2,}\.[A-Za-z0-9_-]*)"
)
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
    (?<!\[redacted:) (?P<name>[A-Za-z][A-Za-z0-9_.-]{0,63}) (?: \\*["']? \]? \s* (?:
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


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern whose group `secret` goes, tried only where its hint occurs.

    The hint is a pattern of `secret_hints`, which take all letters in either case.

    With the kind BY_NAME the name beside the value says which kind it is.
    """

    kind: str
    hint: str
    pattern: re.Pattern[str]
    is_secret: Callable[[str], bool] = lambda _: True

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


RULES = (
    Rule("private_key", "private key", PRIVATE_KEY),
    Rule("bearer", "authorization", AUTHORIZATION_LINE, _is_credential),
    Rule("api_key", secret_hints.KEY, API_KEY),
    Rule("bearer", "bearer", BEARER),
    Rule("bearer", secret_hints.SCHEME, BASIC, _is_no_word),
    Rule("bearer", secret_hints.JWT, JWT, _is_jwt),
    Rule("cookie", "cookie", COOKIE_LINE),
    Rule("connection_string", secret_hints.LOGIN, LOGIN_IN_URL),
    Rule("connection_string", "(?:accountkey|sharedaccesskey)=", ACCOUNT_KEY),
    Rule("connection_string", f"[?&;](?:{'|'.join(QUERY_NAMES)})=", QUERY_VALUE),
    Rule(BY_NAME, "authorization|api-key|cookie", HEADER_PAIR),
    Rule(BY_NAME, secret_hints.NAME, NAMED_VALUE),
    Rule(BY_NAME, secret_hints.OPTION, OPTION),
)
FIRST_LOOK = FirstLook([rule.hint for rule in RULES])


class Redactor:
    """Takes secrets out of values and counts them by kind in `counts`."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._sought: Set[int] = frozenset()
        """The numbers of the rules that this value may need."""
        self._harmless: set[str] = set()
        """Texts that these rules leave as they are: keys and words come again and again."""

    def clean(self, found: Any) -> Any:
        """The value without secrets, in its texts and under its telling names."""
        self._sought = FIRST_LOOK.in_value(found)
        if not self._sought:
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
        return not self._sought.isdisjoint(FIRST_LOOK.in_value(found))

    def _text(self, found: str) -> str:
        if not self._sought or found in self._harmless:
            return found
        clean = self._cleaned(found)
        if clean == found:
            self._harmless.add(found)
        return clean

    def _cleaned(self, found: str) -> str:
        numbers = self._sought & FIRST_LOOK.in_text(found.encode("utf-8", "replace"))
        rules = [RULES[number] for number in sorted(numbers)]
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
    return bool(FIRST_LOOK.in_value(found))


def _told_kind(found: dict[str, Any]) -> str | None:
    """The kind of the value in `{name: ..., value: ...}`."""
    if "value" not in found and "Value" not in found:
        return None
    names = (found.get(key) for key in NAMED_KEYS)
    return next((kind_of_name(name) for name in names if isinstance(name, str)), None)


def _is_placeholder(text: str) -> bool:
    return PLACEHOLDER.fullmatch(text) is not None
