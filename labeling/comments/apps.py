"""The Django app of comments."""

from django.apps import AppConfig


class CommentsConfig(AppConfig):
    """What people say to one another about an item."""

    name = "labeling.comments"
    label = "comments"
