"""Whether a row of a table in an archive is itself."""

from __future__ import annotations

from labeling.transfer.errors import ArchiveInvalidError
from studio.datasets.files.rows import RowRefusedError, row_read


def row_check(text: str | None, blob: str, place: str) -> None:
    """A row must be written as rows are kept, and its hash be that.

    Raises:
        ArchiveInvalidError: it is none, or not itself.
    """
    try:
        found = row_read((text or "").encode("utf-8", "surrogatepass"))
    except RowRefusedError as error:
        raise ArchiveInvalidError(place, error.code) from error
    if found.text != text or found.blob != blob:
        raise ArchiveInvalidError(place, "row_form")
