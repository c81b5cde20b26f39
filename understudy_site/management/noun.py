"""`manage.py NOUN ...` hands over to the same dispatcher as `understudy NOUN ...`."""

import sys

from django.core.management.base import BaseCommand

from understudy_site.cli import main


class NounCommand(BaseCommand):
    """One noun of the shell, whatever its verbs are."""

    noun: str

    def run_from_argv(self, argv: list[str]) -> None:
        """Run the verb with the arguments as they stand; Django parses none of them."""
        sys.exit(main([self.noun, *argv[2:]]))
