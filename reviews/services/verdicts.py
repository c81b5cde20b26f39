"""What was written down about a benchmark as a whole: its calibration, its promotion."""

from typing import Any

from benchmarks.artifacts import layout
from benchmarks.artifacts.roots import Located
from benchmarks.errors import NotMeasured


def read_calibration(*, located: Located) -> dict[str, Any]:
    """The calibration that stands in the directory.

    Raises:
        NotMeasured: nothing was calibrated yet.
    """
    found = located.directory.load(layout.CALIBRATION)
    if found is None:
        raise NotMeasured(
            f"{located.slug} has no calibration yet",
            hint=f"queue arms that must pass and fail: understudy benchmarks status {located.slug}",
        )
    return {"slug": located.slug, **found.dump()}


def read_promotion(*, located: Located) -> dict[str, Any]:
    """The record of the promotion.

    Raises:
        NotMeasured: it was not promoted here.
    """
    found = located.directory.load(layout.PROMOTION)
    if found is None:
        raise NotMeasured(
            f"{located.slug} has no promotion record",
            hint=f"understudy traces promote --benchmark {located.slug}",
        )
    return {"slug": located.slug, **found.dump()}
