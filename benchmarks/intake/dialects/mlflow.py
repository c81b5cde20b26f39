"""MLflow: a trace with what is known of it (`info`) and its spans (`data.spans`)."""

from collections.abc import Iterable, Mapping
from typing import Any

from benchmarks.intake.dialect import Container, Entry
from benchmarks.intake.drafting.loose_parts import decoded
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.values import one_object, word
from benchmarks.records.base import JsonObject

METADATA = ("trace_metadata", "request_metadata")
ABOUT = {"mlflow.trace.session": "session.id", "mlflow.trace.user": "user.id"}
"""What the metadata of a trace says, in the words that spans have for it."""
VALUES = ("mlflow.spanInputs", "mlflow.spanOutputs")
MODELS = ("gen_ai.request.model", "gen_ai.response.model")
IDS = ("trace_id", "request_id")


class MlflowTrace(Container):
    """One trace: its spans are read like any others."""

    name = "mlflow"
    lacks = "info and data.spans[]"

    def detect(self, record: Any) -> bool:
        """Whether a record is a trace with its spans."""
        info = record.get("info") if isinstance(record, dict) else None
        if not isinstance(info, dict) or not any(key in info for key in IDS):
            return False
        return isinstance(one_object(decoded(record.get("data"))).get("spans"), list)

    def entries(self, record: Any) -> Iterable[Entry]:
        """Every span, with the session and the user of its trace."""
        about = _about(record["info"])
        for place, span in enumerate(decoded(record["data"])["spans"]):
            within = f"/data/spans/{place}"
            if isinstance(span, dict):
                yield Entry(_span(span, record["info"], about), within)
            else:
                yield Entry(span, within, Refused(Reason.NOT_A_CAPTURE, "no span"))


def _about(info: Mapping[str, Any]) -> JsonObject:
    found: JsonObject = {}
    for key in METADATA:
        metadata = one_object(decoded(info.get(key)))
        found |= {ABOUT[name]: value for name, value in metadata.items() if name in ABOUT}
    return {name: value for name, value in found.items() if word(value)}


def _span(span: JsonObject, info: Mapping[str, Any], about: JsonObject) -> JsonObject:
    """The span, of the trace that it stands in where it names none itself."""
    attributes = {**about, **_attributes(one_object(decoded(span.get("attributes"))))}
    named = "trace_id" in span or "trace_id" in one_object(span.get("context"))
    trace_id = next((info[key] for key in IDS if key in info), None)
    return {
        "name": "",
        **span,
        **({} if named else {"trace_id": trace_id}),
        "attributes": attributes,
    }


def _attributes(found: Mapping[str, Any]) -> JsonObject:
    """The attributes, texts of JSON as what they hold, and the models that are named in them."""
    held = {name: decoded(found[name]) for name in VALUES if name in found}
    asked, came = (one_object(held.get(name)) for name in VALUES)
    models = {MODELS[0]: asked.get("model"), MODELS[1]: came.get("model")}
    return {**{name: value for name, value in models.items() if word(value)}, **found, **held}
