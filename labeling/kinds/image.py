"""Pictures."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, ClassVar

from automl.contracts.base import Text
from automl.contracts.quality import FindingKind
from labeling.assist.errors import SearchBy
from labeling.transfer.errors import ArchiveInvalidError
from studio.common.blobs import blobs
from studio.datasets.files.picture import PictureRefusedError, picture_read
from studio.datasets.files.thumbnails import thumbnail_keep


class Pictures:
    """See ``LabellingKind``."""

    search_by: ClassVar[SearchBy | None] = "picture"
    quality_words: ClassVar[Mapping[FindingKind, Text]] = {
        FindingKind.EXACT_DUPLICATE: Text(en="pictures are exact copies of one another", zh="张图片互为完全相同的副本"),
        FindingKind.NEAR_DUPLICATE: Text(en="pictures are nearly the same as another", zh="张图片与其他图片近似重复"),
        FindingKind.LEAK: Text(en="pictures stand in two splits at once", zh="张图片同时出现在两个数据划分中"),
        FindingKind.WRONG_LABEL: Text(en="labels may be wrong", zh="个标签可能有误"),
    }

    def archive_file(self, data: bytes, *, blob: str, place: str) -> None:
        """A picture that can be decoded."""
        try:
            thumbnail = picture_read(data).thumbnail
        except PictureRefusedError as error:
            raise ArchiveInvalidError(place, error.code) from error
        blobs().put_bytes(data)
        thumbnail_keep(blob=blob, thumbnail=thumbnail)

    def archive_item(self, values: Mapping[str, Any], *, files: Collection[str], place: str) -> None:
        """A picture has its file and says nothing."""
        if values["blob"] not in files:
            raise ArchiveInvalidError(place, "a picture or text is missing")
        if values["text"] is not None:
            raise ArchiveInvalidError(place, "an item is not of the project's kind")


KIND = Pictures()
