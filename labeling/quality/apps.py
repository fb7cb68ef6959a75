"""The Django app of the quality report."""

from studio.common import app_config


class QualityConfig(app_config.StudioAppConfig):
    """What is wrong with a dataset, and what people did about it."""

    name = "labeling.quality"
    label = "quality"
    job_handlers = {"quality": "labeling.quality.handlers"}
    hooks = {"project_problems": "labeling.quality.handlers"}
    routers = ("labeling.quality.api",)
