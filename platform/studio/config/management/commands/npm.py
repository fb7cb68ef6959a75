"""``manage.py npm ...``: npm in ``frontend/``, with whichever Node.js there is."""

import argparse
import sys
from typing import Any

from django.core.management.base import BaseCommand

from studio.config.node import npm


class Command(BaseCommand):
    """Runs npm in the front end's folder."""

    help = "Runs npm in frontend/ with the system's Node.js or the one of the `frontend` extra."
    requires_system_checks = ()

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Takes everything behind the command's name."""
        parser.add_argument("arguments", nargs=argparse.REMAINDER)

    def handle(self, *args: Any, **options: Any) -> None:
        """Ends with npm's own exit status."""
        sys.exit(npm(*options["arguments"]))
