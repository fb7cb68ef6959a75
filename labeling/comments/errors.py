"""What comments refuse."""

from __future__ import annotations

from studio.common.errors import ConflictError, PermissionDeniedError


class CommentOfAnotherError(PermissionDeniedError):
    """Only the author changes or takes back a comment."""

    code = "comment_of_another"
    title = "Somebody else wrote this comment"

    def __init__(self) -> None:
        super().__init__("Only the author of a comment changes or deletes it.", hint="Answer it, or resolve it.")


class CommentDeletedError(ConflictError):
    """It was taken back meanwhile."""

    code = "comment_deleted"
    title = "The comment was deleted"

    def __init__(self) -> None:
        super().__init__("The comment was deleted meanwhile.", hint="Reload the comments of the item.")


class CommentsFullError(ConflictError):
    """So many are no discussion any more."""

    code = "comments_full"
    title = "The item has too many comments"
    param_names = ("most",)

    def __init__(self, most: int) -> None:
        super().__init__(
            f"An item takes {most} comments.",
            hint="Delete some of yours, or go on in another place.",
            params={"most": most},
        )
