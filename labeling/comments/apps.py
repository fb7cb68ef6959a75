"""The Django app of comments."""

from studio.common import app_config


class CommentsConfig(app_config.StudioAppConfig):
    """What people say to one another about an item."""

    name = "labeling.comments"
    label = "comments"
    hooks = {"open_comments": "labeling.comments.selectors"}
    routers = ("labeling.comments.api",)
