"""The labels as they stand, in any format, without a version: for whoever labels here and trains elsewhere.

Nothing is asked of the data but that something is labelled. The rows are read once, before anything is sent, so that what
changes meanwhile does not tear the archive; it is no version, so it cannot be gone on with and holds no ``version.json``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import IO

import pyarrow as pa

from automl.contracts.annotation import IGNORED_LABEL
from automl.contracts.dataset import ItemRecord
from studio.datasets.files.formats import ExportedFile, format_container, format_load, written_labels
from studio.datasets.items.kinds import kind_of
from studio.datasets.items.table_schema import schema_of
from studio.datasets.models import Dataset, ItemLabel
from studio.datasets.versions.archive_stream import archive_bytes
from studio.datasets.versions.download import blob_bytes
from studio.datasets.versions.records import table_records
from studio.datasets.versions.shards import ROW_GROUP, shard_schema
from studio.datasets.versions.working_tables import working_tables


@dataclass(frozen=True)
class WorkingDownload:
    """The annotated items of a dataset in a format.

    Args:
        dataset: with its project.
        form: the format's name; ``LookupError`` when there is none.
        with_data: whether the pictures go along, or the label files alone.
    """

    dataset: Dataset
    form: str
    with_data: bool = True

    @property
    def container(self) -> str:
        """``zip`` or ``tar``."""
        return format_container(format_load(self.form))

    def chunks(self) -> Iterator[bytes]:
        """The archive's bytes."""
        with TemporaryFile(prefix="labels-") as file:
            _keep(self.dataset, file)
            yield from archive_bytes(self._files(file), container=self.container, read=lambda one: blob_bytes(one.blob or ""))

    def _files(self, file: IO[bytes]) -> Iterator[ExportedFile]:
        columns = schema_of(self.dataset)
        more = {} if columns is None else {"columns": columns}
        form, marked = format_load(self.form), ItemLabel.objects.filter(dataset=self.dataset, label=IGNORED_LABEL)
        labels = written_labels(form, self.dataset.project.labels, has_ignored=marked.exists())
        written = form.write(_records(file), labels=labels, blob=blob_bytes, **more)
        return (one for one in written if self.with_data or one.blob is None)


def _keep(dataset: Dataset, file: IO[bytes]) -> None:
    schema = shard_schema(kind_of(dataset.project))
    with pa.ipc.new_stream(file, schema) as writer:
        for table in working_tables(dataset):
            writer.write_table(table.cast(schema), max_chunksize=ROW_GROUP)


def _records(file: IO[bytes]) -> Iterator[ItemRecord]:
    file.seek(0)
    with pa.ipc.open_stream(file) as reader:
        for batch in reader:
            yield from table_records(pa.Table.from_batches([batch]))
