"""The app of people, workspaces and keys."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Listens to what Django and allauth say of accounts."""

    name = "studio.accounts"

    def ready(self) -> None:
        """Connects the receivers."""
        from studio.accounts import account_events  # noqa: F401, PLC0415 - models are there from now on
