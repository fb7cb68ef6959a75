"""The app of what runs in the background."""

from studio.common import rooms


class JobsConfig(rooms.RoomConfig):
    """Jobs and the processes that they run in."""

    name = "studio.jobs"
    label = "jobs"
    hooks = {"quota_used:jobs": "studio.jobs.quota_use"}
    routers = ("studio.jobs.api",)
