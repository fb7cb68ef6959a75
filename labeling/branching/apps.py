"""The Django app of branches."""

from studio.common import app_config


class BranchingConfig(app_config.StudioAppConfig):
    """Restores versions and switches branches; it has no tables."""

    name = "labeling.branching"
    label = "branching"
    job_handlers = {"restore": "labeling.branching.handlers"}
    hooks = {"blobs_referenced": "labeling.branching.services"}
    routers = ("labeling.branching.api",)
