"""The Django app of comments."""

from studio.common import app_config


class CommentsConfig(app_config.StudioAppConfig):
    """The Django app of comments."""

    name = "labeling.comments"
    label = "comments"
    hooks = {"open_comments": "labeling.comments.selectors"}
    routers = ("labeling.comments.api",)
