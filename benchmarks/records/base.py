"""What every record on disk has in common: frozen, unknown keys kept, absent is not null.

A field whose default is None is optional: left out of the written form while it has no value.
`nullable()` marks the fields that are always written and may be null, `as_given()` those that are
null only where somebody said so.
"""

import math
from collections.abc import Mapping
from types import UnionType
from typing import Annotated, Any, ClassVar, Self, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field
from pydantic.fields import FieldInfo

JsonObject = dict[str, Any]
"""A parsed JSON object, before or after a record."""


ALWAYS, OPTIONAL, AS_GIVEN = "always", "optional", "as_given"
"""When a field is written that has no value: always, never, or where null was said."""


def nullable() -> Any:
    """A field that is always written, as null while it has no value."""
    return Field(default=None, json_schema_extra={"presence": ALWAYS})


def as_given() -> Any:
    """A field that is left out while it has no value, and null where it was set to null."""
    return Field(default=None, json_schema_extra={"presence": AS_GIVEN})


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

    written_fields: ClassVar[tuple[tuple[str, str, str], ...]] = ()
    """Name, written key and presence (always, optional or as_given) of each field."""
    written_plainly: ClassVar[bool] = False
    """Each field stands under its own name, and none is written only where null was said."""
    written_whole: ClassVar[bool] = False
    """All fields are always written, each under its own name."""
    shown_as_null: ClassVar[frozenset[str]] = frozenset()
    """The fields that are written without a value, too."""
    number_keys: ClassVar[tuple[str, ...]] = ()
    """The written keys of the fields whose own value may be a float."""

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Remember under which key, and when, each field is written."""
        super().__pydantic_init_subclass__(**kwargs)
        cls.written_fields = tuple(
            (name, info.alias or name, _presence(info)) for name, info in cls.model_fields.items()
        )
        cls.written_plainly = all(
            name == key and presence != AS_GIVEN for name, key, presence in cls.written_fields
        )
        cls.written_whole = all(
            name == key and presence == ALWAYS for name, key, presence in cls.written_fields
        )
        cls.shown_as_null = frozenset(
            name for name, _, presence in cls.written_fields if presence == ALWAYS
        )
        cls.number_keys = tuple(
            key
            for name, key, _ in cls.written_fields
            if _may_be_a_float(cls.model_fields[name].annotation)
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
        return {
            key: value if type(value) in UNCHANGED else plain(value, key)
            for key, value in self.written().items()
        }

    def written(self) -> JsonObject:
        """The written fields with their values as they are, records inside them still records."""
        values = self.__dict__
        if self.written_whole:
            written = values.copy()
        elif self.written_plainly:
            shown = self.shown_as_null
            written = {
                name: value for name, value in values.items() if value is not None or name in shown
            }
        else:
            written = {
                key: values[name]
                for name, key, presence in self.written_fields
                if values[name] is not None or not self._is_left_out(name, presence)
            }
        if self.__pydantic_extra__:
            written.update(self.__pydantic_extra__)
        return written

    def _is_left_out(self, name: str, presence: str) -> bool:
        if presence == AS_GIVEN:
            return name not in self.model_fields_set
        return presence == OPTIONAL

    def with_(self, **changes: Any) -> Self:
        """A checked copy with some fields replaced."""
        said = self.model_fields_set
        own = {name: value for name, value in self if value is not None or name in said}
        return type(self).model_validate({**own, **changes})


def _presence(info: FieldInfo) -> str:
    """Whether a field without value is written, left out, or written where null was said."""
    extra = info.json_schema_extra
    if isinstance(extra, dict) and "presence" in extra:
        return str(extra["presence"])
    optional = not info.is_required() and info.default is None and info.default_factory is None
    return OPTIONAL if optional else ALWAYS


def _may_be_a_float(annotation: Any) -> bool:
    """Whether a value of this type may itself be a float."""
    if annotation is Any or annotation is float or isinstance(annotation, TypeVar):
        return True
    is_choice = get_origin(annotation) in {Union, UnionType, Annotated}
    return is_choice and any(map(_may_be_a_float, get_args(annotation)))


def plain(value: Any, key: str) -> Any:
    """JSON values from records, tuples and enums; whole floats become integers.

    Raises:
        ValueError: a number is not finite; the message names its key below `key`.
        TypeError: a value has no JSON form; likewise.
    """
    try:
        return _plain(value)
    except _NotPlain:
        raise _named(value, key) from None


class _NotPlain(Exception):
    """Some value inside cannot be written; which one is looked for only then."""


UNCHANGED = frozenset({str, int, bool, type(None)})


def _plain(value: Any) -> Any:
    kind = type(value)
    if kind in UNCHANGED:
        return value
    if kind is dict:
        return {str(name): _plain(item) for name, item in value.items()}
    if kind is list or kind is tuple:
        return [_plain(item) for item in value]
    if kind is float:
        return _plain_float(value)
    return _plain_other(value)


def _plain_other(value: Any) -> Any:
    if isinstance(value, Record):
        return value.dump()
    if isinstance(value, str):
        return str(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return _plain_float(float(value))
    if isinstance(value, Mapping):
        return _plain(dict(value))
    if isinstance(value, list | tuple):
        return _plain(list(value))
    if isinstance(value, set | frozenset):
        return sorted(_plain(item) for item in value)
    raise _NotPlain


def _plain_float(value: float) -> float | int:
    """A finite float, or the integer it equals."""
    if not math.isfinite(value):
        raise _NotPlain
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def _named(value: Any, key: str) -> ValueError | TypeError:
    """The error of the first value under `key` that cannot be written."""
    if isinstance(value, float):
        return ValueError(f"{key}: {value} is not a finite number")
    inner: list[tuple[str, Any]] = []
    if isinstance(value, Mapping):
        inner = [(f"{key}.{name}", item) for name, item in value.items()]
    elif isinstance(value, list | tuple | set | frozenset):
        inner = [(key, item) for item in value]
    for place, item in inner:
        try:
            _plain(item)
        except _NotPlain:
            return _named(item, place)
    return TypeError(f"{key}: {type(value).__name__} has no JSON form")
