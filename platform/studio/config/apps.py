"""Makes the management commands of this app known to Django."""

from django.apps import AppConfig
from django.conf import settings

from studio.config.home import home_close


class ConfigAppConfig(AppConfig):
    """The app of settings and commands."""

    name = "studio.config"
    label = "config"

    def ready(self) -> None:
        """Closes the home, in every process of the platform."""
        home_close(settings.HOME)
