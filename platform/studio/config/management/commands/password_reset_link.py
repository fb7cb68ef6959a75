"""``manage.py password_reset_link EMAIL``: a one-time link to a new password, for whoever runs the installation."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from studio.accounts.models import User
from studio.accounts.password_reset import reset_link


class Command(BaseCommand):
    """Prints the link."""

    help = "Prints a one-time link by which the person with this email address sets a new password."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Whose."""
        parser.add_argument("email")

    def handle(self, *args: Any, **options: Any) -> None:
        """Finds the account.

        Raises:
            CommandError: there is none.
        """
        user = User.objects.filter(email=options["email"].strip().lower(), is_active=True).first()
        if user is None:
            raise CommandError("Nobody has an account with this email address.")
        self.stdout.write(reset_link(user))
