"""The labelling app."""

from studio.common import app_config


class LabelingConfig(app_config.StudioAppConfig):
    """Sits on top of the platform, which never imports it."""

    name = "labeling"
    job_handlers = {"feedback": "labeling.handlers", "snapshot": "labeling.handlers"}
    hooks = {
        "predictions_imported": "labeling.handlers",
        "device_input_taken": "labeling.device_inputs",
        "project_waiting": "labeling.waiting",
        "projects_waiting": "labeling.waiting",
        "version_cut": "labeling.handlers",
    }
    routers = ("labeling.api",)
