"""``manage.py export_openapi``: writes the descriptions of both APIs for the web app's client and the documentation."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from runtime.openapi import document
from studio.config.openapi import OPENAPI_FILE, openapi_document, openapi_folder


def openapi_texts() -> dict[str, str]:
    """The descriptions by file name, that of the prediction API for any model; the same API gives the same bytes."""
    descriptions = {OPENAPI_FILE: openapi_document(), "prediction-openapi.json": document([])}
    return {
        name: json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n" for name, value in descriptions.items()
    }


class Command(BaseCommand):
    """Writes or compares the descriptions in ``frontend/``."""

    help = "Writes the descriptions of both APIs for the web app's client and the documentation."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Where to, and whether only to compare."""
        parser.add_argument("--output", type=Path, default=openapi_folder(), help="the folder")
        parser.add_argument("--check", action="store_true", help="write nothing; fail when a file is not up to date")

    def handle(self, *args: Any, **options: Any) -> None:
        """Writes the files, or fails when one differs."""
        del args
        for name, text in openapi_texts().items():
            path: Path = options["output"] / name
            if not options["check"]:
                path.write_text(text, encoding="utf-8")
            elif not path.is_file() or path.read_text(encoding="utf-8") != text:
                raise CommandError(f"{path} is not up to date: run `manage.py export_openapi`")
