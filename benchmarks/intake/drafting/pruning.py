"""Provider blobs that say nothing to a reader: dropped before anything is stored."""

from typing import Any

ALWAYS = frozenset({"thought_signature", "thoughtSignature", "obfuscation", "encrypted_content"})


def without_provider_blobs(value: Any) -> Any:
    """The value without thought signatures and obfuscation padding, at every level."""
    if isinstance(value, list):
        return [without_provider_blobs(item) for item in value]
    if not isinstance(value, dict):
        return value
    dropped = ALWAYS | _own_blobs(value)
    return {key: without_provider_blobs(item) for key, item in value.items() if key not in dropped}


def _own_blobs(value: dict[str, Any]) -> frozenset[str]:
    """The keys that are blobs in a block of this type only."""
    kind = value.get("type")
    if kind == "thinking":
        return frozenset({"signature"})
    return frozenset({"data"}) if kind == "redacted_thinking" else frozenset()
