"""The model app."""

from django.apps import AppConfig


class RegistryConfig(AppConfig):
    """Artefacts, evaluations, promotion."""

    name = "studio.registry"
    label = "registry"
