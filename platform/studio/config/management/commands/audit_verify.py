"""``python manage.py audit_verify``: whether the audit trails are as they were written."""

from __future__ import annotations

from django.core.management.base import BaseCommand, CommandError

from studio.accounts.audit_chain import audit_verify
from studio.accounts.models import Workspace


class Command(BaseCommand):
    """Reads the audit trail of every workspace and names the first row of each that is wrong."""

    help = "Check the audit log of every workspace: was a row changed, added or taken away since it was written?"

    def handle(self, *args: object, **options: object) -> None:
        """Checks.

        Raises:
            CommandError: a trail is not as it was written.
        """
        del args, options
        num_wrong = 0
        for workspace in Workspace.objects.order_by("id").iterator():
            found = audit_verify(workspace.id)
            state = "whole" if found.is_whole else f"BROKEN at row {found.seq} ({found.fault}, id {found.row or 'gone'})"
            self.stdout.write(f"{workspace.id}  {workspace.name}: {found.num_rows} rows, {state}, {found.sha256[:16] or '-'}")
            num_wrong += not found.is_whole
        if num_wrong:
            raise CommandError(f"{num_wrong} of the audit logs were changed behind the platform's back.")
