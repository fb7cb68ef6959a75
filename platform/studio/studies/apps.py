"""The search app."""

from django.apps import AppConfig


class StudiesConfig(AppConfig):
    """Studies and trials."""

    name = "studio.studies"
    label = "studies"
