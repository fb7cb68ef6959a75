"""``manage.py restore FOLDER``: fills an empty installation from a backup."""

import argparse
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from studio.common.errors import StudioError
from studio.config.backup import restore


class Command(BaseCommand):
    """Restores a backup."""

    help = "Fills an empty home, database and bucket from a backup, checks every hash and count, and migrates to this version."
    requires_system_checks = ()

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Where from."""
        parser.add_argument("folder", type=Path, help="what `manage.py backup` wrote")

    def handle(self, *args: Any, **options: Any) -> None:
        """Restores and says what there is and what is missing."""
        try:
            manifest, missing = restore(options["folder"])
        except StudioError as error:
            raise CommandError(f"{error.message} {error.hint}".strip()) from error
        self.stdout.write(f"Restored {sum(manifest.rows.values())} rows and {manifest.num_files} files of {manifest.made_at}.")
        if not manifest.has_secret_key:
            self.stdout.write("Set MODELYARD_SECRET_KEY to that of the installation that was backed up.")
        for sha256 in missing:
            self.stderr.write(f"missing, also at the time of the backup: file {sha256}")
