import pytest

from benchmarks.intake.secret_names import kind_of_name


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("password", "password"), ("PASSWORD", "password"), ("userPassword", "password"),
        ("db_passwd", "password"), ("pwd", "password"), ("clientSecret", "password"),
        ("credentials", "password"), ("passphrase", "password"), ("DBPassword", "password"),
        ("nPASSWORD", "password"), ("password2", "password"), ("apiKey", "api_key"),
        ("X-Goog-Api-Key", "api_key"), ("apikey", "api_key"), ("AWS_SECRET_ACCESS_KEY", "api_key"),
        ("secret_key", "api_key"), ("access_token", "bearer"), ("refreshToken", "bearer"),
        ("id_token", "bearer"), ("Authorization", "bearer"), ("proxy-authorization", "bearer"),
        ("private_key", "private_key"), ("privateKey", "private_key"), ("Cookie", "cookie"),
        ("set-cookie", "cookie"),
    ],
)  # fmt: skip
def test_names_that_hold_a_secret(name: str, kind: str) -> None:
    assert kind_of_name(name) == kind


@pytest.mark.parametrize(
    "name",
    [
        "", "_", "token", "tokens", "max_tokens", "next_page_token", "keyboard", "key", "monkey",
        "public_key", "keyId", "passenger", "passage", "bypass", "secretary", "compass",
        "password_policy", "passwordHint", "password_reset_url", "api_key_name", "secret_version",
        "apiKeySource", "cookies_accepted", "authorization_code_flow", "cookie_count", "приве́т",
    ],
)  # fmt: skip
def test_names_that_hold_none(name: str) -> None:
    assert kind_of_name(name) is None
