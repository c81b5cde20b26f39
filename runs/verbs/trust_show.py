"""`understudy trust show`: what may be done here without asking."""

import argparse

from benchmarks.doors.call import Call, Result
from benchmarks.doors.page import Page
from benchmarks.records.base import JsonObject
from runs.services.trusting import show_trust


class Show:
    noun = "trust"
    name = "show"
    help = "Say what may be done here without asking."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """No arguments of its own."""

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        document = show_trust(home=call.home)
        return Result(document, text=lambda page: draw(page, document))


def draw(page: Page, document: JsonObject) -> None:
    """The level and the overrides in force."""
    resolved = document["resolved"]
    limit = resolved["allow_spend_usd_per_run"]
    page.labelled([
        ("level", resolved["level"]),
        ("stop-loss", "no cap" if limit is None else f"${limit:g} a run, stopped at twice of it"),
        ("provider upload", "allowed" if resolved["allow_provider_upload"] else "asks first"),
        ("traffic changes", "allowed" if resolved["allow_traffic_changes"] else "forbidden"),
        ("file", document["file"] if document["posture"] else f"{document['file']} (not there)"),
    ])
