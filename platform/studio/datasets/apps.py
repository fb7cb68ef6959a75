"""The data app."""

from django.apps import AppConfig


class DatasetsConfig(AppConfig):
    """Uploads, items and versions."""

    name = "studio.datasets"
    label = "datasets"
