from pathlib import Path
from typing import Any

import pytest

from benchmarks.errors import CredentialsMissing, InvalidArguments, Unsupported
from benchmarks.gateway.credentials import (
    Credentials,
    find_target,
    local_servers,
    missing,
    read_credentials,
)
from benchmarks.records.vocabulary import Route

LAB = {
    "providers": {
        "lab": {
            "base_url": "http://127.0.0.1:8000/v1",
            "api_key_env": "LAB_KEY",
            "dialect": "openai",
            "models": ["glm-5.2"],
        }
    }
}


def found(model: str, environ: dict[str, str], document: Any = None) -> tuple[str, str, str]:
    target = find_target(model, Credentials(environ, document or {}))
    assert target is not None
    return target.model, target.base_url, target.key


def test_the_gateway_comes_first() -> None:
    environ = {"UNDERSTUDY_API_KEY": "u", "OPENAI_API_KEY": "o", "LAB_KEY": "l"}
    assert found("glm-5.2", environ, LAB) == ("glm-5.2", "https://api.understudylabs.com/v1", "u")
    environ["UNDERSTUDY_GATEWAY_URL"] = "http://127.0.0.1:4000/proxy/"
    assert found("m", environ) == ("m", "http://127.0.0.1:4000/proxy", "u")


def test_then_the_file_s_own_gateway_then_the_first_org_with_a_key() -> None:
    own = {"api_key": "f", "gateway_url": "https://gateway.example"}
    assert found("m", {"OPENAI_API_KEY": "o"}, own) == ("m", "https://gateway.example/v1", "f")
    orgs = {"orgs": {"a": {"gateway_url": "https://a.example"}, "b": own}}
    assert found("m", {}, orgs) == ("m", "https://gateway.example/v1", "f")


def test_then_the_provider_that_names_the_model() -> None:
    environ = {"LAB_KEY": "l", "OPENAI_API_KEY": "o"}
    assert found("glm-5.2", environ, LAB) == ("glm-5.2", "http://127.0.0.1:8000/v1", "l")
    assert found("gpt-5.5", environ, LAB) == ("gpt-5.5", "https://api.openai.com/v1", "o")


def test_case_29_a_key_goes_only_to_the_url_of_its_own_source() -> None:
    environ = {"OPENAI_API_KEY": "o", "UNDERSTUDY_GATEWAY_URL": "https://gateway.example"}
    assert found("m", environ) == ("m", "https://api.openai.com/v1", "o")


def test_a_model_may_be_pinned_to_its_provider() -> None:
    environ = {"UNDERSTUDY_API_KEY": "u", "OPENAI_API_KEY": "o", "LAB_KEY": "l"}
    assert found("openai/gpt-5.5", environ) == ("gpt-5.5", "https://api.openai.com/v1", "o")
    assert found("lab/other", environ, LAB) == ("other", "http://127.0.0.1:8000/v1", "l")
    assert found("meta/llama", environ)[0] == "meta/llama"
    assert found("openai/gpt-5.5", {"UNDERSTUDY_API_KEY": "u"})[0] == "openai/gpt-5.5"


def test_a_provider_whose_key_is_not_set_says_which() -> None:
    with pytest.raises(CredentialsMissing, match="LAB_KEY, which is not set"):
        find_target("glm-5.2", Credentials({}, LAB))


def test_a_local_provider_without_key_gets_the_literal_word() -> None:
    block = {"providers": {"box": {"base_url": "http://127.0.0.1:1/v1", "models": ["m"]}}}
    target = find_target("m", Credentials({}, block))
    assert target is not None
    assert (target.key, target.route) == ("local", Route.LOCAL)


@pytest.mark.parametrize("model", ["claude-sonnet-4-5", "anthropic/claude-sonnet-4-5"])
def test_the_anthropic_wire_is_not_of_this_version_and_is_named(model: str) -> None:
    environ = {"ANTHROPIC_API_KEY": "a", "OPENAI_API_KEY": "o"}
    with pytest.raises(Unsupported) as caught:
        find_target(model, Credentials(environ))
    assert caught.value.details["missing"] == ["anthropic_messages"]


def test_a_provider_of_another_dialect_is_not_of_this_version() -> None:
    block = {"providers": {"p": {"dialect": "anthropic", "base_url": "http://x", "models": ["m"]}}}
    with pytest.raises(Unsupported, match="provider p"):
        find_target("m", Credentials({}, block))


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("https://user:pass@gateway.example", "holds a key"),
        ("https://gateway.example?api_key=1", "holds a key"),
        ("ftp://gateway.example", "no http URL"),
        ("not a url", "no http URL"),
    ],
)
def test_a_url_that_holds_a_key_or_is_none_is_refused(url: str, said: str) -> None:
    environ = {"UNDERSTUDY_API_KEY": "u", "UNDERSTUDY_GATEWAY_URL": url}
    with pytest.raises(InvalidArguments, match=said):
        find_target("m", Credentials(environ))


def test_nothing_yields_no_target_and_the_error_names_every_source() -> None:
    credentials = Credentials({}, file="credentials.json")
    assert find_target("m", credentials) is None
    error = missing("m", credentials)
    for source in ("UNDERSTUDY_API_KEY", "credentials.json", "OPENAI_API_KEY", "local servers"):
        assert source in error.message


def test_a_file_that_others_can_read_is_warned_of(tmp_path: Path) -> None:
    file = tmp_path / "credentials.json"
    file.write_text('{"api_key": "k", "gateway_url": "https://g"}', encoding="utf-8")
    file.chmod(0o644)
    read = read_credentials(file, {})
    assert read.document["api_key"] == "k"
    assert len(read.warnings) == 1
    assert "chmod 600" in read.warnings[0]
    file.chmod(0o600)
    assert read_credentials(file, {}).warnings == ()


def test_a_missing_or_damaged_file_is_an_empty_one(tmp_path: Path) -> None:
    assert read_credentials(tmp_path / "none.json", {}).document == {}
    file = tmp_path / "credentials.json"
    file.write_text("{", encoding="utf-8")
    read = read_credentials(file, {})
    assert read.document == {}
    assert "cannot be read" in read.warnings[0]


def test_keys_do_not_show_in_a_representation() -> None:
    credentials = Credentials({"OPENAI_API_KEY": "sk-1"}, {"api_key": "sk-2"})
    target = find_target("m", Credentials({"OPENAI_API_KEY": "sk-1"}))
    assert "sk-" not in repr(credentials) + repr(target)


def test_local_servers_are_asked_under_v1() -> None:
    assert local_servers({}) == [
        "http://127.0.0.1:8080/v1",
        "http://127.0.0.1:8000/v1",
        "http://127.0.0.1:11434/v1",
    ]
    environ = {"UNDERSTUDY_LOCAL_SERVERS": "http://127.0.0.1:1/x", "OLLAMA_HOST": "box:2"}
    assert local_servers(environ) == ["http://127.0.0.1:1/x", "http://box:2/v1"]
