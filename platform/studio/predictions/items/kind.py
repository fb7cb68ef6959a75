"""The interface of a kind of items in batch predictions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import pyarrow as pa

from automl.contracts.artefact import ArtefactManifest
from studio.datasets.models import Item, Upload
from studio.predictions.entries import Entry, ItemPreview

if TYPE_CHECKING:
    from runtime.predictor import Predictor


@dataclass(frozen=True)
class SentFile:
    """A file that was sent for a run."""

    path: Path
    upload: Upload
    """Not stored: name, size and project, as those who read uploads want them."""


class PredictedItems(Protocol):
    """What each module calls ``KIND``."""

    at_once: ClassVar[int]
    """Entries that the model is asked about in one piece."""
    in_part: ClassVar[int]
    """Results of a part at most."""
    item_fields: ClassVar[tuple[str, ...]]
    """Columns of ``Item`` that ``of_item`` needs."""
    excerpt: ClassVar[int | None]
    """Characters of ``ItemPreview.text`` in a list; None where it is no text but cells."""

    def of_item(self, item: Item) -> Any:  # noqa: ANN401 - the kind's own form
        """An item's content."""

    def of_version(self, table: pa.Table) -> Sequence[Any]:
        """The content of each row of a version's shard."""

    def of_file(self, file: SentFile, skip: int) -> Iterator[tuple[Entry, float]]:
        """Reads a file that was sent, in the same order each time; leaves the first ``skip`` entries out.

        Returns:
            Entries, each with the fraction of the file that has been read.
        """

    def cell_names(self, contents: Sequence[Any]) -> Iterable[str]:
        """Names of the cells of items that have some, in the order in which they come."""

    def known_names(self, predictor: Predictor) -> frozenset[str]:
        """Names of the cells that a model reads."""

    def read(self, predictor: Predictor, contents: Sequence[Any]) -> Any:  # noqa: ANN401 - as the runtime decodes them
        """Decodes up to ``at_once`` contents in one piece; runs in any thread.

        Raises:
            RuntimeFault, TextRefusedError, BlobMissingError: they cannot be read.
        """

    def data(self, content: Any) -> bytes:  # noqa: ANN401 - the kind's own form
        """One content as the runtime decodes it.

        Raises:
            BlobMissingError: it is not in the store.
        """

    def refusal(self, entry: Entry) -> str:
        """Why an entry cannot be read that ``read`` refused: a key of ``REASONS``."""

    def preview(self, entry: Entry, decoded: Any) -> ItemPreview:  # noqa: ANN401 - as above
        """What a result keeps; ``decoded`` is what ``read`` made of the piece, None where it refused."""

    def columns(self, parts: pa.Table, names: Sequence[str]) -> list[tuple[str, pa.Array]]:
        """Columns of a download that show the items.

        Args:
            parts: rows of ``parts.SCHEMA``.
            names: of the cells, ``PredictionRun.columns``.
        """

    def prefix(self, manifest: ArtefactManifest) -> str:
        """What the names of the answer's columns begin with."""
