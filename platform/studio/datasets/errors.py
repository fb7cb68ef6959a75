"""What a caller of the data room can do wrong, each with its cure."""

from __future__ import annotations

from studio.common.errors import ConflictError, InvalidInputError, NotFoundError, StudioError


class UploadOffsetMismatchError(ConflictError):
    """The part does not follow on what has been received."""

    code = "upload_offset_mismatch"
    title = "The part does not follow on what has been received"

    def __init__(self, *, received_bytes: int) -> None:
        super().__init__(
            f"{received_bytes} bytes have been received.",
            hint="Go on at extra.received_bytes.",
            extra={"received_bytes": received_bytes},
        )


class UploadEndedError(ConflictError):
    """The upload has left the state that the request needs."""

    code = "upload_ended"
    title = "The upload takes no more of this"

    def __init__(self, *, state: str) -> None:
        super().__init__(f"The upload is {state}.", hint="Start a new upload.", extra={"state": state})


class UploadKeptError(ConflictError):
    """Items came of the upload: without it nobody could say who sent them."""

    code = "upload_kept"
    title = "The upload stays"

    def __init__(self) -> None:
        super().__init__("Items came of this upload, and it says who sent them.", hint="Delete the items instead.")


class UploadIncompleteError(ConflictError):
    """Bytes are missing."""

    code = "upload_incomplete"
    title = "The upload is not complete"

    def __init__(self, *, received_bytes: int, size_bytes: int) -> None:
        super().__init__(
            f"{received_bytes} of {size_bytes} bytes have been received.",
            hint="Send the missing parts, then finish again.",
            extra={"received_bytes": received_bytes},
        )


class UploadChecksumError(ConflictError):
    """The bytes are not those announced; they were thrown away."""

    code = "upload_checksum_mismatch"
    title = "The bytes changed on their way"

    def __init__(self) -> None:
        super().__init__(hint="Send the file again from the start.", extra={"received_bytes": 0})


class PartTooLargeError(StudioError):
    """More bytes than there is room for."""

    status = 413
    code = "part_too_large"
    title = "The part is too large"

    def __init__(self, *, room_bytes: int) -> None:
        super().__init__(f"At most {room_bytes} bytes fit here.", hint="Send smaller parts.", extra={"room_bytes": room_bytes})


class NoThumbnailError(NotFoundError):
    """Asked for a small picture of what is no picture."""

    code = "no_thumbnail"
    title = "A text has no thumbnail"

    def __init__(self) -> None:
        super().__init__(
            "A text has no thumbnail.", hint="Its beginning stands in the item's `text`, the whole at `picture_url`."
        )


class BatchInvalidError(InvalidInputError):
    """The paths do not match the files, or the batch is too large."""

    code = "batch_invalid"
    title = "The batch cannot be read"


class SharesFixedError(ConflictError):
    """Once a version exists, moving items between splits would let a model be tested on what it was trained on."""

    code = "shares_fixed"
    title = "The shares of the splits are fixed"

    def __init__(self) -> None:
        super().__init__(
            "The project has a version already, so its items keep their splits.",
            hint="Leave the shares out, or use a new project for other shares.",
        )


class SplitFieldError(InvalidInputError):
    """A rule for the splits names a field by which nothing can be decided."""

    code = "split_field"
    title = "The splits cannot be made by this field"

    def __init__(self, detail: str, *, hint: str = "Choose another field, or let labels decide.") -> None:
        super().__init__(detail, hint=hint, fields={"field": [detail]})


class NoColumnsError(NotFoundError):
    """Asked for the columns of what is no table."""

    code = "no_columns"
    title = "Only tables have columns"


class ColumnsStaleError(ConflictError):
    """Somebody changed the columns meanwhile."""

    code = "columns_stale"
    title = "The columns have changed meanwhile"

    def __init__(self, *, revision: int) -> None:
        super().__init__(
            "Somebody changed the columns since they were read.",
            hint="Read them again and repeat the change.",
            extra={"revision": revision},
        )


class ColumnsInvalidError(InvalidInputError):
    """They are not the columns that the rows have, or cannot be read so."""

    code = "columns_invalid"
    title = "The columns cannot be so"


class TooManyClassesError(InvalidInputError):
    """The target has more values than a category may have."""

    code = "too_many_classes"
    title = "The column has too many values to be a category"

    def __init__(self, *, column: str, most: int) -> None:
        super().__init__(
            f"{column} has more than {most} different values.",
            hint="Choose another column, or make a project that predicts a number.",
            extra={"column": column, "most": most},
        )


class CellsInvalidError(InvalidInputError):
    """Cells that the row cannot have."""

    code = "cells_invalid"
    title = "The cells cannot be so"


class RowStaleError(ConflictError):
    """Somebody changed the row meanwhile."""

    code = "row_stale"
    title = "The row has changed meanwhile"

    def __init__(self, *, blob: str) -> None:
        super().__init__(
            "Somebody changed the row since it was read.",
            hint="Read it again and repeat the change.",
            extra={"blob": blob},
        )


class RowUnchangedError(ConflictError):
    """There is nothing to take back."""

    code = "row_unchanged"
    title = "Nobody has changed the row"
