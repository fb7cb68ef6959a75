"""Pictures."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar

from automl.contracts.base import Text
from automl.contracts.quality import FindingKind
from automl.contracts.words import Words
from labeling.assist.errors import SearchBy
from labeling.transfer.errors import ArchiveInvalidError
from studio.common.blobs import blobs
from studio.datasets.files.picture import PictureRefusedError, picture_read
from studio.datasets.files.thumbnails import thumbnail_keep

words = Words(__file__)


class Pictures:
    """See ``LabellingKind``."""

    search_by: ClassVar[SearchBy | None] = "picture"
    shown_findings: ClassVar[Sequence[FindingKind]] = (
        FindingKind.EXACT_DUPLICATE,
        FindingKind.NEAR_DUPLICATE,
        FindingKind.LEAK,
        FindingKind.WRONG_LABEL,
    )

    def finding_sentence(self, kind: FindingKind, count: int) -> Text:
        """Of so many pictures, or their labels."""
        return words(f"image.{kind.value}", count=count)

    def archive_file(self, data: bytes, *, blob: str, place: str) -> None:
        """A picture that can be decoded."""
        try:
            thumbnail = picture_read(data).thumbnail
        except PictureRefusedError as error:
            raise ArchiveInvalidError(place, error.code) from error
        blobs().put_bytes(data)
        thumbnail_keep(blob=blob, thumbnail=thumbnail)

    def archive_item(self, values: Mapping[str, Any], *, files: Collection[str], place: str) -> None:
        """The fields of a picture: its file, and no text."""
        if values["blob"] not in files:
            raise ArchiveInvalidError(place, "file_missing")
        if values["text"] is not None:
            raise ArchiveInvalidError(place, "item_kind")


KIND = Pictures()
