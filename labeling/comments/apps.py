"""The Django app of comments."""

from studio.common import rooms


class CommentsConfig(rooms.RoomConfig):
    """What people say to one another about an item."""

    name = "labeling.comments"
    label = "comments"
    hooks = {"open_comments": "labeling.comments.selectors"}
    routers = ("labeling.comments.api",)
