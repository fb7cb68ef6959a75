"""``python manage.py quota``: what a workspace may use at most."""

from __future__ import annotations

import argparse

from django.core.management.base import BaseCommand, CommandError

from studio.accounts.models import Workspace
from studio.accounts.quotas import Quota, quota_reset, quota_set, quota_uses


class Command(BaseCommand):
    """Shows and sets the limits of workspaces."""

    help = "Show what workspaces use, and set their limits: quota wsp_... items=100000 storage_bytes=unlimited jobs=default"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """A workspace, and what to set."""
        parser.add_argument("workspace", nargs="?", help="id; without it all workspaces are shown")
        parser.add_argument("limits", nargs="*", metavar="quota=limit", help="a number, `unlimited` or `default`")

    def handle(self, *args: object, **options: object) -> None:
        """Sets, then shows.

        Raises:
            CommandError: there is no such workspace or quota, or the limit is no number.
        """
        del args
        rows = Workspace.objects.order_by("id")
        if options["workspace"]:
            rows = rows.filter(id=options["workspace"])
            if not rows.exists():
                raise CommandError(f"There is no workspace {options['workspace']}.")
        for assignment in options["limits"]:  # type: ignore[attr-defined]  # a list, says argparse
            _set(rows.get(), assignment)
        for workspace in rows:
            self.stdout.write(f"{workspace.id}  {workspace.name}")
            for use in quota_uses(workspace.id):
                limit = "unlimited" if use.limit is None else f"{use.limit:,}"
                self.stdout.write(f"    {use.quota.value:<24} {use.used:>18,} of {limit}")


def _set(workspace: Workspace, assignment: str) -> None:
    name, _, value = assignment.partition("=")
    if name not in set(Quota):
        raise CommandError(f"There is no quota {name}; there are {', '.join(Quota)}.")
    if value == "default":
        quota_reset(workspace=workspace, quota=Quota(name))
    elif value == "unlimited":
        quota_set(workspace=workspace, quota=Quota(name), limit=None)
    elif value.isdigit():
        quota_set(workspace=workspace, quota=Quota(name), limit=int(value))
    else:
        raise CommandError(f"{assignment}: write a whole number from 0, `unlimited` or `default`.")
