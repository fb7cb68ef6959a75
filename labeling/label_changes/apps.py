"""The Django app of label changes."""

from studio.common import app_config


class LabelChangesConfig(app_config.StudioAppConfig):
    """Rename, merge and split of labels, with undo."""

    name = "labeling.label_changes"
    label = "label_changes"
    job_handlers = {"label_change": "labeling.label_changes.handlers"}
    routers = ("labeling.label_changes.api",)
