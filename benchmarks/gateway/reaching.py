"""Where a model would be reached, asked before anything is sent: for quotes, refusals, defaults.

Nothing of a benchmark goes out here; at most the models that a server lists are read.
"""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

import httpx2
import orjson

from benchmarks.errors import CredentialsMissing, InvalidArguments, UnderstudyError
from benchmarks.gateway.credentials import (
    LOCAL_KEY,
    Credentials,
    Target,
    find_target,
    gateway_target,
    local_servers,
    missing,
)
from benchmarks.records.vocabulary import Route

PROBE_TIMEOUT_S = 2.0
SHOWN = 8


def reach(model: str, credentials: Credentials) -> Target:
    """Where a model is.

    Raises:
        CredentialsMissing: no source yields a key and no local server lists the model.
        Unsupported: its source speaks another wire.
    """
    target = find_target(model, credentials)
    if target is not None:
        return target
    wanted = {model, model.removeprefix("local/")}
    for server in local_targets(credentials):
        found = wanted & set(listed(server))
        if found:
            return Target(min(found), server.base_url, LOCAL_KEY, server.source, Route.LOCAL)
    raise missing(model, credentials)


def leaves_machine(model: str, credentials: Credentials) -> bool:
    """Whether what is asked of a model is sent to a provider; a model nobody reaches is not."""
    try:
        return reach(model, credentials).route is not Route.LOCAL
    except UnderstudyError:
        return False


def preferred_model(preferences: Sequence[str], credentials: Credentials) -> str:
    """The first preference that the gateway lists, patterns such as `gemma-*` among them.

    Without a gateway the servers of this machine are asked.

    Raises:
        CredentialsMissing: there is neither.
        InvalidArguments: what is listed fits no preference.
    """
    gateway = gateway_target(credentials)
    servers = [gateway] if gateway is not None else list(local_targets(credentials))
    names = [name for server in servers for name in listed(server)]
    for pattern in preferences:
        for name in names:
            if fnmatchcase(name, pattern):
                return name
    if not names:
        raise CredentialsMissing(
            "no model is named, and no gateway or server of this machine lists any",
            hint="name one: --model M; or set UNDERSTUDY_API_KEY with UNDERSTUDY_GATEWAY_URL",
        )
    raise InvalidArguments(
        f"no model is named, and none of the {len(names)} listed fits a preference",
        hint=f"name one: --model {names[0]}; or set UNDERSTUDY_AUTHORS",
        details={"models": names[:SHOWN], "preferences": list(preferences)},
    )


def local_targets(credentials: Credentials) -> Iterator[Target]:
    """The servers of this machine that may be asked."""
    for url in local_servers(credentials.environ):
        yield Target("", url, LOCAL_KEY, url, Route.LOCAL)


def listed(server: Target) -> list[str]:
    """The model ids that a server names, in its order; none when it does not answer."""
    headers = {"Authorization": f"Bearer {server.key}"}
    is_local = server.route is Route.LOCAL
    try:
        with httpx2.Client(timeout=PROBE_TIMEOUT_S, trust_env=not is_local) as http:
            response = http.get(f"{server.base_url}/models", headers=headers)
        body = orjson.loads(response.content)
    except (httpx2.HTTPError, orjson.JSONDecodeError):
        return []
    entries = body.get("data") if isinstance(body, dict) else None
    if response.status_code != 200 or not isinstance(entries, list):
        return []
    return [str(entry["id"]) for entry in entries if isinstance(entry, dict) and "id" in entry]
