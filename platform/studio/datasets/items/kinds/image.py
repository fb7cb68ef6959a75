"""Pictures: kept as they came, shown as browsers can show them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import ClassVar

from django.db.models import Q
from django.http import FileResponse, HttpResponse
from django.http.response import HttpResponseBase

from automl.contracts.base import Text
from automl.contracts.dataset import MediaFacts
from automl.contracts.words import Words
from studio.common.blobs import blob_checked, blobs
from studio.datasets.files.picture import FORMATS, Picture, PictureRefusedError, picture_read
from studio.datasets.files.text import is_words
from studio.datasets.files.thumbnails import thumbnail_keep, thumbnail_read
from studio.datasets.items.incoming import DecodedFiles, IncomingFile, each, files_fresh, splits_named
from studio.datasets.items.kind import ItemPreview, ShardColumn
from studio.datasets.models import Dataset, Item

words = Words(__file__)

_SHOWN_AS_THEY_ARE = frozenset({"jpeg", "png", "webp", "gif", "bmp"})
"""Formats that every browser shows; the others are shown as a large JPEG."""
_SHOWN_PX = 2048


class Pictures:
    """See ``ItemKind``."""

    formats: ClassVar[frozenset[str]] = frozenset(form.lower() for form in FORMATS)
    shard_columns: ClassVar[Sequence[ShardColumn]] = ()
    has_files: ClassVar[bool] = True
    has_thumbnails: ClassVar[bool] = True
    keeps_text: ClassVar[bool] = False
    has_columns: ClassVar[bool] = False
    files_at_once: ClassVar[int] = 64
    looks_within: ClassVar[bool] = False
    unread_table: ClassVar[str | None] = None
    table_form: ClassVar[str] = "csv_labels"
    table_choices: ClassVar[frozenset[str]] = frozenset({"separator", "encoding", "sheet"})
    job_titles: ClassVar[Mapping[str, Text]] = {
        "embed": words("image.embed"),
        "map": words("image.map"),
    }

    def decode(self, dataset: Dataset, files: Sequence[IncomingFile]) -> DecodedFiles:
        """The hash is that of the file; what is an item already is not decoded again."""
        hashes = [hashlib.sha256(one.data).hexdigest() for one in files]
        first, fresh = files_fresh(dataset, hashes)
        decoded = dict(zip(fresh, each(_picture, [files[index] for index in fresh]), strict=True))
        pictures = {hashes[index]: found for index, found in decoded.items() if isinstance(found, Picture)}
        return DecodedFiles(
            hashes=hashes,
            media={blob: found.media for blob, found in pictures.items()},
            texts={},
            notes={blob: found.note for blob, found in pictures.items() if found.note is not None},
            refused={hashes[index]: found for index, found in decoded.items() if isinstance(found, str)},
            names={blob: files[index].name for blob, index in first.items()},
            splits=splits_named(files, first),
        )

    def preview(self, item: Item) -> ItemPreview:
        """Its sides."""
        media = MediaFacts(width=item.width, height=item.height, format=item.format, size_bytes=item.size_bytes)
        return ItemPreview(media)

    def response(self, item: Item) -> HttpResponseBase:
        """The picture as it was uploaded, or as JPEG when browsers cannot show it."""
        if item.format in _SHOWN_AS_THEY_ARE:
            path = blob_checked(item.blob, is_often=True)
            return FileResponse(path.open("rb"), content_type=f"image/{item.format}")
        return HttpResponse(thumbnail_read(blob=item.blob, size_px=_SHOWN_PX), content_type="image/jpeg")

    def thumbnail(self, item: Item, *, size_px: int) -> bytes:
        """A small upright picture."""
        return thumbnail_read(blob=item.blob, size_px=size_px)

    def matches(self, prefix: str, part: str) -> Q:
        """Matches nothing: pictures have no text."""
        del prefix, part
        return Q()


def _picture(file: IncomingFile) -> Picture | str:
    """Decodes a picture and stores it with its thumbnail; a refusal is its code."""
    try:
        picture = picture_read(file.data)
    except PictureRefusedError as error:
        return "text_among_pictures" if error.code == "not_a_picture" and is_words(file.name) else error.code
    thumbnail_keep(blob=blobs().put_bytes(file.data).sha256, thumbnail=picture.thumbnail)
    return picture


KIND = Pictures()
