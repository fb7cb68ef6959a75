"""The labelling app."""

from studio.common import rooms


class LabelingConfig(rooms.RoomConfig):
    """Sits on top of the platform, which never imports it."""

    name = "labeling"
    job_handlers = {"feedback": "labeling.handlers", "snapshot": "labeling.handlers"}
    hooks = {"predictions_brought": "labeling.handlers"}
    routers = ("labeling.api",)
