"""``manage.py doctor``: what is missing or wrong on this host, with its cure."""

import argparse
import json
import sys
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand

from studio.config.doctor import findings
from studio.config.env import env_read


class Command(BaseCommand):
    """Prints one line a check; ends with 1 when something is wrong."""

    help = "Names what is missing or wrong (disk, ports, database, broker, storage, GPU, web app, assets), each with its cure."
    requires_system_checks = ()

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Output for people or for programs."""
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Runs all checks."""
        found = list(findings(env_read()))
        if options["json"]:
            self.stdout.write(json.dumps([asdict(finding) for finding in found], indent=2))
        else:
            marks = {"ok": self.style.SUCCESS("ok   "), "note": self.style.WARNING("note "), "wrong": self.style.ERROR("WRONG")}
            for finding in found:
                self.stdout.write(f"  {marks[finding.level]}  {finding.name:<10} {finding.detail}")
                if finding.level != "ok":
                    self.stdout.write(f"         {'':<10} -> {finding.cure}")
        sys.exit(any(finding.level == "wrong" for finding in found))
