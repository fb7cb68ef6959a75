"""The app of people, workspaces and keys."""

from studio.common import app_config


class AccountsConfig(app_config.StudioAppConfig):
    """Connects the receivers of Django's and allauth's account signals."""

    name = "studio.accounts"
    routers = (
        "studio.accounts.auth_api",
        "studio.accounts.security_api",
        "studio.accounts.invitations_api",
        "studio.accounts.notices_api",
        "studio.accounts.api",
    )

    def ready(self) -> None:
        """Connects the receivers."""
        from studio.accounts import account_events  # noqa: F401, PLC0415 - models are there from now on
