"""The labelling app."""

from django.apps import AppConfig


class LabelingConfig(AppConfig):
    """Sits on top of the platform, which never imports it."""

    name = "labeling"
