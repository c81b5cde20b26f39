"""The button that measures the rigor of a benchmark anew and says what its gate makes of it."""

from django.urls import reverse

from benchmarks.admin.acting import Done, exact
from benchmarks.admin.base import LabPage
from reviews.services.assessing import read_rigor_report


def run_gate(page: LabPage) -> Done:
    """Measure the benchmark that the path or the form names, and keep the report."""
    slug = page.kwargs.get("slug") or exact(page.request.POST, "slug")
    located = page.call.locate(slug)
    gate = read_rigor_report(located=located, ci=True, now=page.now)
    failing = ", ".join(gate["failures"]) or "nothing"
    said = f"{gate['verdict']}. Failing: {failing}; unknown: {len(gate['unknowns'])}."
    return Done(
        gate,
        say=f"The gate of {located.slug}: {said}",
        to=f"{reverse('admin:benchmark', args=[located.slug])}#rigor",
        slug=located.slug,
    )
