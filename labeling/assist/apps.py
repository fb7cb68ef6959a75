"""The Django app of live suggestions."""

from django.apps import AppConfig


class AssistConfig(AppConfig):
    """Heads on frozen features, what they suggest, and the order of the queue."""

    name = "labeling.assist"
    label = "assist"
