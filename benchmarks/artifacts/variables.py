"""Every environment variable that this release reads: what `docs/settings.md` is made from.

A test compares the table with every variable that the code names.
"""

from dataclasses import dataclass

from benchmarks.artifacts.settings import AUTHORS, CONCURRENCY, HUB_PORT


@dataclass(frozen=True, slots=True)
class Variable:
    """One environment variable, or some that belong together."""

    names: tuple[str, ...]
    default: str
    """As the page shows it."""
    meaning: str


def _of(names: str, default: str, meaning: str) -> Variable:
    return Variable(tuple(names.split()), default, meaning)


HOME_AND_ROOTS = (
    _of("UNDERSTUDY_HOME", "`~/.understudy`", "where everything of one user is; made 0700"),
    _of(
        "UNDERSTUDY_ROOTS BENCHMARK_HUB_DATA_DIR",
        "none",
        "further folders of benchmarks, with the platform's path separator between them",
    ),
    _of("UNDERSTUDY_READONLY_ROOTS", "none", "folders of benchmarks that no door writes"),
    _of(
        "UNDERSTUDY_SOURCE_ROOTS",
        "`<HOME>/captures`",
        "where the hub may read captures and tables",
    ),
    _of(
        "UNDERSTUDY_TRUST_FILE UNDERSTUDY_PROFILE_FILE UNDERSTUDY_PRICES_FILE",
        "in the home",
        "`trust.json`, `profile.json`, `prices.json` in another place",
    ),
)
MODELS = (
    _of(
        "UNDERSTUDY_GATEWAY_URL UNDERSTUDY_API_KEY",
        "none",
        "an OpenAI-compatible gateway, and its key; a key goes only to the URL of its own source",
    ),
    _of(
        "OPENAI_BASE_URL OPENAI_API_KEY ANTHROPIC_API_KEY",
        "the vendor's URL, none",
        "direct providers",
    ),
    _of(
        "UNDERSTUDY_LOCAL_SERVERS OLLAMA_HOST",
        "`http://127.0.0.1:8080`, `:8000`; `127.0.0.1:11434`",
        "OpenAI-compatible servers of this machine (comma list), and Ollama",
    ),
    _of(
        "UNDERSTUDY_LIVE_TOKEN",
        "none",
        "with `_` and a dependency's name in capitals behind it (other characters `_`): the key to"
        " its live tools; an MCP server that is started finds it under the bare name",
    ),
    _of(
        "UNDERSTUDY_CONCURRENCY",
        str(CONCURRENCY),
        "the most rollouts in flight in one executor",
    ),
    _of(
        "UNDERSTUDY_AUTHORS",
        f"`{','.join(AUTHORS)}`",
        "which model `traces author-tasks` asks where none is named: the first of these that the "
        "gateway lists (comma list, patterns)",
    ),
)
HUB = (
    _of(
        "DATABASE_URL",
        "`sqlite:///<HOME>/hub.sqlite3`",
        "the tables of the hub; `postgres://user@host:5432/name` needs the extra `postgres`",
    ),
    _of(
        "REDIS_URL",
        "none",
        "the broker of the workers and the lease between hosts; without it the broker is the one "
        "of the extra `embedded`, for one machine",
    ),
    _of("UNDERSTUDY_HUB_PORT", str(HUB_PORT), "the port of `hub serve`"),
    _of(
        "UNDERSTUDY_ALLOWED_HOSTS UNDERSTUDY_TRUSTED_ORIGINS",
        "loopback",
        "further names that the hub answers to, and origins whose pages may write (comma lists)",
    ),
    _of(
        "UNDERSTUDY_BEHIND_PROXY",
        "0",
        "1: a proxy in front speaks TLS and says so in `X-Forwarded-Proto`; anything else is "
        "refused, and cookies are Secure",
    ),
    _of(
        "UNDERSTUDY_SECRET_KEY",
        "`<HOME>/secret_key`",
        "signs sessions and cursors; made at first need, 0600; every process of one hub needs the "
        "same",
    ),
    _of("UNDERSTUDY_DEBUG", "0", "Django's debug pages; refused where other machines come in"),
)
SHELL = (
    _of("UNDERSTUDY_ACTOR", "`os:<user>`", "who is recorded as the one who acted"),
    _of("UNDERSTUDY_FORMAT", "`auto`", "`text`, `json`, or text on a terminal and else JSON"),
    _of("UNDERSTUDY_LOG_LEVEL", "`WARNING`", "what the log on stderr holds"),
    _of("NO_COLOR", "none", "set: no colour on a terminal"),
)
SECTIONS: tuple[tuple[str, tuple[Variable, ...]], ...] = (
    ("Home and roots", HOME_AND_ROOTS),
    ("Models", MODELS),
    ("Hub and workers", HUB),
    ("Shell", SHELL),
)
