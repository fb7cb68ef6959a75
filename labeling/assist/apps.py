"""The Django app of live suggestions."""

from studio.common import app_config


class AssistConfig(app_config.StudioAppConfig):
    """Heads on frozen features, what they suggest, and the order of the queue."""

    name = "labeling.assist"
    label = "assist"
    hooks = {"annotations_changed": "labeling.assist.handlers", "embeddings_added": "labeling.assist.handlers"}
    routers = ("labeling.assist.api",)
