"""Makes the management commands of this room known to Django."""

from django.apps import AppConfig


class ConfigAppConfig(AppConfig):
    """The room of settings and commands."""

    name = "studio.config"
    label = "config"
