"""Invocation logs of Bedrock: each line a call, its bodies under `input` and `output`."""

from collections.abc import Iterable
from typing import Any

from benchmarks.intake.dialect import Container, Entry
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.values import word
from benchmarks.records.base import JsonObject

PATHS = {
    "InvokeModel": "invoke",
    "InvokeModelWithResponseStream": "invoke-with-response-stream",
    "Converse": "converse",
    "ConverseStream": "converse-stream",
}
FAILED_STATUS = 400
"""What stands for the status of a call of which the log keeps the code of its error alone."""


class InvocationLog(Container):
    """One call a record."""

    name = "invocation_log"
    lacks = "modelId, operation, input and output"

    def detect(self, record: Any) -> bool:
        """Whether a record is one line of such a log."""
        return (
            isinstance(record, dict)
            and (word(record.get("operation")) or "") in PATHS
            and isinstance(record.get("input"), dict)
            and "modelId" in record
        )

    def entries(self, record: Any) -> Iterable[Entry]:
        """The one call as a pair; a body that the log put elsewhere is named."""
        request = record["input"].get("inputBodyJson")
        if request is None:
            where = word(record["input"].get("inputBodyS3Path")) or "not in the log"
            return [Entry(record, "", Refused(Reason.NO_MESSAGES, f"the request is at {where}"))]
        return [Entry(_pair(record, request), "")]


def _pair(record: JsonObject, request: Any) -> JsonObject:
    output = record.get("output")
    code = word(record.get("errorCode"))
    answer = output.get("outputBodyJson") if isinstance(output, dict) else None
    if answer is None and code:
        answer = {"error": {"message": code}}
    region = word(record.get("region"))
    host = f"bedrock-runtime.{region}.amazonaws.com" if region else "bedrock-runtime.amazonaws.com"
    return {
        "url": f"https://{host}/model/{record['modelId']}/{PATHS[record['operation']]}",
        "method": "POST",
        "status": FAILED_STATUS if code else None,
        "timestamp": record.get("timestamp"),
        "request_id": record.get("requestId"),
        "request": request,
        "response": answer,
    }
