"""The Django app of label changes."""

from django.apps import AppConfig


class LabelChangesConfig(AppConfig):
    """Rename, merge and split of labels, with undo."""

    name = "labeling.label_changes"
    label = "label_changes"
