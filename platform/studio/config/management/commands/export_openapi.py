"""``manage.py export_openapi``: writes the API's description for the front end's client."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from studio.config.env import REPOSITORY
from studio.config.openapi import openapi_document


def openapi_text() -> str:
    """The description as text; the same API gives the same bytes."""
    return json.dumps(openapi_document(), indent=2, sort_keys=True, ensure_ascii=False) + "\n"


class Command(BaseCommand):
    """Writes or compares ``frontend/openapi.json``."""

    help = "Writes the API's description for the front end's client."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Where to, and whether only to compare."""
        parser.add_argument("--output", type=Path, default=REPOSITORY / "frontend" / "openapi.json")
        parser.add_argument("--check", action="store_true", help="write nothing; fail when the file is not up to date")

    def handle(self, *args: Any, **options: Any) -> None:
        """Writes the file, or fails when it differs."""
        del args
        output: Path = options["output"]
        text = openapi_text()
        if not options["check"]:
            output.write_text(text, encoding="utf-8")
        elif not output.is_file() or output.read_text(encoding="utf-8") != text:
            raise CommandError(f"{output} is not up to date: run `manage.py export_openapi`")
