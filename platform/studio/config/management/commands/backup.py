"""``manage.py backup FOLDER``: the whole installation as a folder, while it goes on working."""

import argparse
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from studio.common.errors import StudioError
from studio.config.backup import backup


class Command(BaseCommand):
    """Writes a backup."""

    help = "Writes database, files and secret key into a new folder. The platform may go on working meanwhile."
    requires_system_checks = ()

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Where to."""
        parser.add_argument("folder", type=Path, help="a folder that is empty or not there yet")

    def handle(self, *args: Any, **options: Any) -> None:
        """Backs up and says what there is."""
        try:
            made = backup(options["folder"])
        except StudioError as error:
            raise CommandError(f"{error.message} {error.hint}".strip()) from error
        self.stdout.write(
            f"{sum(made.rows.values())} rows, {made.num_files} files, {made.num_bytes} bytes in {options['folder']}"
        )
        if not made.has_secret_key:
            self.stdout.write("MODELYARD_SECRET_KEY is not in the backup: keep it with your other secrets.")
