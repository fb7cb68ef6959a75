"""What a caller can do wrong with uploads, each with its cure."""

from __future__ import annotations

from collections.abc import Iterable

from automl.contracts.base import Text
from studio.common.errors import ConflictError, InvalidInputError, StudioError


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
    """Items came from the upload: without it, it would not be known who sent them."""

    code = "upload_kept"
    title = "The upload stays"

    def __init__(self) -> None:
        super().__init__("Items came of this upload, and it says who sent them.", hint="Delete the items instead.")


class UploadIncompleteError(ConflictError):
    """Bytes are missing."""

    code = "upload_incomplete"
    title = "The upload is not complete"
    param_names = ("received_bytes", "size_bytes")

    def __init__(self, *, received_bytes: int, size_bytes: int) -> None:
        super().__init__(
            f"{received_bytes} of {size_bytes} bytes have been received.",
            hint="Send the missing parts, then finish again.",
            extra={"received_bytes": received_bytes},
            params={"size_bytes": size_bytes},
        )


class UploadChecksumError(ConflictError):
    """The bytes are not those announced; they were thrown away."""

    code = "upload_checksum_mismatch"
    title = "The bytes changed on their way"

    def __init__(self) -> None:
        super().__init__(hint="Send the file again from the start.", extra={"received_bytes": 0})


class PartTooLargeError(StudioError):
    """A part holds more bytes than the upload still takes."""

    status = 413
    code = "part_too_large"
    title = "The part is too large"

    def __init__(self, *, limit_bytes: int) -> None:
        extra = {"limit_bytes": limit_bytes, "room_bytes": limit_bytes}  # the second is the earlier name
        super().__init__(f"At most {limit_bytes} bytes fit here.", hint="Send smaller parts.", extra=extra)


class BatchInvalidError(InvalidInputError):
    """The paths do not match the files, or the batch is too large."""

    code = "batch_invalid"
    title = "The batch cannot be read"


class TableOptionsMisplacedError(InvalidInputError):
    """Something is said of a table that means nothing to it."""

    code = "table_options_misplaced"
    title = "The option does not fit the file"
    param_names = ("name", "option")

    def __init__(self, *, option: str, name: str) -> None:
        super().__init__(
            f"`{option}` means nothing to {name}.",
            hint="Leave it out: separator and encoding are of CSV and TSV, sheet of Excel, columns of texts, decimal of rows.",
            params={"option": option, "name": name},
        )


class TableUnreadableError(InvalidInputError):
    """A table cannot be read, or not in the way that was chosen."""

    code = "table_unreadable"
    title = "The table cannot be read like this"
    param_names = ("reason",)

    def __init__(self, reason: Text, *, offered: Iterable[str] = ()) -> None:
        super().__init__(reason, extra={"offered": sorted(offered)})
