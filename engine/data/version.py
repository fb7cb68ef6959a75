"""Reads a dataset version from a job's ``data/`` folder (layout: ``automl.contracts.dataset``).

The engine only ever reads versions. Rows are validated as they come in, so that a damaged shard fails here, with its name,
and not as a strange tensor later.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import ValidationError

from automl.contracts.dataset import ItemRecord, Split, VersionManifest, blob_path, record_from_row
from engine.data.blob import damaged_file
from engine.errors import EngineError, raise_if_scarce


class VersionDamagedError(EngineError):
    """The folder is not a dataset version."""

    code = "version_damaged"
    hint = "Take the snapshot again; the pictures and annotations themselves are kept apart and are safe."


class VersionBytesError(VersionDamagedError):
    """A file of the version is not the one that was written: nothing is learned from it."""

    code = "version_bytes_damaged"
    hint = "Bring the version's files back from a backup of the store, or change an item and take a new version."


@dataclass(frozen=True)
class DatasetVersion:
    """An immutable dataset version on disk."""

    data_dir: Path
    manifest: VersionManifest

    @classmethod
    def open(cls, data_dir: Path) -> DatasetVersion:
        """Opens the version below ``data_dir``.

        Raises:
            VersionDamagedError: ``version.json`` is missing or is none.
        """
        try:
            manifest = VersionManifest.read(data_dir / "version.json")
        except (OSError, ValidationError) as error:
            raise_if_scarce(error)
            raise VersionDamagedError(f"The dataset version cannot be read: {error}") from error
        return cls(data_dir=data_dir, manifest=manifest)

    @property
    def id(self) -> str:
        """The version's id, ``dsv_...``."""
        return self.manifest.id

    def records(self, split: Split | None = None) -> list[ItemRecord]:
        """Lists the items of one split, or of all, ordered by item id.

        Raises:
            VersionDamagedError: a shard is missing, broken, or holds another number of items than promised.
        """
        return list(self._records) if split is None else [record for record in self._records if record.split == split]

    def blob_path(self, sha256: str) -> Path:
        """The file that holds the bytes with this hash."""
        return self.data_dir / blob_path(sha256)

    def shard_path(self, name: str) -> Path:
        """The file of a shard, looked at as a whole: 50,000 rows take some ten milliseconds.

        Raises:
            VersionBytesError: it is not the one that was written.
            OSError: it is not there.
        """
        damaged = damaged_file(self.data_dir, [name])
        if damaged is not None:
            raise VersionBytesError(f"{damaged} of the dataset version is not the file that was written.")
        return self.data_dir / name

    @cached_property
    def _records(self) -> tuple[ItemRecord, ...]:
        records = tuple(record for name in self.manifest.shards for record in self._shard(name))
        if len(records) != self.manifest.num_items:
            message = f"The dataset version promises {self.manifest.num_items} items and holds {len(records)}."
            raise VersionDamagedError(message)
        return records

    def _shard(self, name: str) -> list[ItemRecord]:
        try:
            rows = pq.read_table(self.shard_path(name)).to_pylist()
            return [record_from_row(row) for row in rows]
        except (OSError, pa.ArrowException, KeyError, ValidationError) as error:
            raise_if_scarce(error)
            raise VersionDamagedError(f"Shard {name} of the dataset version cannot be read: {error}") from error
