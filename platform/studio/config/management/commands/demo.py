"""``manage.py demo``: the quick-start walk against a platform that is up. ``make demo`` starts both."""

import argparse
from typing import Any

import httpx
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from rich.console import Console

from studio.config.demo import Demo, DemoFailedError


class Command(BaseCommand):
    """Walks from real pictures to an answered API and prints the address, the account and a curl line."""

    help = "Walks upload, labels, version, study, report, deployment and prediction on real pictures; repeats nothing."
    requires_system_checks = ()

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Where the platform is."""
        parser.add_argument("--url", default=settings.PUBLIC_URL)

    def handle(self, *args: Any, **options: Any) -> None:
        """Walks, or says which step failed and why."""
        console = Console()
        demo = Demo(url=options["url"], home=settings.HOME, console=console)
        try:
            demo.walk()
        except DemoFailedError as error:
            raise CommandError(str(error)) from error
        except httpx.TransportError as error:
            raise CommandError(
                f"The platform at {options['url']} does not answer ({error}). Start it with `make up`."
            ) from error
