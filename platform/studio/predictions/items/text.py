"""Texts, one at a time: they differ in length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import pyarrow as pa

from automl.contracts.artefact import ArtefactManifest
from studio.datasets.files.text import TextRefusedError, is_table, text_read
from studio.datasets.items.kind import SHOWN_CHARACTERS
from studio.datasets.models import Item
from studio.predictions.contents import content_bytes, file_entries
from studio.predictions.entries import Content, Entry, ItemPreview
from studio.predictions.items.kind import SentFile

if TYPE_CHECKING:
    from runtime.predictor import Predictor


class Texts:
    """See ``PredictedItems``."""

    at_once: ClassVar[int] = 1
    in_part: ClassVar[int] = 5_000
    item_fields: ClassVar[tuple[str, ...]] = ("text",)
    excerpt: ClassVar[int | None] = SHOWN_CHARACTERS

    def of_item(self, item: Item) -> Content:
        """The text."""
        return Content((item.text or "").encode())

    def of_version(self, table: pa.Table) -> Sequence[Content]:
        """Its file, which is UTF-8."""
        return [Content(blob=blob) for blob in table.column("blob").to_pylist()]

    def of_file(self, file: SentFile, skip: int) -> Iterator[tuple[Entry, float]]:
        """A text, those of an archive, or the rows of a table that holds texts."""
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
        """Cuts the text into the model's tokens.

        Raises:
            TextRefusedError: it is none.
        """
        return predictor.decode(text_read(content_bytes(contents[0])).data)

    def data(self, content: Content) -> bytes:
        """Its bytes."""
        return content_bytes(content)

    def refusal(self, entry: Entry) -> str:
        """As an upload of the text would be refused."""
        try:
            text_read(content_bytes(entry.content))
        except TextRefusedError as error:
            return "table_among_texts" if error.code == "not_a_text" and is_table(entry.name) else error.code
        return "not_a_text"

    def preview(self, entry: Entry, decoded: Any) -> ItemPreview:  # noqa: ANN401 - the runtime's own
        """The text."""
        return ItemPreview() if decoded is None else ItemPreview(text_read(content_bytes(entry.content)).text)

    def columns(self, parts: pa.Table, names: Sequence[str]) -> list[tuple[str, pa.Array]]:
        """Its name and its text."""
        del names
        return [("file", parts.column("name")), ("text", parts.column("text"))]

    def prefix(self, manifest: ArtefactManifest) -> str:
        """None."""
        del manifest
        return ""


KIND = Texts()
