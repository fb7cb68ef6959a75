"""Pictures: files, one at a time. Those that were sent for a run leave a thumbnail in its results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any, ClassVar

import pyarrow as pa
from PIL import Image

from automl.contracts.artefact import ArtefactManifest
from studio.datasets.files.picture import PictureRefusedError, picture_read
from studio.datasets.files.text import is_words
from studio.datasets.models import Item
from studio.predictions.contents import content_bytes, file_entries
from studio.predictions.entries import Content, Entry, ItemPreview
from studio.predictions.items.kind import SentFile

if TYPE_CHECKING:
    from runtime.predictor import Predictor

THUMBNAIL_PX = 192
_QUALITY = 75


class Pictures:
    """See ``PredictedItems``."""

    at_once: ClassVar[int] = 1
    in_part: ClassVar[int] = 1_000
    item_fields: ClassVar[tuple[str, ...]] = ("blob",)
    excerpt: ClassVar[int | None] = 0

    def of_item(self, item: Item) -> Content:
        """Its file, read where it is decoded."""
        return Content(blob=item.blob)

    def of_version(self, table: pa.Table) -> Sequence[Content]:
        """The same."""
        return [Content(blob=blob) for blob in table.column("blob").to_pylist()]

    def of_file(self, file: SentFile, skip: int) -> Iterator[tuple[Entry, float]]:
        """A picture, or those of an archive."""
        return file_entries(file, skip)

    def cell_names(self, contents: Sequence[Content]) -> Sequence[str]:
        """None."""
        del contents
        return ()

    def known_names(self, predictor: Predictor) -> frozenset[str]:
        """None."""
        del predictor
        return frozenset()

    def read(self, predictor: Predictor, contents: Sequence[Content]) -> Any:  # noqa: ANN401 - the runtime's own
        """Decodes the picture as the model needs it."""
        return predictor.decode(content_bytes(contents[0]))

    def data(self, content: Content) -> bytes:
        """Its bytes."""
        return content_bytes(content)

    def refusal(self, entry: Entry) -> str:
        """As an upload of the picture would be refused."""
        try:
            picture_read(content_bytes(entry.content))
        except PictureRefusedError as error:
            return "text_among_pictures" if error.code == "not_a_picture" and is_words(entry.name) else error.code
        return "damaged_picture"

    def preview(self, entry: Entry, decoded: Any) -> ItemPreview:  # noqa: ANN401 - the runtime's own
        """A thumbnail, made of the pixels that the model saw."""
        if decoded is None:
            return ItemPreview()
        thumbnail = None if entry.item else _thumbnail(Image.fromarray(decoded.pixels_HWC))
        return ItemPreview(thumbnail=thumbnail, width=decoded.width_px, height=decoded.height_px)

    def columns(self, parts: pa.Table, names: Sequence[str]) -> list[tuple[str, pa.Array]]:
        """The file's name."""
        del names
        return [("file", parts.column("name"))]

    def prefix(self, manifest: ArtefactManifest) -> str:
        """None."""
        del manifest
        return ""


def _thumbnail(picture: Image.Image) -> bytes:
    picture.thumbnail((THUMBNAIL_PX, THUMBNAIL_PX), Image.Resampling.BILINEAR, reducing_gap=1.0)
    out = BytesIO()
    picture.save(out, "JPEG", quality=_QUALITY)
    return out.getvalue()


KIND = Pictures()
