"""The Django app of the quality report."""

from django.apps import AppConfig


class QualityConfig(AppConfig):
    """What is wrong with a dataset, and what people did about it."""

    name = "labeling.quality"
    label = "quality"
