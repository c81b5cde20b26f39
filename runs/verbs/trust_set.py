"""`understudy trust set`: allow more, or less, without asking."""

import argparse

from benchmarks.doors.call import Call, Result
from benchmarks.doors.parsing import number
from runs.services.trusting import set_trust
from runs.verbs.trust_show import draw


class Set:
    noun = "trust"
    name = "set"
    help = "Set what may be done here without asking."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("level", metavar="LEVEL", help="local_sandbox, bounded_experiments ...")
        parser.add_argument("--spend-stop-loss", type=number(0), metavar="USD")
        parser.add_argument("--clear-spend-stop-loss", action="store_true")
        for name in ("provider-upload", "traffic-changes"):
            parser.add_argument(f"--allow-{name}", action="store_true")
            parser.add_argument(f"--forbid-{name}", action="store_true")

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        document = set_trust(
            home=call.home,
            level=args.level,
            spend_stop_loss=args.spend_stop_loss,
            clear_spend_stop_loss=args.clear_spend_stop_loss,
            provider_upload=chosen(args.allow_provider_upload, args.forbid_provider_upload),
            traffic_changes=chosen(args.allow_traffic_changes, args.forbid_traffic_changes),
            caller=call.caller,
            now=call.now,
        )
        return Result(document, text=lambda page: draw(page, document))


def chosen(allow: bool, forbid: bool) -> bool | None:
    """What two opposite flags say; forbid beats allow."""
    if forbid:
        return False
    return True if allow else None
