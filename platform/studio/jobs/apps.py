"""The app of what runs in the background."""

from studio.common import app_config


class JobsConfig(app_config.StudioAppConfig):
    """Jobs and the processes that they run in."""

    name = "studio.jobs"
    label = "jobs"
    hooks = {"quota_used:jobs": "studio.jobs.quota_use"}
    routers = ("studio.jobs.api",)
