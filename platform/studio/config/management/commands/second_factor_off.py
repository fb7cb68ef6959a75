"""``manage.py second_factor_off EMAIL``: for people who lost both the authenticator app and the recovery codes."""

import argparse
from typing import Any

from allauth.mfa.models import Authenticator
from django.core.management.base import BaseCommand, CommandError

from studio.accounts.models import User


class Command(BaseCommand):
    """Switches a second factor off."""

    help = "Switches off the second factor of the person with this email address."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Whose."""
        parser.add_argument("email")

    def handle(self, *args: Any, **options: Any) -> None:
        """Deletes secret and recovery codes.

        Raises:
            CommandError: there is no such account.
        """
        user = User.objects.filter(email=options["email"].strip().lower()).first()
        if user is None:
            raise CommandError("Nobody has an account with this email address.")
        Authenticator.objects.filter(user_id=user.id).delete()
        self.stdout.write("The second factor is off. Signing in asks for the password alone.")
