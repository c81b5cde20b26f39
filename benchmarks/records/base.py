"""What every record on disk has in common: frozen, unknown keys kept, absent is not null.

A field whose default is None is optional: left out of the written form while it has no value.
`nullable()` marks the fields that are always written and may be null, `as_given()` those that are
null only where somebody said so.
"""

import math
from collections.abc import Mapping
from typing import Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, Field
from pydantic.fields import FieldInfo

JsonObject = dict[str, Any]
"""A parsed JSON object, before or after a record."""


def nullable() -> Any:
    """A field that is always written, as null while it has no value."""
    return Field(default=None, json_schema_extra={"always": True})


def as_given() -> Any:
    """A field that is left out while it has no value, and null where it was set to null."""
    return Field(default=None, json_schema_extra={"as_given": True})


class Record(BaseModel):
    """One object of a sidecar file."""

    model_config = ConfigDict(
        frozen=True,
        extra="allow",
        populate_by_name=True,
        serialize_by_alias=True,
        arbitrary_types_allowed=False,
        protected_namespaces=(),
    )

    optional_fields: ClassVar[frozenset[str]] = frozenset()
    as_given_fields: ClassVar[frozenset[str]] = frozenset()

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Remember which fields are left out of the written form while they are None."""
        super().__pydantic_init_subclass__(**kwargs)
        cls.optional_fields = frozenset(
            name
            for name, info in cls.model_fields.items()
            if not info.is_required() and info.default is None and info.default_factory is None
            if not _marked(info, "always")
        )
        cls.as_given_fields = frozenset(
            name for name, info in cls.model_fields.items() if _marked(info, "as_given")
        )

    @classmethod
    def read(cls, value: Mapping[str, Any]) -> Self:
        """The record in `value`, unknown keys kept.

        Raises:
            pydantic.ValidationError: a required key is missing or a value has the wrong type.
        """
        return cls.model_validate(value)

    def dump(self) -> JsonObject:
        """The written form: page order, then unknown keys; absent fields are left out.

        Raises:
            ValueError: a number is not finite; the message names the key.
        """
        fields = type(self).model_fields
        absent = self.optional_fields - (self.as_given_fields & self.model_fields_set)
        written: JsonObject = {}
        for name, value in self.__dict__.items():
            if value is None and name in absent:
                continue
            key = fields[name].alias or name
            written[key] = plain(value, key)
        for key, value in (self.__pydantic_extra__ or {}).items():
            written[key] = plain(value, key)
        return written

    def with_(self, **changes: Any) -> Self:
        """A checked copy with some fields replaced."""
        said = self.model_fields_set
        own = {name: value for name, value in self if value is not None or name in said}
        return type(self).model_validate({**own, **changes})


def _marked(info: FieldInfo, mark: str) -> bool:
    return isinstance(info.json_schema_extra, dict) and bool(info.json_schema_extra.get(mark))


def plain(value: Any, key: str) -> Any:
    """JSON values from records, tuples and enums; whole floats become integers."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, Record):
        return value.dump()
    if isinstance(value, str):
        return str(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return plain_float(value, key)
    if isinstance(value, Mapping):
        return {str(name): plain(item, f"{key}.{name}") for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item, key) for item in value]
    if isinstance(value, set | frozenset):
        return sorted(plain(item, key) for item in value)
    raise TypeError(f"{key}: {type(value).__name__} has no JSON form")


def plain_float(value: float, key: str) -> float | int:
    """A finite float, or the integer it equals."""
    if not math.isfinite(value):
        raise ValueError(f"{key}: {value} is not a finite number")
    return int(value) if value.is_integer() and abs(value) < 2**53 else value
