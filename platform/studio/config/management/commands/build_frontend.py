"""``manage.py build_frontend``: installs the locked packages where they are missing and builds the web app.

Also what exports for JavaScript ship: ``exporters/_javascript/built``.
"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from studio.config.node import FRONTEND, npm


class Command(BaseCommand):
    """Builds the web app, and the JavaScript parts of exports."""

    help = "Builds the web app into frontend/dist, and the JavaScript parts of exports."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        """Installs (npm ci) when the lock is newer than what is installed, then builds."""
        lock, installed = FRONTEND / "package-lock.json", FRONTEND / "node_modules" / ".package-lock.json"
        if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
            self.stdout.write("Installing the front end's packages ...")
            if npm("ci", "--no-audit", "--no-fund", "--loglevel=error", quiet=True):
                raise CommandError("npm ci failed: run `python manage.py npm ci` to see why.")
            installed.touch()
        self.stdout.write("Building the web app ...")
        if npm("run", "build", quiet=True):
            raise CommandError("The build failed: run `python manage.py npm run build` to see why.")
