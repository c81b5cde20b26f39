"""Many new rows of a table at once.

`bulk_create` makes an object, a thousand calls and a part of a statement for each: on tables of
fifty columns it takes four times as long as the database itself.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import orjson
from django.db import connection, models

AS_THEY_ARE = (
    models.CharField,
    models.TextField,
    models.IntegerField,
    models.FloatField,
    models.BooleanField,
    models.ForeignKey,
)
"""Fields whose values both drivers take without a change."""

Prepare = Callable[[Any], Any]


class Inserter:
    """Puts rows of one model into its table. Values are those of fields, by their `attname`."""

    def __init__(self, model: type[models.Model]) -> None:
        """Prepare the statement; columns that a row does not name get their default."""
        self.model = model
        fields = [field for field in model._meta.concrete_fields if not field.primary_key]
        self._defaults = {field.attname: field.get_default() for field in fields}
        self._prepare = [
            (place, _preparing(field))
            for place, field in enumerate(fields)
            if not isinstance(field, AS_THEY_ARE)
        ]
        quote = connection.ops.quote_name
        columns = ", ".join(quote(str(field.column)) for field in fields)
        self._into = f"{quote(model._meta.db_table)} ({columns})"
        self._marks = ", ".join(["%s"] * len(fields))

    def row(self, values: Mapping[str, Any]) -> list[Any]:
        """The values of one row in the order of the table's columns."""
        row = list({**self._defaults, **values}.values())
        if len(row) != len(self._defaults):
            unknown = sorted(values.keys() - self._defaults.keys())
            raise TypeError(f"{self.model.__name__} has no columns {unknown}")
        for place, prepare in self._prepare:
            row[place] = prepare(row[place])
        return row

    def insert(self, rows: Sequence[Sequence[Any]]) -> None:
        """Put the rows in, in their order."""
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                with cursor.copy(f"COPY {self._into} FROM STDIN") as copy:
                    for row in rows:
                        copy.write_row(row)
            else:
                cursor.executemany(f"INSERT INTO {self._into} VALUES ({self._marks})", rows)


def _preparing(field: "models.Field[Any, Any]") -> Prepare:
    """What makes of a value what the driver takes."""
    if isinstance(field, models.JSONField) and connection.vendor == "sqlite":
        return _json
    return lambda value: field.get_db_prep_save(value, connection)


def _json(value: Any) -> str | None:
    """The text that SQLite keeps of a JSON value, by the fast writer."""
    return None if value is None else orjson.dumps(value).decode()


@cache
def inserter(model: type[models.Model]) -> Inserter:
    """The inserter of a model."""
    return Inserter(model)
