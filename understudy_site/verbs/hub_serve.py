"""`understudy hub serve`: the admin and the API of this home, on one port."""

import argparse
import getpass
import json
import os
import sys

from benchmarks.artifacts.settings import MAX_PORT
from benchmarks.doors.call import Call, Result
from benchmarks.doors.marks import visible
from benchmarks.doors.parsing import add_listed, integer
from benchmarks.errors import InvalidArguments, Unsupported
from benchmarks.records.base import JsonObject
from benchmarks.records.home import HubCard
from understudy_site.hub.binding import Binding, check_binding
from understudy_site.hub.card import open_port, running
from understudy_site.hub.greeting import PASSWORD

LOOPBACK = "127.0.0.1"
TOKEN_ONLY = ("permissions", "days", "agent")


class Serve:
    noun = "hub"
    name = "serve"
    help = "Serve the admin and the API of this home; no model is run."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--host", default=LOOPBACK, help=f"default: {LOOPBACK}")
        parser.add_argument("--port", type=integer(0, MAX_PORT), metavar="N", help="0: a free one")
        parser.add_argument("--allow-remote", action="store_true", help="a host that others reach")
        parser.add_argument("--behind-proxy", action="store_true", help="a proxy speaks TLS")
        parser.add_argument("--once-link", action="store_true", help="print a sign-in link")
        token = parser.add_argument_group("a token, printed once; nothing is served")
        token.add_argument("--new-token", metavar="NAME")
        add_listed(parser, "--permissions", help="what it may do", dest="permissions")
        token.add_argument("--days", type=integer(1, 3650), metavar="N", help="until it expires")
        token.add_argument("--agent", action="store_true", help="its reviews are an agent's")

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        binding = binding_of(call, args)
        check_binding(binding, call.home.settings)
        settle(call, args)
        if args.new_token:
            return new_token(call, args)
        if args.once_link and (card := running(call.home, args.port)):
            return once_link(call, card)
        return serve(call, args, binding)


def binding_of(call: Call, args: argparse.Namespace) -> Binding:
    """Where to listen.

    Raises:
        InvalidArguments: flags of a token are given, and no token is asked for.
    """
    lost = [f"--{name}" for name in TOKEN_ONLY if getattr(args, name) and not args.new_token]
    if lost:
        raise InvalidArguments(
            f"{', '.join(lost)}: no token is asked for", hint="add --new-token NAME"
        )
    said = call.home.settings
    port = said.hub_port if args.port is None else args.port
    return Binding(args.host, port, args.allow_remote, args.behind_proxy or said.behind_proxy)


def settle(call: Call, args: argparse.Namespace) -> None:
    """What the command line says, said to the settings that every request is answered with."""
    os.environ["UNDERSTUDY_HOME"] = str(call.home.path)
    further = [str(root.path) for root in call.roots[1:]]
    if further:
        os.environ["UNDERSTUDY_ROOTS"] = os.pathsep.join(further)
    if args.behind_proxy:
        os.environ["UNDERSTUDY_BEHIND_PROXY"] = "1"


def new_token(call: Call, args: argparse.Namespace) -> Result:
    """A token of this machine's admin, printed here and never again."""
    ready(call)
    from understudy_site.hub import access  # noqa: PLC0415 - needs Django set up

    document = access.new_token(
        access.ensure_admin(getpass.getuser()).user,
        name=args.new_token,
        permissions=args.permissions or ["read"],
        agent=args.agent,
        days=args.days,
        now=call.now,
    )
    call.progress.note(f"{document['name']} may {', '.join(document['permissions'])}; shown once:")
    return Result(document, text=lambda page: page.command(document["token"]))


def once_link(call: Call, card: HubCard) -> Result:
    """A sign-in link for the hub that runs already.

    Raises:
        Unsupported: it is behind a proxy, where nobody is known to be on this machine.
    """
    if card.behind_proxy:
        raise Unsupported(
            f"the hub at {card.url} is behind a proxy: a link works on this machine only",
            hint=f"sign in with a password: {PASSWORD} {getpass.getuser()}",
            details={"missing": ["once_link"]},
        )
    ready(call)
    from understudy_site.hub import access  # noqa: PLC0415 - needs Django set up

    user = access.ensure_admin(getpass.getuser()).user
    document = {"url": access.sign_in_url(user, card.url, now=call.now)}
    return Result(document, text=lambda page: page.command(document["url"]))


def serve(call: Call, args: argparse.Namespace, binding: Binding) -> Result:
    """Answer until a signal ends it."""
    with open_port(call.home, binding.host, binding.port) as listening:
        ready(call)
        from understudy_site.hub import starting  # noqa: PLC0415 - 150 ms: uvicorn

        opening = starting.Opening(
            home=call.home,
            roots=call.roots,
            host=binding.host,
            behind_proxy=binding.behind_proxy,
            user=getpass.getuser(),
            once_link=args.once_link,
            now=call.now,
            narrate=call.progress.note,
            say=say,
            announce=announce,
        )
        return Result(None, exit_code=starting.start(listening, opening))


def ready(call: Call) -> None:
    """The database of this home, brought up to date."""
    from benchmarks.doors.database import open_database  # noqa: PLC0415 - 200 ms: Django

    if open_database(call.home):
        call.progress.note(f"database   made ready in {call.home.path}")


def say(text: str) -> None:
    """A line that also a quiet hub says."""
    sys.stderr.write(visible(text) + "\n")
    sys.stderr.flush()


def announce(document: JsonObject) -> None:
    """The start document: one line on stdout."""
    sys.stdout.write(json.dumps(document, ensure_ascii=False) + "\n")
    sys.stdout.flush()
